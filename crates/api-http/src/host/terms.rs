//! Categories and tags in the form of the host.

use app::term::{TermKind, TermView};
use axum::response::{IntoResponse, Response};
use domain::{
    Term,
    term::{Categories, Tags, Taxonomy},
};
use serde_json::{Value, json};

use super::list::list as list_at;
use crate::{
    error::ApiError,
    extract::{Created, IdempotencyHeader, RecordPath, RequestContext},
    record::TermRecord,
    resources::records,
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

/// `GET` of a list. It includes terms without events by default.
pub(crate) async fn list<X: HostTerm>(context: RequestContext) -> Result<Response, ApiError> {
    let defaults = [("hide_empty", Value::Bool(false))];
    list_at::<Term<X>>(context, X::PATH, &defaults, record).await
}

/// `GET` of a term.
pub(crate) async fn get<X: HostTerm>(
    RecordPath(key): RecordPath<Term<X>>,
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
