//! Parameters of lists: pages, filters and orders.

use app::{event::EVENT_ORDERS, term::TERM_ORDERS};
use domain::page::DEFAULT_PER_PAGE;

use super::{
    param::{DefaultValue, Param},
    schema::Schema,
};

/// Parameters of every list.
pub(crate) const PAGING: [Param; 2] = [
    Param::new("page", Schema::Positive, "The page of the list.").default(DefaultValue::Number(1)),
    Param::new(
        "per_page",
        Schema::Positive,
        "Records on a page; more than 100 count as 100.",
    )
    .default(DefaultValue::Number(DEFAULT_PER_PAGE)),
];

/// Parameters of lists of events, venues and organizers.
pub(crate) const ENTRIES: [Param; 2] = [
    Param::new("search", Schema::Search, "Words that must occur.").example("river"),
    Param::new(
        "status",
        Schema::Statuses,
        "Names of statuses, or `any`. Who cannot write may ask for `publish` and `any` only.",
    )
    .example("publish"),
];

/// `asc` or `desc`.
const ORDER: Param = Param::new(
    "order",
    Schema::OneOf(&["asc", "desc"]),
    "Ascending or descending.",
)
.default(DefaultValue::Text("asc"));

/// Further parameters of lists of events.
pub(crate) const EVENTS: [Param; 23] = [
    date("start_date", "Events that start on this day or later. Without any bound: since yesterday.")
        .default(DefaultValue::ListStart),
    date("end_date", "Events that end on this day or earlier. Without any bound: two years from now.")
        .default(DefaultValue::ListEnd),
    date("starts_before", "Events that start before."),
    date("starts_after", "Events that start after."),
    date("ends_before", "Events that end before."),
    date("ends_after", "Events that end after."),
    Param::new(
        "strict_dates",
        Schema::BooleanWord,
        "Whether the dates of filters count to the second; otherwise they stand for their whole day.",
    )
    .default(DefaultValue::Text("false")),
    Param::new("categories", Schema::IdsOrNames, "Categories by ID, slug or name, with all below them; one of them is enough."),
    Param::new("tags", Schema::IdsOrNames, "Tags by ID, slug or name; one of them is enough."),
    Param::new("venue", Schema::Ids, "IDs of venues; one of them is enough."),
    Param::new("organizer", Schema::Ids, "IDs of organizers; one of them is enough."),
    Param::new("featured", Schema::Boolean, "Only events that are featured, or only others."),
    Param::new("geoloc", Schema::Boolean, "Only events whose venue has coordinates, or only others."),
    Param::new(
        "geoloc_lat",
        Schema::Number { min: -90, max: 90 },
        "The latitude of a place near which the venue is, together with `geoloc_lng`.",
    ),
    Param::new("geoloc_lng", Schema::Number { min: -180, max: 180 }, "The longitude of that place."),
    Param::new(
        "geoloc_distance",
        Schema::Number { min: 0, max: 20_000 },
        "How far the venue may be from that place, in kilometres; more than 0.",
    )
    .default(DefaultValue::Number(25)),
    Param::new("include", Schema::Ids, "IDs: only these events, whenever they are."),
    Param::new("post_parent", Schema::Positive, "The ID of an event: only its parts."),
    Param::new("ticketed", Schema::Boolean, "Only events with tickets, or only others."),
    date("modified_after", "Events that were changed after."),
    date("modified_before", "Events that were changed before."),
    Param::new(
        "orderby",
        Schema::OneOf(&EVENT_ORDERS.words()),
        "What the order goes by; with `include` the publication date unless said otherwise.",
    )
    .default(DefaultValue::Conditional("start_date")),
    ORDER,
];

/// Further parameters of lists of venues and organizers.
pub(crate) const PLACES: [Param; 3] = [
    Param::new(
        "event",
        Schema::Positive,
        "The ID of an event: only those that it names.",
    ),
    Param::new(
        "has_events",
        Schema::LooseBoolean,
        "Only those that events are linked to, or only others.",
    ),
    Param::new(
        "only_with_upcoming",
        Schema::LooseBoolean,
        "Only those of events that start now or later.",
    )
    .default(DefaultValue::Flag(false)),
];

/// Further parameters of lists of categories and tags.
pub(crate) const TERMS: [Param; 9] = [
    Param::new(
        "search",
        Schema::Search,
        "A text that the name or the slug contains.",
    )
    .example("out"),
    Param::new("exclude", Schema::Ids, "IDs to leave out."),
    Param::new("include", Schema::Ids, "IDs: only these."),
    ORDER,
    Param::new(
        "orderby",
        Schema::OneOf(&TERM_ORDERS.words()),
        "What the order goes by.",
    )
    .default(DefaultValue::Text("name")),
    Param::new(
        "hide_empty",
        Schema::Boolean,
        "Whether those without a published event are left out.",
    )
    .default(DefaultValue::Flag(true)),
    Param::new(
        "post",
        Schema::Positive,
        "The same as `event`, which counts before.",
    ),
    Param::new(
        "event",
        Schema::Positive,
        "The ID of an event: only those that it carries.",
    ),
    Param::new("slug", Schema::Text, "A slug."),
];

/// The parent filter of lists of categories.
pub(crate) const CHILDREN: Param = Param::new(
    "parent",
    Schema::Id,
    "The ID of a category: only those directly below it; 0 for the top.",
);

const fn date(name: &'static str, description: &'static str) -> Param {
    Param::new(name, Schema::Date, description)
}
