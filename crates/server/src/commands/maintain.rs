//! `maintain`: runs each background job once.

use crate::{
    jobs::{self, JobContext},
    settings::Settings,
    wiring,
};

/// Runs the jobs. Returns a text with their numbers.
///
/// # Errors
///
/// If the database fails.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        let accounts = wiring::accounts(store);
        let context = JobContext::new(calendar, &accounts, settings);
        Ok(jobs::run_all(&context).await?)
    });
    done.await
}
