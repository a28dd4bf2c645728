//! `clean-media`: removes files that belong to no image.

use std::process::ExitCode;

use anyhow::Context;

use crate::{output, settings::Settings, wiring};

/// Removes the files and prints their number.
///
/// # Errors
///
/// If the database or the storage of files fails.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<ExitCode> {
    let done = wiring::with_store(settings, async |store| {
        let public_url = settings.public_url(settings.listen.port());
        let calendar = wiring::calendar(store, settings, &public_url).await?;
        Ok(match calendar.remove_lost_files().await? {
            0 => "every file belongs to an image\n".to_owned(),
            1 => "1 file removed\n".to_owned(),
            files => format!("{files} files removed\n"),
        })
    });
    output::print_list(&done.await?).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}
