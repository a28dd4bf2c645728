//! `feed`: shows and revokes secret feeds.

use std::collections::HashMap;

use anyhow::bail;
use app::{auth::Accounts, ports::SecretFeed};
use domain::{Id, UserId, UserName};

use crate::{cli::FeedCommand, output, settings::Settings, wiring};

/// Runs a command about secret feeds. Returns the text to print.
///
/// # Errors
///
/// If the user or feed does not exist, or if the database fails.
pub(crate) async fn run(settings: &Settings, command: FeedCommand) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let accounts = wiring::accounts(store);
        match command {
            FeedCommand::List { user } => list(&accounts, user.as_deref()).await,
            FeedCommand::Revoke { id } => revoke(&accounts, id).await,
        }
    });
    done.await
}

async fn list(accounts: &Accounts, login: Option<&str>) -> anyhow::Result<String> {
    let owner = match login {
        Some(login) => Some(accounts.user(login).await?.id),
        None => None,
    };
    let feeds = accounts.secret_feeds(owner).await?;
    Ok(table(&feeds, &accounts.names().await?))
}

async fn revoke(accounts: &Accounts, id: i64) -> anyhow::Result<String> {
    if !accounts.revoke_secret_feed(Id::from_raw(id)).await? {
        bail!("there is no feed {id}");
    }
    Ok(format!("feed {id} is revoked\n"))
}

fn table(feeds: &[SecretFeed], names: &HashMap<UserId, UserName>) -> String {
    let rows = feeds.iter().map(|feed| {
        let details = &feed.details;
        let owner = names.get(&details.owner).map(ToString::to_string);
        let used = feed.last_used.map(|day| day.to_string());
        [
            feed.id.to_string(),
            owner.unwrap_or_default(),
            details.name.clone(),
            details.query.clone(),
            format!("{} UTC", details.created),
            used.unwrap_or_else(|| "never".to_owned()),
        ]
    });
    let header = ["ID", "USER", "NAME", "QUERY", "CREATED", "LAST USED"];
    output::table(header, rows.collect())
}

#[cfg(test)]
mod tests {
    use app::ports::NewSecretFeed;
    use domain::time::Timestamp;

    use super::*;

    #[test]
    fn feeds_in_a_table_without_hashes() {
        let feed = SecretFeed {
            id: Id::from_raw(4),
            details: NewSecretFeed {
                owner: UserId::from_raw(1),
                name: "My drafts".to_owned(),
                query: "status=draft".to_owned(),
                key_hash: "5f2a".to_owned().into(),
                created: Timestamp::from_seconds(0).unwrap(),
            },
            last_used: None,
        };
        let names = HashMap::from([(UserId::from_raw(1), "ann".parse().unwrap())]);
        assert_eq!(
            table(&[feed], &names),
            "ID  USER  NAME       QUERY         CREATED                  LAST USED\n\
             4   ann   My drafts  status=draft  1970-01-01 00:00:00 UTC  never\n"
        );
    }
}
