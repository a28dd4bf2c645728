//! The background jobs: one list, and one file for each job.
//!
//! `serve` runs each job at its start and then periodically, `maintain` each one once. Several servers on one database
//! run the same jobs at the same time; each job is written for that.

mod extend_series;
mod find_duplicates;
mod prune_audit;
mod prune_journal;
mod prune_proposals;
mod prune_sign_ins;
mod prune_tombstones;
mod refresh_face;
mod run_sources;

use std::{pin::Pin, time::Duration};

use app::{
    AppError, Calendar,
    audit::Actor,
    auth::Accounts,
    ports::{Clock as _, SystemClock},
    sign_in::SignIn,
};
use http_service::face::LiveFace;
use metrics::{counter, gauge};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use crate::{monitoring, settings::Settings, source_reader::Reader};

/// The period of jobs that depend on the date alone.
const DAY: Duration = Duration::from_hours(24);

/// The period of the job that depends on the number of writes, too.
const HOUR: Duration = Duration::from_hours(1);

/// The period in which a server reads the settings of the site that others stored.
const FACE_PERIOD: Duration = Duration::from_secs(3);

/// The jobs, in the order in which `maintain` runs them.
const JOBS: [Job; 8] = [
    Job {
        name: "extension of series",
        period: DAY,
        run: |context| Box::pin(extend_series::run(context)),
    },
    Job {
        name: "pruning of the journal",
        period: HOUR,
        run: |context| Box::pin(prune_journal::run(context)),
    },
    Job {
        name: "pruning of the trail",
        period: DAY,
        run: |context| Box::pin(prune_audit::run(context)),
    },
    Job {
        name: "pruning of tombstones",
        period: DAY,
        run: |context| Box::pin(prune_tombstones::run(context)),
    },
    Job {
        name: "pruning of sessions",
        period: DAY,
        run: |context| Box::pin(prune_sign_ins::run(context)),
    },
    Job {
        name: "pruning of proposals",
        period: DAY,
        run: |context| Box::pin(prune_proposals::run(context)),
    },
    Job {
        name: "search for duplicates",
        period: find_duplicates::PERIOD,
        run: |context| Box::pin(find_duplicates::run(context)),
    },
    Job {
        name: "reading of sources",
        period: run_sources::PERIOD,
        run: |context| Box::pin(run_sources::run(context)),
    },
];

/// A run of a job.
type Running<'a> = Pin<Box<dyn Future<Output = Result<Done, AppError>> + Send + 'a>>;

/// A job, as an entry of the list.
#[derive(Clone, Copy)]
struct Job {
    /// Its name in the log.
    name: &'static str,
    /// The time from the start of one run to the start of the next one.
    period: Duration,
    run: for<'a> fn(&'a JobContext) -> Running<'a>,
}

/// The things that jobs work with.
#[derive(Clone)]
pub(crate) struct JobContext {
    calendar: Calendar,
    sign_in: SignIn,
    journal_days: u32,
    audit_days: u32,
    reader: Reader,
}

impl JobContext {
    pub(crate) fn new(calendar: Calendar, accounts: &Accounts, settings: &Settings) -> Self {
        let journal_days = settings.journal_days;
        Self {
            calendar,
            sign_in: accounts.sign_in().clone(),
            journal_days,
            audit_days: settings.audit_days,
            reader: Reader::new(settings),
        }
    }
}

/// The outcome of a run.
struct Done {
    /// Whether rows were added or deleted.
    is_change: bool,
    /// One line with the numbers.
    text: String,
}

impl Done {
    /// A run of which one number tells everything.
    fn counted(what: &str, number: u64) -> Self {
        Self {
            is_change: number > 0,
            text: format!("{what}: {number}"),
        }
    }
}

/// Runs each job once. Returns a line for each.
///
/// # Errors
///
/// If a job fails; the jobs behind it do not run.
pub(crate) async fn run_all(context: &JobContext) -> Result<String, AppError> {
    let mut lines = String::new();
    for job in JOBS {
        lines += &Actor::job(job.name).act((job.run)(context)).await?.text;
        lines.push('\n');
    }
    Ok(lines)
}

/// The jobs in the background, each as a task of its own. They end between two units of work.
pub(crate) struct Background {
    tasks: JoinSet<()>,
    stop: watch::Sender<()>,
}

impl Background {
    /// Starts all jobs, which run at once for the first time, and the one that only a server has: it follows the face of
    /// the pages.
    pub(crate) fn start(context: &JobContext, face: &LiveFace) -> Self {
        let (stop, stopped) = watch::channel(());
        let mut tasks = JoinSet::new();
        for job in JOBS {
            let (context, stopped) = (context.clone(), stopped.clone());
            let run = async move || (job.run)(&context).await;
            tasks.spawn(repeat(job.name, job.period, run, stopped));
        }
        let (face, calendar) = (face.clone(), context.calendar.clone());
        let run = async move || refresh_face::run(&face, &calendar).await;
        tasks.spawn(repeat("settings of the site", FACE_PERIOD, run, stopped));
        Self { tasks, stop }
    }

    /// Ends all jobs. A unit of work that has not ended is rolled back.
    pub(crate) async fn stop(mut self) {
        drop(self.stop);
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a background job failed");
            }
        }
    }
}

/// Runs a job periodically, until the sender of `stopped` is gone.
async fn repeat(
    job: &'static str,
    period: Duration,
    run: impl AsyncFn() -> Result<Done, AppError>,
    mut stopped: watch::Receiver<()>,
) {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let tick = async {
            ticks.tick().await;
            Actor::job(job).act(run()).await
        };
        let done = tokio::select! {
            done = tick => done,
            _ = stopped.changed() => return,
        };
        let result = if done.is_ok() { "success" } else { "failure" };
        // The label is not `job`: Prometheus gives that name to what it scrapes.
        counter!("events_calendar_job_runs_total", "task" => job, "result" => result).increment(1);
        if done.is_ok() {
            let now = monitoring::number_of(SystemClock.now());
            gauge!("events_calendar_job_last_success_timestamp_seconds", "task" => job).set(now);
        }
        match done {
            Ok(Done {
                is_change: false, ..
            }) => {}
            Ok(Done { text, .. }) => tracing::info!(job, "{text}"),
            Err(error) => tracing::warn!(job, %error, "a background job failed"),
        }
    }
}
