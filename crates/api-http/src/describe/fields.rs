//! Parameters of writes, and of requests for one record.

use super::{
    param::{DefaultValue, Param},
    schema::Schema,
};

/// The language; a parameter of every operation.
pub(crate) const LANGUAGE: Param = Param::new(
    "ml_language",
    Schema::Language,
    "The language of the texts and messages. Without it, that of the path counts, else the site's.",
);

/// The ID of a record in the path.
pub(crate) const ID: Param = Param::new("id", Schema::Id, "The ID of the record.")
    .required()
    .example("1");

/// The slug of a record in the path.
pub(crate) const SLUG: Param = Param::new(
    "slug",
    Schema::Text,
    "The slug of the record, in any of its languages and in any letter case.",
)
.required()
.example("river-cleanup");

/// The password of an event, in the query.
pub(crate) const OPENING_PASSWORD: Param = Param::new(
    "password",
    Schema::Text,
    "The password of an event whose content is locked.",
);

/// Whether a deletion is permanent.
pub(crate) const FORCE: Param = Param::new(
    "force",
    Schema::Boolean,
    "Delete for good, also from the trash. Categories and tags have no trash: they always go for good.",
)
.default(DefaultValue::Flag(false));

/// The name of an event.
pub(crate) const TITLE: Param =
    Param::new("title", Schema::Title, "The title. Markup is removed.").example("River cleanup");

/// The name of a venue.
pub(crate) const VENUE_NAME: Param =
    Param::new("venue", Schema::Title, "The name. Markup is removed.").example("Old Mill");

/// The name of an organizer.
pub(crate) const ORGANIZER_NAME: Param =
    Param::new("organizer", Schema::Title, "The name. Markup is removed.").example("Green Hands");

/// The name of a category or a tag.
pub(crate) const TERM_NAME: Param =
    Param::new("name", Schema::Title, "The name. Markup is removed.").example("Outdoor");

/// The start and the end of an event, required of a new one.
pub(crate) const EVENT_DATES: [Param; 2] = [
    Param::new(
        "start_date",
        Schema::Date,
        "When it starts, by the clocks of `timezone`; a value with an offset of its own is converted.",
    )
    .example("2027-04-17 09:00:00"),
    Param::new("end_date", Schema::Date, "When it ends, not before the start.")
        .example("2027-04-17 12:00:00"),
];

/// Fields of events, venues and organizers.
pub(crate) const ENTRY: [Param; 6] = [
    Param::new(
        "author",
        Schema::Positive,
        "The user who owns the record; the caller if not sent. Others need the right to edit everything.",
    ),
    Param::new(
        "date",
        Schema::Date,
        "The publication date, in the zone of the site. In the future it schedules the record.",
    )
    .example("2027-01-04 08:30:00"),
    Param::new(
        "date_utc",
        Schema::Date,
        "The publication date in UTC; it counts before `date`.",
    )
    .example("2027-01-04 07:30:00"),
    Param::new(
        "description",
        Schema::Html,
        "The long text, at most 200,000 bytes. Formatting is kept, scripts are removed; empty for none.",
    )
    .example("Bring gloves."),
    Param::new(
        "status",
        Schema::Status,
        "The status. What a contributor publishes becomes pending.",
    )
    .example("publish"),
    Param::new(
        "image",
        Schema::Image,
        "The ID of an image, or an http(s) address from which it is fetched; empty for none.",
    ),
];

/// Further fields of an event.
pub(crate) const EVENT: [Param; 19] = [
    Param::new("excerpt", Schema::Html, "The short text, at most 200,000 bytes; empty for none.").example("With tea."),
    Param::new(
        "slug",
        Schema::Text,
        "The name in addresses; made from the title if not sent, and unique.",
    )
    .example("river-cleanup"),
    Param::new(
        "timezone",
        Schema::Zone,
        "The time zone: an IANA name, `UTC`, or an offset such as `UTC+2` or `+02:00`; the site's if empty.",
    )
    .example("Europe/Paris"),
    Param::new("all_day", Schema::Boolean, "Whether it lasts whole days. A new event does not unless it is sent.").default(DefaultValue::Flag(false)),
    Param::new(
        "cost",
        Schema::Cost,
        "What it costs: a number, a text such as `€5` or `10-20`, or a list of these, at most 20 amounts and 500 characters; empty for nothing said.",
    )
    .example("€4"),
    Param::new("currency", Schema::Currency, "The currency of the cost by its three letters (ISO 4217); empty for none.")
        .example("EUR"),
    Param::new("website", Schema::Url, "Its web site (http or https), at most 2,048 bytes; empty for none. What is not ASCII is kept in ASCII.")
        .default(DefaultValue::Null)
        .example("https://rivers.example/cleanup"),
    Param::new("show_map", Schema::Boolean, "Whether pages show a map."),
    Param::new("show_map_link", Schema::Boolean, "Whether pages link to a map."),
    Param::new("hide_from_listings", Schema::Boolean, "Whether lists leave it out."),
    Param::new("sticky", Schema::Boolean, "Whether calendars show it first."),
    Param::new("featured", Schema::Boolean, "Whether it is featured."),
    Param::new(
        "categories",
        Schema::Terms,
        "Categories by ID or name; a name that is new makes one, if the caller may. They replace the former ones.",
    )
    .default(DefaultValue::Null)
    .example("Outdoor"),
    Param::new("tags", Schema::Terms, "Tags by ID or name, as categories.")
        .default(DefaultValue::Null)
        .example("river"),
    Param::new(
        "venue",
        Schema::Venue,
        "The ID of its venue, or the fields of one: of the same name it is used again, else it is made. Of several the first counts.",
    )
    .default(DefaultValue::Null),
    Param::new(
        "organizer",
        Schema::Organizers,
        "IDs of its organizers, or their fields, as for the venue.",
    )
    .default(DefaultValue::Null),
    Param::new(
        "password",
        Schema::AnyText,
        "The password that locks its content; empty for none. In the body only.",
    ),
    Param::new("parent", Schema::Id, "The event that this is a part of; 0 for none."),
    Param::new("tickets", Schema::Tickets, "Its tickets, at most 100, which replace the former ones."),
];

/// Fields of a ticket.
pub(crate) const TICKET: [Param; 6] = [
    Param::new("name", Schema::Title, "What it is called.").required(),
    Param::new(
        "price",
        Schema::Price,
        "The price: a number, or decimal digits as text; at most 15 digits, of which 4 are decimals.",
    )
    .required(),
    Param::new("currency", Schema::CurrencyCode, "The currency by its three letters (ISO 4217).")
        .required(),
    Param::new("url", Schema::Url, "Where it is sold (http or https)."),
    Param::new("available_from", Schema::Date, "Since when it is sold, by the clocks of the event."),
    Param::new("available_until", Schema::Date, "Until when it is sold, not before `available_from`."),
];

/// Further fields of a venue.
pub(crate) const VENUE: [Param; 13] = [
    line("address", "The street and number.").example("12 Mill Lane"),
    line("city", "The town.").example("Lyon"),
    line("country", "The country.").example("France"),
    line("province", "The province."),
    line("state", "The state."),
    line(
        "stateprovince",
        "The state or province as shown; made from the others if empty.",
    ),
    line("zip", "The postal code.").example("69001"),
    line("phone", "The phone number."),
    WEBSITE,
    Param::new(
        "show_map",
        Schema::LooseBoolean,
        "Whether its events show a map.",
    )
    .default(DefaultValue::Null),
    Param::new(
        "show_map_link",
        Schema::LooseBoolean,
        "Whether its events link to a map.",
    )
    .default(DefaultValue::Null),
    Param::new(
        "geo_lat",
        Schema::Coordinate { min: -90, max: 90 },
        "The latitude in degrees, together with `geo_lng`; both empty for none.",
    )
    .example("45.764"),
    Param::new(
        "geo_lng",
        Schema::Coordinate {
            min: -180,
            max: 180,
        },
        "The longitude in degrees.",
    )
    .example("4.8357"),
];

/// Further fields of an organizer.
pub(crate) const ORGANIZER: [Param; 3] = [
    line("phone", "The phone number.").example("+33 4 00 00 00 00"),
    WEBSITE,
    line("email", "The e-mail address.").example("hello@green.example"),
];

/// Further fields of a category or a tag.
pub(crate) const TERM: [Param; 2] = [
    Param::new(
        "description",
        Schema::Html,
        "A description; empty for none.",
    ),
    Param::new(
        "slug",
        Schema::Text,
        "The name in addresses; made from the name if not sent.",
    )
    .example("outdoor"),
];

/// The parent of a category.
pub(crate) const PARENT: Param =
    Param::new("parent", Schema::Id, "The category above it; 0 for none.");

const WEBSITE: Param = Param::new(
    "website",
    Schema::Url,
    "The web site (http or https), at most 2,048 bytes; empty for none. What is not ASCII is kept in ASCII.",
)
.default(DefaultValue::Null)
.example("https://mill.example/");

/// A text of one line, which may be empty.
const fn line(name: &'static str, description: &'static str) -> Param {
    Param::new(name, Schema::Line, description).default(DefaultValue::Null)
}
