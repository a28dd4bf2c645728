//! `migrate`: brings the schema of the database up to date.

use crate::{settings::Settings, wiring};

/// Brings the schema up to date. Returns a text with the number of migrations.
///
/// # Errors
///
/// If the database does not answer, or if its schema is newer than the program.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<String> {
    let applied = wiring::with_store(settings, wiring::migrate).await?;
    Ok(match applied {
        0 => "the schema is up to date\n".to_owned(),
        1 => "1 migration applied\n".to_owned(),
        applied => format!("{applied} migrations applied\n"),
    })
}
