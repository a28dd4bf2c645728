//! The filters of lists of events.

use app::{
    event::{EventQuery, Unbounded, Window, WindowBounds},
    fault::{Fault, Range, check_count},
    term::TermSelector,
};
use domain::{
    EventId, FieldName, Kind,
    event::{EventFilter, EventSort, SeriesListing},
    geo::Circle,
    search::Search,
    text::fold,
    time::{NaiveDate, Timestamp, Zone},
};
use serde_json::Value;

use crate::{
    field::EVENT_ORDERS,
    field::{DefaultValue, Param, Schema, values},
    input::{Input, Reading},
    list::{self, ORDER, SEARCH, STATUS, Span},
};

/// Default radius of a search around a point, in kilometres.
const DEFAULT_RADIUS_KM: f64 = 25.0;

declare! {
    /// Events that start on this day or later. The default is yesterday if the request has no date.
    LIST_START: StartDate, Schema::Date, default(DefaultValue::ListStart);
    /// Events that end on this day or earlier. The default is two years from now if the request has
    /// no date.
    LIST_END: EndDate, Schema::Date, default(DefaultValue::ListEnd);
    /// Events that start on this day or later.
    START_DATE: StartDate, Schema::Date;
    /// Events that end on this day or earlier.
    END_DATE: EndDate, Schema::Date;
    /// Events that start before this time.
    STARTS_BEFORE: StartsBefore, Schema::Date;
    /// Events that start after this time.
    STARTS_AFTER: StartsAfter, Schema::Date;
    /// Events that end before this time.
    ENDS_BEFORE: EndsBefore, Schema::Date;
    /// Events that end after this time.
    ENDS_AFTER: EndsAfter, Schema::Date;
    /// Whether the dates of filters are exact to the second; otherwise they mean the whole day.
    STRICT_DATES: StrictDates, Schema::BooleanWord, default(DefaultValue::Text("false")) => values::switch as bool;
    /// Categories by ID, slug or name, with their subcategories; one match suffices.
    CATEGORIES: Categories, Schema::IdsOrNames => selectors as Vec<TermSelector>;
    /// Tags by ID, slug or name; one match suffices.
    TAGS: Tags, Schema::IdsOrNames => selectors as Vec<TermSelector>;
    /// IDs of venues; one match suffices.
    VENUE: Venue, Schema::Ids => values::ids as Vec<i64>;
    /// IDs of organizers; one match suffices.
    ORGANIZER: Organizer, Schema::Ids => values::ids as Vec<i64>;
    /// Only featured events, or only others.
    FEATURED: Featured, Schema::Boolean => values::boolean as bool;
    /// Only events whose venue has coordinates, or only others.
    GEOLOC: Located, Schema::Boolean => values::boolean as bool;
    /// The latitude of the center of the search, together with `geoloc_lng`.
    GEOLOC_LAT: NearLatitude, Schema::Number { min: -90, max: 90 } => values::latitude as f64;
    /// The longitude of the center.
    GEOLOC_LNG: NearLongitude, Schema::Number { min: -180, max: 180 } => values::longitude as f64;
    /// The greatest distance of the venue from the center, in kilometres; more than 0.
    GEOLOC_DISTANCE: Distance, Schema::Number { min: 0, max: 20_000 }, default(DefaultValue::Number(25)) => radius as f64;
    /// Cities of venues, in the language of the request and without regard to case and accents; one match
    /// suffices.
    CITY: City, Schema::Texts, example("Lyon") => cities as Vec<String>;
    /// IDs: only these events, at any date. The ID of a series gives the record of the series.
    INCLUDE: Include, Schema::Ids => values::ids as Vec<i64>;
    /// The ID of an event: only its sub-events; of a series, its occurrences, too.
    POST_PARENT: PostParent, Schema::Positive => list::event_id as EventId;
    /// Only events with tickets, or only others.
    TICKETED: Ticketed, Schema::Boolean => values::boolean as bool;
    /// Only events that cost nothing, or only others: every amount of the cost is 0, or there is no cost and
    /// every ticket is for 0. An event without cost and tickets is not free.
    FREE: Free, Schema::Boolean => values::boolean as bool;
    /// Events changed after this time.
    MODIFIED_AFTER: ModifiedAfter, Schema::Date;
    /// Events changed before this time.
    MODIFIED_BEFORE: ModifiedBefore, Schema::Date;
    /// The field to order by. With `include`, the default is the publication date.
    ORDER_BY: OrderBy, Schema::OneOf(&EVENT_ORDERS.words()), default(DefaultValue::Conditional("start_date"));
    /// Whether a series counts once: by its first occurrence that the list has.
    HIDE_SUBSEQUENT: HideSubsequent, Schema::BooleanWord, default(DefaultValue::Text("false")) => values::boolean as bool;
    /// Whether a series is listed by its occurrences. `false` lists each series once, as its own
    /// record, if the list has one of its occurrences.
    EXPAND: Expand, Schema::BooleanWord, default(DefaultValue::Text("true")) => values::boolean as bool;
    /// The password of an event whose content is locked.
    pub OPENING_PASSWORD: Password, Schema::Text => values::owned_text as String;
}

/// The days of lists of occurrences, without defaults.
pub(crate) const OCCURRENCE_DAYS: [Param; 2] = [START_DATE, END_DATE];

/// Further bounds of time of lists of events and of occurrences.
pub(crate) const BOUNDS: [Param; 5] = [
    STARTS_BEFORE,
    STARTS_AFTER,
    ENDS_BEFORE,
    ENDS_AFTER,
    STRICT_DATES.param,
];

/// The parameters of a list, in the order of the interface.
pub(super) fn filters() -> Vec<Param> {
    // An empty password opens no event.
    let password = Param {
        schema: Schema::AnyText,
        ..OPENING_PASSWORD.param
    };
    let own = [
        CATEGORIES.param,
        TAGS.param,
        VENUE.param,
        ORGANIZER.param,
        FEATURED.param,
        GEOLOC.param,
        GEOLOC_LAT.param,
        GEOLOC_LNG.param,
        GEOLOC_DISTANCE.param,
        CITY.param,
        INCLUDE.param,
        POST_PARENT.param,
        TICKETED.param,
        FREE.param,
        MODIFIED_AFTER,
        MODIFIED_BEFORE,
        ORDER_BY,
        ORDER.param,
        HIDE_SUBSEQUENT.param,
        EXPAND.param,
        password,
    ];
    [&[SEARCH, STATUS, LIST_START, LIST_END][..], &BOUNDS, &own].concat()
}

/// Reads the filters of a list.
pub(super) fn read(input: &mut Input<'_>, reading: Reading<'_>, span: Span) -> EventQuery {
    let unbounded = match span {
        Span::Pages => Unbounded::NextMonths,
        Span::Whole => Unbounded::Feed,
        Span::Newest => Unbounded::FromToday,
        Span::Page => Unbounded::AllTime,
    };
    let mut query = read_unsorted(input, reading, unbounded);
    if span == Span::Pages {
        let filter = &mut query.filter;
        (filter.sort, filter.descending) = sort(input, filter.include.is_some());
        filter.series = series_listing(input);
    }
    query
}

/// Reads the filters, without the order of the list.
fn read_unsorted(input: &mut Input<'_>, reading: Reading<'_>, unbounded: Unbounded) -> EventQuery {
    let include = input.take_list(&INCLUDE);
    let (window, _) = window(input, reading, unbounded);
    let mut moment = |field| {
        input.read(field, |value| {
            Ok(values::date(value, reading.zone(), reading.now)?.utc)
        })
    };
    let modified_after = moment(&MODIFIED_AFTER);
    let modified_before = moment(&MODIFIED_BEFORE);
    let search = input.read(&SEARCH, |value| {
        let search = Search::parse(values::search(value)?);
        check_count(search.wanted.len() + search.excluded.len())?;
        Ok(search)
    });
    let filter = EventFilter {
        statuses: list::statuses(input, Kind::Event, reading),
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
        featured: input.take(&FEATURED),
        located: input.take(&GEOLOC),
        near: circle(input),
        cities: input.take_list(&CITY),
        ticketed: input.take(&TICKETED),
        free: input.take(&FREE),
        ..EventFilter::default()
    };
    EventQuery {
        filter,
        categories: input.take_list(&CATEGORIES),
        tags: input.take_list(&TAGS),
        venues: input.take_list(&VENUE),
        organizers: input.take_list(&ORGANIZER),
        parent: input.take(&POST_PARENT),
        slugs: list::slugs(input),
    }
}

/// Reads the bounds of start and end, and names the parameter with the earliest upper bound.
///
/// Unless `strict_dates` is set, a bound is a day of the site's zone: a lower bound holds from its
/// beginning, an upper bound to its end.
pub(crate) fn window(
    input: &mut Input<'_>,
    reading: Reading<'_>,
    unbounded: Unbounded,
) -> (Window, FieldName) {
    let (zone, now) = (reading.zone(), reading.now);
    let strict = input.take(&STRICT_DATES).unwrap_or(false);
    let mut moment = |field, day: fn(&Zone, NaiveDate) -> Timestamp| {
        let moment = input.read(field, |value| values::date(value, zone, now))?;
        Some(if strict {
            moment.utc
        } else {
            day(zone, moment.local.date())
        })
    };
    let bounds = WindowBounds {
        strict,
        start_date: moment(&START_DATE, Zone::start_of_day),
        end_date: moment(&END_DATE, Zone::end_of_day),
        starts_after: moment(&STARTS_AFTER, Zone::end_of_day),
        starts_before: moment(&STARTS_BEFORE, Zone::end_of_day),
        ends_after: moment(&ENDS_AFTER, Zone::end_of_day),
        ends_before: moment(&ENDS_BEFORE, Zone::end_of_day),
    };
    bounds.window(unbounded, zone, now)
}

/// Reads the terms that a filter names.
fn selectors(value: &Value) -> Result<Vec<TermSelector>, Fault> {
    let values = values::filled_list(value)?.into_iter();
    let selectors = values.map(|value| TermSelector {
        id: values::positive(&value).ok(),
        text: value.as_str().map(str::to_owned),
    });
    Ok(selectors.collect())
}

/// Reads the names of cities, folded.
fn cities(value: &Value) -> Result<Vec<String>, Fault> {
    let names = values::filled_list(value)?;
    let cities = names.iter().map(|name| match fold(values::name(name)?) {
        city if city.is_empty() => Err(Fault::Empty),
        city => Ok(city),
    });
    cities.collect()
}

/// Reads the centre and the radius of a search by distance; a radius without a centre is ignored.
fn circle(input: &mut Input<'_>) -> Option<Circle> {
    let center = input.take_position([&GEOLOC_LAT, &GEOLOC_LNG]);
    let radius = input.take(&GEOLOC_DISTANCE);
    Circle::new(center?, radius.unwrap_or(DEFAULT_RADIUS_KM)).ok()
}

fn radius(value: &Value) -> Result<f64, Fault> {
    match values::number(value, 0, Circle::MAX_RADIUS_KM)? {
        0.0 => Err(Fault::OutOfRange(Range::Above(0, Circle::MAX_RADIUS_KM))),
        radius => Ok(radius),
    }
}

/// Reads `orderby` and `order`; a list of given IDs is sorted by publication date by default.
fn sort(input: &mut Input<'_>, included: bool) -> (EventSort, bool) {
    let sort = input.read(&ORDER_BY, |value| EVENT_ORDERS.read(value));
    let default = if included {
        EventSort::Date
    } else {
        EventSort::Start
    };
    (sort.unwrap_or(default), input.take(&ORDER).unwrap_or(false))
}

/// Reads how the list shows the events that repeat.
fn series_listing(input: &mut Input<'_>) -> SeriesListing {
    let hides = input.take(&HIDE_SUBSEQUENT);
    match (input.take(&EXPAND), hides) {
        (Some(false), _) => SeriesListing::Series,
        (_, Some(true)) => SeriesListing::First,
        _ => SeriesListing::Occurrences,
    }
}
