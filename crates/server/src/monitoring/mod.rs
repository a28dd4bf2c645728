//! The readiness of the service, and its metrics for Prometheus: a listener of their own, the names, and the gauges that are read
//! at a scrape.

mod process;
mod readiness;

use std::{net::SocketAddr, time::Duration};

use adapters_db::{ReplicaState, SeaOrmStore};
use anyhow::Context;
use app::{Calendar, ports::Store as _};
use axum::{Router, extract::State, http::header, response::IntoResponse, routing::get};
use domain::time::{Timestamp, ZoneData};
use http_service::notifier::News;
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::{net::TcpListener, task::JoinSet, time::timeout};

pub(crate) use readiness::checks;

/// The upper bounds of the durations in a histogram, in seconds.
const DURATIONS: [f64; 10] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0,
];

/// The upper bounds of the units of work of a commit.
const UNITS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0];

/// The period in which histograms take in what was recorded, whether or not somebody scrapes.
const UPKEEP: Duration = Duration::from_secs(5);

/// The timeout of the statements of a scrape. The other numbers do not wait for a database that is away.
const STATEMENTS_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

/// The metrics of the program, each with its meaning. The metrics of the process have the names that all programs use.
const ALL: [(Kind, &str, &str); 24] = [
    (
        Kind::Counter,
        "http_requests_total",
        "Requests answered, by route, method and status",
    ),
    (
        Kind::Histogram,
        "http_request_duration_seconds",
        "Time until the response began, by group of routes",
    ),
    (
        Kind::Gauge,
        "http_requests_in_progress",
        "Requests whose response has not begun",
    ),
    (
        Kind::Gauge,
        "http_connections",
        "Open connections of clients",
    ),
    (
        Kind::Gauge,
        "http_waiting_requests",
        "Requests that wait for changes, streams among them",
    ),
    (
        Kind::Counter,
        "response_cache_lookups_total",
        "Lookups in the response cache: hit, miss, or bypass",
    ),
    (
        Kind::Gauge,
        "response_cache_bytes",
        "Size of the response cache",
    ),
    (
        Kind::Counter,
        "record_cache_lookups_total",
        "Lookups in the cache of records: hit or miss",
    ),
    (
        Kind::Gauge,
        "record_cache_bytes",
        "Size of the cache of records, by estimate",
    ),
    (
        Kind::Gauge,
        "search_queue_waiting",
        "Searches and views that wait for their turn",
    ),
    (
        Kind::Gauge,
        "database_up",
        "Whether the database answers: 1 or 0",
    ),
    (
        Kind::Gauge,
        "writes_failing",
        "Whether the last write failed at the database: 1 or 0",
    ),
    (
        Kind::Gauge,
        "db_connections",
        "Connections of the pool that reads, by state",
    ),
    (
        Kind::Histogram,
        "db_statement_duration_seconds",
        "Time of a statement with the wait for its connection, by pool",
    ),
    (
        Kind::Counter,
        "db_statement_errors_total",
        "Statements that failed, by pool",
    ),
    (
        Kind::Histogram,
        "db_group_commit_units",
        "Units of work of one commit (SQLite)",
    ),
    (
        Kind::Histogram,
        "db_group_commit_duration_seconds",
        "Time from the begin of a group of writes to its commit (SQLite)",
    ),
    (
        Kind::Gauge,
        "replica_up",
        "Whether the replica answers: 1 or 0 (only with a replica)",
    ),
    (
        Kind::Gauge,
        "replica_lag_bytes",
        "Bytes of the log that the replica has not replayed (only with a replica that answers)",
    ),
    (
        Kind::Gauge,
        "journal_last_entry",
        "Number of the last entry in the journal of changes",
    ),
    (
        Kind::Counter,
        "job_runs_total",
        "Runs of background jobs, by job and result",
    ),
    (Kind::Counter, "imports_total", "Imports, by way and result"),
    (
        Kind::Counter,
        "import_records_total",
        "Records of imports, by way and result",
    ),
    (
        Kind::Gauge,
        "job_last_success_timestamp_seconds",
        "Time of the last run of a background job that succeeded",
    ),
];

/// The metrics that describe the build.
const BUILD_INFO: &str = "events_calendar_build_info";

/// The recorder, which counts from the time of its installation on.
#[derive(Clone)]
pub(crate) struct Metrics(PrometheusHandle);

impl Metrics {
    /// Installs the recorder for the whole process. It comes before all that counts.
    ///
    /// # Errors
    ///
    /// If there is one.
    pub(crate) fn install() -> anyhow::Result<Self> {
        let durations = Matcher::Suffix("_duration_seconds".to_owned());
        let units = Matcher::Full("events_calendar_db_group_commit_units".to_owned());
        let handle = PrometheusBuilder::new()
            .set_buckets_for_metric(durations, &DURATIONS)?
            .set_buckets_for_metric(units, &UNITS)?
            .install_recorder()
            .context("cannot count metrics")?;
        for (kind, name, meaning) in ALL {
            let name = format!("events_calendar_{name}");
            match kind {
                Kind::Counter => describe_counter!(name, meaning),
                Kind::Gauge => describe_gauge!(name, meaning),
                Kind::Histogram => describe_histogram!(name, Unit::Seconds, meaning),
            }
        }
        describe_gauge!(
            BUILD_INFO,
            "1; the version of the program and of its time zone data as labels"
        );
        process::describe();
        Ok(Self(handle))
    }
}

/// The sources of the gauges that are read at a scrape.
#[derive(Clone)]
pub(crate) struct Gauges {
    pub(crate) calendar: Calendar,
    pub(crate) store: SeaOrmStore,
    pub(crate) news: News,
}

impl Gauges {
    async fn read(&self) {
        let Self {
            calendar,
            store,
            news,
        } = self;
        let is_up = timeout(STATEMENTS_TIMEOUT, calendar.ping()).await;
        let is_up = matches!(is_up, Ok(Ok(())));
        gauge!("events_calendar_database_up").set(u32::from(is_up));
        if is_up && let Ok(Ok(end)) = timeout(STATEMENTS_TIMEOUT, store.journal().end()).await {
            gauge!("events_calendar_journal_last_entry").set(number(end.number));
        }
        let is_failing = calendar.writes_are_failing();
        gauge!("events_calendar_writes_failing").set(u32::from(is_failing));
        let [open, idle] = store.read_connections();
        for (state, connections) in [("in_use", open - idle), ("idle", idle)] {
            gauge!("events_calendar_db_connections", "state" => state)
                .set(number(connections as u64));
        }
        gauge!("events_calendar_record_cache_bytes").set(number(store.cached_bytes()));
        if let Some(state) = store.replica_state() {
            let bytes = match state {
                ReplicaState::Away => f64::NAN,
                ReplicaState::Behind(bytes) => number(bytes),
            };
            gauge!("events_calendar_replica_up").set(u32::from(state != ReplicaState::Away));
            gauge!("events_calendar_replica_lag_bytes").set(bytes);
        }
        for (queue, waiting) in [
            ("search", calendar.search_queue().waiting()),
            ("view", calendar.view_queue().waiting()),
        ] {
            let waiting = number(waiting as u64);
            gauge!("events_calendar_search_queue_waiting", "queue" => queue).set(waiting);
        }
        gauge!("events_calendar_http_waiting_requests").set(number(news.waiting() as u64));
        let zone_data = ZoneData::version_in_use().to_string();
        let version = env!("CARGO_PKG_VERSION");
        gauge!(BUILD_INFO, "version" => version, "zone_data" => zone_data).set(1);
        process::collect();
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn number(count: u64) -> f64 {
    count as f64
}

/// An instant as the value of a metric: seconds since the epoch.
#[expect(clippy::cast_precision_loss, reason = "seconds are far below 2^53")]
pub(crate) fn number_of(instant: Timestamp) -> f64 {
    instant.seconds() as f64
}

/// The listener of metrics, while it serves.
pub(crate) struct MetricsServer {
    /// The address, for the log.
    pub(crate) address: SocketAddr,
    _tasks: JoinSet<()>,
}

impl MetricsServer {
    /// Serves `/metrics` until it is dropped.
    ///
    /// # Errors
    ///
    /// If the address is not free.
    pub(crate) async fn start(
        address: SocketAddr,
        metrics: Metrics,
        gauges: Gauges,
    ) -> anyhow::Result<Self> {
        let taken = || format!("cannot listen at {address} for metrics; set --metrics-listen");
        let listener = TcpListener::bind(address).await.with_context(taken)?;
        let address = listener.local_addr().with_context(taken)?;
        let mut tasks = JoinSet::new();
        let handle = metrics.0.clone();
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(UPKEEP).await;
                handle.run_upkeep();
            }
        });
        let router = Router::new()
            .route("/metrics", get(scrape))
            .with_state((metrics, gauges));
        tasks.spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "metrics are served no more");
            }
        });
        Ok(Self {
            address,
            _tasks: tasks,
        })
    }
}

async fn scrape(State((metrics, gauges)): State<(Metrics, Gauges)>) -> impl IntoResponse {
    gauges.read().await;
    let media_type = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, media_type)], metrics.0.render())
}
