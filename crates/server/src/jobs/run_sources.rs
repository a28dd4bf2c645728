//! Reads the sources that are due, some at once.

use std::time::Duration;

use adapters_ical::ICalendar;
use app::{AppError, audit::Actor};
use http_service::imports::count_import;
use interchange::source::run_source;
use tokio::{task::JoinSet, time::timeout};

use super::{Done, JobContext};

/// The time between two looks at the sources.
pub(super) const PERIOD: Duration = Duration::from_secs(15);

/// Most sources that this server reads at once.
const AT_ONCE: usize = 4;

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let (mut runs, mut failed) = (0_u64, 0_u64);
    let mut running = JoinSet::new();
    loop {
        while running.len() < AT_ONCE {
            let Some(leased) = context.calendar.lease_due_source().await? else {
                break;
            };
            let JobContext {
                calendar, reader, ..
            } = context.clone();
            running.spawn(async move {
                let name = format!("source {}", leased.stored.source.name.as_str());
                let run = run_source(&calendar, &ICalendar, &reader, &leased);
                Actor::job(&name).act(run).await
            });
        }
        // A slow source does not delay the others, which become due meanwhile.
        match timeout(PERIOD, running.join_next()).await {
            Ok(None) => break,
            Ok(Some(Ok(done))) => {
                let done = done?;
                runs += 1;
                failed += u64::from(done.runs.failure.is_some());
                count_import("source", done.runs.failure.is_none(), done.counts.as_ref());
            }
            Ok(Some(Err(error))) => tracing::error!(%error, "the run of a source failed"),
            Err(_) => {}
        }
    }
    Ok(Done {
        is_change: runs > 0,
        text: format!("sources read: {runs}, of which failed: {failed}"),
    })
}
