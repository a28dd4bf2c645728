//! Deletes the entries of the audit trail that are older than `--audit-days`.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let deleted = context.calendar.prune_audit(context.audit_days).await?;
    Ok(Done::counted("entries of the trail deleted", deleted))
}
