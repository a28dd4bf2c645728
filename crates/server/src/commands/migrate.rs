//! `migrate`: brings the schema of the database up to date.

use std::process::ExitCode;

use anyhow::Context;

use crate::{output, settings::Settings, wiring};

/// Brings the schema up to date and prints the number of migrations.
///
/// # Errors
///
/// If the database does not answer, or if its schema is newer than the program.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<ExitCode> {
    let store = wiring::connect(settings).await?;
    let applied = wiring::migrate(&store).await;
    wiring::close(store).await;
    let done = match applied? {
        0 => "the schema is up to date".to_owned(),
        1 => "1 migration applied".to_owned(),
        applied => format!("{applied} migrations applied"),
    };
    output::print_list(&format!("{done}\n")).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}
