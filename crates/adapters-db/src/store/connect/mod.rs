//! Opens a database.

#[cfg(feature = "sqlite")]
mod compile_options;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::{fmt, sync::Arc, time::Duration};

#[cfg(feature = "postgres")]
use sea_orm::SqlxPostgresConnector;
#[cfg(feature = "sqlite")]
use sea_orm::SqlxSqliteConnector;
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbBackend, DbErr, Statement};

use domain::Secret;

use crate::{SeaOrmStore, connection::OnQuery, error::reason};

#[cfg(feature = "sqlite")]
pub use compile_options::SQLITE_FLAGS;

/// The default time between a write and its merge into the search index.
const MERGE_PAUSE: Duration = Duration::from_secs(2);

/// The default maximum duration of a statement.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// The default size of the record cache: 16 MiB.
const CACHE_BYTES: u64 = 16 << 20;

/// Called with each statement and how it is planned.
pub type OnStatement = Arc<dyn Fn(&Statement, Planned) + Send + Sync>;

/// How a database plans a statement that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// For the values of each execution, if the database estimates that to be better.
    ForItsValues,
    /// Once, for any values.
    ForAny,
}

/// A database and its options.
#[derive(Clone)]
pub struct DbOptions {
    /// `sqlite://FILE` or `postgres://USER:PASSWORD@HOST:PORT/NAME`.
    pub url: Secret,
    /// A replica, `postgres://…`, for reads: it answers them while it has replayed all writes of
    /// this store.
    pub read_url: Option<Secret>,
    /// The longest time for which a commit of another process may go unseen. It has an effect on
    /// PostgreSQL alone; on SQLite each commit is seen at once.
    pub max_staleness: Duration,
    /// The maximum number of connections that read. On PostgreSQL as many others write, and up to as
    /// many others read by keys and counters.
    pub readers: u32,
    /// The maximum duration of a statement on PostgreSQL; on SQLite, of a search or a list without
    /// an index. All other statements on SQLite use an index.
    pub statement_timeout: Duration,
    /// The approximate size of the record cache in bytes; with 0, nothing is cached and the data
    /// have no versions.
    pub cache_bytes: u64,
    /// The time between a write and its merge into the search index. A longer pause merges more
    /// writes at once, and lets searches read more texts.
    pub merge_pause: Duration,
    /// Called with every statement except those that merge texts into the search index, for tests
    /// and measurements.
    pub on_statement: Option<OnStatement>,
}

impl DbOptions {
    /// The default options for a database.
    pub fn new(url: impl Into<String>) -> Self {
        let url = url.into();
        // SQLite reads from memory, and two connections use two cores. PostgreSQL runs elsewhere.
        let readers = if url.starts_with("sqlite:") { 2 } else { 8 };
        Self {
            url: url.into(),
            read_url: None,
            max_staleness: Duration::ZERO,
            readers,
            statement_timeout: STATEMENT_TIMEOUT,
            cache_bytes: CACHE_BYTES,
            merge_pause: MERGE_PAUSE,
            on_statement: None,
        }
    }
}

impl fmt::Debug for DbOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbOptions")
            .field("url", &shown(self.url.expose()))
            .field("readers", &self.readers)
            .finish_non_exhaustive()
    }
}

/// Why a database was not opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The URL names no database that this build supports.
    #[error("the database URL `{0}` is not one of sqlite://FILE or postgres://…")]
    UnknownUrl(String),
    /// The options name a replica for a database without replicas.
    #[error("only PostgreSQL has replicas: the database {0} cannot be read elsewhere")]
    NoReplica(String),
    /// The database does not answer, or the file cannot be opened.
    #[error("cannot open the database {url}: {cause}")]
    Failed {
        /// The URL, without password.
        url: String,
        /// The error of the database.
        cause: String,
    },
}

/// A URL for messages: without the password and the query, which may hold one. A text with an `@`
/// that is no URL of a server is not shown, as a password may stand in it anywhere.
fn shown(url: &str) -> String {
    let mut parsed = match url::Url::parse(url) {
        // An `@` behind the host: a `/` or `#` in a password has ended the host before it.
        Ok(parsed)
            if parsed.has_authority()
                && (parsed.scheme() == "sqlite"
                    || !parsed[url::Position::BeforePath..].contains('@')) =>
        {
            parsed
        }
        _ if url.contains('@') => return "…".to_owned(),
        _ => return url.split('?').next().unwrap_or_default().to_owned(),
    };
    parsed.set_query(None);
    if parsed.password().is_some() {
        // Only URLs without a host reject a password, and they have none.
        let _ = parsed.set_password(Some("***"));
    }
    parsed.to_string()
}

/// Opens a database. A missing SQLite file is created; the schema stays unchanged.
///
/// # Errors
///
/// [`ConnectError`], if the database cannot be opened; its text has no password.
pub async fn connect(options: &DbOptions) -> Result<SeaOrmStore, ConnectError> {
    let failed = |cause: DbErr| ConnectError::Failed {
        url: shown(options.url.expose()),
        cause: reason(&cause),
    };
    let scheme = |url: &str| url.split_once(':').map(|(scheme, _)| scheme.to_owned());
    let is_server = |url: &str| matches!(scheme(url).as_deref(), Some("postgres" | "postgresql"));
    if let Some(replica) = &options.read_url {
        if !is_server(options.url.expose()) {
            return Err(ConnectError::NoReplica(shown(options.url.expose())));
        }
        if !is_server(replica.expose()) {
            return Err(ConnectError::UnknownUrl(shown(replica.expose())));
        }
    }
    let store = match scheme(options.url.expose()).as_deref() {
        #[cfg(feature = "sqlite")]
        Some("sqlite") => sqlite::connect(options).await.map_err(failed)?,
        #[cfg(feature = "postgres")]
        Some("postgres" | "postgresql") => postgres::connect(options).await.map_err(failed)?,
        _ => return Err(ConnectError::UnknownUrl(shown(options.url.expose()))),
    };
    Ok(store.with_cache(options.cache_bytes))
}

/// The options of a pool on both databases.
fn pool(url: &str, connections: u32, acquire_timeout: Duration) -> ConnectOptions {
    let mut pool = ConnectOptions::new(url);
    pool.max_connections(connections)
        .acquire_timeout(acquire_timeout)
        .sqlx_logging(false)
        .test_before_acquire(false);
    if url.starts_with("sqlite:") {
        // An idle connection costs little, has its statements prepared, and keeps the index of the
        // write-ahead log in place.
        pool.idle_timeout(None).max_lifetime(None);
    }
    pool
}

/// The number of connections for searches and other slow lists: one for each search that runs at
/// once, and one for lists that wait in no queue, such as that of images.
fn searches() -> u32 {
    u32::try_from(app::search_queue::turns() + 1).unwrap_or(u32::MAX)
}

async fn open(
    options: &DbOptions,
    pool: ConnectOptions,
    planned: Planned,
) -> Result<DatabaseConnection, DbErr> {
    let mut connection = Database::connect(pool).await?;
    if let Some(on_query) = on_query(options, planned) {
        connection.set_metric_callback(move |info| on_query(info.statement));
    }
    Ok(connection)
}

/// The same pool without the observer of its statements.
pub(super) fn unobserved(connection: &DatabaseConnection) -> DatabaseConnection {
    match connection.get_database_backend() {
        #[cfg(feature = "sqlite")]
        DbBackend::Sqlite => SqlxSqliteConnector::from_sqlx_sqlite_pool(
            connection.get_sqlite_connection_pool().clone(),
        ),
        #[cfg(feature = "postgres")]
        DbBackend::Postgres => SqlxPostgresConnector::from_sqlx_postgres_pool(
            connection.get_postgres_connection_pool().clone(),
        ),
        _ => connection.clone(),
    }
}

/// The observer of the statements of some connections.
fn on_query(options: &DbOptions, planned: Planned) -> Option<OnQuery> {
    let on_statement = options.on_statement.clone()?;
    Some(Box::new(move |statement| on_statement(statement, planned)))
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
