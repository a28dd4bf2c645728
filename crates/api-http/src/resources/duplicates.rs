//! Pairs of records that look alike.

use axum::{
    extract::Path,
    response::{IntoResponse, Response},
};
use http_service::{error::ApiError, response::Json};

use super::records;
use crate::{
    extract::{RequestContext, id},
    record::{StoredDuplicateRecord, UndoneRecord},
};

/// `GET` of the collection.
pub(crate) async fn list(context: RequestContext) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let read = forms::duplicates(&context.fields, calendar.site());
    let (filter, page) = read?;
    let page = calendar.duplicates(context.caller, filter, page).await?;
    let page = page.map(|view| StoredDuplicateRecord::new(&view, &context.site));
    Ok(records::list_of("duplicates", &page, None).into_response())
}

/// `POST` that the records of a pair are one.
pub(crate) async fn merge(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    let calendar = &context.state.calendar;
    let write = forms::merge(&context.fields)?;
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
