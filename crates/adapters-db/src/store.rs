//! The store, and units of work as transactions.

use std::{sync::Arc, time::Duration};

use app::ports::{DataVersion, Reads, Repositories, Store, StoreError, UnitOfWork};
use async_trait::async_trait;
use migration::{Migrator, MigratorTrait};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult,
    QueryResult, SqliteTransactionMode, Statement, StatementBuilder, TransactionOptions,
    TransactionTrait,
};

#[cfg(feature = "postgres")]
use crate::replica::Replica;
#[cfg(feature = "sqlite")]
use crate::writer::Writer;
use crate::{
    changes::{self, Feed},
    error::store_error,
    kept::{Keeping, Kept, Now},
    names::NamesRead,
    reader::Reader,
    version::{Source, Versions},
};

/// The number under which starting servers agree on who changes the schema.
const MIGRATION_LOCK: i64 = 0x6361_6c65_6e64_6172;

/// Everything that the calendar keeps, in a database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SeaOrmStore {
    pub(crate) reader: Over<Reader>,
    pub(crate) writer: DatabaseConnection,
    /// Gives out turns, where only one may write at a time.
    #[cfg(feature = "sqlite")]
    pub(crate) turns: Option<Writer>,
    /// Answers what is only read, while it has what was written.
    #[cfg(feature = "postgres")]
    replica: Option<Replica>,
    versions: Arc<Versions>,
}

/// The repositories over a connection: one from the pool, or that of a transaction.
#[derive(Clone, Debug)]
pub(crate) struct Over<C> {
    pub(crate) connection: C,
    /// What searches and other slow lists go over, if not over the same.
    searching: Option<C>,
    /// What goes by keys and counters goes over this, if not over the same.
    generic: Option<C>,
    /// What is kept of what is read, if anything is; never in a unit of work, which reads what it wrote.
    pub(crate) keeping: Option<Keeping>,
}

/// A connection that a repository can work over; failures are told as those of the store.
pub(crate) trait Connection: ConnectionTrait + Send + Sync + 'static {
    /// Runs a statement that answers no rows.
    fn run<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<ExecResult, StoreError>> + Send {
        async { self.execute(statement).await.map_err(store_error) }
    }

    /// The first row that a statement answers.
    fn row<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<Option<QueryResult>, StoreError>> + Send {
        async { self.query_one(statement).await.map_err(store_error) }
    }

    /// The rows that a statement answers.
    fn rows<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<Vec<QueryResult>, StoreError>> + Send {
        async { self.query_all(statement).await.map_err(store_error) }
    }

    /// Runs a statement whose answer nobody waits for: before the next one, and before what it belongs to
    /// is kept. That it failed may be told by whatever comes next.
    fn later<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { self.run(statement).await.map(drop) }
    }

    /// What was found under names, where nobody else writes at the same time.
    fn names_read(&self) -> Option<&NamesRead> {
        None
    }
}

impl Connection for DatabaseConnection {}

impl Connection for DatabaseTransaction {}

impl<C: Connection> Over<C> {
    pub(crate) fn only(connection: C) -> Self {
        Self {
            connection,
            searching: None,
            generic: None,
            keeping: None,
        }
    }

    /// The same with another connection for what goes by keys and counters.
    #[cfg(feature = "postgres")]
    pub(crate) fn with_generic(self, generic: C) -> Self {
        Self {
            generic: Some(generic),
            ..self
        }
    }

    /// What searches and other slow lists go over.
    pub(crate) fn searching(&self) -> &C {
        self.searching.as_ref().unwrap_or(&self.connection)
    }

    /// What goes by keys and counters, and in the same way for all values: to plan it anew each time
    /// would take longer than to do it.
    pub(crate) fn generic(&self) -> &C {
        self.generic.as_ref().unwrap_or(&self.connection)
    }

    /// What is kept of what was read, to be used now.
    pub(crate) async fn kept(&self) -> Result<Option<Now<'_>>, StoreError> {
        match &self.keeping {
            Some(keeping) => keeping.now().await,
            None => Ok(None),
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.connection.get_database_backend() == DbBackend::Postgres
    }
}

impl SeaOrmStore {
    pub(crate) fn new(
        reader: Reader,
        searcher: Reader,
        writer: DatabaseConnection,
        versions: Source,
    ) -> Self {
        Self {
            reader: Over {
                connection: reader,
                searching: Some(searcher),
                generic: None,
                keeping: None,
            },
            writer,
            #[cfg(feature = "sqlite")]
            turns: None,
            #[cfg(feature = "postgres")]
            replica: None,
            versions: Arc::new(Versions::new(versions, Duration::ZERO)),
        }
    }

    /// The same when units of work have to wait for each other, each no longer than this.
    #[cfg(feature = "sqlite")]
    pub(crate) fn in_turns(mut self, patience: Duration) -> Self {
        self.turns = Some(Writer::start(self.writer.clone(), patience));
        self
    }

    /// The same when so many bytes of what is read are kept; of none, nothing may be kept anywhere.
    pub(crate) fn keeping(mut self, bytes: u64) -> Self {
        let reader = &mut self.reader;
        let feed = Feed::new(reader.connection.clone());
        let versions = (!reader.is_postgres()).then(|| Arc::clone(&self.versions));
        reader.keeping =
            (bytes > 0).then(|| Keeping::new(Arc::new(Kept::new(feed, versions, bytes))));
        self
    }

    /// The same with a connection for what goes by keys and counters, beside a replica, and when states
    /// of the data that are no older than this are good enough.
    #[cfg(feature = "postgres")]
    pub(crate) fn spread(
        mut self,
        generic: Reader,
        replica: Option<Replica>,
        max_staleness: Duration,
    ) -> Self {
        let source = match &replica {
            Some(replica) => Source::Either(Box::new(replica.clone())),
            None => Source::Snapshot(generic.clone()),
        };
        self.versions = Arc::new(Versions::new(source, max_staleness));
        self.reader = self.reader.with_generic(generic);
        self.replica = replica;
        self
    }

    /// The replica, if it has all that was written here.
    #[cfg(feature = "postgres")]
    fn current_replica(&self) -> Option<&Replica> {
        self.replica.as_ref().filter(|replica| replica.is_current())
    }

    /// Closes the connections, when those that are in use have come back.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn close(self) -> Result<(), StoreError> {
        #[cfg(feature = "postgres")]
        if let Some(replica) = self.replica {
            replica.close().await.map_err(store_error)?;
        }
        let others = [self.reader.searching, self.reader.generic];
        for other in others.into_iter().flatten() {
            other.close().await.map_err(store_error)?;
        }
        self.reader.connection.close().await.map_err(store_error)?;
        self.writer.close().await.map_err(store_error)
    }

    /// Brings the schema up to date, all or nothing; answers how many migrations that took. Several
    /// processes may do so at once: one does, the others wait.
    ///
    /// # Errors
    ///
    /// If the database fails, or if its schema is newer than this program.
    pub async fn migrate(&self) -> Result<u32, StoreError> {
        let transaction = begin_immediate(&self.writer).await.map_err(store_error)?;
        if transaction.get_database_backend() == DbBackend::Postgres {
            // Changing many rows takes as long as it takes, and so does waiting for who is at it.
            transaction
                .execute_unprepared("SET LOCAL statement_timeout = 0")
                .await
                .map_err(store_error)?;
            let lock = "SELECT pg_advisory_xact_lock($1)";
            let lock =
                Statement::from_sql_and_values(DbBackend::Postgres, lock, [MIGRATION_LOCK.into()]);
            transaction.execute_raw(lock).await.map_err(store_error)?;
        }
        let pending = Migrator::get_pending_migrations(&transaction)
            .await
            .map_err(store_error)?
            .len();
        if pending > 0 {
            Migrator::up(&transaction, None)
                .await
                .map_err(store_error)?;
        }
        changes::mend(&transaction).await?;
        transaction.commit().await.map_err(store_error)?;
        self.versions.wrote().await;
        Ok(u32::try_from(pending).unwrap_or(u32::MAX))
    }

    /// How many migrations are still to be done.
    ///
    /// # Errors
    ///
    /// If the database fails, or if its schema is newer than this program.
    pub async fn pending(&self) -> Result<u32, StoreError> {
        let transaction = begin_immediate(&self.writer).await.map_err(store_error)?;
        let pending = Migrator::get_pending_migrations(&transaction)
            .await
            .map_err(store_error)?
            .len();
        transaction.rollback().await.map_err(store_error)?;
        Ok(u32::try_from(pending).unwrap_or(u32::MAX))
    }
}

/// A transaction that writes.
pub(crate) async fn begin_immediate(
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    // Immediate: a transaction that only later turns to writing can find that it came too late.
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// Every port over one connection: the same for reads and within a transaction.
macro_rules! repositories {
    ($self:ident => $over:expr) => {
        fn events(&$self) -> &dyn app::ports::EventRepository {
            $over
        }
        fn venues(&$self) -> &dyn app::ports::Repository<domain::Venue> {
            $over
        }
        fn organizers(&$self) -> &dyn app::ports::Repository<domain::Organizer> {
            $over
        }
        fn categories(&$self) -> &dyn app::ports::TermRepository<domain::term::Categories> {
            $over
        }
        fn tags(&$self) -> &dyn app::ports::TermRepository<domain::term::Tags> {
            $over
        }
        fn images(&$self) -> &dyn app::ports::ImageRepository {
            $over
        }
        fn users(&$self) -> &dyn app::ports::UserRepository {
            $over
        }
        fn imports(&$self) -> &dyn app::ports::ImportLedger {
            $over
        }
        fn settings(&$self) -> &dyn app::ports::Settings {
            $over
        }
        fn idempotency(&$self) -> &dyn app::ports::IdempotencyKeys {
            $over
        }
    };
}

#[cfg(feature = "sqlite")]
pub(crate) use repositories;

impl Repositories for SeaOrmStore {
    repositories!(self => &self.reader);
}

impl<C: Connection> Repositories for Over<C> {
    repositories!(self => self);
}

#[async_trait]
impl Store for SeaOrmStore {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        #[cfg(feature = "sqlite")]
        if let Some(turns) = &self.turns {
            return Ok(Box::new(turns.begin().await?));
        }
        let transaction = begin_immediate(&self.writer).await.map_err(store_error)?;
        Ok(Box::new(Noted {
            over: Over::only(transaction),
            versions: Arc::clone(&self.versions),
        }))
    }

    async fn version(&self) -> Result<Option<DataVersion>, StoreError> {
        if self.reader.keeping.is_none() {
            return Ok(None);
        }
        self.versions.current().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let connection = &self.reader.connection;
        let statement = Statement::from_string(connection.get_database_backend(), "SELECT 1");
        connection
            .query_one_raw(statement)
            .await
            .map_err(store_error)?;
        Ok(())
    }

    fn repositories(&self) -> &dyn Repositories {
        #[cfg(feature = "postgres")]
        if let Some(replica) = self.current_replica() {
            return &replica.over;
        }
        self
    }

    async fn reads(&self) -> Result<Reads<'_>, StoreError> {
        #[cfg(feature = "postgres")]
        if let Some(replica) = self.current_replica() {
            return Ok(Reads::Shared(&replica.over));
        }
        let Some(keeping) = &self.reader.keeping else {
            return Ok(Reads::Shared(self));
        };
        let keeping = keeping.for_request().await?;
        let reader = self.reader.clone();
        Ok(Reads::Own(Box::new(Over { keeping, ..reader })))
    }
}

/// A unit of work whose writes are noted before anybody is told of them.
struct Noted {
    over: Over<DatabaseTransaction>,
    versions: Arc<Versions>,
}

impl Repositories for Noted {
    repositories!(self => &self.over);
}

#[async_trait]
impl UnitOfWork for Noted {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.over.connection.commit().await.map_err(store_error)?;
        self.versions.wrote().await;
        Ok(())
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.over.connection.rollback().await.map_err(store_error)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        self.over.nested().await
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

#[async_trait]
impl UnitOfWork for Over<DatabaseTransaction> {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.connection.commit().await.map_err(store_error)
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.connection.rollback().await.map_err(store_error)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let connection = self.connection.begin().await.map_err(store_error)?;
        Ok(Box::new(Over::only(connection)))
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}
