//! The repositories, and what they need of a connection.

use app::ports::{Repositories, StoreError};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult,
    QueryResult, StatementBuilder,
};

use crate::{
    error::store_error,
    kept::{Keeping, Now},
    names::NamesRead,
    reader::Reader,
};

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

    /// The same with another connection for searches and other slow lists.
    pub(crate) fn with_searching(self, searching: C) -> Self {
        Self {
            searching: Some(searching),
            ..self
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

impl Over<Reader> {
    /// Closes the connections, when those that are in use have come back.
    pub(crate) async fn close(self) -> Result<(), DbErr> {
        for other in [self.searching, self.generic].into_iter().flatten() {
            other.close().await?;
        }
        self.connection.close().await
    }
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

pub(crate) use repositories;

impl<C: Connection> Repositories for Over<C> {
    repositories!(self => self);
}
