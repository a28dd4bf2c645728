//! Databases of tests: each test has its own, which is deleted after it.

use std::{
    io::Write,
    sync::{
        Arc, Once,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use adapters_db::{DbOptions, SeaOrmStore, connect};
use sea_orm::{ConnectionTrait, Database};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// The environment variable with the URL of a PostgreSQL server whose user may create databases.
pub const POSTGRES_URL: &str = "EVENTS_CALENDAR_TEST_POSTGRES_URL";

/// The environment variable that, set to `off`, runs the tests without record cache and response
/// cache.
pub const CACHES: &str = "EVENTS_CALENDAR_TEST_CACHES";

/// The name of the SQLite file of a test.
const SQLITE_FILE: &str = "calendar.db";

/// A database of its own, with the schema.
#[derive(Debug)]
pub struct TestDb {
    /// Its URL.
    pub url: String,
    /// The store over it.
    pub store: SeaOrmStore,
    statements: Arc<AtomicU64>,
    guard: Guard,
}

/// Deletes the database when it is dropped.
#[derive(Debug)]
enum Guard {
    Sqlite { folder: TempDir },
    Postgres { server: String, name: String },
}

impl TestDb {
    /// A new SQLite file with the schema.
    pub async fn sqlite() -> Self {
        static TEMPLATE: OnceCell<Template> = OnceCell::const_new();
        let make = async || {
            let db = Self::empty_sqlite().await;
            db.store.migrate().await.unwrap();
            db.into_template().await
        };
        TEMPLATE.get_or_init(make).await.copy().await
    }

    /// Another database of the same kind, without a schema.
    pub async fn empty(&self) -> Self {
        match &self.guard {
            Guard::Sqlite { .. } => Self::empty_sqlite().await,
            Guard::Postgres { server, .. } => Self::create(server.clone(), "template0").await,
        }
    }

    async fn empty_sqlite() -> Self {
        Self::open_sqlite(TempDir::new().unwrap()).await
    }

    async fn open_sqlite(folder: TempDir) -> Self {
        let url = sqlite_url(&folder);
        Self::open(url, Guard::Sqlite { folder }).await
    }

    /// A database with the schema on the PostgreSQL server that [`POSTGRES_URL`] names; `None`
    /// without a server, which is reported once.
    pub async fn postgres() -> Option<Self> {
        static TEMPLATE: OnceCell<Template> = OnceCell::const_new();
        let server = postgres_server()?;
        let make = async || {
            let db = Self::create(server, "template0").await;
            db.store.migrate().await.unwrap();
            db.into_template().await
        };
        Some(TEMPLATE.get_or_init(make).await.copy().await)
    }

    /// Closes the database, and makes a template of it.
    pub(crate) async fn into_template(self) -> Template {
        // The last connection to a SQLite file moves the content of the WAL into it.
        self.store.close().await.unwrap();
        match &self.guard {
            Guard::Sqlite { folder } => {
                Template::Sqlite(std::fs::read(folder.path().join(SQLITE_FILE)).unwrap())
            }
            Guard::Postgres { server, name } => {
                // An earlier process with this number may have left one.
                let template = name.replace("test", "template");
                administer(server, &format!("DROP DATABASE IF EXISTS {template}")).await;
                let rename = format!("ALTER DATABASE {name} RENAME TO {template}");
                administer(server, &rename).await;
                Template::Postgres(server.clone(), template)
            }
        }
    }

    /// Copies a database of a PostgreSQL server.
    async fn create(server: String, template: &str) -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("calendar_test_{}_{number}", std::process::id());
        administer(
            &server,
            &format!("CREATE DATABASE {name} TEMPLATE {template}"),
        )
        .await;
        let url = with_database(&server, &name);
        Self::open(url, Guard::Postgres { server, name }).await
    }

    async fn open(url: String, guard: Guard) -> Self {
        let statements = Arc::new(AtomicU64::new(0));
        let options = options(&url, &statements);
        let store = connect(&options).await.unwrap();
        Self {
            url,
            store,
            statements,
            guard,
        }
    }

    /// Another store over the same database, with other options; its statements are counted too.
    pub async fn another(&self, change: impl FnOnce(&mut DbOptions)) -> SeaOrmStore {
        let mut options = options(&self.url, &self.statements);
        change(&mut options);
        connect(&options).await.unwrap()
    }

    /// Another store over the same database, with another time limit of statements.
    pub async fn hurried(&self, statement_timeout: Duration) -> SeaOrmStore {
        self.another(|options| options.statement_timeout = statement_timeout)
            .await
    }

    /// The number of statements sent to the database so far.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }
}

/// The content of a database, of which tests get copies.
#[derive(Debug)]
pub(crate) enum Template {
    /// The bytes of a file.
    Sqlite(Vec<u8>),
    /// The URL of a server, and the name of a database there.
    Postgres(String, String),
}

impl Template {
    pub(crate) async fn copy(&self) -> TestDb {
        match self {
            Self::Sqlite(content) => {
                let folder = TempDir::new().unwrap();
                std::fs::write(folder.path().join(SQLITE_FILE), content).unwrap();
                TestDb::open_sqlite(folder).await
            }
            Self::Postgres(server, name) => TestDb::create(server.clone(), name).await,
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Self::Postgres { server, name } = self else {
            return;
        };
        let (server, drop) = (
            server.clone(),
            format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
        );
        // The runtime of the test may be shutting down.
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(administer(&server, &drop));
        });
        let _ = thread.join();
    }
}

/// The options of a test: few connections, and a counter of statements.
fn options(url: &str, statements: &Arc<AtomicU64>) -> DbOptions {
    let mut options = DbOptions::new(url);
    let counter = Arc::clone(statements);
    options.on_statement = Some(Arc::new(move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
    }));
    options.readers = options.readers.min(4);
    // Tests search texts before and after their merge.
    options.merge_pause = Duration::from_millis(10);
    if !caches() {
        options.cache_bytes = 0;
    }
    options
}

/// Whether the tests run with caches. The first call reports if they do not, to standard error
/// itself, which the test harness does not capture.
pub fn caches() -> bool {
    static SAID: Once = Once::new();
    let off = std::env::var(CACHES).is_ok_and(|value| value == "off");
    if off {
        SAID.call_once(|| {
            let message = format!("nothing is kept of what is read: {CACHES} is off\n");
            std::io::stderr().write_all(message.as_bytes()).unwrap();
        });
    }
    !off
}

/// The PostgreSQL server for tests. Its absence is reported once, to standard error itself, which
/// the test harness does not capture.
pub fn postgres_server() -> Option<String> {
    static SAID: Once = Once::new();
    let server = std::env::var(POSTGRES_URL).ok();
    if server.is_none() {
        SAID.call_once(|| {
            let message = format!("NOT RUN on PostgreSQL: {POSTGRES_URL} is not set\n");
            std::io::stderr().write_all(message.as_bytes()).unwrap();
        });
    }
    server
}

fn sqlite_url(folder: &TempDir) -> String {
    format!("sqlite://{}/{SQLITE_FILE}", folder.path().display())
}

/// Runs a statement on the maintenance database of the server.
pub async fn administer(server: &str, sql: &str) {
    let connection = Database::connect(server)
        .await
        .expect("the PostgreSQL server of the tests answers");
    connection.execute_unprepared(sql).await.unwrap();
    connection.close().await.unwrap();
}

fn with_database(server: &str, name: &str) -> String {
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{name}")
}
