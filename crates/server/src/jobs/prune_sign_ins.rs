//! Deletes expired sessions of browsers and expired invitations.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let ended = context.sign_in.prune().await?;
    Ok(Done::counted("expired sessions deleted", ended))
}
