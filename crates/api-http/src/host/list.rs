//! Lists in the form of the host: bare arrays.

use app::AppError;
use axum::response::{IntoResponse, Response};
use domain::Kind;
use http_service::{error::ApiError, response::Json, site::Site};
use serde_json::{Value, json};

use crate::{
    extract::RequestContext,
    resources::{
        RestResource,
        records::{self, ListedPage, Neighbours},
    },
};

/// The path of the list of a kind, below the namespace.
pub(crate) const fn path(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "/tribe_events",
        Kind::Venue => "/tribe_venue",
        Kind::Organizer => "/tribe_organizer",
        Kind::Category => "/tribe_events_cat",
        Kind::Tag => "/tags",
    }
}

/// The defaults of a list that differ from the calendar's: the host lists events of all dates, a series
/// once, and terms without events.
fn defaults(kind: Kind) -> Vec<(&'static str, Value)> {
    match kind {
        Kind::Event => vec![
            ("start_date", json!("0001-01-01")),
            ("end_date", json!("9999-12-31")),
            ("expand", json!(false)),
            ("orderby", json!("date")),
            ("order", json!("desc")),
        ],
        Kind::Venue | Kind::Organizer => Vec::new(),
        Kind::Category | Kind::Tag => vec![("hide_empty", json!(false))],
    }
}

/// `GET` of a list. A page beyond the last is empty.
pub(super) async fn list<R: RestResource>(
    mut context: RequestContext,
    record: impl Fn(&R::View, &Site) -> Value,
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    context.fields.by_slugs = true;
    for (name, value) in defaults(R::KIND) {
        if context.fields.get(name).is_none() {
            context.fields.query.extend([(name.to_owned(), value)]);
        }
    }
    let listed = records::read_page::<R>(&context).await;
    let is_beyond_the_last = matches!(&listed, Err(ApiError::App(error)) if matches!(**error, AppError::PageNotFound(_)));
    if is_beyond_the_last {
        drop(listed);
        // The first page has the totals of the list.
        let first = ("page".to_owned(), Value::from(1));
        context.fields.query.extend([first]);
        let first = records::read_page::<R>(&context).await?.page;
        return Ok((records::totals(&first), Json([(); 0])).into_response());
    }
    let ListedPage { page, permit, .. } = listed?;
    let site = &context.site;
    let urls = site.host_list(path(R::KIND), &context.query, page.request.per_page());
    let mut headers = records::totals(&page);
    Neighbours::new(&page, &urls).add_to(&mut headers);
    let rows = page.rows.iter().map(|view| record(view, site));
    let response = (headers, Json(rows.collect::<Vec<_>>())).into_response();
    drop(permit);
    Ok(response)
}
