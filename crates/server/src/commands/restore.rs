//! `import` of an archive: reads a whole calendar into an empty database.

use interchange::archive::Restore;
use std::{
    io::{BufRead, Read as _},
    path::Path,
};

use adapters_db::SeaOrmStore;
use anyhow::{Context, bail};
use app::ports::ImageFiles;
use domain::image::FilePath;
use indicatif::ProgressBar;

use super::{export::images_of, images::ImageSource};
use crate::{output, settings::Settings, wiring};

/// Maximum length of a line, in bytes: an event may have long texts in each language.
const MAX_LINE: u64 = 16 << 20;

/// Whether a file begins with the header of an archive. Nothing is consumed.
///
/// # Errors
///
/// If the file cannot be read.
pub(crate) fn is_archive(file: &mut impl BufRead) -> std::io::Result<bool> {
    let start = file.fill_buf()?;
    let line = start
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    Ok(std::str::from_utf8(line).is_ok_and(Restore::is_header))
}

/// Reads an archive into an empty calendar, in one transaction. Returns what it holds as text.
///
/// # Errors
///
/// If the calendar is not empty, if a line is wrong, if the file of an image is missing, or if the
/// database fails: then the calendar is as before.
pub(crate) async fn run(
    settings: &Settings,
    file: &Path,
    mut source: impl BufRead,
    images: Option<&Path>,
    progress: ProgressBar,
) -> anyhow::Result<String> {
    let images = images_of(file, images).filter(|path| path.exists());
    let images = images.as_deref().map(ImageSource::open).transpose()?;
    let media = wiring::media(settings)?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let header = read_line(&mut source)?.unwrap_or_default();
        let mut restore = Restore::begin(store, &header).await?;
        tell_differences(settings, &restore);
        let mut files = 0;
        while let Some(line) = read_line(&mut source)? {
            progress.inc(line.len() as u64 + 1);
            for path in restore.add(&line).await? {
                add_file(&*media.files, &path, images.as_ref()).await?;
                files += 1;
            }
        }
        let counts = restore.commit().await?;
        store.merge_search_index().await?;
        Ok(format!("restored: {counts}, {files} files of images"))
    });
    let done = done.await;
    progress.finish_and_clear();
    done.with_context(|| format!("{}: nothing was imported", file.display()))
}

/// Reads an archive into an empty database, in one transaction. The files of its images are there already.
///
/// # Errors
///
/// If a line is wrong, if the file of an image is missing, or if the database fails.
pub(crate) async fn read(
    store: &SeaOrmStore,
    mut source: impl BufRead,
    files: &dyn ImageFiles,
) -> anyhow::Result<()> {
    let header = read_line(&mut source)?.unwrap_or_default();
    let mut restore = Restore::begin(store, &header).await?;
    while let Some(line) = read_line(&mut source)? {
        for path in restore.add(&line).await? {
            add_file(files, &path, None).await?;
        }
    }
    restore.commit().await?;
    Ok(())
}

/// The next line without its end; none at the end of the file.
fn read_line(source: &mut impl BufRead) -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    let read = source
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut line)
        .context("cannot read further")?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read as u64 == MAX_LINE {
        bail!("a line is longer than 16 MiB");
    }
    let line = String::from_utf8(line).context("a line is not UTF-8")?;
    Ok(Some(line))
}

/// Names the settings on which answers depend, where they differ from those of the exported site.
fn tell_differences(settings: &Settings, restore: &Restore) {
    let (zone, language) = (restore.zone(), restore.language());
    if *zone != settings.zone {
        let flag = crate::settings::setting_name("timezone");
        output::notice(&format!(
            "the exported site has the time zone {zone}: see {flag}"
        ));
    }
    if language != settings.language {
        let flag = crate::settings::setting_name("language");
        output::notice(&format!(
            "the exported site has the language {language}: see {flag}"
        ));
    }
}

/// Adds a file of an image, which may be there already.
async fn add_file(
    files: &dyn ImageFiles,
    path: &FilePath,
    images: Option<&ImageSource>,
) -> anyhow::Result<()> {
    if let Some(images) = images
        && let Some(content) = images.read(path).await?
    {
        files.add(path, content.into()).await?;
        return Ok(());
    }
    if files.open(path).await?.is_none() {
        let path = path.as_str();
        bail!(
            "the file {path} of an image is missing: name the folder of the files, or their archive, with --images"
        );
    }
    Ok(())
}
