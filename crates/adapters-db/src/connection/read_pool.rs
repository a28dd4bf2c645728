//! A pool of connections that read.
//!
//! The driver's pool pings each connection that is returned. On SQLite the ping is a round trip to
//! another thread, on PostgreSQL one over the network: it costs as much as a short statement. This
//! pool reuses, without a ping, a connection that has just answered. A connection whose statement
//! failed or was cancelled goes back to the driver's pool, which checks it. If the server has closed
//! the connection since, the statement runs again on a checked one. A pool with a time limit stops a statement that its caller cancels; without, the statement runs to its end.

use std::{
    fmt,
    pin::Pin,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr,
    Statement,
    sqlx::{self, Pool, pool::PoolConnection},
};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use super::{driver::Driver, stopper::Stopper};
use crate::{ablation::Mechanism, error::is_lost};

/// Called with a statement before it runs.
pub(crate) type OnQuery = Box<dyn Fn(&Statement) + Send + Sync>;

/// A pool over the pool of a driver, which has no other user.
pub(crate) struct ReadPool<D: Driver> {
    pool: Pool<D>,
    /// One permit for each connection that the pool may have.
    permits: Semaphore,
    /// A stack: the connection used last is on top. None once the pool is closed.
    free: Mutex<Option<Vec<IdleConnection<D>>>>,
    /// The time limit of a statement. With a limit, a statement is also stopped when its caller
    /// drops it.
    limit: Option<Duration>,
    on_query: Option<OnQuery>,
}

struct IdleConnection<D: Driver> {
    connection: PoolConnection<D>,
    /// Present if statements are stopped, with their time limit.
    stopper: Option<(Stopper, Duration)>,
    /// The time at which the connection left the driver's pool.
    since: Instant,
    /// The time of the last answer.
    answered: Instant,
    /// Whether it has answered a statement since the driver's pool checked it.
    is_reused: bool,
}

/// Runs a statement on a connection.
type Run<D, T> = for<'c> fn(
    &'c mut <D as sqlx::Database>::Connection,
    Statement,
) -> Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send + 'c>>;

/// A connection in use. When dropped, it goes back to the driver's pool.
struct PooledConnection<'a, D: Driver> {
    used: IdleConnection<D>,
    _permit: SemaphorePermit<'a>,
}

/// A statement that runs. It is stopped when it is dropped before its end.
struct RunningStatement<'a, D: Driver> {
    used: &'a mut IdleConnection<D>,
    has_ended: bool,
}

impl<'a, D: Driver> RunningStatement<'a, D> {
    fn begin(used: &'a mut IdleConnection<D>) -> Self {
        if let Some((stopper, limit)) = &used.stopper {
            stopper.begin(Instant::now() + *limit);
        }
        Self {
            used,
            has_ended: false,
        }
    }

    fn connection(&mut self) -> &mut D::Connection {
        &mut self.used.connection
    }

    fn end(mut self) {
        self.has_ended = true;
    }
}

impl<D: Driver> Drop for RunningStatement<'_, D> {
    fn drop(&mut self) {
        let IdleConnection {
            connection,
            stopper: Some((stopper, _)),
            ..
        } = &mut *self.used
        else {
            return;
        };
        if !self.has_ended {
            stopper.stop(connection);
        }
    }
}

impl<D: Driver> ReadPool<D> {
    pub(crate) fn new(pool: Pool<D>, limit: Option<Duration>, on_query: Option<OnQuery>) -> Self {
        let connections = pool.options().get_max_connections();
        Self {
            permits: Semaphore::new(usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS)),
            free: Mutex::new(Some(Vec::new())),
            pool,
            limit,
            on_query,
        }
    }

    fn free(&self) -> MutexGuard<'_, Option<Vec<IdleConnection<D>>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The open and the idle connections.
    pub(crate) fn connections(&self) -> [usize; 2] {
        let open = usize::try_from(self.pool.size()).unwrap_or(usize::MAX);
        let idle = self.pool.num_idle() + self.free().as_ref().map_or(0, Vec::len);
        [open, idle.min(open)]
    }

    /// Waits for a connection for a statement.
    async fn take(&self, statement: &Statement) -> Result<PooledConnection<'_, D>, DbErr> {
        let acquire_timeout = self.pool.options().get_acquire_timeout();
        let taken = timeout(acquire_timeout, self.take_next()).await;
        let taken = taken.unwrap_or(Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)))?;
        if let Some(on_query) = &self.on_query {
            on_query(statement);
        }
        Ok(taken)
    }

    async fn take_next(&self) -> Result<PooledConnection<'_, D>, DbErr> {
        let permit = self.permits.acquire().await;
        let closed = ConnAcquireErr::ConnectionClosed;
        let permit = permit.map_err(|_| DbErr::ConnectionAcquire(closed))?;
        let free = self.free().as_mut().and_then(Vec::pop);
        let used = match free.filter(|used| self.is_fresh(used)) {
            Some(used) => used,
            None => self.acquire().await.map_err(not_acquired)?,
        };
        Ok(PooledConnection {
            used,
            _permit: permit,
        })
    }

    /// A connection of the driver's pool.
    async fn acquire(&self) -> Result<IdleConnection<D>, sqlx::Error> {
        let mut connection = self.pool.acquire().await?;
        let stopper = match self.limit {
            Some(limit) => Some((D::stopper(&mut connection).await?, limit)),
            None => None,
        };
        Ok(IdleConnection {
            connection,
            stopper,
            since: Instant::now(),
            answered: Instant::now(),
            is_reused: false,
        })
    }

    /// Whether a connection may be reused without a ping, and has not reached its maximum lifetime.
    fn is_fresh(&self, used: &IdleConnection<D>) -> bool {
        let within = |limit: Option<Duration>, from: Instant| {
            limit.is_none_or(|limit| from.elapsed() < limit)
        };
        within(self.pool.options().get_max_lifetime(), used.since)
            && within(D::UNCHECKED_IDLE, used.answered)
    }

    /// Puts a connection that has answered on the stack of idle ones.
    fn keep(&self, mut taken: PooledConnection<'_, D>) {
        taken.used.answered = Instant::now();
        taken.used.is_reused = true;
        if let Some(free) = self.free().as_mut()
            && !Mechanism::ReadPool.is_left_out()
        {
            free.push(taken.used);
        }
    }

    /// Runs a statement; again if the server has closed the connection since its last answer. All
    /// idle connections are then checked.
    async fn run<T>(&self, statement: Statement, run: Run<D, T>) -> Result<T, RunError> {
        loop {
            let mut taken = self.take(&statement).await.map_err(RunError::NotTaken)?;
            let mut running = RunningStatement::begin(&mut taken.used);
            let done = run(running.connection(), statement.clone()).await;
            running.end();
            match done {
                Ok(done) => {
                    self.keep(taken);
                    return Ok(done);
                }
                Err(error) if taken.used.is_reused && is_lost(&error) => {
                    let idle = self.free().as_mut().map(std::mem::take);
                    drop(idle);
                }
                Err(error) => return Err(RunError::Failed(cause(error))),
            }
        }
    }

    /// Closes the connections, once those in use are returned.
    pub(crate) async fn close(&self) {
        self.permits.close();
        drop(self.free().take());
        self.pool.close().await;
    }
}

impl<D: Driver> Drop for ReadPool<D> {
    fn drop(&mut self) {
        // The driver's pool would spawn a task to take each connection back, and the runtime may
        // have stopped.
        for used in self.free().take().into_iter().flatten() {
            drop(used.connection.detach());
        }
    }
}

impl<D: Driver> fmt::Debug for ReadPool<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadPool")
            .field("backend", &D::BACKEND)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl<D: Driver> ConnectionTrait for ReadPool<D> {
    fn get_database_backend(&self) -> DbBackend {
        D::BACKEND
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let done = self.run(statement, |connection, statement| {
            Box::pin(D::execute(connection, statement))
        });
        done.await.map_err(|error| error.of(DbErr::Exec))
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.execute_raw(Statement::from_string(D::BACKEND, sql))
            .await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let row = self.run(statement, |connection, statement| {
            Box::pin(D::first(connection, statement))
        });
        row.await.map_err(|error| error.of(DbErr::Query))
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let rows = self.run(statement, |connection, statement| {
            Box::pin(D::all(connection, statement))
        });
        rows.await.map_err(|error| error.of(DbErr::Query))
    }
}

/// Why a statement did not run.
enum RunError {
    NotTaken(DbErr),
    Failed(RuntimeErr),
}

impl RunError {
    /// The error of a statement of some kind.
    fn of(self, kind: fn(RuntimeErr) -> DbErr) -> DbErr {
        match self {
            Self::NotTaken(error) => error,
            Self::Failed(cause) => kind(cause),
        }
    }
}

fn cause(error: sqlx::Error) -> RuntimeErr {
    RuntimeErr::SqlxError(error.into())
}

fn not_acquired(error: sqlx::Error) -> DbErr {
    match error {
        sqlx::Error::PoolTimedOut => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
        sqlx::Error::PoolClosed => DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
        error => DbErr::Conn(cause(error)),
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use std::{
        pin::pin,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

    use super::*;

    /// A pool of one connection, and a counter of its returns to the driver's pool.
    async fn one() -> (Arc<ReadPool<sqlx::Sqlite>>, Arc<AtomicUsize>) {
        one_with(Duration::from_millis(200), None).await
    }

    /// The same with other timeouts.
    async fn one_with(
        acquire_timeout: Duration,
        limit: Option<Duration>,
    ) -> (Arc<ReadPool<sqlx::Sqlite>>, Arc<AtomicUsize>) {
        let back = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&back);
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(acquire_timeout)
            .after_release(move |_, _| {
                counted.fetch_add(1, Ordering::SeqCst);
                Box::pin(async { Ok(true) })
            })
            .connect_with(SqliteConnectOptions::new().in_memory(true))
            .await
            .unwrap();
        // The driver's pool opened one connection and has it back.
        let before = back.swap(0, Ordering::SeqCst);
        assert!(before <= 1, "{before}");
        (Arc::new(ReadPool::new(pool, limit, None)), back)
    }

    fn statement(sql: &str) -> Statement {
        Statement::from_string(DbBackend::Sqlite, sql)
    }

    #[tokio::test]
    async fn one_that_answered_is_used_again() {
        let (pool, back) = one().await;
        pool.execute_raw(statement("CREATE TABLE t (n)"))
            .await
            .unwrap();
        for n in 0..3 {
            let insert = format!("INSERT INTO t (n) VALUES ({n})");
            pool.execute_unprepared(&insert).await.unwrap();
        }
        let rows = pool.query_all_raw(statement("SELECT n FROM t"));
        assert_eq!(rows.await.unwrap().len(), 3);
        assert_eq!(back.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn one_that_failed_goes_back_to_the_pool() {
        let (pool, back) = one().await;
        let failed = pool.query_one_raw(statement("SELECT nothing")).await;
        assert!(matches!(failed, Err(DbErr::Query(_))), "{failed:?}");
        let row = pool.query_one_raw(statement("SELECT 1 AS n")).await;
        assert_eq!(row.unwrap().unwrap().try_get::<i64>("", "n").unwrap(), 1);
        assert_eq!(back.load(Ordering::SeqCst), 1);
    }

    /// A statement without end.
    const ENDLESS: &str = "WITH RECURSIVE numbers (n) AS \
        (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT max(n) FROM numbers";

    #[tokio::test]
    async fn a_statement_that_is_dropped_is_stopped() {
        const LONG: Duration = Duration::from_hours(1);
        let (pool, back) = one_with(Duration::from_secs(30), Some(LONG)).await;
        let endless = pool.query_one_raw(statement(ENDLESS));
        let running = timeout(Duration::from_millis(50), endless).await;
        assert!(running.is_err(), "{running:?}");
        // The only connection is free again.
        let row = pool.query_one_raw(statement("SELECT 1 AS n")).await;
        assert_eq!(row.unwrap().unwrap().try_get::<i64>("", "n").unwrap(), 1);
        assert_eq!(back.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn each_statement_has_the_whole_time_limit() {
        let limit = Duration::from_millis(400);
        let (pool, back) = one_with(Duration::from_secs(30), Some(limit)).await;
        // Long enough for a check of the time.
        let short = ENDLESS.replace("FROM numbers)", "FROM numbers LIMIT 2000)");
        assert!(pool.query_one_raw(statement(&short)).await.is_ok());
        tokio::time::sleep(limit).await;
        assert!(pool.query_one_raw(statement(&short)).await.is_ok());
        assert_eq!(back.load(Ordering::SeqCst), 0);
        let stopped = pool.query_one_raw(statement(ENDLESS)).await;
        assert!(matches!(stopped, Err(DbErr::Query(_))), "{stopped:?}");
        assert!(pool.query_one_raw(statement(&short)).await.is_ok());
    }

    #[tokio::test]
    async fn who_waits_too_long_for_a_connection_is_told() {
        let (pool, _) = one().await;
        let select = statement("SELECT 1");
        let taken = pool.take(&select).await.unwrap();
        let second = pool.query_one_raw(select.clone()).await;
        assert!(matches!(
            second,
            Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
        ));
        pool.keep(taken);
        assert!(pool.query_one_raw(select).await.is_ok());
    }

    #[tokio::test]
    async fn closing_waits_for_who_is_at_it() {
        let (pool, _) = one().await;
        let select = statement("SELECT 1");
        let taken = pool.take(&select).await.unwrap();
        let mut closing = pin!(pool.close());
        assert!(timeout(Duration::ZERO, closing.as_mut()).await.is_err());
        pool.keep(taken);
        assert!(timeout(Duration::from_secs(5), closing).await.is_ok());
        let late = pool.query_one_raw(select).await;
        assert!(matches!(
            late,
            Err(DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed))
        ));
    }
}
