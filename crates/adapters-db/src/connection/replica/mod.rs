//! A PostgreSQL replica: it answers reads while it has replayed all that this process wrote.

mod lag_monitor;
mod log_position;
mod router;
mod status;

use std::sync::Arc;

use app::ports::StoreError;
use sea_orm::{DatabaseConnection, DbErr};

pub(super) use self::router::ReplicaRouter;
pub use self::status::ReplicaState;
use self::{
    log_position::{replayed, written},
    status::ReplicaStatus,
};
use super::Connection;

/// A replica beside its primary.
#[derive(Clone, Debug)]
pub(crate) struct Replica {
    primary: Pools,
    standby: Pools,
    status: Arc<ReplicaStatus>,
}

/// Connections to a server.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    /// For reads and writes.
    pub(crate) pool: DatabaseConnection,
    /// The pool `pool`, for reads.
    pub(crate) all: Connection,
    /// For statements by keys and counters, which the server plans once.
    pub(crate) generic_plan: Connection,
    /// For searches and other slow lists.
    pub(crate) slow: Connection,
}

impl Replica {
    /// Starts to monitor a replica. It answers no read until it has replayed what the primary has
    /// now.
    ///
    /// # Errors
    ///
    /// If the primary does not answer.
    pub(crate) async fn start(primary: &Pools, replica: Pools) -> Result<Self, DbErr> {
        let status = Arc::new(ReplicaStatus::new(written(&primary.all).await?));
        lag_monitor::start(&status, primary.all.clone(), replica.all.clone());
        Ok(Self {
            primary: primary.clone(),
            standby: replica,
            status,
        })
    }

    /// A connection that reads from the replica, and from the primary what the replica cannot
    /// answer.
    pub(crate) fn router(&self, of: impl Fn(&Pools) -> &Connection) -> Connection {
        Connection::Replica(Arc::new(ReplicaRouter {
            primary: of(&self.primary).clone(),
            replica: of(&self.standby).clone(),
            status: Arc::clone(&self.status),
        }))
    }

    /// Whether the replica has replayed all that is known to be acknowledged.
    pub(crate) fn is_current(&self) -> bool {
        self.status.is_current()
    }

    /// The state that was found last.
    pub(crate) fn state_found(&self) -> ReplicaState {
        let behind = self.status.bytes_behind();
        behind.map_or(ReplicaState::Away, ReplicaState::Behind)
    }

    pub(crate) async fn close(self) -> Result<(), DbErr> {
        self.standby.generic_plan.close().await?;
        self.standby.slow.close().await?;
        self.standby.pool.close().await
    }

    /// The state of the server that answers reads now. No state of the replica is equal to one of
    /// the primary, and none from before a change of the route is equal to one after it.
    pub(crate) async fn state(&self) -> Result<Vec<u8>, StoreError> {
        let route = self.status.route();
        if route.is_replica()
            && let Ok(Some(position)) = replayed(&self.standby.generic_plan).await
        {
            return Ok(format!("{route:?} {position}").into_bytes());
        }
        let mut state = format!("{route:?} ").into_bytes();
        state.extend(self.primary.generic_plan.state().await?);
        Ok(state)
    }

    /// Records a commit of this process, before its caller gets an answer.
    pub(crate) async fn committed(&self) {
        match written(&self.primary.generic_plan).await {
            Ok(position) => self.status.wrote(position),
            Err(_) => self.status.wrote_at_unknown_position(),
        }
    }
}
