//! The audit trail.

use axum::response::{IntoResponse, Response};
use http_service::error::ApiError;

use super::{records, revisions};
use crate::{extract::RequestContext, record::AuditEntryRecord};

/// `GET` of the trail.
pub(crate) async fn list(context: RequestContext) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let read = forms::audit(&context.fields, calendar.site(), calendar.now());
    let (filter, page) = read?;
    let page = calendar.audit(context.caller, filter, page).await?;
    let last = page.rows.last().map(|entry| entry.number);
    let collection = context.site.audit();
    let next = revisions::next(&page, last, collection, &context);
    let page = page.map(|entry| AuditEntryRecord::new(&entry));
    Ok(records::list_of("audit", &page, next).into_response())
}
