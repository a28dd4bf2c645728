//! Files of images that are written for a backup or an archive.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, bail};
use app::{
    hashing::sha256_hex,
    ports::{Clock as _, ImageFiles, SystemClock},
};
use domain::image::FilePath;

use super::{LIST, content_of, is_tar};
use crate::{
    cli::Purpose,
    output::is_same_file,
    partial_file::PartialFile,
    settings::{MediaLocation, Settings},
    wiring,
};

/// The files of images of a backup or an archive, which are being written. An archive `.tar` appears complete or not at all.
pub(crate) struct ImageTarget {
    storage: Storage,
    files: Arc<dyn ImageFiles>,
    /// The digests of the files that were added; empty ones if there will be no list.
    digests: BTreeMap<String, String>,
}

enum Storage {
    Folder {
        folder: PathBuf,
        purpose: Purpose,
        /// The folder of the files to which the new ones may be links.
        source: Option<PathBuf>,
    },
    Tar {
        file: PathBuf,
        partial: PartialFile,
        builder: tar::Builder<File>,
    },
}

impl ImageTarget {
    /// Begins a folder, or an archive if the name ends in `.tar`. A folder may have files already, which stay.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made, if it is the folder of the files, or if the archive exists and may not be replaced.
    pub(crate) fn begin(
        settings: &Settings,
        location: &Path,
        purpose: Purpose,
        force: bool,
    ) -> anyhow::Result<Self> {
        let files = wiring::media(settings)?.files;
        let source = match &settings.media {
            MediaLocation::Folder(source) => Some(source.clone()),
            MediaLocation::Bucket(_) => None,
        };
        let storage = if is_tar(location) {
            if !force && fs::symlink_metadata(location).is_ok() {
                bail!("{} exists: --force replaces it", location.display());
            }
            let context = || format!("cannot create a file beside {}", location.display());
            let partial = PartialFile::create(location).with_context(context)?;
            let file = partial.file.try_clone().with_context(context)?;
            Storage::Tar {
                file: location.to_owned(),
                partial,
                builder: tar::Builder::new(file),
            }
        } else {
            fs::create_dir_all(location)
                .with_context(|| format!("cannot make the folder {}", location.display()))?;
            if let Some(source) = &source
                && is_same_file(source, location)
            {
                bail!("{} is the folder of the images itself", location.display());
            }
            Storage::Folder {
                folder: location.to_owned(),
                purpose,
                source: source.filter(|_| purpose == Purpose::Backup),
            }
        };
        Ok(Self {
            storage,
            files,
            digests: BTreeMap::new(),
        })
    }

    /// Adds a file, unless it was added before. Returns whether there is one.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub(crate) async fn add(&mut self, path: &FilePath) -> anyhow::Result<bool> {
        if self.digests.contains_key(path.as_str()) {
            return Ok(true);
        }
        let digest = match &mut self.storage {
            Storage::Folder {
                folder,
                purpose,
                source,
            } => {
                let target = folder.join(path.as_str());
                let is_there = target.exists()
                    || linked(source.as_deref(), path, &target)?
                    || copied(&*self.files, path, &target).await?;
                if !is_there {
                    return Ok(false);
                }
                match purpose {
                    Purpose::Export => String::new(),
                    Purpose::Backup => sha256_hex(
                        &fs::read(&target)
                            .with_context(|| format!("cannot read {}", target.display()))?,
                    ),
                }
            }
            Storage::Tar { file, builder, .. } => {
                let Some(stored) = self.files.open(path).await? else {
                    return Ok(false);
                };
                let content = content_of(stored).await;
                let content = content.with_context(|| format!("cannot read {}", path.as_str()))?;
                append(builder, path.as_str(), &content)
                    .with_context(|| format!("cannot write {}", file.display()))?;
                sha256_hex(&content)
            }
        };
        self.digests.insert(path.as_str().to_owned(), digest);
        Ok(true)
    }

    /// Writes the list of digests, and renames an archive. Returns the number of files.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(crate) fn finish(self) -> anyhow::Result<usize> {
        let mut list = String::new();
        for (path, digest) in &self.digests {
            let _ = writeln!(list, "{digest}  {path}");
        }
        match self.storage {
            Storage::Folder {
                purpose: Purpose::Export,
                ..
            } => {}
            Storage::Folder { folder, .. } => {
                let file = folder.join(LIST);
                written(&file, list.as_bytes())
                    .with_context(|| format!("cannot write {}", file.display()))?;
            }
            Storage::Tar {
                file,
                partial,
                mut builder,
            } => {
                let context = || format!("cannot write {}", file.display());
                append(&mut builder, LIST, list.as_bytes()).with_context(context)?;
                builder.into_inner().with_context(context)?;
                partial.publish(&file).with_context(context)?;
            }
        }
        Ok(self.digests.len())
    }
}

/// Makes a link to a file, if that is possible. A file of an image never changes.
fn linked(source: Option<&Path>, path: &FilePath, target: &Path) -> anyhow::Result<bool> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(source.is_some_and(|source| fs::hard_link(source.join(path.as_str()), target).is_ok()))
}

/// Copies a file, if there is one.
async fn copied(files: &dyn ImageFiles, path: &FilePath, target: &Path) -> anyhow::Result<bool> {
    let Some(stored) = files.open(path).await? else {
        return Ok(false);
    };
    let content = content_of(stored).await;
    let content = content.with_context(|| format!("cannot read {}", path.as_str()))?;
    written(target, &content).with_context(|| format!("cannot write {}", target.display()))?;
    Ok(true)
}

/// Writes a file, which appears complete or not at all.
fn written(file: &Path, content: &[u8]) -> std::io::Result<()> {
    let partial = PartialFile::create(file)?;
    (&partial.file).write_all(content)?;
    partial.publish(file)?;
    Ok(())
}

/// Appends a file to an archive, readable by its owner only.
fn append(builder: &mut tar::Builder<File>, name: &str, content: &[u8]) -> std::io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o600);
    header.set_mtime(SystemClock.now().seconds().unsigned_abs());
    builder.append_data(&mut header, name, content)
}
