//! `token`: creates and revokes tokens.

use std::collections::HashMap;

use anyhow::{Context, bail};
use app::{
    auth::Accounts,
    ports::{Clock, SystemClock, Token, TokenRights},
};
use domain::{
    Id, UserId, UserName,
    policy::Collections,
    time::{Timestamp, Zone, format_civil, parse_date},
};

use crate::{
    cli::TokenCommand,
    output::{self, notice},
    settings::{InvalidSetting, Settings},
    wiring,
};

/// Runs a command about tokens. Returns the text to print.
///
/// # Errors
///
/// If the user or token does not exist, or if the database fails.
pub(crate) async fn run(settings: &Settings, command: TokenCommand) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    let expires = match &command {
        TokenCommand::Create {
            expires: Some(text),
            ..
        } => Some(expiry(text, &settings.zone)?),
        _ => None,
    };
    let zone = &settings.zone;
    let done = wiring::with_migrated_store(settings, async |store| {
        let accounts = wiring::accounts(store);
        match command {
            TokenCommand::Create {
                user,
                name,
                scope,
                collections,
                ..
            } => {
                let collections = match &collections[..] {
                    [] => Collections::ALL,
                    some => some.iter().copied().collect(),
                };
                let rights = TokenRights { scope, collections };
                create(&accounts, zone, &user, &name, rights, expires).await
            }
            TokenCommand::List { user } => list(&accounts, zone, user.as_deref()).await,
            TokenCommand::Revoke { id } => revoke(&accounts, id).await,
        }
    });
    done.await
}

/// Creates a token and prints it.
async fn create(
    accounts: &Accounts,
    zone: &Zone,
    login: &str,
    label: &str,
    rights: TokenRights,
    expires: Option<Timestamp>,
) -> anyhow::Result<String> {
    let user = accounts.user(login).await?;
    let token = accounts
        .create_token(user.id, label, rights, expires)
        .await?;
    if let Err(error) = output::print(&format!("{}\n", token.text.expose())) {
        // The token was not shown, and cannot be shown again.
        accounts.revoke_token(token.token.id).await?;
        return Err(error).context("standard output: no token was created");
    }
    let end = expires.map_or("without end".to_owned(), |end| {
        format!("until {}", local_time(end, zone))
    });
    notice(&format!(
        "Token {} of {}, scope {rights}, {end}. It is shown only now.",
        token.token.id, user.name,
    ));
    if user.disabled {
        notice(&format!("{} is disabled and cannot log in.", user.name));
    }
    // The text is printed already.
    Ok(String::new())
}

async fn list(accounts: &Accounts, zone: &Zone, login: Option<&str>) -> anyhow::Result<String> {
    let user = match login {
        Some(login) => Some(accounts.user(login).await?.id),
        None => None,
    };
    let tokens = accounts.tokens(user).await?;
    let names = accounts.names().await?;
    Ok(table(&tokens, &names, zone, SystemClock.now()))
}

async fn revoke(accounts: &Accounts, id: i64) -> anyhow::Result<String> {
    if !accounts.revoke_token(Id::from_raw(id)).await? {
        bail!("there is no token {id}, or it was revoked or expired before");
    }
    Ok(format!("token {id} is revoked\n"))
}

/// Parses the expiry of a token.
fn expiry(text: &str, zone: &Zone) -> Result<Timestamp, InvalidSetting> {
    let now = SystemClock.now();
    let invalid = |reason: &str| InvalidSetting::new("--expires", format!("`{text}` {reason}"));
    let read = parse_date(text, zone, now).map_err(|error| invalid(&error.to_string()))?;
    if read.utc <= now {
        return Err(invalid("must lie in the future"));
    }
    Ok(read.utc)
}

fn table(
    tokens: &[Token],
    names: &HashMap<UserId, UserName>,
    zone: &Zone,
    now: Timestamp,
) -> String {
    let rows = tokens.iter().map(|token| {
        let details = &token.details;
        let expires = details.expires;
        let user = names.get(&details.user).map(ToString::to_string);
        let state = match (token.revoked, expires) {
            (Some(since), _) => format!("revoked {}", local_time(since, zone)),
            (None, Some(end)) if end <= now => "expired".to_owned(),
            _ => "active".to_owned(),
        };
        [
            token.id.to_string(),
            user.unwrap_or_default(),
            details.label.clone(),
            details.rights.scope.to_string(),
            details.rights.collections.to_string(),
            local_time(details.created, zone),
            expires.map_or("never".to_owned(), |end| local_time(end, zone)),
            token
                .last_used
                .map_or("never".to_owned(), |day| day.to_string()),
            state,
        ]
    });
    let header = [
        "ID",
        "USER",
        "LABEL",
        "SCOPE",
        "COLLECTIONS",
        "CREATED",
        "EXPIRES",
        "LAST USED",
        "STATE",
    ];
    output::table(header, rows.collect())
}

/// A time as text: `2027-03-10 09:00:00 CET`.
fn local_time(moment: Timestamp, zone: &Zone) -> String {
    let local = format_civil(zone.at(moment).local);
    format!("{local} {}", zone.abbreviation(moment))
}

#[cfg(test)]
mod tests {
    use app::ports::{NewToken, TokenScope};

    use super::*;

    fn token(id: i64, expires: Option<i64>, revoked: Option<i64>) -> Token {
        let moment = |seconds| Timestamp::from_seconds(seconds).unwrap();
        Token {
            id: Id::from_raw(id),
            details: NewToken {
                user: UserId::from_raw(1),
                label: "laptop".to_owned(),
                hash: "5f2a".to_owned().into(),
                rights: TokenRights {
                    scope: TokenScope::Read,
                    collections: "events,venues".parse().unwrap(),
                },
                created: moment(0),
                expires: expires.map(moment),
            },
            revoked: revoked.map(moment),
            last_used: revoked.map(|seconds| moment(seconds).civil().date()),
        }
    }

    #[test]
    fn tokens_in_a_table_without_hashes() {
        let names = HashMap::from([(UserId::from_raw(1), "ann".parse().unwrap())]);
        let tokens = [
            token(1, None, None),
            token(2, Some(60), None),
            token(3, None, Some(60)),
        ];
        let now = Timestamp::from_seconds(60).unwrap();
        assert_eq!(
            table(&tokens, &names, &Zone::utc(), now),
            "ID  USER  LABEL   SCOPE  COLLECTIONS    CREATED                  EXPIRES                  \
             LAST USED   STATE\n\
             1   ann   laptop  read   events,venues  1970-01-01 00:00:00 UTC  never                    \
             never       active\n\
             2   ann   laptop  read   events,venues  1970-01-01 00:00:00 UTC  1970-01-01 00:01:00 UTC  \
             never       expired\n\
             3   ann   laptop  read   events,venues  1970-01-01 00:00:00 UTC  never                    \
             1970-01-01  revoked 1970-01-01 00:01:00 UTC\n"
        );
    }

    #[test]
    fn a_token_ends_in_the_future() {
        let zone = Zone::utc();
        assert!(expiry("+90 days", &zone).is_ok());
        for text in ["yesterday", "1999-12-31", "soon", ""] {
            let error = expiry(text, &zone).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("--expires: `{text}` ")),
                "{error}"
            );
        }
    }
}
