//! The files of a `.tar` archive, found by their names.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use app::ports::{FilesError, ImageFiles, StoredFile};
use async_trait::async_trait;
use bytes::Bytes;
use domain::{image::FilePath, time::Timestamp};
use futures_util::{StreamExt as _, stream};

/// An archive, with the position and the length of each of its files. Nothing is unpacked.
#[derive(Debug)]
pub(super) struct TarFiles {
    archive: PathBuf,
    entries: BTreeMap<String, (u64, u64)>,
}

impl TarFiles {
    /// Reads the headers of an archive.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if it is no archive.
    pub(super) fn open(archive: &Path) -> io::Result<Self> {
        let mut entries = BTreeMap::new();
        for entry in tar::Archive::new(File::open(archive)?).entries_with_seek()? {
            let entry = entry?;
            if entry.header().entry_type().is_file() {
                let name = entry.path()?.to_string_lossy().into_owned();
                // The program `tar` writes `./` before the names if it packs the folder `.`.
                let name = name.strip_prefix("./").unwrap_or(&name).to_owned();
                entries.insert(name, (entry.raw_file_position(), entry.size()));
            }
        }
        let archive = archive.to_owned();
        Ok(Self { archive, entries })
    }

    /// The content of a file, if the archive has it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if the archive ends within it.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some((position, length)) = self.entries.get(name).copied() else {
            return Ok(None);
        };
        let mut archive = File::open(&self.archive)?;
        archive.seek(SeekFrom::Start(position))?;
        let mut content = Vec::new();
        archive.take(length).read_to_end(&mut content)?;
        if content.len() as u64 == length {
            Ok(Some(content))
        } else {
            Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("the archive ends within {name}"),
            ))
        }
    }

    fn read_only(&self) -> FilesError {
        FilesError(format!("{} is only read", self.archive.display()))
    }
}

#[async_trait]
impl ImageFiles for TarFiles {
    async fn add(&self, _path: &FilePath, _content: Bytes) -> Result<bool, FilesError> {
        Err(self.read_only())
    }

    async fn open(&self, path: &FilePath) -> Result<Option<StoredFile>, FilesError> {
        let content = self.read(path.as_str());
        let content = content.map_err(|error| FilesError(error.to_string()))?;
        Ok(content.map(|content| StoredFile {
            length: content.len() as u64,
            content: stream::once(async move { Ok(content.into()) }).boxed(),
        }))
    }

    async fn remove(&self, _path: &FilePath) -> Result<(), FilesError> {
        Err(self.read_only())
    }

    /// All files: an archive was written at once.
    async fn written_before(&self, _moment: Timestamp) -> Result<Vec<FilePath>, FilesError> {
        let names = self.entries.keys();
        Ok(names.filter_map(|name| FilePath::parse(name)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs files as the program `tar` packs the folder `.`, and reads them back.
    #[tokio::test]
    async fn files_are_found_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("pictures.tar");
        let long = format!("2027/01/{}.png", "long".repeat(40));
        let mut builder = tar::Builder::new(File::create(&archive).unwrap());
        for (name, content) in [
            ("./2027/01/a.png", "one"),
            (long.as_str(), "two"),
            ("./notes.txt", ""),
        ] {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            builder
                .append_data(&mut header, name, content.as_bytes())
                .unwrap();
        }
        builder.finish().unwrap();

        let files = TarFiles::open(&archive).unwrap();
        assert_eq!(files.read("2027/01/a.png").unwrap().unwrap(), b"one");
        assert_eq!(files.read(&long).unwrap().unwrap(), b"two");
        assert_eq!(files.read("notes.txt").unwrap().unwrap(), b"");
        assert_eq!(files.read("2027/01/b.png").unwrap(), None);
        let [one, two] =
            ["2027/01/a.png", long.as_str()].map(|name| FilePath::parse(name).unwrap());
        assert_eq!(files.open(&one).await.unwrap().unwrap().length, 3);
        assert_eq!(
            files.written_before(Timestamp::MAX).await.unwrap(),
            [one.clone(), two]
        );
        files.add(&one, Bytes::new()).await.unwrap_err();
        files.remove(&one).await.unwrap_err();
    }

    #[test]
    fn another_file_is_no_archive() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pictures.tar");
        std::fs::write(&file, "no archive ".repeat(100)).unwrap();
        TarFiles::open(&file).unwrap_err();
        std::fs::write(&file, "short").unwrap();
        TarFiles::open(&file).unwrap_err();
    }
}
