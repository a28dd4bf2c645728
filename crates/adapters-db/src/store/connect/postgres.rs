//! Opens PostgreSQL.

use std::{sync::Arc, time::Duration};

use sea_orm::{
    ConnectOptions, Database, DbErr, RuntimeErr,
    sqlx::{
        self, Connection as _,
        postgres::{PgConnectOptions, PgConnection},
    },
};
use tokio::time::timeout;

use super::{DbOptions, Planned, on_query, open, pool, searches};
use crate::{
    SeaOrmStore,
    cache::StateSource,
    connection::{CircuitBreaker, Connection, PROBE_TIMEOUT, Pools, ReadPool, Replica, probe},
    session::Session,
};

/// How long a request waits for a free connection. An unreachable server is reported sooner: see
/// [`CircuitBreaker`].
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a request waits for a free connection to a replica before the primary answers it.
const REPLICA_TIMEOUT: Duration = Duration::from_millis(500);

/// The time added to the statement timeout before the client gives up.
const ALLOWANCE: Duration = Duration::from_secs(1);

/// Opens the pools of the primary and, if there is one, of the replica.
pub(super) async fn connect(options: &DbOptions) -> Result<SeaOrmStore, DbErr> {
    let breaker = breaker(options, options.url.expose())?;
    let primary = match pools(options, options.url.expose(), &breaker, |_| ()).await {
        Ok(primary) => primary,
        Err(error) => return Err(reason(options.url.expose()).await.unwrap_or(error)),
    };
    let replica = match &options.read_url {
        Some(url) => {
            // The primary can answer instead.
            let lazy = |pool: &mut ConnectOptions| {
                pool.connect_lazy(true).acquire_timeout(REPLICA_TIMEOUT);
            };
            let breaker = self::breaker(options, url.expose())?;
            let replica = pools(options, url.expose(), &breaker, lazy).await?;
            Some(Replica::start(&primary, replica).await?)
        }
        None => None,
    };
    let state = match &replica {
        Some(replica) => StateSource::Replica(Box::new(replica.clone())),
        None => StateSource::Server(primary.generic_plan.clone()),
    };
    let reader = Session::new(primary.all)
        .with_generic_plan(primary.generic_plan)
        .with_slow(primary.slow);
    // Writes go by keys, and planning such a statement takes longer than running it.
    let writer = pool_of(
        options,
        options.url.expose(),
        &breaker,
        options.readers,
        Planned::ForAny,
    );
    let writer = open(options, writer, Planned::ForAny).await?;
    let store = SeaOrmStore::new(reader, writer, Some(state), options);
    Ok(store.with_replica(replica))
}

/// The circuit breaker of one server.
fn breaker(options: &DbOptions, url: &str) -> Result<CircuitBreaker, DbErr> {
    let server: PgConnectOptions = url
        .parse()
        .map_err(|error: sqlx::Error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?;
    let limit = options.statement_timeout + ALLOWANCE;
    Ok(CircuitBreaker::new(server, limit))
}

/// Opens the pools of one server.
async fn pools(
    options: &DbOptions,
    url: &str,
    breaker: &CircuitBreaker,
    adjust: impl Fn(&mut ConnectOptions),
) -> Result<Pools, DbErr> {
    let pool = |connections, planned| {
        let mut pool = pool_of(options, url, breaker, connections, planned);
        adjust(&mut pool);
        pool
    };
    let planned = Planned::ForItsValues;
    let all = open(options, pool(options.readers, planned), planned).await?;
    let generic_plan =
        Database::connect(pool(options.readers.min(at_once()), Planned::ForAny)).await?;
    let generic_plan = generic_plan.get_postgres_connection_pool().clone();
    let generic_plan = ReadPool::new(generic_plan, None, on_query(options, Planned::ForAny));
    let mut slow = pool(searches(), Planned::ForItsValues);
    slow.connect_lazy(true);
    let slow = Database::connect(slow).await?;
    let slow = slow.get_postgres_connection_pool().clone();
    let limit = Some(options.statement_timeout);
    let slow = ReadPool::new(slow, limit, on_query(options, Planned::ForItsValues));
    Ok(Pools {
        all: Connection::Pooled(all.clone(), breaker.clone()),
        generic_plan: Connection::Postgres(Arc::new(generic_plan), breaker.clone()),
        slow: Connection::Postgres(Arc::new(slow), breaker.clone()),
        pool: all,
    })
}

/// The options of a pool of connections to one server.
fn pool_of(
    options: &DbOptions,
    url: &str,
    breaker: &CircuitBreaker,
    connections: u32,
    planned: Planned,
) -> ConnectOptions {
    /// The setting for the plans of prepared statements.
    const PLANS: &str = "plan_cache_mode";

    let plans = match planned {
        Planned::ForItsValues => "auto",
        Planned::ForAny => "force_generic_plan",
    };
    let mut pool = pool(url, connections, CONNECTION_TIMEOUT);
    let limit = options.statement_timeout.as_millis().to_string();
    pool.map_sqlx_postgres_opts(move |postgres| {
        postgres.options([
            // The statements are short: compiling one costs more than it saves.
            ("jit", "off"),
            ("statement_timeout", &limit),
            (PLANS, plans),
        ])
    });
    keep_alive(&mut pool, breaker.clone());
    pool
}

/// Makes a pool check connections before it hands them out and after it takes them back. A
/// connection may have died while idle, and a query to a server that vanished would wait without
/// end.
fn keep_alive(pool: &mut ConnectOptions, breaker: CircuitBreaker) {
    async fn lives(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        Ok(matches!(
            timeout(PROBE_TIMEOUT, connection.ping()).await,
            Ok(Ok(()))
        ))
    }
    pool.map_sqlx_postgres_pool_opts(move |pool| {
        let breaker = breaker.clone();
        pool.before_acquire(move |connection, about| {
            let counts_as_alive = breaker.counts_as_alive(about.idle_for);
            Box::pin(async move { Ok(counts_as_alive || lives(connection).await?) })
        })
        .after_release(|connection, _| Box::pin(lives(connection)))
    });
}

/// The number of connections that pays for statements of less than 1 ms. Each further one finds
/// less of its data in the caches of the processor.
fn at_once() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(processors).map_or(u32::MAX, |processors| processors.saturating_add(1))
}

/// The cause of a failed connection. A pool retries, and reports only a timeout.
async fn reason(url: &str) -> Option<DbErr> {
    let refusal = probe(&url.parse().ok()?).await.err()?;
    Some(DbErr::Conn(RuntimeErr::Internal(refusal.cause)))
}
