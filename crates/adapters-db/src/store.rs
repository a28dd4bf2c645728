//! The store.

use std::{sync::Arc, time::Duration};

use app::ports::{DataVersion, Reads, Repositories, Store, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

#[cfg(feature = "postgres")]
use crate::replica::Replica;
#[cfg(feature = "sqlite")]
use crate::writer::Writer;
use crate::{
    changes::Feed,
    error::store_error,
    kept::{Keeping, Kept},
    over::{Over, repositories},
    reader::Reader,
    unit::{Noted, begin_for_somebody},
    version::{Source, Versions},
};

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
    pub(crate) versions: Arc<Versions>,
}

impl SeaOrmStore {
    pub(crate) fn new(
        reader: Reader,
        searcher: Reader,
        writer: DatabaseConnection,
        versions: Source,
    ) -> Self {
        Self {
            reader: Over::only(reader).with_searching(searcher),
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
        if let Some(turns) = &self.turns {
            return Ok(Box::new(turns.begin().await?));
        }
        let begun = begin_for_somebody(&self.writer);
        let begun = self.reader.connection.answer(begun).await;
        Ok(Box::new(Noted {
            over: Over::only(begun.map_err(store_error)?),
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
        let mut reader = self.reader.clone();
        reader.keeping = keeping;
        Ok(Reads::Own(Box::new(reader)))
    }
}
