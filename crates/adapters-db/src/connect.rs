//! Opening a database.

use std::{fmt, sync::Arc, time::Duration};

use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, Statement};

#[cfg(feature = "sqlite")]
use crate::at_hand::OnTaken;
#[cfg(feature = "postgres")]
use crate::replica::{Pools, Replica};
use crate::{
    SeaOrmStore,
    at_hand::{AtHand, OnAsked},
    reader::Reader,
    version::Source,
};

/// How long a write waits for its turn on SQLite: another process may be importing.
#[cfg(feature = "sqlite")]
const TURN_TIMEOUT: Duration = Duration::from_secs(8);

/// How long a request waits for a connection to PostgreSQL before the service says that it is
/// overloaded, or that its database is away.
#[cfg(feature = "postgres")]
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(3);

/// How long it waits for one to a replica before it asks the primary.
#[cfg(feature = "postgres")]
const REPLICA_TIMEOUT: Duration = Duration::from_millis(500);

/// How long a statement may take, unless the options say otherwise.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// What is kept unless the options say otherwise: 16 MiB.
const CACHE_BYTES: u64 = 16 << 20;

/// How long a search, or another slow list, waits for its turn on SQLite.
#[cfg(feature = "sqlite")]
const SEARCH_TIMEOUT: Duration = Duration::from_secs(3);

/// How long SQLite waits for another process that writes.
#[cfg(feature = "sqlite")]
const BUSY_TIMEOUT: Duration = Duration::from_secs(8);

/// Is told a statement, and how it is planned.
pub type OnStatement = Arc<dyn Fn(&Statement, Planned) + Send + Sync>;

/// For which values a database plans a statement that it is asked again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// For those that it is asked with, if the database finds that better.
    ForItsValues,
    /// For any, once for all.
    ForAny,
}

/// Which database, and how.
#[derive(Clone)]
pub struct DbOptions {
    /// `sqlite://FILE` or `postgres://USER:PASSWORD@HOST:PORT/NAME`.
    pub url: String,
    /// A replica of it, `postgres://…`, for what is only read: it is asked while it has all that was
    /// written over this store.
    pub read_url: Option<String>,
    /// How old the state of the data may be that is told: others may have written since, this store
    /// has not. Only for PostgreSQL; on SQLite it is always the present one.
    pub max_staleness: Duration,
    /// Connections that read, at the most. On PostgreSQL they write too, and up to as many others read
    /// what goes by keys and counters.
    pub readers: u32,
    /// How long a statement of PostgreSQL may take, or on SQLite a search or a list that no index has in
    /// order. Everything else that is read from SQLite follows an index.
    pub statement_timeout: Duration,
    /// How many bytes of what is read are kept, about; with none, nothing is kept, and states of the data
    /// are not told from each other.
    pub cache_bytes: u64,
    /// Told of every statement, for tests and measurements.
    pub on_statement: Option<OnStatement>,
}

impl DbOptions {
    /// The usual options for a database.
    pub fn new(url: impl Into<String>) -> Self {
        let url = url.into();
        // SQLite reads from memory: two are busy with two cores. PostgreSQL answers from elsewhere.
        let readers = if url.starts_with("sqlite:") { 2 } else { 8 };
        Self {
            url,
            read_url: None,
            max_staleness: Duration::ZERO,
            readers,
            statement_timeout: STATEMENT_TIMEOUT,
            cache_bytes: CACHE_BYTES,
            on_statement: None,
        }
    }
}

impl fmt::Debug for DbOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbOptions")
            .field("url", &shown(&self.url))
            .field("readers", &self.readers)
            .finish_non_exhaustive()
    }
}

/// Why a database was not opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address is not one of a database that this build knows.
    #[error("the database URL `{0}` is not one of sqlite://FILE or postgres://…")]
    UnknownUrl(String),
    /// A replica was named for a database that has none.
    #[error("only PostgreSQL has replicas: the database {0} cannot be read elsewhere")]
    NoReplica(String),
    /// The database did not answer, or the file cannot be opened.
    #[error("cannot open the database {url}: {cause}")]
    Failed {
        /// Its address, without password.
        url: String,
        /// What the database says.
        cause: String,
    },
}

/// An address as it may be shown: without password, and without options, where one may stand too.
fn shown(url: &str) -> String {
    let Ok(mut parsed) = url::Url::parse(url) else {
        return url.split('?').next().unwrap_or_default().to_owned();
    };
    parsed.set_query(None);
    if parsed.password().is_some() {
        // Only addresses without a host refuse a password, and then there is none.
        let _ = parsed.set_password(Some("***"));
    }
    parsed.to_string()
}

/// Opens a database. An SQLite file is made if it is not there; the schema is not touched.
///
/// # Errors
///
/// [`ConnectError`], without the password.
pub async fn connect(options: &DbOptions) -> Result<SeaOrmStore, ConnectError> {
    let failed = |cause: DbErr| ConnectError::Failed {
        url: shown(&options.url),
        cause: cause.to_string(),
    };
    let scheme = |url: &str| url.split_once(':').map(|(scheme, _)| scheme.to_owned());
    let is_server = |url: &str| matches!(scheme(url).as_deref(), Some("postgres" | "postgresql"));
    if let Some(replica) = &options.read_url {
        if !is_server(&options.url) {
            return Err(ConnectError::NoReplica(shown(&options.url)));
        }
        if !is_server(replica) {
            return Err(ConnectError::UnknownUrl(shown(replica)));
        }
    }
    let store = match scheme(&options.url).as_deref() {
        #[cfg(feature = "sqlite")]
        Some("sqlite") => sqlite(options).await.map_err(failed)?,
        #[cfg(feature = "postgres")]
        Some("postgres" | "postgresql") => postgres(options).await.map_err(failed)?,
        _ => return Err(ConnectError::UnknownUrl(shown(&options.url))),
    };
    Ok(store.keeping(options.cache_bytes))
}

/// Options that both databases share.
fn pool(url: &str, connections: u32, patience: Duration) -> ConnectOptions {
    let mut pool = ConnectOptions::new(url);
    pool.max_connections(connections)
        .acquire_timeout(patience)
        .sqlx_logging(false)
        .test_before_acquire(false);
    if url.starts_with("sqlite:") {
        // They cost next to nothing, know their statements already, and keep the index of the
        // write-ahead log in its place.
        pool.idle_timeout(None).max_lifetime(None);
    }
    pool
}

async fn open(options: &DbOptions, pool: ConnectOptions) -> Result<DatabaseConnection, DbErr> {
    let mut connection = Database::connect(pool).await?;
    if let Some(on_asked) = on_asked(options, Planned::ForItsValues) {
        connection.set_metric_callback(move |info| on_asked(info.statement));
    }
    Ok(connection)
}

/// Who is told of the statements of some connections.
fn on_asked(options: &DbOptions, planned: Planned) -> Option<OnAsked> {
    let on_statement = options.on_statement.clone()?;
    Some(Box::new(move |statement| on_statement(statement, planned)))
}

/// One connection writes, several read: the write-ahead log lets them all work at once. Searches
/// have one of their own, so that they keep nothing else waiting.
#[cfg(feature = "sqlite")]
async fn sqlite(options: &DbOptions) -> Result<SeaOrmStore, DbErr> {
    use sea_orm::sqlx::{
        Connection,
        sqlite::{SqliteJournalMode, SqliteSynchronous},
    };

    /// Pages that a connection keeps: 6 MiB, in KiB as SQLite wants it for a negative number.
    const PAGE_CACHE: &str = "-6144";

    make_private(&options.url)?;
    let mut writing = pool(&options.url, 1, TURN_TIMEOUT);
    writing.map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .journal_mode(SqliteJournalMode::Wal)
            // What was acknowledged is on the disk, also when the power fails.
            .synchronous(SqliteSynchronous::Full)
            // What undoes one of many units of work is written to no file.
            .pragma("temp_store", "memory")
            .pragma("cache_size", PAGE_CACHE)
    });
    // SQLite ends a transaction by itself when the disk is full; the driver does not see it, and would
    // take the next one for a part of that. Such a connection is closed, and another one opened.
    writing.map_sqlx_sqlite_before_acquire(|connection, _| {
        let in_order = !connection.is_in_transaction();
        Box::pin(async move { Ok(in_order) })
    });
    let writer = open(options, writing).await?;

    let reading = |connections, patience| {
        let mut reading = pool(&options.url, connections, patience);
        reading.map_sqlx_sqlite_opts(|sqlite| {
            sqlite
                .busy_timeout(BUSY_TIMEOUT)
                .pragma("cache_size", PAGE_CACHE)
                .pragma("query_only", "on")
        });
        reading
    };
    let at_hand = async |pool, on_taken| {
        let pool = Database::connect::<ConnectOptions>(pool).await?;
        let pool = pool.get_sqlite_connection_pool().clone();
        let at_hand = AtHand::new(pool, on_taken, on_asked(options, Planned::ForItsValues));
        Ok::<_, DbErr>(Reader::Sqlite(Arc::new(at_hand)))
    };
    let reader = at_hand(reading(options.readers, TURN_TIMEOUT), None).await?;

    let mut searching = reading(1, SEARCH_TIMEOUT);
    let on_taken = limit(&mut searching, options.statement_timeout);
    let searcher = at_hand(searching, Some(on_taken)).await?;
    let versions = wal_index(&options.url);
    Ok(SeaOrmStore::new(reader, searcher, writer, versions).in_turns(TURN_TIMEOUT))
}

/// Where writes to the file are seen, also those of other processes.
#[cfg(all(feature = "sqlite", unix))]
fn wal_index(url: &str) -> Source {
    use sea_orm::sqlx::sqlite::SqliteConnectOptions;

    use crate::version::wal_index::WalIndex;

    let opened = url
        .parse::<SqliteConnectOptions>()
        .ok()
        .and_then(|options| WalIndex::open(options.get_filename()).ok());
    opened.map_or(Source::Nowhere, Source::WalIndex)
}

/// Only where files have identities.
#[cfg(all(feature = "sqlite", not(unix)))]
fn wal_index(_url: &str) -> Source {
    Source::Nowhere
}

/// Gives what is asked of the only connection of a pool so much time, from when it is told to be taken.
#[cfg(feature = "sqlite")]
fn limit(pool: &mut ConnectOptions, limit: Duration) -> OnTaken {
    use std::{
        sync::{Mutex, PoisonError},
        time::Instant,
    };

    /// How many steps the database takes before it looks at the clock.
    const STEPS: i32 = 1000;

    let taken = Arc::new(Mutex::new(Instant::now()));
    let now = |taken: &Mutex<Instant>| {
        *taken.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    };
    let watched = Arc::clone(&taken);
    pool.map_sqlx_sqlite_pool_opts(move |pool| {
        let watched = Arc::clone(&watched);
        pool.after_connect(move |connection, _| {
            let watched = Arc::clone(&watched);
            now(&watched);
            Box::pin(async move {
                let mut handle = connection.lock_handle().await?;
                handle.set_progress_handler(STEPS, move || {
                    let taken = *watched.lock().unwrap_or_else(PoisonError::into_inner);
                    taken.elapsed() < limit
                });
                Ok(())
            })
        })
    });
    // To reach into the connection would take longer than many a statement.
    Box::new(move || now(&taken))
}

/// Makes the file, if it is not there, so that only its owner may read it: it holds what is not yet
/// published. The files that SQLite puts beside it take after it.
#[cfg(feature = "sqlite")]
fn make_private(url: &str) -> Result<(), DbErr> {
    use sea_orm::sqlx::sqlite::SqliteConnectOptions;

    let invalid = |error: &dyn fmt::Display| DbErr::Custom(error.to_string());
    let options: SqliteConnectOptions = url.parse().map_err(|error| invalid(&error))?;
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

/// Some connections read and write; if there is a replica, others read from it.
#[cfg(feature = "postgres")]
async fn postgres(options: &DbOptions) -> Result<SeaOrmStore, DbErr> {
    let primary = match pools(options, &options.url, |_| ()).await {
        Ok(primary) => primary,
        Err(error) => return Err(reason(&options.url).await.unwrap_or(error)),
    };
    let replica = match &options.read_url {
        Some(url) => {
            // The primary does as well.
            let lazy = |pool: &mut ConnectOptions| {
                pool.connect_lazy(true).acquire_timeout(REPLICA_TIMEOUT);
            };
            let replica = pools(options, url, lazy).await?;
            Some(Replica::start(&primary, replica, options.statement_timeout).await?)
        }
        None => None,
    };
    let Pools { all, generic } = primary;
    let reader = Reader::Pooled(all.clone());
    let store = SeaOrmStore::new(reader.clone(), reader, all, Source::Nowhere);
    Ok(store.spread(generic, replica, options.max_staleness))
}

/// Connections to a server.
#[cfg(feature = "postgres")]
async fn pools(
    options: &DbOptions,
    url: &str,
    adjust: impl Fn(&mut ConnectOptions),
) -> Result<Pools, DbErr> {
    /// How statements are planned that are asked again and again.
    const PLANS: &str = "plan_cache_mode";

    let pool = |connections, planned| {
        let plans = match planned {
            Planned::ForItsValues => "auto",
            Planned::ForAny => "force_generic_plan",
        };
        let mut pool = pool(url, connections, CONNECTION_TIMEOUT);
        let limit = options.statement_timeout.as_millis().to_string();
        pool.map_sqlx_postgres_opts(move |postgres| {
            postgres.options([
                // Our statements are short: compiling them costs more than it saves.
                ("jit", "off"),
                ("statement_timeout", &limit),
                (PLANS, plans),
            ])
        });
        adjust(&mut pool);
        pool
    };
    let all = open(options, pool(options.readers, Planned::ForItsValues)).await?;
    let generic = Database::connect(pool(options.readers.min(at_once()), Planned::ForAny)).await?;
    let generic = generic.get_postgres_connection_pool().clone();
    let generic = AtHand::new(generic, None, on_asked(options, Planned::ForAny));
    Ok(Pools {
        all,
        generic: Reader::Postgres(Arc::new(generic)),
    })
}

/// How many statements are worth asking at once that a server answers in less than a millisecond. With
/// more connections, each finds less of what it needs in the caches of the processor.
#[cfg(feature = "postgres")]
fn at_once() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(processors).map_or(u32::MAX, |processors| processors.saturating_add(1))
}

/// Why no connection to a server comes about. A pool waits, tries again and says only that it waited.
#[cfg(feature = "postgres")]
async fn reason(url: &str) -> Option<DbErr> {
    use sea_orm::{
        RuntimeErr,
        sqlx::{ConnectOptions as _, postgres::PgConnectOptions},
    };

    /// How long an answer is waited for.
    const PATIENCE: Duration = Duration::from_secs(1);

    let server: PgConnectOptions = url.parse().ok()?;
    let reason = match tokio::time::timeout(PATIENCE, server.connect()).await {
        Ok(Ok(_)) => return None,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the server does not answer".to_owned(),
    };
    Some(DbErr::Conn(RuntimeErr::Internal(reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_shown_nowhere() {
        for url in [
            "postgres://me:hidden@host/name",
            "postgres://me@host/name?password=hidden",
        ] {
            assert!(
                !format!("{:?}", DbOptions::new(url)).contains("hidden"),
                "{url}"
            );
        }
    }
}
