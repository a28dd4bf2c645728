//! Sources that are read on a schedule.

use app::ports::StoredSource;
use axum::{
    extract::Path,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use http_service::{error::ApiError, response::Json};
use interchange::source::{removal, remove_source, source_write};
use serde_json::json;

use super::records;
use crate::{
    extract::{RequestContext, id},
    idempotency::Created,
    record::SourceRecord,
};

/// A source as the caller may see it.
fn record(context: &RequestContext, stored: &StoredSource) -> SourceRecord {
    SourceRecord::new(stored, context.caller, context.now)
}

/// `GET` of the collection.
pub(crate) async fn list(context: RequestContext) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let page = context.fields.page(calendar.site())?;
    let page = calendar.sources(context.caller, page);
    let page = page.await?.map(|stored| record(&context, &stored));
    Ok(records::list_of("sources", &page, None).into_response())
}

/// `POST` to the collection.
pub(crate) async fn create(context: RequestContext) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let write = source_write(&context.fields)?;
    let stored = calendar.create_source(context.caller, &write).await?;
    let created = Created::new(context.site.source(stored.id), &record(&context, &stored));
    Ok(created.into_response())
}

/// `GET` of a source.
pub(crate) async fn get(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    context.expect_no_fields(&[])?;
    let stored = context.state.calendar.source(context.caller, id).await?;
    Ok(Json(record(&context, &stored)).into_response())
}

/// `POST`, `PUT` and `PATCH` of a source.
pub(crate) async fn update(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    let calendar = &context.state.calendar;
    let write = source_write(&context.fields)?;
    let stored = calendar.update_source(context.caller, id, &write).await?;
    Ok(Json(record(&context, &stored)).into_response())
}

/// `DELETE` of a source.
pub(crate) async fn delete(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    let calendar = &context.state.calendar;
    let events = removal(&context.fields)?;
    let stored = remove_source(calendar, context.caller, id, events).await?;
    let record = record(&context, &stored);
    Ok(Json(json!({ "deleted": true, "previous": record })).into_response())
}

/// `POST` that makes a source due at once.
pub(crate) async fn run(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    context.expect_no_fields(&[])?;
    let calendar = &context.state.calendar;
    let stored = calendar.request_run(context.caller, id).await?;
    Ok(accepted(&context, &stored))
}

/// `POST` that pauses a source.
pub(crate) async fn pause(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    set_paused(&segment, &context, true).await
}

/// `POST` that ends the pause of a source.
pub(crate) async fn resume(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    set_paused(&segment, &context, false).await
}

async fn set_paused(
    segment: &str,
    context: &RequestContext,
    paused: bool,
) -> Result<Response, ApiError> {
    let id = id(segment)?;
    context.expect_no_fields(&[])?;
    let calendar = &context.state.calendar;
    let stored = calendar.pause_source(context.caller, id, paused).await?;
    Ok(accepted(context, &stored))
}

fn accepted(context: &RequestContext, stored: &StoredSource) -> Response {
    (StatusCode::ACCEPTED, Json(record(context, stored))).into_response()
}
