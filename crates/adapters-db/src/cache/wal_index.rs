//! The header of the index of SQLite's write-ahead log: every commit, of any process, changes it
//! before the commit is acknowledged.
//!
//! `PRAGMA data_version` reports the same, but a statement costs many times as much as reading 96
//! bytes.
//!
//! # Source
//!
//! "WAL-mode File Format" of SQLite, 2.1: the file holds two copies of the header, which is
//! complete if both are equal.

use std::{
    fs::{File, Metadata},
    io,
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

/// Length of the header, in bytes.
const HEADER: usize = 48;

/// The byte that is 1 once the header is initialised.
const INITIALISED: usize = 12;

/// How often a header that another process is writing is read again.
const READS: usize = 100;

/// The index of the write-ahead log of one database file.
#[derive(Debug)]
pub(crate) struct WalIndex {
    path: PathBuf,
    file: File,
    /// Device and inode of the file.
    identity: (u64, u64),
}

impl WalIndex {
    /// Opens the index of a database that a connection has open.
    pub(crate) fn open(database: &Path) -> io::Result<Self> {
        let mut path = database.as_os_str().to_owned();
        path.push("-shm");
        let path = PathBuf::from(path);
        let file = File::open(&path)?;
        let identity = identity(&file.metadata()?);
        Ok(Self {
            path,
            file,
            identity,
        })
    }

    /// The header; none if it cannot be read, for example because the file no longer belongs to the
    /// database.
    pub(crate) fn read(&self) -> Option<[u8; HEADER]> {
        if identity(&std::fs::metadata(&self.path).ok()?) != self.identity {
            return None;
        }
        for _ in 0..READS {
            let mut both = [0; 2 * HEADER];
            self.file.read_exact_at(&mut both, 0).ok()?;
            let (first, second) = both.split_at(HEADER);
            if first == second {
                let header: Option<[u8; HEADER]> = first.try_into().ok();
                return header.filter(|header| header[INITIALISED] == 1);
            }
            std::hint::spin_loop();
        }
        None
    }
}

fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}
