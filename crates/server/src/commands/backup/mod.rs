//! `backup`: copies a calendar while it is in use.

pub(crate) mod restore;
mod verify;

use std::{fs, path::Path};

use adapters_db::{BackupError, SeaOrmStore};
use anyhow::{Context, bail};
use indicatif::HumanCount;

use super::{doctor::images::files_of, export, images::ImageTarget};
use crate::{
    cli::{BackupArgs, ExportArgs, Purpose},
    output::is_same_file,
    partial_file::PartialFile,
    settings::Settings,
    signals, wiring,
};

/// Copies one state of the calendar into a file that only its owner can read, or checks such a copy. The file
/// appears complete or not at all. Returns a text, and whether all is well.
///
/// # Errors
///
/// If the database fails, if the file cannot be written, or if it exists and may not be replaced.
pub(crate) async fn run(settings: &Settings, args: &BackupArgs) -> anyhow::Result<(String, bool)> {
    let BackupArgs {
        file,
        images,
        force,
        verify,
    } = args;
    if *verify {
        return verify::run(file, images.as_deref()).await;
    }
    wiring::require_database(settings)?;
    if images.as_deref() == Some(file.as_path()) {
        bail!(
            "{} is the copy itself: name another place of the images",
            file.display()
        );
    }
    let Some(source) = settings.database.file() else {
        let args = ExportArgs::whole(file.clone(), images.clone(), *force);
        return Ok((export::run(settings, &args).await?, true));
    };
    if file.is_dir() {
        bail!("{} is a folder: name a file", file.display());
    }
    if !force && fs::symlink_metadata(file).is_ok() {
        bail!("{} exists: --force replaces it", file.display());
    }
    if is_same_file(source, file) {
        bail!("{} is the database itself", file.display());
    }
    let images = images.as_deref();
    let images = images.map(|target| ImageTarget::begin(settings, target, Purpose::Backup, *force));
    let images = images.transpose()?;
    let partial = PartialFile::create(file)
        .with_context(|| format!("cannot create a file beside {}", file.display()))?;
    let mut stop = signals::listen()?;
    let text = tokio::select! {
        text = copy(settings, partial, file, images) => text?,
        _ = stop.recv() => bail!("stopped: no copy was made"),
    };
    Ok((text, true))
}

/// Copies the database and the files of images, and renames the copy. Returns a text with what was copied.
async fn copy(
    settings: &Settings,
    partial: PartialFile,
    file: &Path,
    mut images: Option<ImageTarget>,
) -> anyhow::Result<String> {
    wiring::with_store(settings, async |store| {
        // An image of the copy was there before the copy began, or is there behind it.
        add_images(store, images.as_mut()).await?;
        match store.copy_into(&partial.path).await {
            Ok(()) => {}
            Err(BackupError::Failed(cause)) => {
                return Err(cause).with_context(|| format!("cannot copy {}", settings.database));
            }
            Err(error) => return Err(error.into()),
        }
        add_images(store, images.as_mut()).await
    })
    .await?;
    let files = images.map(ImageTarget::finish).transpose()?;
    let bytes = partial
        .publish(file)
        .with_context(|| format!("cannot write {}", file.display()))?;
    let bytes = HumanCount(bytes);
    let files = files.map(|files| format!("{files} files of images, "));
    let files = files.unwrap_or_default();
    Ok(format!("{}: {files}{bytes} bytes copied\n", file.display()))
}

/// Adds the files of all images. A file that has gone belongs to an image that was deleted meanwhile.
async fn add_images(store: &SeaOrmStore, images: Option<&mut ImageTarget>) -> anyhow::Result<()> {
    let Some(target) = images else {
        return Ok(());
    };
    for image in store.all_images().await? {
        for (path, _) in files_of(&image) {
            target.add(&path).await?;
        }
    }
    Ok(())
}
