//! Shows the settings of the site that another server stored.

use app::{AppError, Calendar};
use http_service::face::LiveFace;

use super::Done;

pub(super) async fn run(face: &LiveFace, calendar: &Calendar) -> Result<Done, AppError> {
    let is_change = face.refresh(calendar).await?;
    Ok(Done {
        is_change,
        text: format!("settings of the site at revision: {}", face.revision()),
    })
}
