//! `restore`: puts a backup in the place of the database.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read as _},
    path::Path,
};

use adapters_db::EndOfLogError;
use anyhow::{Context, bail};

use super::super::{images::ImageSource, restore};
use crate::{cli::RestoreArgs, output, partial_file::PartialFile, settings::Settings, wiring};

/// The first bytes of an SQLite file.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Restores a backup. The database appears complete or not at all, behind the files of its images.
///
/// # Errors
///
/// If there is a database that may not be replaced, if the backup is damaged, or if a file cannot be read or written.
pub(crate) async fn run(settings: &Settings, args: &RestoreArgs) -> anyhow::Result<String> {
    let RestoreArgs {
        file,
        images,
        force,
    } = args;
    let opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut source = BufReader::new(opened);
    if restore::is_archive(&mut source).context("cannot read further")? {
        let progress = output::progress_bar(None);
        let done = restore::run(settings, file, source, images.as_deref(), progress).await?;
        return Ok(done + "\n");
    }
    let mut magic = Vec::new();
    let head = source.by_ref().take(MAGIC.len() as u64);
    BufReader::new(head)
        .read_to_end(&mut magic)
        .with_context(|| format!("cannot read {}", file.display()))?;
    if magic != MAGIC {
        bail!("{} is no backup of a calendar", file.display());
    }
    let Some(target) = settings.database.file() else {
        bail!(
            "{} is a copy of an SQLite file, and the database is {}: an archive of `export` moves between them",
            file.display(),
            settings.database
        );
    };
    if !force && fs::symlink_metadata(target).is_ok() {
        bail!(
            "{} exists: stop the server, and --force replaces it",
            target.display()
        );
    }
    if output::is_same_file(file, target) {
        bail!("{} is the database itself", file.display());
    }
    if let Some(damage) = adapters_db::find_damage(file).await? {
        let file = file.display();
        bail!("{file} is damaged ({damage}); nothing was restored: use an older backup");
    }
    let files = match images {
        Some(images) => {
            let media = wiring::media(settings)?;
            let files = ImageSource::open(images)?.restore(&*media.files).await?;
            format!(", {files} files of images")
        }
        None => String::new(),
    };
    replace(file, target)
        .await
        .with_context(|| format!("cannot replace {}", target.display()))?;
    Ok(format!("{}: restored{files}\n", target.display()))
}

/// Copies a file over a database that nobody uses. A stop at any moment leaves the former database or the new
/// one, each with all its records.
async fn replace(file: &Path, target: &Path) -> anyhow::Result<()> {
    let partial = PartialFile::create(target)?;
    io::copy(&mut File::open(file)?, &mut &partial.file)?;
    partial.file.sync_all()?;
    if target.exists() {
        match adapters_db::end_write_ahead_log(target).await {
            // A backup replaces damaged files, too.
            Ok(()) | Err(EndOfLogError::Damaged) => {}
            Err(error @ EndOfLogError::InUse) => {
                return Err(error).context("stop the server first");
            }
            Err(error) => return Err(error.into()),
        }
    }
    // The log of a damaged or missing database, which SQLite would read into the new one.
    for end in ["-wal", "-shm"] {
        let mut name = target.as_os_str().to_owned();
        name.push(end);
        match fs::remove_file(&name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    partial.publish(target)?;
    Ok(())
}
