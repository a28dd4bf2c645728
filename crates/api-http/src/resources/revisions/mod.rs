//! The revisions of a record.

use app::{AppError, calendar::Restored, fault::Fault, write::ReadOptions};
use axum::{
    extract::Path,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::{FieldName, page::Page};
use http_service::{
    error::ApiError,
    extract::{Segments, key},
    response::Json,
};
use serde_json::json;

use super::records::{self, content_language};
use crate::{
    extract::{IfMatch, RecordPath, RequestContext},
    record::{Extent, RevisionRecord, WarningRecord},
    resources::RestResource,
};

/// Former states are for nobody else.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");

/// The number of the revision in the path; -1, which no revision has, for a number that is too large.
fn number(segments: &Segments) -> Result<i64, ApiError> {
    let (_, segment) = segments.last().ok_or(ApiError::NoRoute)?;
    let number = key::id::<()>(segment).ok_or(ApiError::NoRoute)?;
    Ok(number.get())
}

/// The URL of the rest of a list of entries, of which the page shows these.
pub(super) fn next<T>(
    page: &Page<T>,
    last: Option<i64>,
    collection: String,
    context: &RequestContext<impl Sync>,
) -> Option<String> {
    let shown = page.request.offset() + page.rows.len() as u64;
    let last = last.filter(|_| shown < page.total)?;
    let urls =
        http_service::site::ListUrls::new(collection, &context.query, page.request.per_page());
    Some(urls.below(last))
}

/// `GET` of the revisions of a record.
pub(crate) async fn list<R: RestResource>(
    RecordPath(key): RecordPath<R>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let read = forms::revisions(&context.fields, calendar.site());
    let (below, page) = read?;
    let id = key.id().ok_or(ApiError::NoRoute)?;
    let page = calendar.revisions(context.caller, key, below, page).await?;
    let last = page.rows.last().map(|entry| entry.number);
    let collection = format!("{}/revisions", context.site.record(R::KIND, id));
    let next = next(&page, last, collection, &context);
    let page = page.map(|entry| RevisionRecord::new(&entry));
    let (headers, body) = records::list_of("revisions", &page, next);
    let private = [(header::CACHE_CONTROL, PRIVATE)];
    Ok((private, headers, body).into_response())
}

/// `POST` that a record is as it was after a revision.
pub(crate) async fn restore<R: RestResource>(
    RecordPath(key): RecordPath<R>,
    Path(segments): Path<Segments>,
    context: RequestContext<IfMatch>,
) -> Result<Response, ApiError> {
    let number = number(&segments)?;
    context.expect_no_fields(&[])?;
    let calendar = &context.state.calendar;
    let options = ReadOptions::from(&context.fields);
    let expected = &context.head.0;
    let restored = calendar.restore_revision(context.caller, key, number, expected, &options);
    let Restored { view, warnings, .. } = restored.await?;
    let record = R::record(&view, &context.site, Extent::Record);
    let mut body = json!(record);
    if !warnings.is_empty() {
        let warnings = WarningRecord::all(&warnings, R::shown(&view).language);
        body["warnings"] = json!(warnings);
    }
    let private = [(header::CACHE_CONTROL, PRIVATE)];
    Ok((private, content_language::<R>(&view), Json(body)).into_response())
}

/// `GET` of a record as it was; `None` without an instant.
pub(crate) async fn get_as_of<R: RestResource>(
    RecordPath(key): &RecordPath<R>,
    context: &RequestContext<impl Sync>,
) -> Result<Option<Response>, ApiError> {
    let calendar = &context.state.calendar;
    let read = forms::as_of(&context.fields, R::KIND, calendar.site(), calendar.now());
    let Some(at) = read? else {
        return Ok(None);
    };
    let options = forms::read_options(&context.fields, R::KIND)?;
    let view = calendar
        .get_as_of(context.caller, key.clone(), at, &options)
        .await?;
    let record = R::record(&view, &context.site, Extent::WithJsonLd);
    let private = [(header::CACHE_CONTROL, PRIVATE)];
    let response = (private, content_language::<R>(&view), Json(record));
    Ok(Some(response.into_response()))
}

/// Refuses an instant in the query of a list.
pub(crate) fn expect_present(context: &RequestContext<impl Sync>) -> Result<(), ApiError> {
    let field = FieldName::AsOf;
    match context.fields.get(field.as_str()) {
        Some(_) => Err(AppError::invalid(field, Fault::OfOneRecord).into()),
        None => Ok(()),
    }
}
