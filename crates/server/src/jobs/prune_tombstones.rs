//! Deletes the tombstones that no feed shows any more.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let deleted = context.calendar.prune_tombstones().await?;
    Ok(Done::counted("tombstones deleted", deleted))
}
