//! Stores the next occurrences of series without end.

use app::{AppError, calendar::ExtendedSeries};

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let ExtendedSeries {
        series,
        occurrences,
    } = context.calendar.extend_series().await?;
    let text = format!("series extended: {series}, occurrences added: {occurrences}");
    Ok(Done {
        is_change: series > 0,
        text,
    })
}
