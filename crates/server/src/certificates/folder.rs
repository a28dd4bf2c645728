//! The folder of the account, the certificates and the times of orders.

use std::{
    fmt::Write as _,
    fs::{self, Permissions},
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use crate::{output, partial_file::PartialFile};

/// A folder whose files its owner alone can read.
#[derive(Clone, Debug)]
pub(super) struct PrivateFolder(PathBuf);

impl PrivateFolder {
    /// Opens the folder, and creates it if it does not exist. Nobody but its owner can enter it afterwards.
    ///
    /// # Errors
    ///
    /// If it cannot be created, or belongs to another user.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        match output::create_private_folder(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::set_permissions(path, Permissions::from_mode(0o700))?;
            }
            created => created?,
        }
        Ok(Self(path.to_owned()))
    }

    /// The path of a file.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Reads a file, or nothing where there is no such file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.file(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// Replaces a file. After a power cut it has the former content or this one.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.file(name);
        let mut partial = PartialFile::create(&path)?;
        partial.file.write_all(content)?;
        partial.publish(&path).map(drop)
    }
}

/// A name for a file that belongs to these texts.
pub(super) fn file_name(kind: &str, texts: &[String], end: &str) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text.as_bytes());
        digest.update([0]);
    }
    let mut name = format!("{kind}-");
    for byte in &digest.finalize()[..8] {
        // Writing to a `String` cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name + end
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_owner_alone_reads_the_files() {
        let parent = TempDir::new().unwrap();
        let path = parent.path().join("acme");
        let folder = PrivateFolder::open(&path).unwrap();
        assert_eq!(mode(&path), 0o700);
        folder.write("key", b"first").unwrap();
        assert_eq!(mode(&folder.file("key")), 0o600);

        // A folder that was copied without its modes.
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(folder.file("key"), Permissions::from_mode(0o644)).unwrap();
        let folder = PrivateFolder::open(&path).unwrap();
        assert_eq!(mode(&path), 0o700);
        folder.write("key", b"second").unwrap();
        assert_eq!(mode(&folder.file("key")), 0o600);
        assert_eq!(folder.read("key").unwrap().unwrap(), b"second");
    }

    #[test]
    fn files_outlive_the_process_and_leave_nothing_beside_them() {
        let parent = TempDir::new().unwrap();
        let path = parent.path().join("acme");
        let folder = PrivateFolder::open(&path).unwrap();
        assert_eq!(folder.read("key").unwrap(), None);
        folder.write("key", &[1, 2]).unwrap();
        let again = PrivateFolder::open(&path).unwrap();
        assert_eq!(again.read("key").unwrap(), Some(vec![1, 2]));
        assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
    }

    #[test]
    fn a_file_in_the_place_of_the_folder_is_refused() {
        let parent = TempDir::new().unwrap();
        let path = parent.path().join("acme");
        fs::write(&path, b"").unwrap();
        let error = PrivateFolder::open(&path).and_then(|folder| folder.read("key"));
        assert!(error.is_err());
    }

    #[test]
    fn names_of_files_tell_texts_apart() {
        let name = |texts: &[&str]| {
            let texts: Vec<_> = texts.iter().map(ToString::to_string).collect();
            file_name("account", &texts, ".key")
        };
        let one = name(&["a", "b"]);
        assert_eq!(one.len(), "account-0123456789abcdef.key".len(), "{one}");
        assert_eq!(one, name(&["a", "b"]));
        assert_ne!(one, name(&["ab"]));
        assert_ne!(one, name(&["b", "a"]));
    }
}
