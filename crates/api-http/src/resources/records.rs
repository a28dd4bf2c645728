//! The handlers of all kinds of records.

use std::io::Write as _;

use app::{
    calendar::{Deleted, FoundPage},
    error::AppError,
    request::RecordKey,
    write::ReadOptions,
};
use axum::{
    Extension,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::{Event, Id, Kind, page::Page, time::Timestamp};
use forms::ListForm;
use http_service::{
    error::ApiError,
    limits::{InFlight, Reservation, network},
    response::{Json, RecordVersion, ResponseKind, json},
    site::{ListUrls, Site},
};
use serde::{Serialize, Serializer as _};
use serde_json::{Value, json};
use tokio::sync::SemaphorePermit;

use crate::{
    extract::{IfMatch, RecordPath, RequestContext},
    idempotency::{Created, IdempotencyHeader},
    record::Extent,
    resources::RestResource,
};

/// The initial capacity for the JSON of a list, in bytes.
const LIST_BYTES: usize = 64 * 1024;

/// `GET` of a collection.
pub(crate) async fn list<R: RestResource>(
    context: &RequestContext<impl Sync>,
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let listed = read_page::<R>(context).await?;
    let site = &context.site;
    let urls = site.list(R::KIND, &context.query, listed.page.request.per_page());
    Ok(listed.response::<R>(&urls, site))
}

/// A page of a list, with what it holds until its response is written.
#[derive(Debug)]
pub(crate) struct ListedPage<'a, V> {
    pub(crate) page: Page<V>,
    /// The instant up to which the list is complete, if its window reaches further.
    pub(crate) horizon: Option<Timestamp>,
    pub(crate) permit: ListPermit<'a>,
}

impl<V> ListedPage<'_, V> {
    /// The response with the list.
    pub(crate) fn response<R: RestResource<View = V>>(
        self,
        urls: &ListUrls,
        site: &Site,
    ) -> Response {
        let Self {
            page,
            horizon,
            permit,
        } = self;
        let mut headers = totals(&page);
        let neighbours = Neighbours::new(&page, urls);
        neighbours.add_to(&mut headers);
        if let Some(Ok(horizon)) = horizon.map(rfc3339).map(HeaderValue::try_from) {
            headers.insert(HORIZON, horizon);
        }
        let rest = Rest {
            url: urls.this(),
            neighbours,
            total: page.total,
            total_pages: page.total_pages(),
            horizon: horizon.map(|horizon| site.local(horizon)),
        };
        let body = list_json::<R>(&page.rows, &rest, site);
        drop(permit);
        (headers, json::response(body)).into_response()
    }
}

/// The header with the instant up to which a list is complete.
const HORIZON: HeaderName = HeaderName::from_static("x-calendar-horizon");

/// An instant in the form of RFC 3339.
fn rfc3339(instant: Timestamp) -> String {
    instant.to_string().replacen(' ', "T", 1) + "Z"
}

/// The permits and the memory of a list until its response is written.
#[derive(Debug)]
pub(crate) struct ListPermit<'a> {
    _rows: SemaphorePermit<'a>,
    _texts: Reservation,
}

impl<'a> ListPermit<'a> {
    /// The permit of the rows of a page that was read with it.
    ///
    /// # Errors
    ///
    /// [`ApiError::Overloaded`] without memory for the texts of the page.
    pub(crate) fn of_page<R: RestResource>(
        rows: SemaphorePermit<'a>,
        page: &Page<R::View>,
        context: &RequestContext<impl Sync>,
    ) -> Result<Self, ApiError> {
        let texts = page
            .rows
            .iter()
            .map(|view| R::shown(view).content.text_bytes());
        let texts = InFlight::new(&context.state.in_flight, context.client).reserve(texts.sum());
        Ok(Self {
            _rows: rows,
            _texts: texts.map_err(|_| ApiError::Overloaded)?,
        })
    }
}

/// Reads a page of a list. The caller drops the [`ListPermit`] when the page is written.
///
/// # Errors
///
/// Faults of the fields; [`ApiError::Overloaded`] without a permit or memory for the texts of the
/// page.
pub(crate) async fn read_page<R: RestResource>(
    context: &RequestContext<impl Sync>,
) -> Result<ListedPage<'_, R::View>, ApiError> {
    let ListForm {
        query,
        page,
        options,
    } = forms::query::<R>(&context.fields, context.reading())?;
    let calendar = &context.state.calendar;
    let client = context.client.map(network);
    let found = calendar.find_page::<R>(context.caller, client, query, page, &options);
    load_page(found.await?, context).await
}

/// Reads the records of a page that was found. Errors are those of [`read_page`].
pub(super) async fn load_page<'a, R: RestResource>(
    found: FoundPage<'_, R>,
    context: &'a RequestContext<impl Sync>,
) -> Result<ListedPage<'a, R::View>, ApiError> {
    let state = &context.state;
    let rows = state.list_limit.acquire(context.client, found.rows());
    let rows = rows.await?;
    let horizon = found.horizon();
    let page = found.load().await?;
    let permit = ListPermit::of_page::<R>(rows, &page, context)?;
    Ok(ListedPage {
        page,
        horizon,
        permit,
    })
}

/// The headers with the totals of a list.
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

/// A list that `member` holds, with the URL of its rest.
pub(super) fn list_of<T: Serialize>(
    member: &str,
    page: &Page<T>,
    next: Option<String>,
) -> (HeaderMap, Json<Value>) {
    let mut headers = totals(page);
    let mut body = json!({
        member: page.rows,
        "total": page.total,
        "total_pages": page.total_pages(),
    });
    if let Some(next) = next {
        if let Ok(link) = HeaderValue::try_from(format!("<{next}>; rel=\"next\"")) {
            headers.insert(header::LINK, link);
        }
        body["next_rest_url"] = json!(next);
    }
    (headers, Json(body))
}

/// The JSON of a list; the name of the kind is the key of its records.
fn list_json<R: RestResource>(
    rows: &[R::View],
    rest: &Rest,
    site: &Site,
) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::with_capacity(LIST_BYTES);
    write!(json, "{{\"{}\":", R::KIND.plural()).map_err(serde_json::Error::io)?;
    let records = rows
        .iter()
        .map(|view| R::record(view, site, Extent::Record));
    serde_json::Serializer::new(&mut json).collect_seq(records)?;
    let rest = serde_json::to_vec(rest)?;
    json.push(b',');
    json.extend_from_slice(&rest[1..]);
    Ok(json)
}

/// The URLs of the previous and next page, as members of the JSON of a list.
#[derive(Debug, Serialize)]
pub(crate) struct Neighbours {
    #[serde(rename = "next_rest_url", skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(rename = "previous_rest_url", skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
}

impl Neighbours {
    pub(crate) fn new<T>(page: &Page<T>, urls: &ListUrls) -> Self {
        let number = page.request.number();
        Self {
            next: page.has_next().then(|| urls.page(number + 1)),
            previous: (number > 1).then(|| urls.page(number - 1)),
        }
    }

    /// Adds the `Link` headers (RFC 8288).
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        for (url, relation) in [(&self.next, "next"), (&self.previous, "prev")] {
            let link = url
                .as_ref()
                .map(|url| format!("<{url}>; rel=\"{relation}\""));
            if let Some(Ok(link)) = link.map(HeaderValue::try_from) {
                headers.append(header::LINK, link);
            }
        }
    }
}

/// The members of the JSON of a list, except its records.
#[derive(Debug, Serialize)]
struct Rest {
    #[serde(rename = "rest_url")]
    url: String,
    #[serde(flatten)]
    neighbours: Neighbours,
    total: u64,
    total_pages: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    horizon: Option<String>,
}

/// `POST` to a collection.
pub(crate) async fn create<R: RestResource>(
    context: RequestContext<IdempotencyHeader>,
) -> Result<Response, ApiError> {
    let site = &context.site;
    let respond = |view: &R::View| {
        let location = site.record(R::KIND, R::shown(view).id);
        Created::new(location, &R::record(view, site, Extent::Record))
    };
    add::<R>(&context, respond).await
}

/// Creates a record. `respond` makes the response.
pub(crate) async fn add<R: RestResource>(
    context: &RequestContext<IdempotencyHeader>,
    respond: impl Fn(&R::View) -> Created + Sync,
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let RequestContext { caller, fields, .. } = context;
    let calendar = &context.state.calendar;
    let check = || calendar.check_new(*caller, &forms::create::<R>(fields, context.reading()));
    let prepared = calendar.cpu_limiter().run(fields.size, check).await??;
    let created = match context.head.of_fields(fields) {
        None => respond(&calendar.create_prepared(*caller, prepared).await?),
        Some(key) => {
            let to_stored = |view: &R::View| respond(view).to_stored();
            let outcome = calendar.create_prepared_idempotent(*caller, prepared, &key, &to_stored);
            Created::of_once(outcome.await?, respond)?
        }
    };
    Ok(created.into_response())
}

/// The language of a response. A record found by its slug is shown in the language of the slug.
pub(super) fn content_language<R: RestResource>(view: &R::View) -> [(HeaderName, &'static str); 1] {
    [(header::CONTENT_LANGUAGE, R::shown(view).language.code())]
}

/// The outcome of a use case. Where the path leads to no record, [`ApiError::Moved`] names the record that gave up its slug
/// last, the one into which its record was merged, or the occurrence that went to a later half of its series.
pub(super) async fn or_moved<T, R: RestResource, H>(
    outcome: Result<T, AppError>,
    key: &RecordKey<R>,
    context: &RequestContext<H>,
) -> Result<T, ApiError> {
    let Err(AppError::NotFound(kind)) = &outcome else {
        return Ok(outcome?);
    };
    let (calendar, caller) = (&context.state.calendar, context.caller);
    let options = ReadOptions::from(&context.fields);
    let site = &context.site;
    let found = match key {
        RecordKey::Slug(slug) => {
            let found = calendar.resolve_former_slug::<R>(caller, slug, &options);
            found.await?.map(|id| site.record(R::KIND, id))
        }
        RecordKey::Id(id) => {
            let found = calendar.resolve_merged(caller, *id, &options).await?;
            found.map(|id| site.record(R::KIND, id))
        }
        RecordKey::Slot(series, date) => {
            let series = Id::from_raw(series.get());
            let found = calendar.resolve_split(caller, series, *date, &options);
            found.await?.and_then(|key| match key {
                RecordKey::Id(id) => Some(site.record(R::KIND, id)),
                RecordKey::Slot(series, date) => Some(site.occurrence(series, &date.to_string())),
                RecordKey::Slug(_) | RecordKey::Unknown => None,
            })
        }
        RecordKey::Unknown => None,
    };
    match found {
        Some(to) => Err(ApiError::Moved { kind: *kind, to }),
        None => Ok(outcome?),
    }
}

/// The key of an event; none for other kinds.
pub(super) fn event_named<R: RestResource>(key: &RecordKey<R>) -> Option<RecordKey<Event>> {
    (R::KIND == Kind::Event).then(|| match key {
        RecordKey::Id(id) => RecordKey::Id(Id::from_raw(id.get())),
        RecordKey::Slug(slug) => RecordKey::Slug(slug.clone()),
        RecordKey::Slot(id, date) => RecordKey::Slot(Id::from_raw(id.get()), *date),
        RecordKey::Unknown => RecordKey::Unknown,
    })
}

/// `GET` of a record.
pub(crate) async fn get<R: RestResource>(
    key: RecordKey<R>,
    context: &RequestContext<impl Sync>,
) -> Result<Response, ApiError> {
    let respond =
        |view: &R::View| Json(R::record(view, &context.site, Extent::WithJsonLd)).into_response();
    read(context, key, respond).await
}

/// Reads a record. `respond` makes the response.
pub(crate) async fn read<R: RestResource>(
    context: &RequestContext<impl Sync>,
    key: RecordKey<R>,
    respond: impl FnOnce(&R::View) -> Response,
) -> Result<Response, ApiError> {
    let event = event_named(&key);
    context.admit_password(event.as_ref()).await?;
    let calendar = &context.state.calendar;
    let options = forms::read_options(&context.fields, R::KIND)?;
    let reading = calendar.get(context.caller, key.clone(), &options);
    let view = or_moved(reading.await, &key, context).await?;
    let version = RecordVersion {
        revision: R::shown(&view).revision,
        last_change: R::last_change(&view).as_sent_at(context.now),
    };
    Ok((
        Extension(ResponseKind::Record(version)),
        content_language::<R>(&view),
        respond(&view),
    )
        .into_response())
}

/// `POST`, `PUT` and `PATCH` of a record, which do the same.
pub(crate) async fn update<R: RestResource>(
    RecordPath(key): RecordPath<R>,
    context: RequestContext<IfMatch>,
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let (calendar, fields) = (&context.state.calendar, &context.fields);
    let caller = context.caller;
    let check = || calendar.check_update(caller, &forms::update::<R>(fields, context.reading()));
    let prepared = calendar.cpu_limiter().run(fields.size, check).await??;
    let updating = calendar.update_prepared(caller, key.clone(), &context.head.0, prepared);
    let view = or_moved(updating.await, &key, &context).await?;
    let record = R::record(&view, &context.site, Extent::Record);
    Ok((content_language::<R>(&view), Json(record)).into_response())
}

/// `POST` that an event is still right.
pub(crate) async fn verify(
    RecordPath(key): RecordPath<Event>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    context.expect_no_fields(&[])?;
    let calendar = &context.state.calendar;
    let options = ReadOptions::from(&context.fields);
    let view = calendar.verify(context.caller, key, &options).await?;
    let record = Event::record(&view, &context.site, Extent::Record);
    Ok((content_language::<Event>(&view), Json(record)).into_response())
}

/// `DELETE` of a record.
pub(crate) async fn delete<R: RestResource>(
    RecordPath(key): RecordPath<R>,
    context: RequestContext<IfMatch>,
) -> Result<Response, ApiError> {
    let options = forms::delete_options(&context.fields, R::KIND)?;
    let calendar = &context.state.calendar;
    let deleting = calendar.delete(context.caller, key.clone(), &context.head.0, &options);
    let deleted = or_moved(deleting.await, &key, &context).await?;
    let (Deleted::Trashed(view) | Deleted::Gone(view)) = &deleted;
    let record = R::record(view, &context.site, Extent::Record);
    // Terms have no trash, and clients expect the term itself.
    let is_term = matches!(R::KIND, Kind::Category | Kind::Tag);
    let is_gone = matches!(deleted, Deleted::Gone(_)) && !is_term;
    let response = if is_gone {
        Json(json!({ "deleted": true, "previous": record })).into_response()
    } else {
        Json(record).into_response()
    };
    Ok((content_language::<R>(view), response).into_response())
}
