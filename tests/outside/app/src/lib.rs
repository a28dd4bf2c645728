//! A crate `app` of this program, beside the one of the calendar.

use domain::Performance;
use events_calendar_app::{AppError, Calendar, write::ReadOptions};
use events_calendar_domain::{Event, policy::Caller};

/// The title of a performance, as everybody sees it.
///
/// # Errors
///
/// If the calendar does not show the event to everybody.
pub async fn title(calendar: &Calendar, performance: &Performance) -> Result<String, AppError> {
    let (key, options) = (performance.event.into(), ReadOptions::default());
    let view = calendar
        .get::<Event>(Caller::Anonymous, key, &options)
        .await?;
    Ok(view.event.title.as_str().to_owned())
}
