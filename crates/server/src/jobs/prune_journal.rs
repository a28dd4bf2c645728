//! Deletes the entries of the journal that are older than `--journal-days`, and those before the last two million.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let deleted = context.calendar.prune_journal(context.journal_days).await?;
    let text = format!("journal entries deleted: {deleted}");
    Ok(Done {
        is_change: deleted > 0,
        text,
    })
}
