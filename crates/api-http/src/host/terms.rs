//! Categories and tags in the form of the host.

use app::term::{TermKind, TermView};
use axum::response::{IntoResponse, Response};
use domain::{Term, term::Taxonomy};
use http_service::{error::ApiError, response::Json, site::Site};
use serde_json::{Value, json};

use super::list::{list as list_at, path};
use crate::{
    extract::{RecordPath, RequestContext},
    idempotency::{Created, IdempotencyHeader},
    record::TermRecord,
    resources::records,
};

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

/// `GET` of a list.
pub(crate) async fn list<X: TermKind>(context: RequestContext) -> Result<Response, ApiError> {
    list_at::<Term<X>>(context, record).await
}

/// `GET` of a term.
pub(crate) async fn get<X: TermKind>(
    RecordPath(key): RecordPath<Term<X>>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let respond = |view: &TermView<X>| Json(record(view, &context.site)).into_response();
    records::read(&context, key, respond).await
}

/// `POST` to a list.
pub(crate) async fn create<X: TermKind>(
    context: RequestContext<IdempotencyHeader>,
) -> Result<Response, ApiError> {
    let site = &context.site;
    let respond = |view: &TermView<X>| {
        let location = site.host(&format!("{}/{}", path(X::KIND), view.term.id));
        Created::new(location, &record(view, site))
    };
    records::add::<Term<X>>(&context, respond).await
}
