//! Opening a database.

#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::{fmt, sync::Arc, time::Duration};

use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, Statement};

use crate::{SeaOrmStore, connection::OnQuery, error::reason};

/// How long a statement may take, unless the options say otherwise.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// What is kept unless the options say otherwise: 16 MiB.
const CACHE_BYTES: u64 = 16 << 20;

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
        cause: reason(&cause),
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
        Some("sqlite") => sqlite::connect(options).await.map_err(failed)?,
        #[cfg(feature = "postgres")]
        Some("postgres" | "postgresql") => postgres::connect(options).await.map_err(failed)?,
        _ => return Err(ConnectError::UnknownUrl(shown(&options.url))),
    };
    Ok(store.with_cache(options.cache_bytes))
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
    if let Some(on_query) = on_query(options, Planned::ForItsValues) {
        connection.set_metric_callback(move |info| on_query(info.statement));
    }
    Ok(connection)
}

/// Who is told of the statements of some connections.
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
