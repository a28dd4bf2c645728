//! Files that appear complete or not at all.

use std::{
    ffi::OsString,
    fs::{self, File},
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
};

use crate::output;

/// A file under a temporary name, which is removed when it is dropped.
pub(crate) struct PartialFile {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
}

impl PartialFile {
    /// Creates the file in the folder of the final file.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub(crate) fn create(file: &Path) -> io::Result<Self> {
        let file = std::path::absolute(file)?;
        let Some(name) = file.file_name() else {
            return Err(io::Error::other("this is not the name of a file"));
        };
        let mut partial = OsString::from(name);
        // The process ID is not enough: in a container it is always the same, and a killed process
        // leaves its file.
        let number = RandomState::new().hash_one(std::process::id());
        partial.push(format!(".{number:x}.partial"));
        let path = file.with_file_name(partial);
        let file = output::create_private(&path)?;
        Ok(Self { path, file })
    }

    /// Syncs the file to disk and renames it. Returns its length in bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn publish(self, file: &Path) -> io::Result<u64> {
        self.file.sync_all()?;
        let bytes = self.file.metadata()?.len();
        fs::rename(&self.path, file)?;
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        File::open(folder)?.sync_all()?;
        Ok(bytes)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // After `publish` the temporary name does not exist.
        let _ = fs::remove_file(&self.path);
    }
}
