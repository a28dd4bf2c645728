//! The filters of lists of events.

use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Term,
    event::{EventFilter, EventSort, SeriesListing, Window},
    geo::Circle,
    search::Search,
    slug::Slug,
    time::{Days, Timestamp, Zone},
};
use serde_json::Value;

use super::links::check_parent;
use crate::{
    entry::{check_ids, read_event_id, read_statuses},
    error::AppError,
    input::{self, Commas, Fault, FaultCollector, Input, Orders, Range},
    ports::Repositories,
    request::Request,
    resource::{FilterInput, among_slugs, read_slugs},
    term::{TermKind, TermSelector, find_for_filter},
};

/// Default radius of a search around a point, in kilometres.
const DEFAULT_RADIUS_KM: f64 = 25.0;

/// Start of the default window of a feed, in days before today.
const FEED_DAYS: u64 = 90;

/// End of the default window, in months from now.
const DEFAULT_MONTHS: i64 = 24;

/// The values of `orderby` for lists of events.
///
/// ```
/// assert!(app::event::EVENT_ORDERS.words().contains(&"start_date"));
/// ```
pub const EVENT_ORDERS: Orders<EventSort, 6> = Orders([
    ("start_date", EventSort::Start),
    ("end_date", EventSort::End),
    ("date", EventSort::Date),
    ("modified", EventSort::Modified),
    ("title", EventSort::Title),
    ("id", EventSort::Id),
]);

/// The filters of a list of events as sent.
#[derive(Clone, Debug)]
pub struct EventFilterInput {
    pub(crate) filter: EventFilter,
    categories: Option<Vec<TermSelector>>,
    tags: Option<Vec<TermSelector>>,
    venues: Option<Vec<i64>>,
    organizers: Option<Vec<i64>>,
    parent: Option<EventId>,
    slugs: Option<Vec<Slug>>,
}

#[async_trait]
impl FilterInput<Event> for EventFilterInput {
    fn read(input: &mut Input<'_>, request: &Request<'_>) -> Self {
        let read = Self::read_unsorted(input, request, Unbounded::NextMonths);
        let (sort, descending) = read_sort(input, read.filter.include.is_some());
        Self {
            filter: EventFilter {
                series: read_series_listing(input),
                sort,
                descending,
                ..read.filter
            },
            ..read
        }
    }

    /// Reads the filters of a feed, which is in the order of starts.
    fn read_whole(input: &mut Input<'_>, request: &Request<'_>) -> Self {
        Self::read_unsorted(input, request, Unbounded::Feed)
    }

    async fn look_up(
        self,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<EventFilter, AppError> {
        let Self {
            filter,
            categories,
            tags,
            venues,
            organizers,
            parent,
            slugs,
        } = self;
        let mut faults = FaultCollector::default();
        if let Some(parent) = parent {
            check_parent(
                "post_parent",
                parent,
                None,
                request,
                repositories,
                &mut faults,
            )
            .await?;
        }
        let filter = EventFilter {
            include: among_slugs::<Event>(filter.include, slugs, repositories).await?,
            parent,
            categories: terms("categories", categories, repositories, &mut faults).await?,
            tags: terms("tags", tags, repositories, &mut faults).await?,
            venues: check_ids("venue", venues, request, repositories, &mut faults).await?,
            organizers: check_ids("organizer", organizers, request, repositories, &mut faults)
                .await?,
            ..filter
        };
        faults.finish()?;
        Ok(filter)
    }
}

impl EventFilterInput {
    /// Reads the filters of a list of the events that were published last. A series is one of them.
    pub(crate) fn read_newest(input: &mut Input<'_>, request: &Request<'_>) -> Self {
        let read = Self::read_unsorted(input, request, Unbounded::FromToday);
        Self {
            filter: EventFilter {
                series: SeriesListing::Series,
                sort: EventSort::Date,
                descending: true,
                ..read.filter
            },
            ..read
        }
    }

    /// Reads the filters, without the order of the list.
    fn read_unsorted(input: &mut Input<'_>, request: &Request<'_>, unbounded: Unbounded) -> Self {
        let include = input.read_list("include", Commas::Separate, input::ids);
        let (window, _) = read_window(input, request, unbounded);
        let mut moment = |name| {
            let zone = &request.site.zone;
            input.read(name, |value| Ok(input::date(value, zone, request.now)?.utc))
        };
        let modified_after = moment("modified_after");
        let modified_before = moment("modified_before");
        let search = input.read("search", |value| {
            let search = Search::parse(input::search(value)?);
            input::bounded(search.wanted.len() + search.excluded.len())?;
            Ok(search)
        });
        let filter = EventFilter {
            statuses: read_statuses(input, request),
            // The window does not apply to events that are requested by ID.
            window: if include.is_some() {
                Window::default()
            } else {
                window
            },
            modified_after,
            modified_before,
            include: include.map(|ids| ids.into_iter().map(EventId::from_raw).collect()),
            search: search.unwrap_or_default(),
            featured: input.read("featured", input::boolean),
            located: input.read("geoloc", input::boolean),
            near: read_circle(input),
            ticketed: input.read("ticketed", input::boolean),
            ..EventFilter::default()
        };
        Self {
            filter,
            categories: input.read_list("categories", Commas::Separate, selectors),
            tags: input.read_list("tags", Commas::Separate, selectors),
            venues: input.read_list("venue", Commas::Separate, input::ids),
            organizers: input.read_list("organizer", Commas::Separate, input::ids),
            parent: input.read("post_parent", read_event_id),
            slugs: read_slugs(input),
        }
    }
}

/// Reads the terms that a filter names.
fn selectors(value: &Value) -> Result<Vec<TermSelector>, Fault> {
    let values = input::filled_list(value)?.into_iter();
    let selectors = values.map(|value| TermSelector {
        id: input::positive(&value).ok(),
        text: value.as_str().map(str::to_owned),
    });
    Ok(selectors.collect())
}

/// The terms that a filter names.
async fn terms<X: TermKind>(
    field: &'static str,
    named: Option<Vec<TermSelector>>,
    repositories: &dyn Repositories,
    faults: &mut FaultCollector,
) -> Result<Option<Vec<Id<Term<X>>>>, AppError> {
    let Some(named) = named else { return Ok(None) };
    let found = find_for_filter::<X>(&named, repositories).await?;
    if found.iter().any(Option::is_none) {
        faults.fault(field, Fault::unknown(X::KIND));
    }
    Ok(Some(found.into_iter().flatten().collect()))
}

/// Reads the centre and the radius of a search by distance; a radius without a centre is ignored.
fn read_circle(input: &mut Input<'_>) -> Option<Circle> {
    let center = input::position(input, ["geoloc_lat", "geoloc_lng"]);
    let radius = input.read("geoloc_distance", |value| {
        match input::number(value, 0, Circle::MAX_RADIUS_KM)? {
            0.0 => Err(Fault::OutOfRange(Range::Above(0, Circle::MAX_RADIUS_KM))),
            radius => Ok(radius),
        }
    });
    Circle::new(center?, radius.unwrap_or(DEFAULT_RADIUS_KM)).ok()
}

/// Reads `orderby` and `order`; a list of given IDs is sorted by publication date by default.
fn read_sort(input: &mut Input<'_>, included: bool) -> (EventSort, bool) {
    let sort = input.read("orderby", |value| EVENT_ORDERS.read(value));
    let default = if included {
        EventSort::Date
    } else {
        EventSort::Start
    };
    (
        sort.unwrap_or(default),
        input.read("order", input::order).unwrap_or(false),
    )
}

/// Reads how the list shows the events that repeat.
fn read_series_listing(input: &mut Input<'_>) -> SeriesListing {
    let hides = input.read("hide_subsequent_recurrences", input::boolean);
    match (input.read("expand", input::boolean), hides) {
        (Some(false), _) => SeriesListing::Series,
        (_, Some(true)) => SeriesListing::First,
        _ => SeriesListing::Occurrences,
    }
}

/// The window of a list without dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unbounded {
    /// The next [`DEFAULT_MONTHS`].
    NextMonths,
    /// From [`FEED_DAYS`] before today to [`DEFAULT_MONTHS`] after it.
    Feed,
    /// Events that end today or later.
    FromToday,
    /// All time.
    AllTime,
}

/// Reads the bounds of start and end, and names the parameter with the earliest upper bound.
///
/// Unless `strict_dates` is set, a bound is a day of the site's zone: a lower bound holds from its
/// beginning, an upper bound to its end. Without any bound of `starts_…` or `ends_…`, the list
/// begins yesterday and reaches two years ahead, unless it is to be `unbounded`.
pub(crate) fn read_window(
    input: &mut Input<'_>,
    request: &Request<'_>,
    unbounded: Unbounded,
) -> (Window, &'static str) {
    let zone = &request.site.zone;
    let strict = input.read("strict_dates", input::switch).unwrap_or(false);
    let mut moment = |name, day: fn(&Zone, domain::time::NaiveDate) -> Timestamp| {
        let moment = input.read(name, |value| input::date(value, zone, request.now))?;
        Some(if strict {
            moment.utc
        } else {
            day(zone, moment.local.date())
        })
    };
    let start_date = moment("start_date", Zone::start_of_day);
    let end_date = moment("end_date", Zone::end_of_day);
    let starts_after = moment("starts_after", Zone::end_of_day);
    let starts_before = moment("starts_before", Zone::end_of_day);
    let ends_after = moment("ends_after", Zone::end_of_day);
    let ends_before = moment("ends_before", Zone::end_of_day);

    let bounded = matches!(unbounded, Unbounded::AllTime | Unbounded::FromToday)
        || [starts_after, starts_before, ends_after, ends_before]
            .iter()
            .any(Option::is_some);
    let default_start = || match unbounded {
        Unbounded::Feed => start_of_feed(zone, request.now),
        _ => default_start(zone, request.now, strict),
    };
    let start_date = start_date.or_else(|| (!bounded).then(default_start));
    let end_date = end_date.or_else(|| (!bounded).then(|| default_end(zone, request.now, strict)));
    // The last second of a day belongs to it: `ends_before` includes events that end with that day.
    let ends_before = ends_before.map(|end| if strict { end.saturating_add(-1) } else { end });
    let mut window = Window {
        start_min: start_date.max(starts_after.map(|start| start.saturating_add(1))),
        start_max: starts_before.map(|start| start.saturating_add(-1)),
        end_min: ends_after.map(|end| end.saturating_add(1)),
        end_max: end_date.into_iter().chain(ends_before).min(),
    };
    if unbounded == Unbounded::FromToday && window == Window::default() {
        window.end_min = Some(zone.start_of_day(zone.at(request.now).local.date()));
    }
    let upper = [
        (end_date, "end_date"),
        (window.start_max, "starts_before"),
        (ends_before, "ends_before"),
    ];
    let upper = upper
        .into_iter()
        .filter_map(|(end, name)| Some((end?, name)));
    let earliest = upper.min_by_key(|(end, _)| *end);
    (window, earliest.map_or("end_date", |(_, name)| name))
}

/// The bounds of a list of events that was requested without any.
///
/// ```
/// use app::{event::default_window, test_support::at};
/// use domain::time::Zone;
///
/// let (from, to) = default_window(&Zone::utc(), at("2030-01-01 09:00:00"));
/// assert_eq!(from.to_string(), "2029-12-31 23:59:00");
/// assert_eq!(to.to_string(), "2032-01-01 09:00:00");
/// ```
pub fn default_window(zone: &Zone, now: Timestamp) -> (Timestamp, Timestamp) {
    (default_start(zone, now, true), default_end(zone, now, true))
}

/// Whether a list that ends there has the default end.
pub(crate) fn is_default_end(end: Timestamp, zone: &Zone, now: Timestamp) -> bool {
    [false, true]
        .map(|strict| default_end(zone, now, strict))
        .contains(&end)
}

/// The default start: yesterday; with `strict`, yesterday at 23:59:00 in the site's zone.
fn default_start(zone: &Zone, now: Timestamp, strict: bool) -> Timestamp {
    let today = zone.at(now).local.date();
    let yesterday = today.pred_opt().unwrap_or(today);
    if strict {
        zone.end_of_day(yesterday).saturating_add(-59)
    } else {
        zone.start_of_day(yesterday)
    }
}

/// The default start of a feed: the beginning of a day.
fn start_of_feed(zone: &Zone, now: Timestamp) -> Timestamp {
    let today = zone.at(now).local.date();
    let first = today.checked_sub_days(Days::new(FEED_DAYS));
    zone.start_of_day(first.unwrap_or(today))
}

/// The default end: this time of day, two years from now; without `strict`, the end of that day.
fn default_end(zone: &Zone, now: Timestamp, strict: bool) -> Timestamp {
    let ahead = domain::time::parse_date(&format!("+{DEFAULT_MONTHS} months"), zone, now)
        .unwrap_or_else(|_| zone.at(Timestamp::MAX));
    if strict {
        ahead.utc
    } else {
        zone.end_of_day(ahead.local.date())
    }
}
