//! Deletes the entries of the journal that are older than `--journal-days`, and those before the last two million.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let deleted = context.calendar.prune_journal(context.journal_days).await?;
    Ok(Done::counted("journal entries deleted", deleted))
}
