//! Pairs of records that look alike.

use app::AppError;
use axum::{
    extract::Path,
    response::{IntoResponse, Response},
};
use domain::{Id, duplicate::Duplicate};
use http_service::{error::ApiError, extract::key, response::Json};
use serde_json::json;

use super::records;
use crate::{
    extract::RequestContext,
    record::{StoredDuplicateRecord, UndoneRecord},
};

/// The ID in a path.
fn id(segment: &str) -> Result<Id<Duplicate>, ApiError> {
    key::id(segment).ok_or(ApiError::NoRoute)
}

/// `GET` of the collection.
pub(crate) async fn list(context: RequestContext) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let read = forms::duplicates(&context.fields, calendar.site());
    let (filter, page) = read.map_err(AppError::from)?;
    let page = calendar.duplicates(context.caller, filter, page).await?;
    let page = page.map(|view| StoredDuplicateRecord::new(&view, &context.site));
    let body = json!({
        "duplicates": page.rows,
        "total": page.total,
        "total_pages": page.total_pages(),
    });
    Ok((records::totals(&page), Json(body)).into_response())
}

/// `POST` that the records of a pair are one.
pub(crate) async fn merge(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    let calendar = &context.state.calendar;
    let write = forms::merge(&context.fields).map_err(AppError::from)?;
    let view = calendar.merge_duplicate(context.caller, id, &write).await?;
    Ok(Json(StoredDuplicateRecord::new(&view, &context.site)).into_response())
}

/// `POST` that the records of a pair are two things.
pub(crate) async fn dismiss(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    context.expect_no_fields(&[])?;
    let calendar = &context.state.calendar;
    let view = calendar.dismiss_duplicate(context.caller, id).await?;
    Ok(Json(StoredDuplicateRecord::new(&view, &context.site)).into_response())
}

/// `POST` that a merge is undone.
pub(crate) async fn undo(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    context.expect_no_fields(&[])?;
    let calendar = &context.state.calendar;
    let undone = calendar.undo_merge(context.caller, id).await?;
    Ok(Json(UndoneRecord::new(&undone, &context.site)).into_response())
}
