//! The handlers of all kinds of record, and what differs between the kinds.

use std::marker::PhantomData;

use app::{
    calendar::Deleted,
    event::EventView,
    place::PlaceView,
    resource::{Key, Resource},
    term::{TermKind, TermView},
};
use axum::{
    extract::{FromRequestParts, Path, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{
    Event, Id, Kind, Organizer, OrganizerDetails, Term, Venue, VenueDetails, page::Page, slug::Slug,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::json;

use crate::{
    auth::Auth,
    error::ApiError,
    json::Json,
    params::Params,
    record::{EventRecord, Extent, OrganizerRecord, TermRecord, VenueRecord},
    state::AppState,
    urls::{ListUrls, Site},
};

/// A kind of record, as its routes see it.
pub(crate) trait Routed: Resource {
    /// The record as JSON.
    type Record<'a>: Serialize;

    /// Makes the JSON of a record.
    fn record<'a>(view: &'a Self::View, site: &Site, extent: Extent) -> Self::Record<'a>;

    /// The number of a record.
    fn id(view: &Self::View) -> Id<Self>;
}

impl Routed for Event {
    type Record<'a> = EventRecord<'a>;

    fn record<'a>(view: &'a EventView, site: &Site, extent: Extent) -> EventRecord<'a> {
        EventRecord::new(view, site, extent)
    }

    fn id(view: &EventView) -> Id<Self> {
        view.event.id
    }
}

impl Routed for Venue {
    type Record<'a> = VenueRecord<'a>;

    fn record<'a>(
        view: &'a PlaceView<VenueDetails>,
        site: &Site,
        extent: Extent,
    ) -> VenueRecord<'a> {
        VenueRecord::new(view, site, extent)
    }

    fn id(view: &PlaceView<VenueDetails>) -> Id<Self> {
        view.entry.id
    }
}

impl Routed for Organizer {
    type Record<'a> = OrganizerRecord<'a>;

    fn record<'a>(
        view: &'a PlaceView<OrganizerDetails>,
        site: &Site,
        extent: Extent,
    ) -> OrganizerRecord<'a> {
        OrganizerRecord::new(view, site, extent)
    }

    fn id(view: &PlaceView<OrganizerDetails>) -> Id<Self> {
        view.entry.id
    }
}

impl<X: TermKind> Routed for Term<X> {
    type Record<'a> = TermRecord<'a>;

    fn record<'a>(view: &'a TermView<X>, site: &Site, _extent: Extent) -> TermRecord<'a> {
        TermRecord::new(view, site)
    }

    fn id(view: &TermView<X>) -> Id<Self> {
        view.term.id
    }
}

/// A record by the number in the path. Digits too many for a number name no record.
pub(crate) struct ById;

/// A record by the slug in the path.
pub(crate) struct BySlug;

/// How a path names a record.
pub(crate) trait Named {
    /// The record that a segment names; none if no route has such a segment.
    fn key<R: Resource>(segment: &str) -> Option<Key<R>>;
}

impl Named for ById {
    fn key<R: Resource>(segment: &str) -> Option<Key<R>> {
        let is_number = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Key::Id(Id::from_raw(segment.parse().unwrap_or(i64::MAX))))
    }
}

impl Named for BySlug {
    fn key<R: Resource>(segment: &str) -> Option<Key<R>> {
        let slug = Slug::normalize(segment);
        // What cannot be a slug is no record's.
        Some(Key::Slug(
            slug.unwrap_or_else(|| Slug::from_stored(String::new())),
        ))
    }
}

/// The record that the last segment of a path names.
pub(crate) struct Target<R, N> {
    key: Key<R>,
    named: PhantomData<fn() -> N>,
}

impl<R: Resource, N: Named, S: Send + Sync> FromRequestParts<S> for Target<R, N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // Bytes that are no text name nothing.
        let segment = Path::<String>::from_request_parts(parts, state).await.ok();
        let key = segment.and_then(|Path(segment)| N::key(&segment));
        Ok(Self {
            key: key.ok_or_else(|| ApiError::NoRoute)?,
            named: PhantomData,
        })
    }
}

/// `GET` of a collection.
pub(crate) async fn list<R: Routed>(
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let page = state.calendar.list::<R>(caller, &params.fields).await?;
    let site = &params.site;
    let urls = site.list(R::KIND, &params.query, page.request.per_page());
    let mut headers = HeaderMap::new();
    for (names, number) in [
        (["x-tec-total", "x-wp-total"], page.total),
        (["x-tec-totalpages", "x-wp-totalpages"], page.total_pages()),
    ] {
        for name in names {
            headers.insert(HeaderName::from_static(name), HeaderValue::from(number));
        }
    }
    let neighbours = Neighbours::new(&page, &urls);
    for link in neighbours.links() {
        headers.append(header::LINK, link);
    }
    let records: Vec<_> = page
        .rows
        .iter()
        .map(|view| R::record(view, site, Extent::Record))
        .collect();
    let list = List {
        kind: R::KIND,
        records,
        urls,
        neighbours,
        total: page.total,
        pages: page.total_pages(),
    };
    Ok((headers, Json(list)).into_response())
}

/// The pages beside one.
struct Neighbours {
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

/// A list as JSON; its records stand under the name of their kind.
struct List<T> {
    kind: Kind,
    records: Vec<T>,
    urls: ListUrls,
    neighbours: Neighbours,
    total: u64,
    pages: u64,
}

impl<T: Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(self.kind.plural(), &self.records)?;
        map.serialize_entry("rest_url", &self.urls.this())?;
        if let Some(next) = &self.neighbours.next {
            map.serialize_entry("next_rest_url", next)?;
        }
        if let Some(previous) = &self.neighbours.previous {
            map.serialize_entry("previous_rest_url", previous)?;
        }
        map.serialize_entry("total", &self.total)?;
        map.serialize_entry("total_pages", &self.pages)?;
        map.end()
    }
}

/// `POST` to a collection.
pub(crate) async fn create<R: Routed>(
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let view = state.calendar.create::<R>(caller, &params.fields).await?;
    let location = [(header::LOCATION, params.site.record(R::KIND, R::id(&view)))];
    let record = R::record(&view, &params.site, Extent::Record);
    Ok((StatusCode::CREATED, location, Json(record)).into_response())
}

/// `GET` of a record.
pub(crate) async fn get<R: Routed, N: Named>(
    Target { key, .. }: Target<R, N>,
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let view = state.calendar.get::<R>(caller, key, &params.fields).await?;
    Ok(Json(R::record(&view, &params.site, Extent::WithJsonLd)).into_response())
}

/// `POST`, `PUT` and `PATCH` of a record: the same.
pub(crate) async fn update<R: Routed, N: Named>(
    Target { key, .. }: Target<R, N>,
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let view = state
        .calendar
        .update::<R>(caller, key, &params.fields)
        .await?;
    Ok(Json(R::record(&view, &params.site, Extent::Record)).into_response())
}

/// `DELETE` of a record.
pub(crate) async fn delete<R: Routed, N: Named>(
    Target { key, .. }: Target<R, N>,
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let deleted = state
        .calendar
        .delete::<R>(caller, key, &params.fields)
        .await?;
    let record = |view| R::record(view, &params.site, Extent::Record);
    Ok(match (&deleted, R::KIND) {
        // Terms have no trash: clients know the answer as the term itself.
        (Deleted::Trashed(view), _) | (Deleted::Gone(view), Kind::Category | Kind::Tag) => {
            Json(record(view)).into_response()
        }
        (Deleted::Gone(view), _) => {
            Json(json!({ "deleted": true, "previous": record(view) })).into_response()
        }
    })
}
