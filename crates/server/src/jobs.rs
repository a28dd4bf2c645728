//! The background jobs: one list, and one file for each job.
//!
//! `serve` runs each job at its start and then periodically, `maintain` each one once. Several servers on one database
//! run the same jobs at the same time; each job is written for that.

mod extend_series;
mod prune_journal;
mod prune_tombstones;

use std::{pin::Pin, time::Duration};

use app::{AppError, Calendar};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use crate::settings::Settings;

/// The period of jobs that depend on the date alone.
const DAY: Duration = Duration::from_hours(24);

/// All jobs, in the order in which `maintain` runs them.
const JOBS: [Job; 3] = [
    Job {
        name: "extension of series",
        period: DAY,
        run: |context| Box::pin(extend_series::run(context)),
    },
    Job {
        name: "pruning of the journal",
        period: DAY,
        run: |context| Box::pin(prune_journal::run(context)),
    },
    Job {
        name: "pruning of tombstones",
        period: DAY,
        run: |context| Box::pin(prune_tombstones::run(context)),
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
    journal_days: u32,
}

impl JobContext {
    pub(crate) fn new(calendar: Calendar, settings: &Settings) -> Self {
        let journal_days = settings.journal_days;
        Self {
            calendar,
            journal_days,
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

/// Runs each job once. Returns a line for each.
///
/// # Errors
///
/// If a job fails; the jobs behind it do not run.
pub(crate) async fn run_all(context: &JobContext) -> Result<String, AppError> {
    let mut lines = String::new();
    for job in JOBS {
        lines += &(job.run)(context).await?.text;
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
    /// Starts all jobs, which run at once for the first time.
    pub(crate) fn start(context: &JobContext) -> Self {
        let (stop, stopped) = watch::channel(());
        let tasks = JOBS
            .into_iter()
            .map(|job| repeat(job, context.clone(), stopped.clone()));
        Self {
            tasks: tasks.collect(),
            stop,
        }
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
async fn repeat(job: Job, context: JobContext, mut stopped: watch::Receiver<()>) {
    let mut ticks = interval(job.period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let run = async {
            ticks.tick().await;
            (job.run)(&context).await
        };
        let done = tokio::select! {
            done = run => done,
            _ = stopped.changed() => return,
        };
        match done {
            Ok(Done {
                is_change: false, ..
            }) => {}
            Ok(Done { text, .. }) => tracing::info!(job = job.name, "{text}"),
            Err(error) => tracing::warn!(job = job.name, %error, "a background job failed"),
        }
    }
}
