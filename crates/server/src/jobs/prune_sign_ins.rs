//! Deletes expired sessions of browsers and expired invitations.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let ended = context.sign_in.prune().await?;
    let text = format!("expired sessions deleted: {ended}");
    Ok(Done {
        is_change: ended > 0,
        text,
    })
}
