//! Opens an SQLite file.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, DbErr,
    sqlx::{
        Connection as _,
        sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
    },
};

use super::{DbOptions, Planned, compile_options, on_query, open, pool, searches};
#[cfg(unix)]
use crate::cache::WalIndex;
use crate::{
    SeaOrmStore,
    ablation::Mechanism,
    cache::StateSource,
    connection::{Connection, ReadPool},
    error::is_busy,
    session::Session,
};

/// How long a unit of work waits for its turn: another process may be importing.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(8);

/// How long a search or another slow list waits for a connection.
const SLOW_TIMEOUT: Duration = Duration::from_secs(3);

/// How long SQLite waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(8);

/// The pause before another attempt to open a file that another process has locked.
const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// The page cache of a connection: 6 MiB. SQLite reads a negative number as KiB.
const PAGE_CACHE: &str = "-6144";

/// The page cache of a connection for bulk reads, which read few pages twice: 512 KiB.
const BULK_PAGE_CACHE: &str = "-512";

/// Opens one connection that writes, several that read, and several for slow lists and for bulk
/// reads, so that these delay no other read. The write-ahead log lets all of them work at once.
pub(super) async fn connect(options: &DbOptions) -> Result<SeaOrmStore, DbErr> {
    make_private(options.url.expose())?;
    let mut writing = pool(options.url.expose(), 1, BEGIN_TIMEOUT);
    writing.map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .journal_mode(SqliteJournalMode::Wal)
            // An acknowledged commit is on disk even after a power failure.
            .synchronous(SqliteSynchronous::Full)
            // The log shrinks again after a large import: 16 MiB, in bytes.
            .pragma("journal_size_limit", "16777216")
            // The rollback journal of savepoints stays in memory.
            .pragma("temp_store", "memory")
            .pragma("cache_size", PAGE_CACHE)
    });
    // SQLite ends a transaction by itself when the disk is full. The driver does not notice, and
    // would nest the next transaction in it. Such a connection is closed and replaced.
    writing.map_sqlx_sqlite_before_acquire(|connection, _| {
        let in_order = !connection.is_in_transaction();
        Box::pin(async move { Ok(in_order) })
    });
    let writer = open_writer(options, writing).await?;
    compile_options::require_version(&writer).await?;
    compile_options::check(&writer).await;

    let reading = |connections, acquire_timeout, page_cache: &'static str| {
        let mut reading = pool(options.url.expose(), connections, acquire_timeout);
        reading.map_sqlx_sqlite_opts(move |sqlite| {
            sqlite
                .busy_timeout(BUSY_TIMEOUT)
                .pragma("cache_size", page_cache)
                .pragma("query_only", "on")
        });
        reading
    };
    let open_reader = async |pool, limit| {
        let pool = Database::connect::<ConnectOptions>(pool).await?;
        let pool = pool.get_sqlite_connection_pool().clone();
        let pool = ReadPool::new(pool, limit, on_query(options, Planned::ForItsValues));
        Ok::<_, DbErr>(Connection::Sqlite(Arc::new(pool)))
    };
    let reader = reading(options.readers, BEGIN_TIMEOUT, PAGE_CACHE);
    let reader = open_reader(reader, None).await?;
    let slow = reading(searches(), SLOW_TIMEOUT, PAGE_CACHE);
    let slow = open_reader(slow, Some(options.statement_timeout)).await?;
    // Most servers never use them: they are opened when they are used.
    let mut bulk = reading(options.readers, BEGIN_TIMEOUT, BULK_PAGE_CACHE);
    bulk.connect_lazy(true);
    let bulk = open_reader(bulk, None).await?;
    let session = Session::new(reader).with_slow(slow).with_bulk(bulk);
    let store = SeaOrmStore::new(session, writer, wal_index(options.url.expose()), options);
    if Mechanism::GroupCommit.is_left_out() {
        return Ok(store);
    }
    Ok(store.with_group_commit(BEGIN_TIMEOUT))
}

/// Opens the connection that writes. The switch of a new file to the write-ahead log needs an
/// exclusive lock. SQLite does not wait for it, regardless of the busy timeout, and several
/// processes may open the file at once.
async fn open_writer(
    options: &DbOptions,
    writing: ConnectOptions,
) -> Result<DatabaseConnection, DbErr> {
    let started = Instant::now();
    loop {
        match open(options, writing.clone(), Planned::ForItsValues).await {
            Err(error) if is_busy(&error) && started.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(BUSY_PAUSE).await;
            }
            opened => return opened,
        }
    }
}

/// The index of the write-ahead log, which shows the commits of all processes.
#[cfg(unix)]
fn wal_index(url: &str) -> Option<StateSource> {
    let options: SqliteConnectOptions = url.parse().ok()?;
    let index = WalIndex::open(options.get_filename()).ok()?;
    Some(StateSource::WalIndex(index))
}

/// None: on other systems a file has no device and inode to check.
#[cfg(not(unix))]
fn wal_index(_url: &str) -> Option<StateSource> {
    None
}

/// Creates a missing file with access for its owner alone, as it holds unpublished records. SQLite
/// gives its other files the same mode.
fn make_private(url: &str) -> Result<(), DbErr> {
    let invalid = |error: &dyn fmt::Display| DbErr::Custom(error.to_string());
    let options: SqliteConnectOptions = url.parse().map_err(|error| invalid(&error))?;
    if options.get_filename().is_dir() {
        return Err(invalid(&"it is a folder: name a file in it"));
    }
    let mut file = std::fs::OpenOptions::new();
    file.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    match file.open(options.get_filename()) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(invalid(&error)),
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::ConnectionTrait;

    use super::*;

    /// Without the retry the connection fails at once with "database is locked".
    #[tokio::test]
    async fn a_new_file_that_another_process_changes_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/calendar.db", folder.path().display());
        make_private(&url).unwrap();
        let other = Database::connect(pool(&url, 1, BEGIN_TIMEOUT))
            .await
            .unwrap();
        other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
        let options = DbOptions::new(&url);
        let mut connecting = Box::pin(connect(&options));
        let early = tokio::time::timeout(3 * BUSY_PAUSE, &mut connecting).await;
        assert!(early.is_err(), "{early:?}");
        other.execute_unprepared("COMMIT").await.unwrap();
        let store = connecting.await.unwrap();
        store.close().await.unwrap();
    }
}
