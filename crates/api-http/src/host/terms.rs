//! Categories and tags in the form of the host.

use app::{
    AppError,
    term::{TermKind, TermView},
};
use axum::response::{IntoResponse, Response};
use domain::{
    Term,
    term::{Categories, Tags, Taxonomy},
};
use serde_json::{Value, json};

use crate::{
    error::ApiError,
    extract::{ById, Created, IdempotencyHeader, RecordPath, RequestContext},
    record::TermRecord,
    resources::records::{self, ListedPage, Neighbours},
    response::Json,
    site::Site,
};

/// A taxonomy that the host serves.
pub(crate) trait HostTerm: TermKind {
    /// The path of its list, below the namespace.
    const PATH: &'static str;
}

impl HostTerm for Categories {
    const PATH: &'static str = "/tribe_events_cat";
}

impl HostTerm for Tags {
    const PATH: &'static str = "/tags";
}

/// A term in the form of the host.
fn record<X: Taxonomy>(view: &TermView<X>, site: &Site) -> Value {
    let term = TermRecord::new(view, site);
    json!({
        "id": term.id,
        "count": term.count,
        "description": term.description,
        "link": term.url,
        "name": term.name,
        "slug": term.slug,
        "taxonomy": term.taxonomy,
        "parent": term.parent.unwrap_or(0),
        "meta": term.meta,
    })
}

/// `GET` of a list. It includes terms without events by default. A page beyond the last is empty.
pub(crate) async fn list<X: HostTerm>(mut context: RequestContext) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let fields = &mut context.fields;
    if fields.get("hide_empty").is_none() {
        let all = ("hide_empty".to_owned(), Value::Bool(false));
        fields.query.extend([all]);
    }
    let listed = records::read_page::<Term<X>>(&context).await;
    let is_beyond_the_last = matches!(&listed, Err(ApiError::App(error)) if matches!(**error, AppError::PageNotFound(_)));
    if is_beyond_the_last {
        drop(listed);
        // The totals of the first page are those of the list.
        let first = ("page".to_owned(), Value::from(1));
        context.fields.query.extend([first]);
        let first = records::read_page::<Term<X>>(&context).await?.page;
        return Ok((records::totals(&first), Json([(); 0])).into_response());
    }
    let ListedPage { page, permit, .. } = listed?;
    let site = &context.site;
    let urls = site.host_list(X::PATH, &context.query, page.request.per_page());
    let mut headers = records::totals(&page);
    Neighbours::new(&page, &urls).add_to(&mut headers);
    let rows = page.rows.iter().map(|view| record(view, site));
    let response = (headers, Json(rows.collect::<Vec<_>>())).into_response();
    drop(permit);
    Ok(response)
}

/// `GET` of a term.
pub(crate) async fn get<X: HostTerm>(
    RecordPath { key, .. }: RecordPath<Term<X>, ById>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let respond = |view: &TermView<X>| Json(record(view, &context.site)).into_response();
    records::read(&context, key, respond).await
}

/// `POST` to a list.
pub(crate) async fn create<X: HostTerm>(
    context: RequestContext<IdempotencyHeader>,
) -> Result<Response, ApiError> {
    let site = &context.site;
    let respond = |view: &TermView<X>| {
        let location = site.host(&format!("{}/{}", X::PATH, view.term.id));
        Created::new(location, &record(view, site))
    };
    records::add::<Term<X>>(&context, respond).await
}
