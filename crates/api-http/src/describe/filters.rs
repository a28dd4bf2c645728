//! Parameters of lists: pages, filters and orders.

use app::{event::EVENT_ORDERS, term::TERM_ORDERS};
use domain::page::DEFAULT_PER_PAGE;

use super::{
    param::{DefaultValue, Param, param, params},
    schema::Schema,
};

/// Parameters of every list.
pub(crate) const PAGING: [Param; 2] = params![
    /// The number of the page, from 1.
    page: Schema::Positive, default(DefaultValue::Number(1));
    /// Records per page; values above 100 mean 100.
    per_page: Schema::Positive, default(DefaultValue::Number(DEFAULT_PER_PAGE));
];

/// Parameters of lists of events, venues and organizers.
pub(crate) const ENTRIES: [Param; 2] = params![
    /// Words that each result contains.
    search: Schema::Search, example("river");
    /// Names of statuses, or `any`. Callers without the right to write may use `publish` and `any`
    /// only.
    status: Schema::Statuses, example("publish");
];

/// `asc` or `desc`.
const ORDER: Param = param! {
    /// Ascending or descending.
    order: Schema::OneOf(&["asc", "desc"]), default(DefaultValue::Text("asc"))
};

/// The days of lists of events, with their defaults.
pub(crate) const LIST_DAYS: [Param; 2] = params![
    /// Events that start on this day or later. The default is yesterday if the request has no date.
    start_date: Schema::Date, default(DefaultValue::ListStart);
    /// Events that end on this day or earlier. The default is two years from now if the request has
    /// no date.
    end_date: Schema::Date, default(DefaultValue::ListEnd);
];

/// The days of lists of occurrences, without defaults.
pub(crate) const OCCURRENCE_DAYS: [Param; 2] = params![
    /// Events that start on this day or later.
    start_date: Schema::Date;
    /// Events that end on this day or earlier.
    end_date: Schema::Date;
];

/// Further bounds of time of lists of events and of occurrences.
pub(crate) const DATES: [Param; 5] = params![
    /// Events that start before this time.
    starts_before: Schema::Date;
    /// Events that start after this time.
    starts_after: Schema::Date;
    /// Events that end before this time.
    ends_before: Schema::Date;
    /// Events that end after this time.
    ends_after: Schema::Date;
    /// Whether the dates of filters are exact to the second; otherwise they mean the whole day.
    strict_dates: Schema::BooleanWord, default(DefaultValue::Text("false"));
];

/// Further parameters of lists of events.
pub(crate) const EVENTS: [Param; 18] = params![
    /// Categories by ID, slug or name, with their subcategories; one match suffices.
    categories: Schema::IdsOrNames;
    /// Tags by ID, slug or name; one match suffices.
    tags: Schema::IdsOrNames;
    /// IDs of venues; one match suffices.
    venue: Schema::Ids;
    /// IDs of organizers; one match suffices.
    organizer: Schema::Ids;
    /// Only featured events, or only others.
    featured: Schema::Boolean;
    /// Only events whose venue has coordinates, or only others.
    geoloc: Schema::Boolean;
    /// The latitude of the center of the search, together with `geoloc_lng`.
    geoloc_lat: Schema::Number { min: -90, max: 90 };
    /// The longitude of the center.
    geoloc_lng: Schema::Number { min: -180, max: 180 };
    /// The greatest distance of the venue from the center, in kilometres; more than 0.
    geoloc_distance: Schema::Number { min: 0, max: 20_000 }, default(DefaultValue::Number(25));
    /// IDs: only these events, at any date. The ID of a series gives the record of the series.
    include: Schema::Ids;
    /// The ID of an event: only its sub-events; of a series, its occurrences, too.
    post_parent: Schema::Positive;
    /// Only events with tickets, or only others.
    ticketed: Schema::Boolean;
    /// Events changed after this time.
    modified_after: Schema::Date;
    /// Events changed before this time.
    modified_before: Schema::Date;
    /// The field to order by. With `include`, the default is the publication date.
    orderby: Schema::OneOf(&EVENT_ORDERS.words()), default(DefaultValue::Conditional("start_date"));
    ORDER;
    /// Whether a series counts once: by its first occurrence that the list has.
    hide_subsequent_recurrences: Schema::BooleanWord, default(DefaultValue::Text("false"));
    /// Whether a series is listed by its occurrences. `false` lists each series once, as its own
    /// record, if the list has one of its occurrences.
    expand: Schema::BooleanWord, default(DefaultValue::Text("true"));
];

/// Further parameters of lists of occurrences.
pub(crate) const OCCURRENCES: [Param; 3] = params![
    ORDER;
    /// Only cancelled occurrences, or only others.
    cancelled: Schema::Boolean;
    /// Only occurrences with fields of their own, or only others.
    own: Schema::Boolean;
];

/// Further parameters of lists of venues and organizers.
pub(crate) const PLACES: [Param; 3] = params![
    /// The ID of an event: only records linked to it.
    event: Schema::Positive;
    /// Only records with linked events, or only others.
    has_events: Schema::LooseBoolean;
    /// Only records of events that start now or later.
    only_with_upcoming: Schema::LooseBoolean, default(DefaultValue::Flag(false));
];

/// Further parameters of lists of categories and tags.
pub(crate) const TERMS: [Param; 9] = params![
    /// A text that the name or the slug contains.
    search: Schema::Search, example("out");
    /// IDs to exclude.
    exclude: Schema::Ids;
    /// IDs: only these.
    include: Schema::Ids;
    ORDER;
    /// The field to order by.
    orderby: Schema::OneOf(&TERM_ORDERS.words()), default(DefaultValue::Text("name"));
    /// Whether terms without a published event are left out.
    hide_empty: Schema::Boolean, default(DefaultValue::Flag(true));
    /// The same as `event`, which takes precedence.
    post: Schema::Positive;
    /// The ID of an event: only its terms.
    event: Schema::Positive;
    /// A slug; in the namespace of the host, a list of slugs.
    slug: Schema::Text;
];

/// The parent filter of lists of categories.
pub(crate) const CHILDREN: Param = param! {
    /// The ID of a category: only its direct subcategories; 0 for the top level.
    parent: Schema::Id
};
