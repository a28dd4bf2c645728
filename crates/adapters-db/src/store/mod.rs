//! The store: connections, options, the schema, and work on the whole database.

mod backup;
mod connect;
mod derived;
#[cfg(feature = "sqlite")]
mod file_check;
mod journal;
mod loader;
mod prepare;
mod schema;
#[cfg(feature = "sqlite")]
mod write_ahead_log;
mod zone_data;

pub(crate) use self::zone_data::update_instants;

use std::{sync::Arc, time::Duration};

use app::ports::{DataVersion, Journal, Reads, Repositories, Store, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, IsolationLevel,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use tokio::time::sleep;

use self::connect::unobserved;
pub use self::{
    backup::BackupError,
    connect::{ConnectError, DbOptions, OnStatement, Planned, connect},
    loader::Loader,
    prepare::PrepareError,
    schema::SchemaError,
    zone_data::{Recomputed, ZoneDataError, ZoneMove},
};
#[cfg(feature = "sqlite")]
pub use self::{
    connect::SQLITE_FLAGS,
    file_check::find_damage,
    write_ahead_log::{EndOfLogError, end_write_ahead_log},
};
#[cfg(feature = "postgres")]
use crate::connection::{Replica, ReplicaState};
#[cfg(feature = "sqlite")]
use crate::group_commit::GroupCommit;
use crate::{
    ablation::Mechanism,
    cache::{CacheHandle, ChangeLog, DataVersionTracker, RecordCache, StateSource},
    connection::{Connection, begin_cancel_safe},
    error::store_error,
    search_index::{merge_queue, start_merging},
    session::{MergeSignal, Session, TrackedTransaction, repositories},
};

/// The pause before another attempt to merge the search index.
const MERGE_WAIT: Duration = Duration::from_millis(50);

/// The store of all records of a calendar, in a database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SeaOrmStore {
    pub(crate) reader: Session,
    pub(crate) writer: DatabaseConnection,
    /// Groups units of work, on a database with one writer at a time.
    #[cfg(feature = "sqlite")]
    pub(crate) group_commit: Option<GroupCommit>,
    /// A replica, and the session that reads from it.
    #[cfg(feature = "postgres")]
    replica: Option<(Replica, Session)>,
    pub(crate) data_version: Arc<DataVersionTracker>,
    pub(crate) merge_signal: MergeSignal,
}

impl SeaOrmStore {
    fn new(
        reader: Session,
        writer: DatabaseConnection,
        state: Option<StateSource>,
        options: &DbOptions,
    ) -> Self {
        let merge_signal = start_merging(unobserved(&writer), options.merge_pause);
        Self {
            reader: reader.with_merge_signal(merge_signal.clone()),
            writer,
            #[cfg(feature = "sqlite")]
            group_commit: None,
            #[cfg(feature = "postgres")]
            replica: None,
            data_version: Arc::new(DataVersionTracker::new(state, options.max_staleness)),
            merge_signal,
        }
    }

    /// The store with group commit. A unit of work waits for its transaction at most
    /// `begin_timeout`.
    #[cfg(feature = "sqlite")]
    fn with_group_commit(mut self, begin_timeout: Duration) -> Self {
        let (writer, merge_signal) = (self.writer.clone(), self.merge_signal.clone());
        self.group_commit = Some(GroupCommit::start(writer, merge_signal, begin_timeout));
        self
    }

    /// The store with a record cache of at most `bytes`; with 0, nothing may be cached anywhere.
    fn with_cache(mut self, bytes: u64) -> Self {
        let reader = &mut self.reader;
        let changes = ChangeLog::new(reader.connection.clone());
        let versions = (!reader.is_postgres()).then(|| Arc::clone(&self.data_version));
        let cache = || CacheHandle::new(Arc::new(RecordCache::new(changes, versions, bytes)));
        reader.cache = (bytes > 0).then(cache);
        self
    }

    /// The store with a replica that answers reads.
    #[cfg(feature = "postgres")]
    fn with_replica(mut self, replica: Option<Replica>) -> Self {
        self.replica = replica.map(|replica| {
            let generic_plan = replica.router(|pools| &pools.generic_plan);
            let slow = replica.router(|pools| &pools.slow);
            let session = Session::new(replica.router(|pools| &pools.all));
            let session = session.with_merge_signal(self.merge_signal.clone());
            let session = session.with_generic_plan(generic_plan).with_slow(slow);
            (replica, session)
        });
        self
    }

    /// The session of the replica, if it has replayed all that was written here.
    #[cfg(feature = "postgres")]
    fn current_replica(&self) -> Option<&Session> {
        let (replica, session) = self.replica.as_ref()?;
        replica.is_current().then_some(session)
    }

    /// Lets the replica answer no read before it has replayed all commits that were acknowledged
    /// until now.
    pub(crate) async fn hold_back_replica(&self) {
        #[cfg(feature = "postgres")]
        if let Some((replica, _)) = &self.replica {
            replica.committed().await;
        }
    }

    /// Adds all texts that wait to the search index, after the process that is doing so. A task does
    /// the same soon after each write; searches find the texts before, too.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn merge_search_index(&self) -> Result<(), StoreError> {
        while !merge_queue(&unobserved(&self.writer)).await? {
            sleep(MERGE_WAIT).await;
        }
        Ok(())
    }

    /// The open and the idle connections of the pool that reads.
    pub fn read_connections(&self) -> [usize; 2] {
        self.reader.connection.connections().unwrap_or_default()
    }

    /// The size of the cached records, in bytes, by estimate.
    pub fn cached_bytes(&self) -> u64 {
        self.reader.cache.as_ref().map_or(0, CacheHandle::bytes)
    }

    /// The state of the replica, as it was found last; `None` without a replica.
    #[cfg(feature = "postgres")]
    pub fn replica_state(&self) -> Option<ReplicaState> {
        self.replica
            .as_ref()
            .map(|(replica, _)| replica.state_found())
    }

    /// Closes the connections, once those in use are returned.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn close(self) -> Result<(), StoreError> {
        #[cfg(feature = "postgres")]
        if let Some((replica, _)) = self.replica {
            replica.close().await.map_err(store_error)?;
        }
        self.reader.close().await.map_err(store_error)?;
        self.writer.close().await.map_err(store_error)
    }
}

impl Repositories for SeaOrmStore {
    repositories!(self => &self.reader);
}

#[async_trait]
impl Store for SeaOrmStore {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        #[cfg(feature = "sqlite")]
        if let Some(group_commit) = &self.group_commit {
            return Ok(Box::new(group_commit.begin().await?));
        }
        let transaction = begin_cancel_safe(&self.writer);
        let transaction = self.reader.connection.guard(transaction).await;
        let tracking = (Arc::clone(&self.data_version), self.merge_signal.clone());
        let transaction = transaction.map_err(store_error)?;
        Ok(Box::new(TrackedTransaction::new(
            transaction,
            Some(tracking),
        )))
    }

    async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.reader.setting(name).await
    }

    async fn version(&self) -> Result<Option<DataVersion>, StoreError> {
        if self.reader.cache.is_none() {
            return Ok(None);
        }
        self.data_version.current().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let connection = &self.reader.connection;
        let statement = Statement::from_string(connection.get_database_backend(), "SELECT 1");
        let answer = connection.query_one_raw(statement).await;
        answer.map(drop).map_err(store_error)
    }

    fn journal(&self) -> &dyn Journal {
        self
    }

    fn repositories(&self) -> &dyn Repositories {
        #[cfg(feature = "postgres")]
        if let Some(replica) = self.current_replica() {
            return replica;
        }
        self
    }

    async fn reads(&self) -> Result<Reads<'_>, StoreError> {
        #[cfg(feature = "postgres")]
        if let Some(replica) = self.current_replica() {
            return Ok(Reads::Shared(replica));
        }
        let Some(cache) = &self.reader.cache else {
            return Ok(Reads::Shared(self));
        };
        if Mechanism::RecordCache.is_left_out() {
            return Ok(Reads::Shared(self));
        }
        let cache = cache.for_request().await?;
        let mut reader = self.reader.clone();
        reader.cache = cache;
        Ok(Reads::Own(Box::new(reader)))
    }

    async fn bulk_reads(&self) -> Result<Reads<'_>, StoreError> {
        #[cfg(feature = "postgres")]
        if let Some(replica) = self.current_replica() {
            return Ok(Reads::Shared(replica));
        }
        Ok(Reads::Own(Box::new(self.reader.for_bulk_reads())))
    }

    async fn snapshot(&self) -> Result<Box<dyn Repositories>, StoreError> {
        let transaction = Arc::new(self.begin_snapshot().await?);
        Ok(Box::new(Session::new(Connection::Transaction(transaction))))
    }
}

impl SeaOrmStore {
    /// Begins a transaction that reads one state of the database.
    pub(crate) async fn begin_snapshot(&self) -> Result<DatabaseTransaction, StoreError> {
        let is_postgres = self.reader.is_postgres();
        let options = TransactionOptions {
            isolation_level: is_postgres.then_some(IsolationLevel::RepeatableRead),
            access_mode: is_postgres.then_some(AccessMode::ReadOnly),
            sqlite_transaction_mode: Some(SqliteTransactionMode::Deferred),
        };
        let transaction = self.writer.begin_with_options(options).await;
        transaction.map_err(store_error)
    }
}
