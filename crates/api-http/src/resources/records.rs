//! The handlers of all kinds of record, and what differs between the kinds.

use std::net::IpAddr;

use app::{calendar::Deleted, error::AppError, input::Fields, request::RecordKey};
use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::{
    Event, Id, Kind,
    page::{DEFAULT_PER_PAGE, MAX_PER_PAGE, Page},
    policy::Caller,
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::SemaphorePermit;

use crate::{
    cache::fragment_cache::Writer,
    error::ApiError,
    extract::{
        auth::Auth,
        idempotency::{Created, IdempotencyHeader},
        key::{KeySegment, RecordPath},
        params::Params,
        precondition::IfMatch,
    },
    limits::{budget::Held, in_flight::InFlight},
    record::Extent,
    resources::kind::RestResource,
    response::{
        conditional::RecordVersion,
        json::{self, Json},
    },
    site::list_urls::ListUrls,
    state::AppState,
};

/// `GET` of a collection.
pub(crate) async fn list<R: RestResource>(
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    state.admit_password(&params, caller, None).await?;
    let (page, turn) = read_page::<R>(&state, caller, params.client, &params.fields).await?;
    let site = &params.site;
    let urls = site.list(R::KIND, &params.query, page.request.per_page());
    let mut headers = totals(&page);
    let neighbours = link_neighbours(&page, &urls, &mut headers);
    let rest = Rest {
        rest_url: urls.this(),
        next_rest_url: neighbours.next,
        previous_rest_url: neighbours.previous,
        total: page.total,
        total_pages: page.total_pages(),
    };
    let body = write::<R>(&page.rows, &rest, state.fragments.writer(site));
    drop(turn);
    Ok((headers, json::answer(body)).into_response())
}

/// The turn of a client to read a list, and the bytes that the list takes until it is written.
#[derive(Debug)]
pub(crate) struct ListTurn<'a> {
    _turn: SemaphorePermit<'a>,
    _held: Held,
}

/// Reads a page of a list, in a turn of its client. The turn is kept until the page is written.
///
/// # Errors
///
/// Faults of the fields; [`ApiError::Overloaded`] if there is no turn, or no room for the texts of the
/// page: a list that would be refused once it is written is not written.
pub(crate) async fn read_page<'a, R: RestResource>(
    state: &'a AppState,
    caller: Caller,
    client: Option<IpAddr>,
    fields: &Fields,
) -> Result<(Page<R::View>, ListTurn<'a>), ApiError> {
    let turn = state.lists.turn(client, records(fields)).await?;
    let page = state.calendar.list::<R>(caller, fields).await?;
    let texts = page.rows.iter().map(|view| R::stored(view).text_bytes());
    let held = InFlight::new(&state.in_flight, client).reserve(texts.sum());
    let turn = ListTurn {
        _turn: turn,
        _held: held.map_err(|_| ApiError::Overloaded)?,
    };
    Ok((page, turn))
}

/// How long the list of a page is, in the headers by which clients know it.
pub(crate) fn totals<T>(page: &Page<T>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (names, number) in [
        (["x-tec-total", "x-wp-total"], page.total),
        (["x-tec-totalpages", "x-wp-totalpages"], page.total_pages()),
    ] {
        for name in names {
            headers.insert(HeaderName::from_static(name), HeaderValue::from(number));
        }
    }
    headers
}

/// Adds links to the pages beside one.
pub(crate) fn link_neighbours<T>(
    page: &Page<T>,
    urls: &ListUrls,
    headers: &mut HeaderMap,
) -> Neighbours {
    let neighbours = Neighbours::new(page, urls);
    for link in neighbours.links() {
        headers.append(header::LINK, link);
    }
    neighbours
}

/// How many records a list has at the most, as far as that can be told before its fields are read.
fn records(fields: &Fields) -> u32 {
    let sent = fields.get("per_page").map(|sent| match sent {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_u64().and_then(|number| u32::try_from(number).ok()),
    });
    match sent {
        None => DEFAULT_PER_PAGE,
        Some(number) => number.unwrap_or(MAX_PER_PAGE),
    }
}

/// A list as JSON; its records stand under the name of their kind.
fn write<R: RestResource>(
    rows: &[R::View],
    rest: &Rest,
    mut writer: Writer<'_>,
) -> serde_json::Result<Vec<u8>> {
    writer.raw(b"{\"");
    writer.raw(R::KIND.plural().as_bytes());
    writer.raw(b"\":[");
    for (index, view) in rows.iter().enumerate() {
        if index > 0 {
            writer.raw(b",");
        }
        if writer.caches_fragments() {
            R::write(view, &mut writer)?;
        } else {
            let record = R::record(view, writer.site(), Extent::Record);
            writer.json(&record)?;
        }
    }
    writer.raw(b"],");
    let rest = serde_json::to_vec(rest)?;
    writer.raw(&rest[1..]);
    Ok(writer.finish())
}

/// The pages beside one.
pub(crate) struct Neighbours {
    next: Option<String>,
    previous: Option<String>,
}

impl Neighbours {
    fn new<T>(page: &Page<T>, urls: &ListUrls) -> Self {
        let number = page.request.number();
        Self {
            next: page.has_next().then(|| urls.page(number + 1)),
            previous: (number > 1).then(|| urls.page(number - 1)),
        }
    }

    /// RFC 8288.
    fn links(&self) -> impl Iterator<Item = HeaderValue> {
        let named = [(&self.next, "next"), (&self.previous, "prev")];
        named.into_iter().filter_map(|(url, relation)| {
            let link = format!("<{}>; rel=\"{relation}\"", url.as_ref()?);
            HeaderValue::try_from(link).ok()
        })
    }
}

/// What a list says beside its records.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "they are those of the answer")]
struct Rest {
    rest_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_rest_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_rest_url: Option<String>,
    total: u64,
    total_pages: u64,
}

/// `POST` to a collection.
pub(crate) async fn create<R: RestResource>(
    State(state): State<AppState>,
    Auth(caller): Auth,
    sent: IdempotencyHeader,
    params: Params,
) -> Result<Response, ApiError> {
    let site = &params.site;
    let answer = |view: &R::View| {
        let location = site.record(R::KIND, R::stored(view).id);
        Created::new(location, &R::record(view, site, Extent::Record))
    };
    add::<R>(&state, caller, &sent, &params, answer).await
}

/// Creates a record, and answers it as `answer` shows it.
pub(crate) async fn add<R: RestResource>(
    state: &AppState,
    caller: Caller,
    sent: &IdempotencyHeader,
    params: &Params,
    answer: impl Fn(&R::View) -> Created + Sync,
) -> Result<Response, ApiError> {
    state.admit_password(params, caller, None).await?;
    let fields = &params.fields;
    let created = match sent.of_fields(fields) {
        None => answer(&state.calendar.create::<R>(caller, fields).await?),
        Some(key) => {
            let keep = |view: &R::View| answer(view).to_kept();
            let once = state
                .calendar
                .create_idempotent::<R>(caller, fields, &key, &keep);
            Created::of_once(once.await?, answer)?
        }
    };
    Ok(created.into_response())
}

/// The language of an answer: for a record found by its slug it may be that of the slug.
fn content_language<R: RestResource>(view: &R::View) -> [(HeaderName, &'static str); 1] {
    [(header::CONTENT_LANGUAGE, R::spoken(view).code())]
}

/// An error as it is answered: if no record has the slug that a request names, it tells where the record
/// is that gave up the slug last.
async fn told<R: RestResource>(
    error: AppError,
    key: &RecordKey<R>,
    caller: Caller,
    state: &AppState,
    params: &Params,
) -> ApiError {
    let (AppError::NotFound(kind), RecordKey::Slug(slug)) = (&error, key) else {
        return error.into();
    };
    match state
        .calendar
        .resolve_former_slug::<R>(caller, slug, &params.fields)
        .await
    {
        Ok(Some(id)) => ApiError::Moved {
            kind: *kind,
            to: params.site.record(R::KIND, id),
        },
        Ok(None) => error.into(),
        Err(error) => error.into(),
    }
}

/// The event that a key names, if it is one of an event.
fn event_named<R: RestResource>(key: &RecordKey<R>) -> Option<RecordKey<Event>> {
    (R::KIND == Kind::Event).then(|| match key {
        RecordKey::Id(id) => RecordKey::Id(Id::from_raw(id.get())),
        RecordKey::Slug(slug) => RecordKey::Slug(slug.clone()),
    })
}

/// `GET` of a record.
pub(crate) async fn get<R: RestResource, N: KeySegment>(
    RecordPath { key, .. }: RecordPath<R, N>,
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let answer =
        |view: &R::View| Json(R::record(view, &params.site, Extent::WithJsonLd)).into_response();
    read(&state, caller, key, &params, answer).await
}

/// Reads a record, and answers it as `answer` shows it.
pub(crate) async fn read<R: RestResource>(
    state: &AppState,
    caller: Caller,
    key: RecordKey<R>,
    params: &Params,
    answer: impl FnOnce(&R::View) -> Response,
) -> Result<Response, ApiError> {
    state
        .admit_password(params, caller, event_named(&key).as_ref())
        .await?;
    // Before the record is read: what is read is all that happened in the seconds before.
    let now = state.calendar.now();
    let view = match state
        .calendar
        .get(caller, key.clone(), &params.fields)
        .await
    {
        Ok(view) => view,
        Err(error) => return Err(told::<R>(error, &key, caller, state, params).await),
    };
    let shown = RecordVersion {
        revision: R::stored(&view).revision,
        last_change: R::last_change(&view).as_told_at(now),
    };
    Ok((
        Extension(shown),
        content_language::<R>(&view),
        answer(&view),
    )
        .into_response())
}

/// `POST`, `PUT` and `PATCH` of a record: the same.
pub(crate) async fn update<R: RestResource, N: KeySegment>(
    RecordPath { key, .. }: RecordPath<R, N>,
    State(state): State<AppState>,
    Auth(caller): Auth,
    IfMatch(expected): IfMatch,
    params: Params,
) -> Result<Response, ApiError> {
    state.admit_password(&params, caller, None).await?;
    let updating = state
        .calendar
        .update(caller, key.clone(), &expected, &params.fields);
    let view = match updating.await {
        Ok(view) => view,
        Err(error) => return Err(told::<R>(error, &key, caller, &state, &params).await),
    };
    let record = R::record(&view, &params.site, Extent::Record);
    Ok((content_language::<R>(&view), Json(record)).into_response())
}

/// `DELETE` of a record.
pub(crate) async fn delete<R: RestResource, N: KeySegment>(
    RecordPath { key, .. }: RecordPath<R, N>,
    State(state): State<AppState>,
    Auth(caller): Auth,
    IfMatch(expected): IfMatch,
    params: Params,
) -> Result<Response, ApiError> {
    let deleting = state
        .calendar
        .delete(caller, key.clone(), &expected, &params.fields);
    let deleted = match deleting.await {
        Ok(deleted) => deleted,
        Err(error) => return Err(told::<R>(error, &key, caller, &state, &params).await),
    };
    let (Deleted::Trashed(view) | Deleted::Gone(view)) = &deleted;
    let record = R::record(view, &params.site, Extent::Record);
    // Terms have no trash: clients know the answer as the term itself.
    let is_term = matches!(R::KIND, Kind::Category | Kind::Tag);
    let is_gone = matches!(deleted, Deleted::Gone(_)) && !is_term;
    let answer = if is_gone {
        Json(json!({ "deleted": true, "previous": record })).into_response()
    } else {
        Json(record).into_response()
    };
    Ok((content_language::<R>(view), answer).into_response())
}
