//! The files of images in a backup: a folder with a list of their digests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use app::ports::ImageFiles;
use axum::body::{Body, HttpBody as _};
use domain::{Image, Stored, image::FilePath};
use sha2::{Digest as _, Sha256};

use crate::{
    commands::doctor::images::files_of,
    output,
    partial_file::PartialFile,
    settings::{MediaLocation, Settings},
    wiring,
};

/// The list of digests in the folder, as the program `sha256sum` writes and checks it.
const LIST: &str = "SHA256SUMS";

/// A backup of files, which is being made.
pub(super) struct ImageBackup<'a> {
    folder: &'a Path,
    files: std::sync::Arc<dyn ImageFiles>,
    /// The folder of the files, if they are in one.
    source: Option<PathBuf>,
    digests: BTreeMap<String, String>,
}

impl<'a> ImageBackup<'a> {
    /// Begins a backup into a folder, which may hold an earlier one: its files are not copied again.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made, or if it is the folder of the files.
    pub(super) fn begin(settings: &Settings, folder: &'a Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let source = match &settings.media {
            MediaLocation::Folder(source) => Some(source.clone()),
            MediaLocation::Bucket(_) => None,
        };
        if let Some(source) = &source
            && super::is_same_file(source, folder)
        {
            bail!("{} is the folder of the images itself", folder.display());
        }
        Ok(Self {
            folder,
            files: wiring::media(settings)?.files,
            source,
            digests: BTreeMap::new(),
        })
    }

    /// Adds the files of images that are not there yet. A file that has gone belongs to an image that was
    /// deleted meanwhile.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub(super) async fn add(&mut self, images: &[Stored<Image>]) -> anyhow::Result<()> {
        for (path, _) in images.iter().flat_map(|image| files_of(image)) {
            if self.digests.contains_key(path.as_str()) {
                continue;
            }
            let target = self.folder.join(path.as_str());
            if !target.exists() && !self.copy(&path, &target).await? {
                continue;
            }
            let (_, digest) = read(&target)?;
            self.digests.insert(path.as_str().to_owned(), digest);
        }
        Ok(())
    }

    /// Links or copies a file. Returns whether there is one.
    async fn copy(&self, path: &FilePath, target: &Path) -> anyhow::Result<bool> {
        let context = || format!("cannot write {}", target.display());
        fs::create_dir_all(target.parent().unwrap_or(self.folder)).with_context(context)?;
        // A file of an image never changes.
        if let Some(source) = &self.source
            && fs::hard_link(source.join(path.as_str()), target).is_ok()
        {
            return Ok(true);
        }
        let Some(stored) = self.files.open(path).await? else {
            return Ok(false);
        };
        let partial = PartialFile::create(target).with_context(context)?;
        let mut body = Box::pin(Body::from_stream(stored.content));
        while let Some(frame) =
            std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await
        {
            if let Ok(part) = frame.with_context(context)?.into_data() {
                (&partial.file).write_all(&part).with_context(context)?;
            }
        }
        partial.publish(target).with_context(context)?;
        Ok(true)
    }

    /// Writes the list of digests. Returns the number of files.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn finish(self) -> anyhow::Result<usize> {
        let list = self.folder.join(LIST);
        let context = || format!("cannot write {}", list.display());
        let mut text = String::new();
        for (path, digest) in &self.digests {
            let _ = writeln!(text, "{digest}  {path}");
        }
        let partial = PartialFile::create(&list).with_context(context)?;
        (&partial.file)
            .write_all(text.as_bytes())
            .with_context(context)?;
        partial.publish(&list).with_context(context)?;
        Ok(self.digests.len())
    }
}

/// Reads a file of an image, with its digest in hexadecimal digits.
fn read(file: &Path) -> anyhow::Result<(Vec<u8>, String)> {
    let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let digest = Sha256::digest(&content);
    let digits: Vec<_> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((content, digits.concat()))
}

/// The files of a backup, with their digests; `None` without a list.
fn listed(folder: &Path) -> anyhow::Result<Option<Vec<(String, FilePath)>>> {
    let list = folder.join(LIST);
    let text = match fs::read_to_string(&list) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("cannot read {}", list.display()))?,
    };
    let lines = text.lines().map(|line| {
        let (digest, path) = line.split_once("  ")?;
        Some((digest.to_owned(), FilePath::parse(path)?))
    });
    let files: Option<Vec<_>> = lines.collect();
    let files = files.with_context(|| format!("{} is no list of digests", list.display()))?;
    Ok(Some(files))
}

/// Compares the files of a backup with the list of digests. Returns a line for each that differs.
///
/// # Errors
///
/// If there is no list, or if it cannot be read.
pub(super) fn differing(folder: &Path) -> anyhow::Result<Vec<String>> {
    let Some(files) = listed(folder)? else {
        bail!("there is no file {} in {}", LIST, folder.display());
    };
    let mut differing = Vec::new();
    for (expected, path) in files {
        let file = folder.join(path.as_str());
        let is = if file.exists() {
            Some(read(&file)?.1)
        } else {
            None
        };
        if is.as_ref() != Some(&expected) {
            let is = is.as_deref().unwrap_or("nothing");
            differing.push(format!(
                "images: file {}: found {is}, expected the digest {expected}",
                path.as_str()
            ));
        }
    }
    Ok(differing)
}

/// Copies the files of a backup to the place of the images. Returns their number.
///
/// # Errors
///
/// If one cannot be read or written, or if its digest is another one.
pub(super) async fn restore(files: &dyn ImageFiles, folder: &Path) -> anyhow::Result<usize> {
    let listed = listed(folder)?.with_context(|| format!("there is no file {LIST}"))?;
    let mut seen = BTreeSet::new();
    for (expected, path) in listed {
        let file = folder.join(path.as_str());
        let (content, digest) = read(&file)?;
        if digest != expected {
            bail!("{} is damaged: it has another digest", file.display());
        }
        files.add(&path, content.into()).await?;
        seen.insert(path);
    }
    if seen.is_empty() {
        output::notice("the backup has no files of images");
    }
    Ok(seen.len())
}
