//! Deletes what is known of the senders of proposals that were closed 30 days ago.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let deleted = context.calendar.prune_proposals().await?;
    Ok(Done::counted("closed proposals deleted", deleted))
}
