//! States of the data: equal ones mean that nothing was written between them.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use app::ports::{DataVersion, StoreError};

#[cfg(feature = "postgres")]
use crate::reader::Reader;
#[cfg(feature = "postgres")]
use crate::replica::{Replica, snapshot};

/// Tells one state of the data from another.
#[derive(Debug)]
pub(crate) struct Versions {
    source: Source,
    /// The state that was told last, and its number.
    last: Mutex<(Vec<u8>, u64)>,
    /// For how long a state is told again without looking whether others wrote.
    max_staleness: Duration,
    /// Counts what this process wrote, unless that is seen anyway.
    own: AtomicU64,
    /// The state that was seen last, when, and after how many writes of our own.
    seen: Mutex<Option<(DataVersion, Instant, u64)>>,
}

/// Where the state of a database is seen.
#[derive(Debug)]
pub(crate) enum Source {
    /// In the index of the write-ahead log of SQLite.
    #[cfg(all(feature = "sqlite", unix))]
    WalIndex(wal_index::WalIndex),
    /// In the transactions that a statement of PostgreSQL sees.
    #[cfg(feature = "postgres")]
    Snapshot(Reader),
    /// There, or in how far its replica is.
    #[cfg(feature = "postgres")]
    Either(Box<Replica>),
    /// Nowhere.
    Nowhere,
}

impl Versions {
    pub(crate) fn new(source: Source, max_staleness: Duration) -> Self {
        Self {
            source,
            last: Mutex::default(),
            max_staleness,
            own: AtomicU64::new(0),
            seen: Mutex::default(),
        }
    }

    /// Notes a write of this process, before anybody is told of it.
    pub(crate) async fn wrote(&self) {
        #[cfg(feature = "postgres")]
        if let Source::Either(replica) = &self.source {
            replica.wrote().await;
        }
        self.own.fetch_add(1, Ordering::Release);
    }

    /// The present state; or one that was present not long ago, if that is enough, and holds what this
    /// process wrote.
    pub(crate) async fn current(&self) -> Result<Option<DataVersion>, StoreError> {
        if self.max_staleness.is_zero() {
            return self.look().await;
        }
        // What is written while it is looked at may not be in it.
        let (began, own) = (Instant::now(), self.own.load(Ordering::Acquire));
        let seen = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((version, then, after)) = seen
            && after == own
            && began.duration_since(then) < self.max_staleness
        {
            return Ok(Some(version));
        }
        let version = self.look().await?;
        let seen = version.map(|version| (version, began, own));
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
        Ok(version)
    }

    async fn look(&self) -> Result<Option<DataVersion>, StoreError> {
        let state = match &self.source {
            #[cfg(all(feature = "sqlite", unix))]
            Source::WalIndex(index) => match index.read() {
                Some(header) => header.to_vec(),
                None => return Ok(None),
            },
            #[cfg(feature = "postgres")]
            Source::Snapshot(connection) => snapshot(connection).await?.into_bytes(),
            #[cfg(feature = "postgres")]
            Source::Either(replica) => replica.state().await?.into_bytes(),
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
