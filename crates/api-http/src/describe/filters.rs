//! Parameters of lists: pages, filters and orders.

use app::{event::EVENT_ORDERS, term::TERM_ORDERS};
use domain::page::DEFAULT_PER_PAGE;

use super::{
    param::{DefaultValue, Param, param, params},
    schema::Schema,
};

/// Parameters of every list.
pub(crate) const PAGING: [Param; 2] = params![
    /// The page of the list.
    page: Schema::Positive, default(DefaultValue::Number(1));
    /// Records on a page; more than 100 count as 100.
    per_page: Schema::Positive, default(DefaultValue::Number(DEFAULT_PER_PAGE));
];

/// Parameters of lists of events, venues and organizers.
pub(crate) const ENTRIES: [Param; 2] = params![
    /// Words that must occur.
    search: Schema::Search, example("river");
    /// Names of statuses, or `any`. Who cannot write may ask for `publish` and `any` only.
    status: Schema::Statuses, example("publish");
];

/// `asc` or `desc`.
const ORDER: Param = param! {
    /// Ascending or descending.
    order: Schema::OneOf(&["asc", "desc"]), default(DefaultValue::Text("asc"))
};

/// Further parameters of lists of events.
pub(crate) const EVENTS: [Param; 23] = params![
    /// Events that start on this day or later. Without any bound: since yesterday.
    start_date: Schema::Date, default(DefaultValue::ListStart);
    /// Events that end on this day or earlier. Without any bound: two years from now.
    end_date: Schema::Date, default(DefaultValue::ListEnd);
    /// Events that start before.
    starts_before: Schema::Date;
    /// Events that start after.
    starts_after: Schema::Date;
    /// Events that end before.
    ends_before: Schema::Date;
    /// Events that end after.
    ends_after: Schema::Date;
    /// Whether the dates of filters count to the second; otherwise they stand for their whole day.
    strict_dates: Schema::BooleanWord, default(DefaultValue::Text("false"));
    /// Categories by ID, slug or name, with all below them; one of them is enough.
    categories: Schema::IdsOrNames;
    /// Tags by ID, slug or name; one of them is enough.
    tags: Schema::IdsOrNames;
    /// IDs of venues; one of them is enough.
    venue: Schema::Ids;
    /// IDs of organizers; one of them is enough.
    organizer: Schema::Ids;
    /// Only events that are featured, or only others.
    featured: Schema::Boolean;
    /// Only events whose venue has coordinates, or only others.
    geoloc: Schema::Boolean;
    /// The latitude of a place near which the venue is, together with `geoloc_lng`.
    geoloc_lat: Schema::Number { min: -90, max: 90 };
    /// The longitude of that place.
    geoloc_lng: Schema::Number { min: -180, max: 180 };
    /// How far the venue may be from that place, in kilometres; more than 0.
    geoloc_distance: Schema::Number { min: 0, max: 20_000 }, default(DefaultValue::Number(25));
    /// IDs: only these events, whenever they are.
    include: Schema::Ids;
    /// The ID of an event: only its parts.
    post_parent: Schema::Positive;
    /// Only events with tickets, or only others.
    ticketed: Schema::Boolean;
    /// Events that were changed after.
    modified_after: Schema::Date;
    /// Events that were changed before.
    modified_before: Schema::Date;
    /// What the order goes by; with `include` the publication date unless said otherwise.
    orderby: Schema::OneOf(&EVENT_ORDERS.words()), default(DefaultValue::Conditional("start_date"));
    ORDER;
];

/// Further parameters of lists of venues and organizers.
pub(crate) const PLACES: [Param; 3] = params![
    /// The ID of an event: only those that it names.
    event: Schema::Positive;
    /// Only those that events are linked to, or only others.
    has_events: Schema::LooseBoolean;
    /// Only those of events that start now or later.
    only_with_upcoming: Schema::LooseBoolean, default(DefaultValue::Flag(false));
];

/// Further parameters of lists of categories and tags.
pub(crate) const TERMS: [Param; 9] = params![
    /// A text that the name or the slug contains.
    search: Schema::Search, example("out");
    /// IDs to leave out.
    exclude: Schema::Ids;
    /// IDs: only these.
    include: Schema::Ids;
    ORDER;
    /// What the order goes by.
    orderby: Schema::OneOf(&TERM_ORDERS.words()), default(DefaultValue::Text("name"));
    /// Whether those without a published event are left out.
    hide_empty: Schema::Boolean, default(DefaultValue::Flag(true));
    /// The same as `event`, which counts before.
    post: Schema::Positive;
    /// The ID of an event: only those that it carries.
    event: Schema::Positive;
    /// A slug.
    slug: Schema::Text;
];

/// The parent filter of lists of categories.
pub(crate) const CHILDREN: Param = param! {
    /// The ID of a category: only those directly below it; 0 for the top.
    parent: Schema::Id
};
