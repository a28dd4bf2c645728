//! Categories and tags in the form of the host.

use std::borrow::Cow;

use app::{
    AppError,
    term::{TermKind, TermView},
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Term,
    term::{Categories, Tags, Taxonomy},
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    error::ApiError,
    extract::{
        auth::Auth,
        idempotency::{Created, IdempotencyHeader},
        key::{ById, RecordPath},
        params::Params,
    },
    record::{EmptyList, TermRecord, Url},
    resources::records,
    response::json::Json,
    site::Site,
    state::AppState,
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
#[derive(Debug, Serialize)]
struct HostTermRecord<'a> {
    id: i64,
    count: u64,
    description: &'a str,
    link: Url,
    name: Cow<'a, str>,
    slug: &'a str,
    taxonomy: &'static str,
    parent: i64,
    meta: EmptyList,
}

impl<'a> HostTermRecord<'a> {
    fn new<X: Taxonomy>(view: &'a TermView<X>, site: &Site) -> Self {
        let term = TermRecord::new(view, site);
        Self {
            id: term.id,
            count: term.count,
            description: term.description,
            link: term.url,
            name: term.name,
            slug: term.slug,
            taxonomy: term.taxonomy,
            parent: term.parent.unwrap_or(0),
            meta: term.meta,
        }
    }
}

/// `GET` of a list. It includes terms without events by default. A page beyond the last is empty.
pub(crate) async fn list<X: HostTerm>(
    State(state): State<AppState>,
    Auth(caller): Auth,
    mut params: Params,
) -> Result<Response, ApiError> {
    state.admit_password(&params, caller, None).await?;
    let client = params.client;
    let Params {
        fields,
        site,
        query,
        ..
    } = &mut params;
    if fields.get("hide_empty").is_none() {
        let all = ("hide_empty".to_owned(), Value::Bool(false));
        fields.query.extend([all]);
    }
    let listed = records::read_page::<Term<X>>(&state, caller, client, fields).await;
    let (page, turn) = match listed {
        Err(ApiError::App(error)) if matches!(*error, AppError::PageNotFound(_)) => {
            // The first page has the totals.
            fields.query.insert("page".to_owned(), Value::from(1));
            let first = records::read_page::<Term<X>>(&state, caller, client, fields);
            let (first, _) = first.await?;
            return Ok((records::totals(&first), Json([(); 0])).into_response());
        }
        page => page?,
    };
    let urls = site.host_list(X::PATH, query, page.request.per_page());
    let mut headers = records::totals(&page);
    records::link_neighbours(&page, &urls, &mut headers);
    let rows = page.rows.iter().map(|view| HostTermRecord::new(view, site));
    let answer = (headers, Json(rows.collect::<Vec<_>>())).into_response();
    drop(turn);
    Ok(answer)
}

/// `GET` of a term.
pub(crate) async fn get<X: HostTerm>(
    RecordPath { key, .. }: RecordPath<Term<X>, ById>,
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let answer = |view: &TermView<X>| Json(HostTermRecord::new(view, &params.site)).into_response();
    records::read(&state, caller, key, &params, answer).await
}

/// `POST` to a list.
pub(crate) async fn create<X: HostTerm>(
    State(state): State<AppState>,
    Auth(caller): Auth,
    sent: IdempotencyHeader,
    params: Params,
) -> Result<Response, ApiError> {
    let site = &params.site;
    let answer = |view: &TermView<X>| {
        let location = site.host(&format!("{}/{}", X::PATH, view.term.id));
        Created::new(location, &HostTermRecord::new(view, site))
    };
    records::add::<Term<X>>(&state, caller, &sent, &params, answer).await
}
