//! The fields that can be written, and those that writes have beside them.

use super::{
    param::{Param, Preset},
    shape::Shape,
};

/// What every operation takes.
pub(crate) const LANGUAGE: Param = Param::new(
    "ml_language",
    Shape::Language,
    "The language of the texts and messages. Without it, that of the path counts, else the site's.",
);

/// The number of a record in the path.
pub(crate) const ID: Param = Param::new("id", Shape::Id, "The ID of the record.")
    .required()
    .such_as("1");

/// The slug of a record in the path.
pub(crate) const SLUG: Param = Param::new(
    "slug",
    Shape::Text,
    "The slug of the record, in any of its languages and in any letter case.",
)
.required()
.such_as("river-cleanup");

/// What opens the content of an event, in the query.
pub(crate) const OPENING_PASSWORD: Param = Param::new(
    "password",
    Shape::Text,
    "The password of an event whose content is locked.",
);

/// What a deletion takes.
pub(crate) const FORCE: Param = Param::new(
    "force",
    Shape::Boolean,
    "Delete for good, also from the trash. Categories and tags have no trash: they always go for good.",
)
.or(Preset::Flag(false));

/// The name of an event.
pub(crate) const TITLE: Param =
    Param::new("title", Shape::Title, "The title. Markup is removed.").such_as("River cleanup");

/// The name of a venue.
pub(crate) const VENUE_NAME: Param =
    Param::new("venue", Shape::Title, "The name. Markup is removed.").such_as("Old Mill");

/// The name of an organizer.
pub(crate) const ORGANIZER_NAME: Param =
    Param::new("organizer", Shape::Title, "The name. Markup is removed.").such_as("Green Hands");

/// The name of a category or a tag.
pub(crate) const TERM_NAME: Param =
    Param::new("name", Shape::Title, "The name. Markup is removed.").such_as("Outdoor");

/// When an event happens; required of a new one.
pub(crate) const EVENT_DATES: [Param; 2] = [
    Param::new(
        "start_date",
        Shape::Date,
        "When it starts, by the clocks of `timezone`; a value with an offset of its own is converted.",
    )
    .such_as("2027-04-17 09:00:00"),
    Param::new("end_date", Shape::Date, "When it ends, not before the start.")
        .such_as("2027-04-17 12:00:00"),
];

/// What events, venues and organizers share.
pub(crate) const ENTRY: [Param; 6] = [
    Param::new(
        "author",
        Shape::Positive,
        "The user who owns the record; the caller if not sent. Others need the right to edit everything.",
    ),
    Param::new(
        "date",
        Shape::Date,
        "The publication date, in the zone of the site. In the future it schedules the record.",
    )
    .such_as("2027-01-04 08:30:00"),
    Param::new(
        "date_utc",
        Shape::Date,
        "The publication date in UTC; it counts before `date`.",
    )
    .such_as("2027-01-04 07:30:00"),
    Param::new(
        "description",
        Shape::Html,
        "The long text, at most 200,000 bytes. Formatting is kept, scripts are removed; empty for none.",
    )
    .such_as("Bring gloves."),
    Param::new(
        "status",
        Shape::Status,
        "The status. What a contributor publishes becomes pending.",
    )
    .such_as("publish"),
    Param::new(
        "image",
        Shape::Image,
        "The ID of an image, or an http(s) address from which it is fetched; empty for none.",
    ),
];

/// What else an event has.
pub(crate) const EVENT: [Param; 19] = [
    Param::new("excerpt", Shape::Html, "The short text, at most 200,000 bytes; empty for none.").such_as("With tea."),
    Param::new(
        "slug",
        Shape::Text,
        "The name in addresses; made from the title if not sent, and unique.",
    )
    .such_as("river-cleanup"),
    Param::new(
        "timezone",
        Shape::Zone,
        "The time zone: an IANA name, `UTC`, or an offset such as `UTC+2` or `+02:00`; the site's if empty.",
    )
    .such_as("Europe/Paris"),
    Param::new("all_day", Shape::Boolean, "Whether it lasts whole days. A new event does not unless it is sent.").or(Preset::Flag(false)),
    Param::new(
        "cost",
        Shape::Cost,
        "What it costs: a number, a text such as `€5` or `10-20`, or a list of these, at most 20 amounts and 500 characters; empty for nothing said.",
    )
    .such_as("€4"),
    Param::new("currency", Shape::Currency, "The currency of the cost by its three letters (ISO 4217); empty for none.")
        .such_as("EUR"),
    Param::new("website", Shape::Url, "Its web site (http or https), at most 2,048 bytes; empty for none. What is not ASCII is kept in ASCII.")
        .or(Preset::Null)
        .such_as("https://rivers.example/cleanup"),
    Param::new("show_map", Shape::Boolean, "Whether pages show a map."),
    Param::new("show_map_link", Shape::Boolean, "Whether pages link to a map."),
    Param::new("hide_from_listings", Shape::Boolean, "Whether lists leave it out."),
    Param::new("sticky", Shape::Boolean, "Whether calendars show it first."),
    Param::new("featured", Shape::Boolean, "Whether it is featured."),
    Param::new(
        "categories",
        Shape::Terms,
        "Categories by ID or name; a name that is new makes one, if the caller may. They replace the former ones.",
    )
    .or(Preset::Null)
    .such_as("Outdoor"),
    Param::new("tags", Shape::Terms, "Tags by ID or name, as categories.")
        .or(Preset::Null)
        .such_as("river"),
    Param::new(
        "venue",
        Shape::Venue,
        "The ID of its venue, or the fields of one: of the same name it is used again, else it is made. Of several the first counts.",
    )
    .or(Preset::Null),
    Param::new(
        "organizer",
        Shape::Organizers,
        "IDs of its organizers, or their fields, as for the venue.",
    )
    .or(Preset::Null),
    Param::new(
        "password",
        Shape::Any,
        "The password that locks its content; empty for none. In the body only.",
    ),
    Param::new("parent", Shape::Id, "The event that this is a part of; 0 for none."),
    Param::new("tickets", Shape::Tickets, "Its tickets, at most 100, which replace the former ones."),
];

/// What else a venue has.
pub(crate) const VENUE: [Param; 13] = [
    line("address", "The street and number.").such_as("12 Mill Lane"),
    line("city", "The town.").such_as("Lyon"),
    line("country", "The country.").such_as("France"),
    line("province", "The province."),
    line("state", "The state."),
    line(
        "stateprovince",
        "The state or province as shown; made from the others if empty.",
    ),
    line("zip", "The postal code.").such_as("69001"),
    line("phone", "The phone number."),
    WEBSITE,
    Param::new("show_map", Shape::Loose, "Whether its events show a map.").or(Preset::Null),
    Param::new(
        "show_map_link",
        Shape::Loose,
        "Whether its events link to a map.",
    )
    .or(Preset::Null),
    Param::new(
        "geo_lat",
        Shape::Coordinate { min: -90, max: 90 },
        "The latitude in degrees, together with `geo_lng`; both empty for none.",
    )
    .such_as("45.764"),
    Param::new(
        "geo_lng",
        Shape::Coordinate {
            min: -180,
            max: 180,
        },
        "The longitude in degrees.",
    )
    .such_as("4.8357"),
];

/// What else an organizer has.
pub(crate) const ORGANIZER: [Param; 3] = [
    line("phone", "The phone number.").such_as("+33 4 00 00 00 00"),
    WEBSITE,
    line("email", "The e-mail address.").such_as("hello@green.example"),
];

/// What else a category or a tag has.
pub(crate) const TERM: [Param; 2] = [
    Param::new("description", Shape::Html, "A description; empty for none."),
    Param::new(
        "slug",
        Shape::Text,
        "The name in addresses; made from the name if not sent.",
    )
    .such_as("outdoor"),
];

/// What only a category has.
pub(crate) const PARENT: Param =
    Param::new("parent", Shape::Id, "The category above it; 0 for none.");

const WEBSITE: Param = Param::new(
    "website",
    Shape::Url,
    "The web site (http or https), at most 2,048 bytes; empty for none. What is not ASCII is kept in ASCII.",
)
.or(Preset::Null)
.such_as("https://mill.example/");

/// A one-line text that can be emptied.
const fn line(name: &'static str, description: &'static str) -> Param {
    Param::new(name, Shape::Line, description).or(Preset::Null)
}
