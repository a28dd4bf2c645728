//! Deletes the entries of the trail of changes that are older than `--audit-days`.

use app::AppError;

use super::{Done, JobContext};

pub(super) async fn run(context: &JobContext) -> Result<Done, AppError> {
    let deleted = context.calendar.prune_audit(context.audit_days).await?;
    let text = format!("entries of the trail deleted: {deleted}");
    Ok(Done {
        is_change: deleted > 0,
        text,
    })
}
