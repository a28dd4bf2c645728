//! `mirror`: keeps a copy of another calendar in the database.

mod copy;
mod fields;

use std::{fs, path::Path};

use anyhow::{Context, bail};
use app::{
    Calendar,
    auth::{AccountError, Accounts},
    calendar::ListChanges,
};
use client::{Client, sync::SyncError};
use domain::{Role, Secret, UserId, policy::Caller};

use self::copy::Copy;
use crate::{cli::MirrorArgs, output, settings::Settings, signals, wiring};

/// The user who owns the records of a copy.
const USER: &str = "mirror";

/// Copies all records of the calendar at the address, and then each change until SIGTERM. Returns a text with the number
/// of changes.
///
/// # Errors
///
/// If the other calendar refuses the caller, or the database fails.
pub(crate) async fn run(settings: &Settings, args: &MirrorArgs) -> anyhow::Result<String> {
    let client = client(args)?;
    let mut signals = signals::listen()?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        let owner = owner(&calendar, &wiring::accounts(store)).await?;
        let mut copy = Copy::new(store, &calendar, owner);
        copy.reserve_ids().await?;
        let feed = client.feed().with_texts();
        if args.once {
            feed.catch_up(&mut copy, None).await.map_err(described)?;
            return Ok(copy.report());
        }
        output::notice(&format!("copying {}; SIGTERM or Ctrl-C ends it", args.url));
        let kept = tokio::select! {
            kept = feed.keep(&mut copy, None) => Some(kept),
            _ = signals.recv() => None,
        };
        match kept {
            None => Ok(copy.report()),
            Some(Err(error)) => Err(described(error)),
            Some(Ok(never)) => match never {},
        }
    });
    done.await
        .with_context(|| format!("the copy of {}", args.url))
}

fn described(error: SyncError<anyhow::Error>) -> anyhow::Error {
    match error {
        SyncError::Client(error) => error.into(),
        SyncError::Mirror(error) => error,
    }
}

fn client(args: &MirrorArgs) -> anyhow::Result<Client> {
    let client = Client::new(&args.url)?;
    let Some(file) = &args.token_file else {
        return Ok(client);
    };
    Ok(client.with_token(&token(file)?)?)
}

fn token(file: &Path) -> anyhow::Result<Secret> {
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    Ok(Secret::new(text.trim().to_owned()))
}

/// The user who owns the records, who is added at the first start. A calendar with other records would lose them.
async fn owner(calendar: &Calendar, accounts: &Accounts) -> anyhow::Result<Caller> {
    let caller = |id| Caller::of(id, Role::Administrator);
    let user = match accounts.user(USER).await {
        Err(AccountError::UnknownUser(_)) => {
            let all = caller(UserId::from_raw(1));
            let records = calendar.changes(all, &ListChanges::default()).await?;
            if !records.items.is_empty() {
                bail!("the database has records of its own, which a copy would remove");
            }
            accounts.add_user(USER, Role::Administrator, None).await
        }
        found => found,
    }?;
    if user.role != Role::Administrator || user.disabled {
        bail!("the user `{USER}`, who owns the records of a copy, must be an administrator");
    }
    Ok(caller(user.id))
}
