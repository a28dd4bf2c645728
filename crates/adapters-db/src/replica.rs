//! A replica of PostgreSQL that answers what is only read, while it has all that this process wrote.

mod routed;
mod standing;
mod watch;

use std::sync::Arc;

use app::ports::StoreError;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};

pub(crate) use self::{routed::Routed, standing::Standing};
use crate::{changes::RUN, error::store_error, over::Over, reader::Reader};

/// A replica beside its primary.
#[derive(Clone, Debug)]
pub(crate) struct Replica {
    pub(crate) over: Over<Routed>,
    primary: Reader,
    copy: Pools,
    standing: Arc<Standing>,
}

/// Connections to a server.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    /// For everything.
    pub(crate) pool: DatabaseConnection,
    /// The same, to read.
    pub(crate) all: Reader,
    /// For what goes by keys and counters.
    pub(crate) generic: Reader,
}

impl Replica {
    /// Starts to watch a replica. Until it is known to have what the primary has now, it is not asked.
    ///
    /// # Errors
    ///
    /// If the primary does not answer.
    pub(crate) async fn start(primary: &Pools, replica: Pools) -> Result<Self, DbErr> {
        let standing = Arc::new(Standing::new(written(&primary.all).await?));
        watch::start(&standing, primary.all.clone(), replica.all.clone());
        let routed = |primary: &Reader, replica: &Reader| Routed {
            primary: primary.clone(),
            replica: replica.clone(),
            standing: Arc::clone(&standing),
        };
        let generic = routed(&primary.generic, &replica.generic);
        let all = routed(&primary.all, &replica.all);
        Ok(Self {
            over: Over::only(all).with_generic(generic),
            primary: primary.generic.clone(),
            copy: replica,
            standing,
        })
    }

    /// Whether to read from the replica now.
    pub(crate) fn is_current(&self) -> bool {
        self.standing.is_current()
    }

    /// Something was written, and nobody was told yet.
    pub(crate) async fn wrote(&self) {
        match written(&self.primary).await {
            Ok(position) => self.standing.wrote(position),
            Err(_) => self.standing.wrote_somewhere(),
        }
    }

    /// The state of what is read now, wherever that is. No state of the replica is equal to one of the
    /// primary, and none from before the place changed is equal to one after it.
    pub(crate) async fn state(&self) -> Result<String, StoreError> {
        let route = self.standing.route();
        if route.is_replica()
            && let Ok(Some(position)) = replayed(&self.copy.generic).await
        {
            return Ok(format!("{route:?} {position}"));
        }
        let snapshot = snapshot(&self.primary).await?;
        Ok(format!("{route:?} {snapshot}"))
    }

    pub(crate) async fn close(self) -> Result<(), DbErr> {
        self.copy.generic.close().await?;
        self.copy.pool.close().await
    }
}

/// Which transactions a statement sees, and in which run of the server: two that see the same ones read
/// the same.
pub(crate) async fn snapshot(connection: &impl ConnectionTrait) -> Result<String, StoreError> {
    let select = format!("SELECT pg_current_snapshot()::text || ' ' || {RUN} AS value");
    let value = value(connection, &select).await.map_err(store_error)?;
    value.ok_or_else(|| StoreError::Internal("there is no snapshot".to_owned()))
}

/// Up to where a primary has written its log. Not only what is on its disk: it may be set to tell of a
/// commit before that.
async fn written(primary: &impl ConnectionTrait) -> Result<u64, DbErr> {
    let select = "SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS value";
    let position = position(primary, select).await?;
    position.ok_or_else(|| DbErr::Custom("the primary has no log".to_owned()))
}

/// Up to where a replica has replayed the log of its primary; none if it is no replica.
async fn replayed(replica: &impl ConnectionTrait) -> Result<Option<u64>, DbErr> {
    let select = "SELECT (pg_last_wal_replay_lsn() - '0/0')::text AS value \
         WHERE pg_is_in_recovery()";
    position(replica, select).await
}

/// Which database this is; of a replica, which one it is a replica of.
async fn identity(connection: &impl ConnectionTrait) -> Result<Option<String>, DbErr> {
    let select = "SELECT system_identifier || '/' || current_database() AS value \
         FROM pg_control_system()";
    value(connection, select).await
}

async fn position(connection: &impl ConnectionTrait, select: &str) -> Result<Option<u64>, DbErr> {
    let value = value(connection, select).await?;
    value
        .map(|text| text.parse())
        .transpose()
        .map_err(|_| DbErr::Custom("a position in the log is no number".to_owned()))
}

/// The text that a statement answers, if it does.
async fn value(connection: &impl ConnectionTrait, select: &str) -> Result<Option<String>, DbErr> {
    let select = Statement::from_string(DbBackend::Postgres, select);
    let row = connection.query_one_raw(select).await?;
    row.map_or(Ok(None), |row| row.try_get("", "value"))
}
