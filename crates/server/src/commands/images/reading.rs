//! Files of images that are read from a backup or an archive.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use adapters_media::Files;
use anyhow::{Context, bail};
use app::{hashing::sha256_hex, ports::ImageFiles};
use domain::image::FilePath;

use super::{LIST, content_of, is_tar, tar_files::TarFiles};
use crate::output;

/// The files of images of a backup or an archive, with their digests where there is a list of them.
pub(crate) struct ImageSource {
    location: PathBuf,
    files: Arc<dyn ImageFiles>,
    digests: Option<BTreeMap<FilePath, String>>,
}

impl ImageSource {
    /// Opens a folder, or an archive whose name ends in `.tar`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or if its list of digests is none.
    pub(crate) fn open(location: &Path) -> anyhow::Result<Self> {
        let context = || format!("cannot read {}", location.display());
        let (files, list): (Arc<dyn ImageFiles>, _) = if is_tar(location) {
            let tar = TarFiles::open(location).with_context(context)?;
            let list = tar.read(LIST).with_context(context)?;
            (Arc::new(tar), list)
        } else {
            // Opening it would make it.
            if !location.is_dir() {
                bail!("there is no folder {}", location.display());
            }
            let list = match fs::read(location.join(LIST)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                list => Some(list.with_context(context)?),
            };
            (Arc::new(Files::in_folder(location)?), list)
        };
        let digests = list.map(|list| parsed(&list));
        let digests = digests.transpose().with_context(context)?;
        let location = location.to_owned();
        Ok(Self {
            location,
            files,
            digests,
        })
    }

    /// The files by their paths.
    pub(crate) fn files(&self) -> &dyn ImageFiles {
        &*self.files
    }

    /// Whether there is a list of digests.
    pub(crate) fn has_digests(&self) -> bool {
        self.digests.is_some()
    }

    fn digests(&self) -> anyhow::Result<&BTreeMap<FilePath, String>> {
        let Some(digests) = &self.digests else {
            bail!("there is no file {LIST} in {}", self.location.display());
        };
        Ok(digests)
    }

    async fn content(&self, path: &FilePath) -> anyhow::Result<Option<Vec<u8>>> {
        let context = || {
            format!(
                "cannot read {} in {}",
                path.as_str(),
                self.location.display()
            )
        };
        match self.files.open(path).await.with_context(context)? {
            Some(file) => Ok(Some(content_of(file).await.with_context(context)?)),
            None => Ok(None),
        }
    }

    /// The content of a file, if there is one. It has the digest of the list, if there is a list.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or if its digest is another one.
    pub(crate) async fn read(&self, path: &FilePath) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(content) = self.content(path).await? else {
            return Ok(None);
        };
        let listed = self.digests.as_ref();
        let expected = listed.and_then(|digests| digests.get(path));
        if expected.is_some_and(|expected| *expected != sha256_hex(&content)) {
            bail!(
                "{} in {} is damaged: it has another digest",
                path.as_str(),
                self.location.display()
            );
        }
        Ok(Some(content))
    }

    /// Compares the files with the list of digests. Returns a line for each that differs.
    ///
    /// # Errors
    ///
    /// If there is no list, or if a file cannot be read.
    pub(crate) async fn differing(&self) -> anyhow::Result<Vec<String>> {
        let mut differing = Vec::new();
        for (path, expected) in self.digests()? {
            let content = self.content(path).await?;
            let is = content.map(|content| sha256_hex(&content));
            if is.as_ref() != Some(expected) {
                let is = is.as_deref().unwrap_or("nothing");
                differing.push(format!(
                    "images: file {}: found {is}, expected the digest {expected}",
                    path.as_str()
                ));
            }
        }
        Ok(differing)
    }

    /// Copies the listed files to the place of the images. Returns their number.
    ///
    /// # Errors
    ///
    /// If there is no list, if a file is missing or cannot be read or written, or if its digest is another one.
    pub(crate) async fn restore(&self, files: &dyn ImageFiles) -> anyhow::Result<usize> {
        let digests = self.digests()?;
        for path in digests.keys() {
            let Some(content) = self.read(path).await? else {
                bail!(
                    "there is no file {} in {}",
                    path.as_str(),
                    self.location.display()
                );
            };
            files.add(path, content.into()).await?;
        }
        if digests.is_empty() {
            output::notice("the backup has no files of images");
        }
        Ok(digests.len())
    }
}

/// The digests of a list.
fn parsed(list: &[u8]) -> anyhow::Result<BTreeMap<FilePath, String>> {
    let lines = std::str::from_utf8(list)?.lines().map(|line| {
        let (digest, path) = line.split_once("  ")?;
        Some((FilePath::parse(path)?, digest.to_owned()))
    });
    let digests: Option<_> = lines.collect();
    digests.with_context(|| format!("{LIST} is no list of digests"))
}
