//! `clean-media`: removes files that belong to no image.

use crate::{settings::Settings, wiring};

/// Removes the files. Returns a text with their number.
///
/// # Errors
///
/// If the database or the storage of files fails.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<String> {
    // Beside an empty calendar, every file would be removed.
    wiring::require_database(settings)?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        Ok(match calendar.remove_lost_files().await? {
            0 => "every file belongs to an image\n".to_owned(),
            1 => "1 file removed\n".to_owned(),
            files => format!("{files} files removed\n"),
        })
    });
    done.await
}
