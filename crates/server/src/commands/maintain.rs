//! `maintain`, and the same work in the background of `serve`: the occurrences of endless series, and
//! the age of the journal and of tombstones.

use std::time::Duration;

use app::{AppError, Calendar, calendar::ExtendedSeries};
use tokio::{sync::watch, task::JoinHandle, time::timeout};

use crate::{settings::Settings, wiring};

/// The time between two runs in the background.
const PERIOD: Duration = Duration::from_hours(24);

/// Stores the occurrences, and deletes old entries of the journal and old tombstones. Returns a text with the numbers.
///
/// # Errors
///
/// If the database fails.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        let ExtendedSeries {
            series,
            occurrences,
        } = calendar.extend_series().await?;
        let entries = calendar.prune_journal(settings.journal_days).await?;
        let tombstones = calendar.prune_withdrawals().await?;
        Ok(format!(
            "series extended: {series}, occurrences added: {occurrences}\n\
             journal entries deleted: {entries}\n\
             tombstones deleted: {tombstones}\n"
        ))
    });
    done.await
}

/// The work in the background. It ends between two units of work.
pub(crate) struct Background {
    task: JoinHandle<()>,
    stop: watch::Sender<()>,
}

impl Background {
    /// Starts the work, which begins at once.
    pub(crate) fn start(calendar: Calendar, journal_days: u32) -> Self {
        let (stop, mut stopped) = watch::channel(());
        let task = tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = work(&calendar, journal_days) => {}
                    _ = stopped.changed() => return,
                }
                if timeout(PERIOD, stopped.changed()).await.is_ok() {
                    return;
                }
            }
        });
        Self { task, stop }
    }

    /// Ends the work. A unit of work that has not ended is rolled back.
    pub(crate) async fn stop(self) {
        drop(self.stop);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the extension of series failed");
        }
    }
}

async fn work(calendar: &Calendar, journal_days: u32) {
    log(calendar.extend_series().await);
    if let Err(error) = calendar.prune_journal(journal_days).await {
        tracing::warn!(%error, "cannot delete old entries of the journal");
    }
    if let Err(error) = calendar.prune_withdrawals().await {
        tracing::warn!(%error, "cannot delete old tombstones");
    }
}

/// Logs what was done, if anything.
fn log(extended: Result<ExtendedSeries, AppError>) {
    match extended {
        Ok(ExtendedSeries { series: 0, .. }) => {}
        Ok(ExtendedSeries {
            series,
            occurrences,
        }) => tracing::info!(series, occurrences, "extended the series without end"),
        Err(error) => tracing::warn!(%error, "cannot extend the series without end"),
    }
}
