//! `backup`: copies an SQLite database while it is in use.

use std::{fs, path::Path};

use adapters_db::BackupError;
use anyhow::{Context, bail};
use indicatif::HumanCount;

use crate::{partial_file::PartialFile, settings::Settings, signals, wiring};

/// Copies a snapshot of the database into a file that only its owner can read. The file appears
/// complete or not at all.
///
/// # Errors
///
/// If the database is not an SQLite file or fails, if the file cannot be written, or if it exists
/// and may not be replaced.
pub(crate) async fn run(settings: &Settings, file: &Path, force: bool) -> anyhow::Result<String> {
    let Some(source) = settings.database.file() else {
        bail!(
            "only an SQLite file is copied; copy PostgreSQL with `pg_dump`: {}",
            settings.database
        );
    };
    wiring::require_database(settings)?;
    if file.is_dir() {
        bail!("{} is a folder: name a file", file.display());
    }
    if !force && fs::symlink_metadata(file).is_ok() {
        bail!("{} exists: --force replaces it", file.display());
    }
    if is_same_file(source, file) {
        bail!("{} is the database itself", file.display());
    }
    let partial = PartialFile::create(file)
        .with_context(|| format!("cannot create a file beside {}", file.display()))?;
    let mut stop = signals::listen()?;
    let bytes = tokio::select! {
        bytes = copy(settings, partial, file) => bytes?,
        _ = stop.recv() => bail!("stopped: no copy was made"),
    };
    let bytes = HumanCount(bytes);
    Ok(format!("{}: {bytes} bytes copied\n", file.display()))
}

/// Copies the database and renames the copy. Returns its length in bytes.
async fn copy(settings: &Settings, partial: PartialFile, file: &Path) -> anyhow::Result<u64> {
    let copied = wiring::with_store(settings, async |store| {
        Ok(store.copy_into(&partial.path).await)
    });
    match copied.await? {
        Ok(()) => {}
        Err(BackupError::Failed(cause)) => {
            return Err(cause).with_context(|| format!("cannot copy {}", settings.database));
        }
        Err(error) => return Err(error.into()),
    }
    let bytes = partial
        .publish(file)
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(bytes)
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
