//! Parameters of writes, and of requests for one record.

use super::{
    param::{DefaultValue, Param, param, params},
    schema::Schema,
};

/// The language; a parameter of every operation.
pub(crate) const LANGUAGE: Param = param! {
    /// The language of the texts and messages. Without it, that of the path counts, else the
    /// site's.
    ml_language: Schema::Language
};

/// Parameters of the index of routes.
pub(crate) const INDEX: [Param; 2] = params![
    /// The namespace to describe.
    namespace: Schema::Text, default(DefaultValue::Namespace);
    /// Accepted, without effect.
    context: Schema::Line, default(DefaultValue::Text("view"));
];

/// The ID of a record in the path.
pub(crate) const ID: Param = param! {
    /// The ID of the record.
    id: Schema::Id, required(), example("1")
};

/// The slug of a record in the path.
pub(crate) const SLUG: Param = param! {
    /// The slug of the record, in any of its languages and in any letter case.
    slug: Schema::Text, required(), example("river-cleanup")
};

/// The password of an event, in the query.
pub(crate) const OPENING_PASSWORD: Param = param! {
    /// The password of an event whose content is locked.
    password: Schema::Text
};

/// Whether a deletion is permanent.
pub(crate) const FORCE: Param = param! {
    /// Delete for good, also from the trash. Categories and tags have no trash: they always go for
    /// good.
    force: Schema::Boolean, default(DefaultValue::Flag(false))
};

/// The name of an event.
pub(crate) const TITLE: Param = param! {
    /// The title. Markup is removed.
    title: Schema::Title, example("River cleanup")
};

/// The name of a venue.
pub(crate) const VENUE_NAME: Param = param! {
    /// The name. Markup is removed.
    venue: Schema::Title, example("Old Mill")
};

/// The name of an organizer.
pub(crate) const ORGANIZER_NAME: Param = param! {
    /// The name. Markup is removed.
    organizer: Schema::Title, example("Green Hands")
};

/// The name of a category or a tag.
pub(crate) const TERM_NAME: Param = param! {
    /// The name. Markup is removed.
    name: Schema::Title, example("Outdoor")
};

/// The start and the end of an event, required of a new one.
pub(crate) const EVENT_DATES: [Param; 2] = params![
    /// When it starts, by the clocks of `timezone`; a value with an offset of its own is converted.
    start_date: Schema::Date, example("2027-04-17 09:00:00");
    /// When it ends, not before the start.
    end_date: Schema::Date, example("2027-04-17 12:00:00");
];

/// Fields of events, venues and organizers.
pub(crate) const ENTRY: [Param; 6] = params![
    /// The user who owns the record; the caller if not sent. Others need the right to edit
    /// everything.
    author: Schema::Positive;
    /// The publication date, in the zone of the site. In the future it schedules the record.
    date: Schema::Date, example("2027-01-04 08:30:00");
    /// The publication date in UTC; it counts before `date`.
    date_utc: Schema::Date, example("2027-01-04 07:30:00");
    /// The long text, at most 200,000 bytes. Formatting is kept, scripts are removed; empty for
    /// none.
    description: Schema::Html, example("Bring gloves.");
    /// The status. What a contributor publishes becomes pending.
    status: Schema::Status, example("publish");
    /// The ID of an image, or an http(s) address from which it is fetched; empty for none.
    image: Schema::Image;
];

/// Further fields of an event.
pub(crate) const EVENT: [Param; 19] = params![
    /// The short text, at most 200,000 bytes; empty for none.
    excerpt: Schema::Html, example("With tea.");
    /// The name in addresses; made from the title if not sent, and unique.
    slug: Schema::Text, example("river-cleanup");
    /// The time zone: an IANA name, `UTC`, or an offset such as `UTC+2` or `+02:00`; the site's if
    /// empty.
    timezone: Schema::Zone, example("Europe/Paris");
    /// Whether it lasts whole days. A new event does not unless it is sent.
    all_day: Schema::Boolean, default(DefaultValue::Flag(false));
    /// What it costs: a number, a text such as `€5` or `10-20`, or a list of these, at most 20
    /// amounts and 500 characters; empty for nothing said.
    cost: Schema::Cost, example("€4");
    /// The currency of the cost by its three letters (ISO 4217); empty for none.
    currency: Schema::Currency, example("EUR");
    /// Its web site (http or https), at most 2,048 bytes; empty for none. What is not ASCII is kept
    /// in ASCII.
    website: Schema::Url, default(DefaultValue::Null), example("https://rivers.example/cleanup");
    /// Whether pages show a map.
    show_map: Schema::Boolean;
    /// Whether pages link to a map.
    show_map_link: Schema::Boolean;
    /// Whether lists leave it out.
    hide_from_listings: Schema::Boolean;
    /// Whether calendars show it first.
    sticky: Schema::Boolean;
    /// Whether it is featured.
    featured: Schema::Boolean;
    /// Categories by ID or name; a name that is new makes one, if the caller may. They replace the
    /// former ones.
    categories: Schema::Terms, default(DefaultValue::Null), example("Outdoor");
    /// Tags by ID or name, as categories.
    tags: Schema::Terms, default(DefaultValue::Null), example("river");
    /// The ID of its venue, or the fields of one: of the same name it is used again, else it is
    /// made. Of several the first counts.
    venue: Schema::Venue, default(DefaultValue::Null);
    /// IDs of its organizers, or their fields, as for the venue.
    organizer: Schema::Organizers, default(DefaultValue::Null);
    /// The password that locks its content; empty for none. In the body only.
    password: Schema::AnyText;
    /// The event that this is a part of; 0 for none.
    parent: Schema::Id;
    /// Its tickets, at most 100, which replace the former ones.
    tickets: Schema::Tickets;
];

/// Fields of a ticket.
pub(crate) const TICKET: [Param; 6] = params![
    /// What it is called.
    name: Schema::Title, required();
    /// The price: a number, or decimal digits as text; at most 15 digits, of which 4 are decimals.
    price: Schema::Price, required();
    /// The currency by its three letters (ISO 4217).
    currency: Schema::CurrencyCode, required();
    /// Where it is sold (http or https).
    url: Schema::Url;
    /// Since when it is sold, by the clocks of the event.
    available_from: Schema::Date;
    /// Until when it is sold, not before `available_from`.
    available_until: Schema::Date;
];

/// Further fields of a venue.
pub(crate) const VENUE: [Param; 13] = params![
    /// The street and number.
    address: Schema::Line, default(DefaultValue::Null), example("12 Mill Lane");
    /// The town.
    city: Schema::Line, default(DefaultValue::Null), example("Lyon");
    /// The country.
    country: Schema::Line, default(DefaultValue::Null), example("France");
    /// The province.
    province: Schema::Line, default(DefaultValue::Null);
    /// The state.
    state: Schema::Line, default(DefaultValue::Null);
    /// The state or province as shown; made from the others if empty.
    stateprovince: Schema::Line, default(DefaultValue::Null);
    /// The postal code.
    zip: Schema::Line, default(DefaultValue::Null), example("69001");
    /// The phone number.
    phone: Schema::Line, default(DefaultValue::Null);
    WEBSITE;
    /// Whether its events show a map.
    show_map: Schema::LooseBoolean, default(DefaultValue::Null);
    /// Whether its events link to a map.
    show_map_link: Schema::LooseBoolean, default(DefaultValue::Null);
    /// The latitude in degrees, together with `geo_lng`; both empty for none.
    geo_lat: Schema::Coordinate { min: -90, max: 90 }, example("45.764");
    /// The longitude in degrees.
    geo_lng: Schema::Coordinate { min: -180, max: 180, }, example("4.8357");
];

/// Further fields of an organizer.
pub(crate) const ORGANIZER: [Param; 3] = params![
    /// The phone number.
    phone: Schema::Line, default(DefaultValue::Null), example("+33 4 00 00 00 00");
    WEBSITE;
    /// The e-mail address.
    email: Schema::Line, default(DefaultValue::Null), example("hello@green.example");
];

/// Further fields of a category or a tag.
pub(crate) const TERM: [Param; 2] = params![
    /// A description; empty for none.
    description: Schema::Html;
    /// The name in addresses; made from the name if not sent.
    slug: Schema::Text, example("outdoor");
];

/// The parent of a category.
pub(crate) const PARENT: Param = param! {
    /// The category above it; 0 for none.
    parent: Schema::Id
};

const WEBSITE: Param = param! {
    /// The web site (http or https), at most 2,048 bytes; empty for none. What is not ASCII is kept
    /// in ASCII.
    website: Schema::Url, default(DefaultValue::Null), example("https://mill.example/")
};
