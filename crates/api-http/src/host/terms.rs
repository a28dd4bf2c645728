//! Categories and tags as the host has them.

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
    Id, Term,
    term::{Categories, Tags, Taxonomy},
    text::escape_markup,
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
    record::term_page,
    resources::records,
    response::json::Json,
    site::Site,
    state::AppState,
};

/// A vocabulary that the host serves.
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

/// A term as JSON.
#[derive(Debug, Serialize)]
struct TermRecord<'a> {
    id: i64,
    count: u64,
    description: &'a str,
    link: String,
    name: Cow<'a, str>,
    slug: &'a str,
    taxonomy: &'static str,
    parent: i64,
    meta: [(); 0],
}

impl<'a> TermRecord<'a> {
    fn new<X: Taxonomy>(view: &'a TermView<X>, site: &Site) -> Self {
        let TermView {
            term,
            count,
            ancestors: _,
            language: _,
        } = view;
        Self {
            id: term.id.get(),
            count: *count,
            description: term.description.as_str(),
            link: term_page(view, site),
            name: escape_markup(term.name.as_str()),
            slug: term.slug.as_str(),
            taxonomy: X::NAME,
            parent: term.parent.map_or(0, Id::get),
            meta: [],
        }
    }
}

/// `GET` of a list. It holds terms without events unless the request says otherwise; beyond its last
/// page there is an empty one.
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
            // The first page tells how long the list is.
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
    let rows = page.rows.iter().map(|view| TermRecord::new(view, site));
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
    let answer = |view: &TermView<X>| Json(TermRecord::new(view, &params.site)).into_response();
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
        Created::new(location, &TermRecord::new(view, site))
    };
    records::add::<Term<X>>(&state, caller, &sent, &params, answer).await
}
