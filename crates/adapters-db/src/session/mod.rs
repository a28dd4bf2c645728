//! A session: the connections and the cache that repositories use.

mod merge_signal;
mod unit_transaction;

use std::sync::Arc;

use app::ports::{Repositories, StoreError};
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, Insert, Iterable,
    PrimaryKeyToColumn, Select, sea_query::OnConflict,
};

pub(crate) use self::{
    merge_signal::MergeSignal,
    unit_transaction::{OpenTransaction, TrackedTransaction},
};
use crate::{
    ablation::Mechanism,
    cache::{CacheHandle, CacheSnapshot},
    connection::{Connection, Prefetched},
    error::store_error,
};

/// The connections and the cache that the repositories use.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) connection: Connection,
    /// Runs searches and other slow lists; if none, `connection` does.
    slow: Option<Connection>,
    /// Runs the statements of bulk reads; if none, `connection` does.
    bulk: Option<Connection>,
    /// Runs statements by keys and counters, which it plans once; if none, `connection` does.
    generic_plan: Option<Connection>,
    /// The cache of records. A unit of work has none, as it reads its own writes.
    pub(crate) cache: Option<CacheHandle>,
    /// The records that this unit of work is about to look up.
    pub(crate) prefetched: Arc<Prefetched>,
    /// Wakes the task that merges the search index; none in a unit of work.
    merge_signal: Option<MergeSignal>,
}

impl Session {
    pub(crate) fn new(connection: Connection) -> Self {
        Self {
            connection,
            slow: None,
            bulk: None,
            generic_plan: None,
            cache: None,
            prefetched: Arc::default(),
            merge_signal: None,
        }
    }

    /// The session with the signal that wakes the task of the search index.
    pub(crate) fn with_merge_signal(self, merge_signal: MergeSignal) -> Self {
        Self {
            merge_signal: Some(merge_signal),
            ..self
        }
    }

    /// Announces texts that are not indexed.
    pub(crate) fn signal_merge(&self) {
        if let Some(merge_signal) = &self.merge_signal {
            merge_signal.send();
        }
    }

    /// The session with another connection for searches and other slow lists.
    pub(crate) fn with_slow(self, slow: Connection) -> Self {
        Self {
            slow: Some(slow),
            ..self
        }
    }

    /// The session with another connection for bulk reads.
    #[cfg(feature = "sqlite")]
    pub(crate) fn with_bulk(self, bulk: Connection) -> Self {
        Self {
            bulk: Some(bulk),
            ..self
        }
    }

    /// The session with another connection for statements by keys and counters.
    #[cfg(feature = "postgres")]
    pub(crate) fn with_generic_plan(self, generic_plan: Connection) -> Self {
        Self {
            generic_plan: Some(generic_plan),
            ..self
        }
    }

    /// The connection for searches and other slow lists.
    pub(crate) fn slow(&self) -> &Connection {
        self.slow.as_ref().unwrap_or(&self.connection)
    }

    /// The connection for statements by keys and counters, which it plans once. Planning such a
    /// statement takes longer than running it, and the plan is the same for all values.
    pub(crate) fn generic_plan(&self) -> &Connection {
        self.generic_plan.as_ref().unwrap_or(&self.connection)
    }

    /// The cache as it is now; none if nothing may be cached.
    pub(crate) async fn cache(&self) -> Result<Option<CacheSnapshot<'_>>, StoreError> {
        match &self.cache {
            Some(cache) if !Mechanism::RecordCache.is_left_out() => cache.snapshot().await,
            _ => Ok(None),
        }
    }

    /// The row that a query by a key selects. The query has no limit: with a bound limit, SQLite
    /// would prepare the statement again each time.
    pub(crate) async fn one<E: EntityTrait>(
        &self,
        select: Select<E>,
    ) -> Result<Option<E::Model>, StoreError> {
        let rows = select.all(self.generic_plan()).await;
        let rows = rows.map_err(store_error)?;
        Ok(rows.into_iter().next())
    }

    /// The rows that a query selects.
    pub(crate) async fn all<E: EntityTrait>(
        &self,
        select: Select<E>,
    ) -> Result<Vec<E::Model>, StoreError> {
        select.all(&self.connection).await.map_err(store_error)
    }

    /// Stores a row, in place of the one with its key.
    pub(crate) async fn put(&self, row: impl ActiveModelTrait + Send) -> Result<(), StoreError> {
        self.connection.change(replacing(row)).await.map(drop)
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.connection.get_database_backend() == DbBackend::Postgres
    }

    /// The session for bulk reads, which fill no cache that others use.
    pub(crate) fn for_bulk_reads(&self) -> Self {
        let mut session = self.clone();
        session.cache = None;
        if let Some(bulk) = session.bulk.take() {
            session.connection = bulk;
        }
        session
    }

    /// Closes the connections, once those in use are returned.
    pub(crate) async fn close(self) -> Result<(), DbErr> {
        for other in [self.slow, self.bulk, self.generic_plan]
            .into_iter()
            .flatten()
        {
            other.close().await?;
        }
        self.connection.close().await
    }
}

/// The insertion of a row in place of the one with its key.
fn replacing<A: ActiveModelTrait>(row: A) -> Insert<A> {
    A::Entity::insert(row).on_conflict(replace::<A::Entity>())
}

/// The replacement of the row that has the key of an inserted one.
pub(crate) fn replace<E: EntityTrait>() -> OnConflict {
    let key = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column);
    let is_key = |column: &E::Column| E::PrimaryKey::from_column(*column).is_some();
    OnConflict::columns(key)
        .update_columns(E::Column::iter().filter(|column| !is_key(column)))
        .to_owned()
}

/// Implements [`Repositories`] by one session that is every repository.
macro_rules! repositories {
    ($self:ident => $session:expr) => {
        fn events(&$self) -> &dyn app::ports::EventRepository {
            $session
        }
        fn occurrences(&$self) -> &dyn app::ports::OccurrenceRepository {
            $session
        }
        fn venues(&$self) -> &dyn app::ports::Repository<domain::Venue> {
            $session
        }
        fn organizers(&$self) -> &dyn app::ports::Repository<domain::Organizer> {
            $session
        }
        fn categories(&$self) -> &dyn app::ports::TermRepository<domain::term::Categories> {
            $session
        }
        fn tags(&$self) -> &dyn app::ports::TermRepository<domain::term::Tags> {
            $session
        }
        fn images(&$self) -> &dyn app::ports::ImageRepository {
            $session
        }
        fn users(&$self) -> &dyn app::ports::UserRepository {
            $session
        }
        fn sign_ins(&$self) -> &dyn app::ports::SignInRepository {
            $session
        }
        fn reviews(&$self) -> &dyn app::ports::ReviewRepository {
            $session
        }
        fn imports(&$self) -> &dyn app::ports::ImportLedger {
            $session
        }
        fn settings(&$self) -> &dyn app::ports::Settings {
            $session
        }
        fn idempotency(&$self) -> &dyn app::ports::IdempotencyKeys {
            $session
        }
        fn tombstones(&$self) -> &dyn app::ports::Tombstones {
            $session
        }
        fn secret_feeds(&$self) -> &dyn app::ports::SecretFeeds {
            $session
        }
        fn sources(&$self) -> &dyn app::ports::Sources {
            $session
        }
        fn duplicates(&$self) -> &dyn app::ports::Duplicates {
            $session
        }
        fn audit(&$self) -> &dyn app::ports::AuditTrail {
            $session
        }
    };
}

pub(crate) use repositories;

impl Repositories for Session {
    repositories!(self => self);
}
