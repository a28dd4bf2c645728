//! A circuit breaker around a PostgreSQL server.
//!
//! A pool retries to connect until its caller gives up, while other callers queue. A query slower
//! than 250 ms triggers a reachability probe. While probes fail, queries fail at once.

use std::{
    pin::pin,
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use domain::Secret;
use sea_orm::{
    DbErr, RuntimeErr,
    sqlx::{self, ConnectOptions as _, Connection as _, postgres::PgConnectOptions},
};
use tokio::{
    select,
    sync::Mutex,
    time::{sleep, sleep_until, timeout},
};

use crate::error::is_lost;

/// The time after which a query triggers a probe.
const SLOW_QUERY: Duration = Duration::from_millis(250);

/// How long a server may take to accept a connection or to answer a ping.
pub(crate) const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// How long after its last answer a server counts as reachable, and a connection as alive.
pub(crate) const UNCHECKED_IDLE: Duration = Duration::from_secs(1);

/// The pause between two probes of an unreachable server.
const PAUSE: Duration = Duration::from_millis(200);

/// Fails queries early while a server is unreachable. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct CircuitBreaker(Arc<State>);

#[derive(Debug)]
struct State {
    server: Secret<PgConnectOptions>,
    /// The longest time that any query may take.
    limit: Duration,
    /// Why the server is unreachable, while it is.
    away: RwLock<Option<String>>,
    /// The last successful probe. One task at a time probes.
    seen: Mutex<Option<Instant>>,
    /// The time at which the server last closed a connection in use.
    lost: RwLock<Option<Instant>>,
}

impl CircuitBreaker {
    /// A breaker for a server that counts as reachable until a probe fails. A query that takes
    /// longer than `limit` fails.
    pub(crate) fn new(server: PgConnectOptions, limit: Duration) -> Self {
        Self(Arc::new(State {
            server: server.into(),
            limit,
            away: RwLock::default(),
            seen: Mutex::default(),
            lost: RwLock::default(),
        }))
    }

    /// Whether a connection that has been idle for some time may be used without a ping: it has
    /// answered recently, and the server has closed none since.
    pub(crate) fn counts_as_alive(&self, idle_for: Duration) -> bool {
        let lost = *self.0.lost.read().unwrap_or_else(PoisonError::into_inner);
        idle_for < UNCHECKED_IDLE && lost.is_none_or(|lost| idle_for < lost.elapsed())
    }

    /// Runs a query; fails early if the server is unreachable.
    pub(crate) async fn guard<T>(
        &self,
        query: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        if let Some(away) = self.0.away() {
            return Err(away);
        }
        let query = async {
            let answer = query.await;
            if let Err(DbErr::Query(cause) | DbErr::Exec(cause)) = &answer
                && let RuntimeErr::SqlxError(error) = cause
                && is_lost(error)
            {
                self.0.note_loss();
            }
            answer
        };
        let mut query = pin!(query);
        if let Ok(answer) = timeout(SLOW_QUERY, query.as_mut()).await {
            return answer;
        }
        select! {
            answer = query => answer,
            away = self.seen_away() => Err(away),
            () = sleep(self.0.limit) => Err(failed("no answer in time".to_owned())),
        }
    }

    /// Completes when a probe finds the server unreachable.
    async fn seen_away(&self) -> DbErr {
        loop {
            let mut seen = self.0.seen.lock().await;
            if let Some(away) = self.0.away() {
                return away;
            }
            if let Some(then) = *seen
                && then.elapsed() < UNCHECKED_IDLE
            {
                drop(seen);
                sleep_until((then + UNCHECKED_IDLE).into()).await;
                continue;
            }
            match probe(self.0.server.expose()).await {
                Err(refusal) if refusal.is_away => {
                    let (server, cause) = (self.0.server.expose().get_host(), &refusal.cause);
                    tracing::warn!(server, cause, "the database is away");
                    self.0.set(Some(refusal.cause));
                    tokio::spawn(until_back(self.clone()));
                }
                _ => *seen = Some(Instant::now()),
            }
        }
    }
}

impl State {
    fn away(&self) -> Option<DbErr> {
        let away = self.away.read().unwrap_or_else(PoisonError::into_inner);
        let cause = away.as_ref()?;
        Some(failed(format!("the database is away: {cause}")))
    }

    fn note_loss(&self) {
        *self.lost.write().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn set(&self, away: Option<String>) {
        self.note_loss();
        *self.away.write().unwrap_or_else(PoisonError::into_inner) = away;
    }
}

/// Probes until the server is reachable again or the store is dropped.
async fn until_back(breaker: CircuitBreaker) {
    let state = Arc::downgrade(&breaker.0);
    drop(breaker);
    loop {
        sleep(PAUSE).await;
        let Some(state) = state.upgrade() else {
            return;
        };
        if !matches!(probe(state.server.expose()).await, Err(refusal) if refusal.is_away) {
            let server = state.server.expose().get_host();
            tracing::info!(server, "the database is back");
            state.set(None);
            return;
        }
    }
}

/// Why a server accepted no connection.
pub(crate) struct Refusal {
    pub(crate) cause: String,
    /// Whether the server accepts no connections at all. A server without free connections, or one
    /// that rejects this user, is reachable: open connections still work.
    is_away: bool,
}

/// Connects to a server and disconnects.
pub(crate) async fn probe(server: &PgConnectOptions) -> Result<(), Refusal> {
    match timeout(PROBE_TIMEOUT, server.connect()).await {
        Ok(Ok(connection)) => {
            // The server has answered; an error of the disconnect does not matter.
            let _ = timeout(PROBE_TIMEOUT, connection.close()).await;
            Ok(())
        }
        Ok(Err(error)) => Err(Refusal {
            is_away: is_away(&error),
            cause: error.to_string(),
        }),
        Err(_) => Err(Refusal {
            is_away: true,
            cause: "the server does not answer".to_owned(),
        }),
    }
}

/// Whether an error of a new connection means that the server accepts none.
fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        // Shutting down, crashed, or starting up.
        sqlx::Error::Database(cause) => {
            matches!(cause.code().as_deref(), Some("57P01" | "57P02" | "57P03"))
        }
        _ => false,
    }
}

fn failed(text: String) -> DbErr {
    DbErr::Conn(RuntimeErr::Internal(text))
}

#[cfg(test)]
mod tests {
    use std::{future::pending, net::TcpListener};

    use super::*;

    fn breaker(port: u16, limit: Duration) -> CircuitBreaker {
        let url = format!("postgres://nobody@127.0.0.1:{port}/nothing?sslmode=disable");
        CircuitBreaker::new(url.parse().unwrap(), limit)
    }

    /// A breaker for a port without a listener.
    fn gone() -> CircuitBreaker {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        breaker(listener.local_addr().unwrap().port(), 60 * PROBE_TIMEOUT)
    }

    /// The options of the driver show a password by `Debug`.
    #[test]
    fn the_password_is_hidden() {
        let url = "postgres://nobody:hunter2@127.0.0.1:1/nothing";
        let breaker = CircuitBreaker::new(url.parse().unwrap(), PROBE_TIMEOUT);
        let shown = format!("{breaker:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }

    #[tokio::test]
    async fn who_waits_for_a_server_that_is_away_is_told_so() {
        let breaker = gone();
        let (one, other) = tokio::join!(
            breaker.guard(pending::<Result<(), DbErr>>()),
            breaker.guard(pending::<Result<(), DbErr>>()),
        );
        for result in [one, other] {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("the database is away"), "{error}");
        }
        // From now on queries fail without a wait.
        let begun = Instant::now();
        assert!(breaker.guard(pending::<Result<(), DbErr>>()).await.is_err());
        assert!(begun.elapsed() < SLOW_QUERY);
    }

    #[tokio::test]
    async fn a_server_that_is_slow_is_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // The server accepts connections and reports that it has too many.
        std::thread::spawn(move || {
            use std::io::{Read, Write};
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 8]);
                let mut fields = b"SFATAL\0C53300\0Mtoo many\0\0".to_vec();
                let length = u32::try_from(fields.len() + 4).unwrap();
                let mut message = vec![b'E'];
                message.extend(length.to_be_bytes());
                message.append(&mut fields);
                let _ = stream.write_all(&message);
            }
        });
        let slow = async {
            sleep(SLOW_QUERY + PAUSE).await;
            Ok(7)
        };
        let patient = breaker(port, 60 * PROBE_TIMEOUT);
        assert_eq!(patient.guard(slow).await.unwrap(), 7);
        let impatient = breaker(port, PAUSE);
        let result = impatient.guard(pending::<Result<(), DbErr>>()).await;
        assert!(result.unwrap_err().to_string().contains("in time"));
    }

    #[tokio::test]
    async fn what_a_server_answers_is_passed_on() {
        let breaker = gone();
        assert_eq!(breaker.guard(async { Ok(7) }).await.unwrap(), 7);
        let failed = breaker.guard(async { Err::<(), _>(DbErr::Custom("no".to_owned())) });
        assert!(matches!(failed.await, Err(DbErr::Custom(_))));
    }
}
