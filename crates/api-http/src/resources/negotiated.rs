//! The handlers of responses that exist in several formats.

use axum::response::Response;
use http_service::{error::ApiError, extract::Format};

use super::{
    RestResource,
    files::{atom, feeds, tables},
    records, revisions,
};
use crate::extract::{Negotiation, RecordPath, RequestContext};

/// `GET` of a collection.
pub(crate) async fn list<R: RestResource>(
    context: RequestContext<Negotiation>,
) -> Result<Response, ApiError> {
    revisions::expect_present(&context)?;
    match (
        context.list_format(R::KIND)?,
        &context.state.calendar_format,
    ) {
        (Format::Calendar, Some(format)) => feeds::list(&context, format).await,
        (Format::Atom, _) => atom::list(&context).await,
        (Format::Csv, _) => tables::list::<R>(&context, R::columns()).await,
        (Format::Json | Format::Calendar, _) => records::list::<R>(&context).await,
    }
}

/// `GET` of a record.
pub(crate) async fn get<R: RestResource>(
    path: RecordPath<R>,
    context: RequestContext<Negotiation>,
) -> Result<Response, ApiError> {
    if let Some(former) = revisions::get_as_of(&path, &context).await? {
        return Ok(former);
    }
    let RecordPath(key) = path;
    match (
        context.record_format(R::KIND)?,
        &context.state.calendar_format,
    ) {
        (Format::Calendar, Some(format)) => match records::event_named(&key) {
            Some(key) => feeds::get(&context, key, format).await,
            None => Err(ApiError::NoRoute),
        },
        _ => records::get(key, &context).await,
    }
}
