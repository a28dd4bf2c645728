//! `backup --verify`: reads a backup as `doctor` reads a calendar.

use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

use adapters_db::{DbOptions, SeaOrmStore};
use adapters_media::Files;
use anyhow::Context;
use app::ports::{Clock as _, ImageFiles, SystemClock};

use super::super::{
    doctor::{self, Report},
    export::images_of,
    images::ImageSource,
    restore,
};
use crate::{output, wiring};

/// A folder for a copy, which is removed when it is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Checks a backup. Its images are in a folder or an archive `.tar`, or, with an archive of the calendar, beside it
/// by default. Returns a line for each difference, and whether there is none.
///
/// # Errors
///
/// If the backup cannot be read.
pub(super) async fn run(file: &Path, images: Option<&Path>) -> anyhow::Result<(String, bool)> {
    let opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut source = BufReader::new(opened);
    let is_archive = restore::is_archive(&mut source)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let mut name = std::path::absolute(file)?.into_os_string();
    name.push(format!(".{:x}.verify", std::process::id()));
    let scratch = Scratch(PathBuf::from(name));
    // The copy belongs to its owner alone, as the backup does.
    output::create_private_folder(&scratch.0)
        .with_context(|| format!("cannot make a folder beside {}", file.display()))?;
    let copy = scratch.0.join("calendar.db");
    let images = match images {
        None if is_archive => images_of(file, None).filter(|folder| folder.exists()),
        images => images.map(Path::to_owned),
    };
    let images = images.as_deref().map(ImageSource::open).transpose()?;
    let files = images.as_ref().map(ImageSource::files);
    if !is_archive {
        // Opening the file itself would change it.
        fs::copy(file, &copy).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    let mut options = DbOptions::new(format!("sqlite://{}", copy.display()));
    options.cache_bytes = 0;
    let store = adapters_db::connect(&options)
        .await
        .with_context(|| format!("{} is no calendar", file.display()))?;
    let read = if is_archive {
        read_archive(&store, source, files).await
    } else {
        Ok(())
    };
    let read = match read {
        Ok(()) => compare(&store, files).await,
        Err(error) => Err(error),
    };
    wiring::close(store).await;
    let report = read.with_context(|| format!("cannot verify {}", file.display()))?;
    let mut text = String::new();
    let mut is_sound = report.is_sound();
    // An archive that `export` wrote has no list of digests.
    if let Some(images) = images.filter(|images| !is_archive || images.has_digests()) {
        for line in images.differing().await? {
            is_sound = false;
            text.push_str(&line);
            text.push('\n');
        }
    }
    text.push_str(&report.lines());
    Ok((text, is_sound))
}

/// Reads an archive into an empty database.
async fn read_archive(
    store: &SeaOrmStore,
    source: BufReader<File>,
    files: Option<&dyn ImageFiles>,
) -> anyhow::Result<()> {
    wiring::migrate(store).await?;
    let nowhere = Files::in_memory();
    let files = files.unwrap_or(&nowhere);
    restore::read(store, source, files).await?;
    store.merge_search_index().await?;
    Ok(())
}

async fn compare(store: &SeaOrmStore, files: Option<&dyn ImageFiles>) -> anyhow::Result<Report> {
    doctor::require_schema(store).await?;
    let examined = store.examine(SystemClock.now()).await?;
    let mut differences = examined.differences;
    if let Some(files) = files {
        let of_files = doctor::images::compare(files, &examined.images).await?;
        // Files of later backups may be in the same folder.
        differences.extend(of_files.into_iter().filter(|one| !one.is_derived));
    }
    Ok(Report::of(differences))
}
