//! What lists can be narrowed and ordered by.

use app::{event::EVENT_ORDERS, term::TERM_ORDERS};
use domain::page::DEFAULT_PER_PAGE;

use super::{
    param::{Param, Preset},
    shape::Shape,
};

/// What every list takes.
pub(crate) const PAGING: [Param; 2] = [
    Param::new("page", Shape::Positive, "The page of the list.").or(Preset::Number(1)),
    Param::new(
        "per_page",
        Shape::Positive,
        "Records on a page; more than 100 count as 100.",
    )
    .or(Preset::Number(DEFAULT_PER_PAGE)),
];

/// What lists of events, venues and organizers share.
pub(crate) const ENTRIES: [Param; 2] = [
    Param::new("search", Shape::Search, "Words that must occur.").such_as("river"),
    Param::new(
        "status",
        Shape::Statuses,
        "Names of statuses, or `any`. Who cannot write may ask for `publish` and `any` only.",
    )
    .such_as("publish"),
];

/// `asc` or `desc`.
const ORDER: Param = Param::new(
    "order",
    Shape::OneOf(&["asc", "desc"]),
    "Ascending or descending.",
)
.or(Preset::Text("asc"));

/// What lists of events take beside.
pub(crate) const EVENTS: [Param; 23] = [
    date("start_date", "Events that start on this day or later. Without any bound: since yesterday.")
        .or(Preset::ListStart),
    date("end_date", "Events that end on this day or earlier. Without any bound: two years from now.")
        .or(Preset::ListEnd),
    date("starts_before", "Events that start before."),
    date("starts_after", "Events that start after."),
    date("ends_before", "Events that end before."),
    date("ends_after", "Events that end after."),
    Param::new(
        "strict_dates",
        Shape::Switch,
        "Whether the dates of filters count to the second; otherwise they stand for their whole day.",
    )
    .or(Preset::Text("false")),
    Param::new("categories", Shape::Named, "Categories by ID, slug or name, with all below them; one of them is enough."),
    Param::new("tags", Shape::Named, "Tags by ID, slug or name; one of them is enough."),
    Param::new("venue", Shape::Ids, "IDs of venues; one of them is enough."),
    Param::new("organizer", Shape::Ids, "IDs of organizers; one of them is enough."),
    Param::new("featured", Shape::Boolean, "Only events that are featured, or only others."),
    Param::new("geoloc", Shape::Boolean, "Only events whose venue has coordinates, or only others."),
    Param::new(
        "geoloc_lat",
        Shape::Number { min: -90, max: 90 },
        "The latitude of a place near which the venue is, together with `geoloc_lng`.",
    ),
    Param::new("geoloc_lng", Shape::Number { min: -180, max: 180 }, "The longitude of that place."),
    Param::new(
        "geoloc_distance",
        Shape::Number { min: 0, max: 20_000 },
        "How far the venue may be from that place, in kilometres; more than 0.",
    )
    .or(Preset::Number(25)),
    Param::new("include", Shape::Ids, "IDs: only these events, whenever they are."),
    Param::new("post_parent", Shape::Positive, "The ID of an event: only its parts."),
    Param::new("ticketed", Shape::Boolean, "Only events with tickets, or only others."),
    date("modified_after", "Events that were changed after."),
    date("modified_before", "Events that were changed before."),
    Param::new(
        "orderby",
        Shape::OneOf(&EVENT_ORDERS.words()),
        "What the order goes by; with `include` the publication date unless said otherwise.",
    )
    .or(Preset::Usual("start_date")),
    ORDER,
];

/// What lists of venues and organizers take beside.
pub(crate) const PLACES: [Param; 3] = [
    Param::new(
        "event",
        Shape::Positive,
        "The ID of an event: only those that it names.",
    ),
    Param::new(
        "has_events",
        Shape::Loose,
        "Only those that events are linked to, or only others.",
    ),
    Param::new(
        "only_with_upcoming",
        Shape::Loose,
        "Only those of events that start now or later.",
    )
    .or(Preset::Flag(false)),
];

/// What lists of categories and tags take beside.
pub(crate) const TERMS: [Param; 9] = [
    Param::new(
        "search",
        Shape::Search,
        "A text that the name or the slug contains.",
    )
    .such_as("out"),
    Param::new("exclude", Shape::Ids, "IDs to leave out."),
    Param::new("include", Shape::Ids, "IDs: only these."),
    ORDER,
    Param::new(
        "orderby",
        Shape::OneOf(&TERM_ORDERS.words()),
        "What the order goes by.",
    )
    .or(Preset::Text("name")),
    Param::new(
        "hide_empty",
        Shape::Boolean,
        "Whether those without a published event are left out.",
    )
    .or(Preset::Flag(true)),
    Param::new(
        "post",
        Shape::Positive,
        "The same as `event`, which counts before.",
    ),
    Param::new(
        "event",
        Shape::Positive,
        "The ID of an event: only those that it carries.",
    ),
    Param::new("slug", Shape::Text, "A slug."),
];

/// What only lists of categories take.
pub(crate) const CHILDREN: Param = Param::new(
    "parent",
    Shape::Id,
    "The ID of a category: only those directly below it; 0 for the top.",
);

const fn date(name: &'static str, description: &'static str) -> Param {
    Param::new(name, Shape::Date, description)
}
