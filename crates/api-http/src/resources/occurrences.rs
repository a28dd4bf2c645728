//! The list of the occurrences of a series.

use axum::response::Response;
use domain::{Event, page::DEFAULT_PER_PAGE};
use forms::ListForm;
use http_service::error::ApiError;

use super::{
    records::{ListPermit, ListedPage},
    revisions,
};
use crate::extract::{RecordPath, RequestContext};

/// `GET` of the occurrences of an event.
pub(crate) async fn list(
    RecordPath(key): RecordPath<Event>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    revisions::expect_present(&context)?;
    context.admit_password(Some(&key)).await?;
    let RequestContext { state, site, .. } = &context;
    let id = key.id().ok_or(ApiError::NoRoute)?;
    let rows = state.list_limit.acquire(context.client, rows(&context));
    let rows = rows.await?;
    let calendar = &state.calendar;
    let ListForm {
        query,
        page,
        options,
    } = forms::occurrences(&context.fields, context.reading())?;
    let page = calendar.occurrences(context.caller, key, query, page, &options);
    let page = page.await?;
    let permit = ListPermit::of_page::<Event>(rows, &page, &context)?;
    let urls = site.occurrence_list(id, &context.query, page.request.per_page());
    let listed = ListedPage {
        page,
        horizon: None,
        permit,
    };
    Ok(listed.response::<Event>(&urls, site))
}

/// The number of rows that a request asks for. The use case refuses a value that is no number.
fn rows(context: &RequestContext) -> usize {
    let sent = context.query.iter().rev();
    let mut sent = sent.filter(|(name, _)| name == "per_page");
    let sent = sent.next().and_then(|(_, value)| value.trim().parse().ok());
    sent.unwrap_or(DEFAULT_PER_PAGE as usize)
}
