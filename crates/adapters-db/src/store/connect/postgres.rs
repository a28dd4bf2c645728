//! Connections to PostgreSQL.

use std::{sync::Arc, time::Duration};

use sea_orm::{
    ConnectOptions, Database, DbErr, RuntimeErr,
    sqlx::{
        self, Connection as _,
        postgres::{PgConnectOptions, PgConnection},
    },
};
use tokio::time::timeout;

use super::{DbOptions, Planned, on_query, open, pool};
use crate::{
    SeaOrmStore,
    cache::StateSource,
    connection::{CircuitBreaker, PROBE_TIMEOUT, ReadPool, Reader, UNCHECKED_IDLE, probe},
    replica::{Pools, Replica},
    session::Session,
};

/// How long a request waits for a connection to PostgreSQL to become free. That the server is away is
/// known sooner: see [`Outage`].
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(3);

/// How long it waits for one to a replica before it asks the primary.
const REPLICA_TIMEOUT: Duration = Duration::from_millis(500);

/// How much longer than a statement may take its answer is waited for.
const ALLOWANCE: Duration = Duration::from_secs(1);

/// Some connections read and write; if there is a replica, others read from it.
pub(super) async fn connect(options: &DbOptions) -> Result<SeaOrmStore, DbErr> {
    let primary = match pools(options, &options.url, |_| ()).await {
        Ok(primary) => primary,
        Err(error) => return Err(reason(&options.url).await.unwrap_or(error)),
    };
    let replica = match &options.read_url {
        Some(url) => {
            // The primary does as well.
            let lazy = |pool: &mut ConnectOptions| {
                pool.connect_lazy(true).acquire_timeout(REPLICA_TIMEOUT);
            };
            let replica = pools(options, url, lazy).await?;
            Some(Replica::start(&primary, replica).await?)
        }
        None => None,
    };
    let state: Box<dyn StateSource> = match &replica {
        Some(replica) => Box::new(replica.clone()),
        None => Box::new(primary.generic_plan.clone()),
    };
    let reader = Session::new(primary.all).with_generic_plan(primary.generic_plan);
    let store = SeaOrmStore::new(reader, primary.pool, Some(state), options.max_staleness);
    Ok(store.with_replica(replica))
}

/// Connections to a server.
async fn pools(
    options: &DbOptions,
    url: &str,
    adjust: impl Fn(&mut ConnectOptions),
) -> Result<Pools, DbErr> {
    /// How statements are planned that are asked again and again.
    const PLANS: &str = "plan_cache_mode";

    let pool = |connections, planned| {
        let plans = match planned {
            Planned::ForItsValues => "auto",
            Planned::ForAny => "force_generic_plan",
        };
        let mut pool = pool(url, connections, CONNECTION_TIMEOUT);
        let limit = options.statement_timeout.as_millis().to_string();
        pool.map_sqlx_postgres_opts(move |postgres| {
            postgres.options([
                // Our statements are short: compiling them costs more than it saves.
                ("jit", "off"),
                ("statement_timeout", &limit),
                (PLANS, plans),
            ])
        });
        keep_alive(&mut pool);
        adjust(&mut pool);
        pool
    };
    let server: PgConnectOptions = url
        .parse()
        .map_err(|error: sqlx::Error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?;
    let breaker = CircuitBreaker::new(server, options.statement_timeout + ALLOWANCE);
    let all = open(options, pool(options.readers, Planned::ForItsValues)).await?;
    let generic_plan =
        Database::connect(pool(options.readers.min(at_once()), Planned::ForAny)).await?;
    let generic_plan = generic_plan.get_postgres_connection_pool().clone();
    let generic_plan = ReadPool::new(generic_plan, None, on_query(options, Planned::ForAny));
    Ok(Pools {
        all: Reader::Pooled(all.clone(), breaker.clone()),
        generic_plan: Reader::Postgres(Arc::new(generic_plan), breaker),
        pool: all,
    })
}

/// Lets a pool hand out and take back only connections that live. One may have died while nobody used it, and
/// one to a server that vanished without a word would be waited for without end.
fn keep_alive(pool: &mut ConnectOptions) {
    async fn lives(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        Ok(matches!(
            timeout(PROBE_TIMEOUT, connection.ping()).await,
            Ok(Ok(()))
        ))
    }
    pool.map_sqlx_postgres_pool_opts(|pool| {
        pool.before_acquire(|connection, about| {
            Box::pin(async move { Ok(about.idle_for < UNCHECKED_IDLE || lives(connection).await?) })
        })
        .after_release(|connection, _| Box::pin(lives(connection)))
    });
}

/// How many statements are worth asking at once that a server answers in less than a millisecond. With
/// more connections, each finds less of what it needs in the caches of the processor.
fn at_once() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(processors).map_or(u32::MAX, |processors| processors.saturating_add(1))
}

/// Why no connection to a server comes about. A pool waits, tries again and says only that it waited.
async fn reason(url: &str) -> Option<DbErr> {
    let refusal = probe(&url.parse().ok()?).await.err()?;
    Some(DbErr::Conn(RuntimeErr::Internal(refusal.cause)))
}
