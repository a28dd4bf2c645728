//! Entity tags of files of a list.

use std::io;

use app::{AppError, Calendar, ports::StoreError};
use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::time::ZoneData;
use forms::WholeForm;
use http_service::{
    error::ApiError,
    extract::Format,
    response::{no_body, tag},
};

use crate::extract::{Negotiation, RequestContext};

/// The header with a weak entity tag.
pub(super) type TagHeader = [(HeaderName, HeaderValue); 1];

/// Compares the entity tag of a list in a format with those that the client has. The tag comes from
/// what the list depends on, without a read of any record.
///
/// Returns the header of the tag, or else the response 304.
pub(super) async fn poll(
    context: &RequestContext<Negotiation>,
    format: Format,
) -> Result<Result<TagHeader, Response>, ApiError> {
    let tag = entity_tag(context, &context.state.calendar, format).await?;
    let weak = HeaderValue::try_from(format!("W/{tag}")).unwrap_or(HeaderValue::from_static("*"));
    let headers = [(header::ETAG, weak)];
    let cached = context.head.cached.as_ref();
    Ok(
        if cached.is_some_and(|tags| tags.name_weakly(tag.as_bytes())) {
            Err((StatusCode::NOT_MODIFIED, headers, no_body()).into_response())
        } else {
            Ok(headers)
        },
    )
}

/// The text of the weak entity tag, with its quotes.
async fn entity_tag(
    context: &RequestContext<Negotiation>,
    calendar: &Calendar,
    format: Format,
) -> Result<String, ApiError> {
    // A feed with bad fields is refused when it is read.
    let WholeForm { query, options } = forms::feed(&context.fields, context.reading()).list;
    let version = calendar.feed_version(context.caller, &query, &options);
    let version = version.await?;
    let facts = format!(
        "{format:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {}",
        context.site.calendar_feed(&[]),
        (version, &context.query),
        context.caller,
        calendar.site(),
        context.state.feed_name,
        context.state.feed_refresh,
        env!("CARGO_PKG_VERSION"),
        ZoneData::version_in_use(),
    );
    Ok(format!("\"{}\"", tag::hash(facts.as_bytes())))
}

/// The failure of a writer of a file.
#[expect(clippy::needless_pass_by_value, reason = "the form of `map_err`")]
pub(super) fn failed(error: io::Error) -> ApiError {
    AppError::Store(StoreError::Internal(error.to_string())).into()
}
