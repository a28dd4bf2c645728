//! The trail of changes.

use app::AppError;
use axum::response::{IntoResponse, Response};
use http_service::{error::ApiError, response::Json};
use serde_json::json;

use super::{records, revisions};
use crate::{extract::RequestContext, record::AuditEntryRecord};

/// `GET` of the trail.
pub(crate) async fn list(context: RequestContext) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let read = forms::audit(&context.fields, calendar.site(), calendar.now());
    let (filter, page) = read.map_err(AppError::from)?;
    let page = calendar.audit(context.caller, filter, page).await?;
    let last = page.rows.last().map(|entry| entry.number);
    let collection = context.site.audit();
    let next = revisions::next(&page, last, collection, &context);
    let mut headers = records::totals(&page);
    revisions::add_next(&mut headers, next.as_deref());
    let page = page.map(|entry| AuditEntryRecord::new(&entry));
    let mut body = json!({
        "audit": page.rows,
        "total": page.total,
        "total_pages": page.total_pages(),
    });
    if let Some(next) = next {
        body["next_rest_url"] = json!(next);
    }
    Ok((headers, Json(body)).into_response())
}
