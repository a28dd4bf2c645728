//! States of the data: equal ones mean that nothing was written between them.

use std::sync::{Mutex, PoisonError};

use app::ports::{DataVersion, StoreError};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

use crate::error::store_error;

/// Tells one state of the data from another.
#[derive(Debug)]
pub(crate) struct Versions {
    source: Source,
    /// The state that was told last, and its number.
    last: Mutex<(Vec<u8>, u64)>,
}

/// Where the state of a database is seen.
#[derive(Debug)]
pub(crate) enum Source {
    /// In the index of the write-ahead log of SQLite.
    #[cfg(all(feature = "sqlite", unix))]
    WalIndex(wal_index::WalIndex),
    /// In the transactions that a statement of PostgreSQL sees.
    Snapshot(DatabaseConnection),
    /// Nowhere.
    Nowhere,
}

impl Versions {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            last: Mutex::default(),
        }
    }

    /// The present state.
    pub(crate) async fn current(&self) -> Result<Option<DataVersion>, StoreError> {
        let state = match &self.source {
            #[cfg(all(feature = "sqlite", unix))]
            Source::WalIndex(index) => match index.read() {
                Some(header) => header.to_vec(),
                None => return Ok(None),
            },
            Source::Snapshot(connection) => snapshot(connection).await?.into_bytes(),
            Source::Nowhere => return Ok(None),
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, number) = &mut *last;
        if *told != state {
            // Two that ask at once may see states in the other order: then one state gets two numbers,
            // which costs what was kept. No number ever means two states.
            *told = state;
            *number += 1;
        }
        Ok(Some(DataVersion::new(*number)))
    }
}

/// Which transactions a statement sees: two that see the same ones read the same.
async fn snapshot(connection: &DatabaseConnection) -> Result<String, StoreError> {
    let select = "SELECT pg_current_snapshot()::text AS snapshot";
    let row = connection
        .query_one_raw(Statement::from_string(DbBackend::Postgres, select))
        .await
        .map_err(store_error)?;
    let row = row.ok_or_else(|| StoreError::Internal("there is no snapshot".to_owned()))?;
    row.try_get("", "snapshot").map_err(store_error)
}

/// The header of the index that the write-ahead log of SQLite has: every commit, of whichever process,
/// changes it before it is acknowledged. `PRAGMA data_version` looks at the same; but a statement costs
/// many times what it costs to read 96 bytes.
///
/// # Source
///
/// "WAL-mode File Format" of SQLite, 2.1: the header stands twice, and is whole if both are equal.
#[cfg(all(feature = "sqlite", unix))]
pub(crate) mod wal_index {
    use std::{
        fs::File,
        io,
        os::unix::fs::{FileExt, MetadataExt},
        path::PathBuf,
    };

    const HEADER: usize = 48;

    /// Where the header says that it was filled.
    const FILLED: usize = 12;

    /// How often a header that is just being written is read again.
    const READS: usize = 100;

    #[derive(Debug)]
    pub(crate) struct WalIndex {
        path: PathBuf,
        file: File,
        /// Device and number of the file.
        identity: (u64, u64),
    }

    impl WalIndex {
        /// That of a database that is open.
        pub(crate) fn open(database: &std::path::Path) -> io::Result<Self> {
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

        /// The header; none if it cannot be told, as when the file is no longer that of the database.
        pub(crate) fn read(&self) -> Option<[u8; HEADER]> {
            if identity(&std::fs::metadata(&self.path).ok()?) != self.identity {
                return None;
            }
            for _ in 0..READS {
                let mut both = [0; 2 * HEADER];
                self.file.read_exact_at(&mut both, 0).ok()?;
                let (first, second) = both.split_at(HEADER);
                if first == second {
                    return first
                        .try_into()
                        .ok()
                        .filter(|header: &[u8; HEADER]| header[FILLED] == 1);
                }
                std::hint::spin_loop();
            }
            None
        }
    }

    fn identity(file: &std::fs::Metadata) -> (u64, u64) {
        (file.dev(), file.ino())
    }
}
