//! Imports of calendar files and tables.

use axum::{
    extract::{Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use forms::Reading;
use http_service::{
    AppState, error::ApiError, extract::Auth, header_values::media_type, imports, response::Json,
};
use interchange::import::{ImportOptions, is_compressed};

use crate::{
    extract::{RequestContext, body},
    record::SourceReportRecord,
};

/// The content types of calendar files. Generated clients send the second for any file; compressed files
/// have the last two.
const CALENDAR_TYPES: [&str; 4] = [
    "text/calendar",
    "application/octet-stream",
    "application/gzip",
    "application/x-gzip",
];

/// `POST` of a calendar file or a table. The request head is checked before the body is read.
pub(crate) async fn import(
    State(state): State<AppState>,
    Auth(caller): Auth,
    request: Request,
) -> Result<Response, ApiError> {
    if state.importable.is_none() {
        return Err(ApiError::NoRoute);
    }
    let (mut parts, body) = request.into_parts();
    let sent_type = media_type(&parts.headers).to_ascii_lowercase();
    parts.headers.remove(header::CONTENT_TYPE);
    let is_declared = body::is_gzip(&parts.headers);
    if is_declared {
        parts.headers.remove(header::CONTENT_ENCODING);
    }
    let bare = Request::from_parts(parts, axum::body::Body::empty());
    let RequestContext { fields, .. } = RequestContext::read(&state, caller, (), bare).await?;
    let calendar = &state.calendar;
    let options = ImportOptions::read(&fields, Reading::of(calendar, caller))?;
    let is_table = sent_type == "text/csv";
    if !is_table && !CALENDAR_TYPES.contains(&&*sent_type) {
        return Err(ApiError::NoCalendarFile);
    }
    let content = body::read(body, imports::MAX_BYTES).await?;
    if is_declared && !is_compressed(&content) {
        return Err(ApiError::UnsupportedBody);
    }
    let _permit = state.concurrency.try_acquire()?;
    let done = imports::import_file(&state, caller, content, is_table, options).await?;
    Ok(Json(SourceReportRecord::new(&done.into())).into_response())
}
