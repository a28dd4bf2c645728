//! Compares the records that changed with all others, and stores the pairs that look alike.

use std::time::Duration;

use app::AppError;

use super::{Done, JobContext};

/// The time between two runs. Imports and sources compare what they bring at once.
pub(super) const PERIOD: Duration = Duration::from_mins(1);

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let found = context.calendar.find_duplicates().await?;
    Ok(Done::counted("pairs of duplicates found", found))
}
