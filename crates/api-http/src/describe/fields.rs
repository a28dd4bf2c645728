//! Parameters of writes, and of requests for one record.

use super::{
    param::{DefaultValue, Param, param, params},
    schema::Schema,
};

/// The language; a parameter of every operation.
pub(crate) const LANGUAGE: Param = param! {
    /// The language of texts and messages. The default is that of the path, then that of the site.
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

/// The slot of an occurrence in the path.
pub(crate) const RECURRENCE_ID: Param = param! {
    /// The slot of the occurrence: a wall clock in the time zone of the series, an instant with `Z`,
    /// or a day that has one slot.
    recurrence_id: Schema::Text, required(), example("2027-04-17T09:00:00")
};

/// The occurrences that a write on one of them changes.
pub(crate) const SCOPE: Param = param! {
    /// The occurrences of a series to change: `this` one, this and all `following` ones, or `all`. The
    /// default of a series is `all`, its only value.
    scope: Schema::OneOf(&["this", "following", "all"]), default(DefaultValue::Conditional("this"))
};

/// The password of an event, in the query.
pub(crate) const OPENING_PASSWORD: Param = param! {
    /// The password of an event whose content is locked.
    password: Schema::Text
};

/// Whether a deletion is permanent.
pub(crate) const FORCE: Param = param! {
    /// Delete permanently, also from the trash. Categories and tags have no trash: they are always
    /// deleted permanently.
    force: Schema::Boolean, default(DefaultValue::Flag(false))
};

/// The options of an import.
pub(crate) const IMPORT: [Param; 7] = params![
    /// The name of the source. An import updates only what an import from the same source brought.
    source: Schema::Text, default(DefaultValue::Text("import"));
    /// The fields of known events that change: all, none, or those that are empty.
    policy: Schema::OneOf(&["overwrite", "keep", "fill-blanks"]), default(DefaultValue::Text("overwrite"));
    /// The time zone of wall clocks for which the file names none. The default is that of the site.
    timezone: Schema::Zone, example("Europe/Paris");
    /// Put those events of the source into the trash that have not ended and that the file has no longer.
    prune: Schema::Boolean, default(DefaultValue::Flag(false));
    /// Store nothing, and answer as if the file were imported.
    dry_run: Schema::Boolean, default(DefaultValue::Flag(false));
    /// The kind of the rows of a table.
    kind: Schema::OneOf(&["events", "venues", "organizers"]), default(DefaultValue::Text("events"));
    /// The order of day and month in dates of a table such as 5/12/2027. The default is the order that other dates of the table tell, else the order of the language.
    date_order: Schema::OneOf(&["mdy", "dmy"]), example("dmy");
];

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
    /// The start, in the time zone `timezone`. A value with its own offset is converted.
    start_date: Schema::Date, example("2027-04-17 09:00:00");
    /// The end, not before the start.
    end_date: Schema::Date, example("2027-04-17 12:00:00");
];

/// Fields of events, venues and organizers.
pub(crate) const ENTRY: [Param; 6] = params![
    /// The ID of the user who owns the record; by default the caller. Another user requires the
    /// right to edit all records.
    author: Schema::Positive;
    /// The publication date, in the time zone of the site. A future date schedules the record.
    date: Schema::Date, example("2027-01-04 08:30:00");
    /// The publication date in UTC; it takes precedence over `date`.
    date_utc: Schema::Date, example("2027-01-04 07:30:00");
    /// The long text, at most 200,000 bytes. Formatting is preserved, scripts are removed; empty
    /// for none.
    description: Schema::Html, example("Bring gloves.");
    /// The status. `publish` of a contributor becomes `pending`.
    status: Schema::Status, example("publish");
    /// The ID of an image, or an http(s) URL from which it is fetched; empty for none.
    image: Schema::Image;
];

/// Further fields of an event.
pub(crate) const EVENT: [Param; 22] = params![
    /// The short text, at most 200,000 bytes; empty for none.
    excerpt: Schema::Html, example("With tea.");
    /// The slug, unique; by default made from the title.
    slug: Schema::Text, example("river-cleanup");
    /// The time zone: an IANA name, `UTC`, or an offset such as `UTC+2` or `+02:00`; empty for that
    /// of the site.
    timezone: Schema::Zone, example("Europe/Paris");
    /// Whether the event lasts whole days. The default of a new event is `false`.
    all_day: Schema::Boolean, default(DefaultValue::Flag(false));
    /// Whether the event is cancelled. Lists still show it.
    cancelled: Schema::Boolean;
    /// The cost: a number, a text such as `€5` or `10-20`, or a list of these; at most 20 amounts
    /// and 500 characters; empty for none.
    cost: Schema::Cost, example("€4");
    /// The amounts of the cost with their symbol, as answers have them, instead of `cost`; without effect beside
    /// it.
    cost_details: Schema::CostDetails;
    /// The ISO 4217 code of the currency of the cost; empty for none.
    currency: Schema::Currency, example("EUR");
    /// The website (http or https), at most 2,048 bytes; empty for none. An internationalized URL
    /// is stored as ASCII.
    website: Schema::Url, default(DefaultValue::Null), example("https://rivers.example/cleanup");
    /// Whether pages show a map.
    show_map: Schema::Boolean;
    /// Whether pages link to a map.
    show_map_link: Schema::Boolean;
    /// Whether lists leave the event out.
    hide_from_listings: Schema::Boolean;
    /// Whether calendars show the event first.
    sticky: Schema::Boolean;
    /// Whether the event is featured.
    featured: Schema::Boolean;
    /// Categories by ID or name, which replace the former ones. An unknown name creates a category,
    /// if the caller may.
    categories: Schema::Terms, default(DefaultValue::Null), example("Outdoor");
    /// Tags by ID or name, as for categories.
    tags: Schema::Terms, default(DefaultValue::Null), example("river");
    /// The ID of the venue, or its fields. A venue of the same name is reused, otherwise one is
    /// created. If several values are sent, the first is used.
    venue: Schema::Venue, default(DefaultValue::Null);
    /// IDs of organizers, or their fields, as for the venue.
    organizer: Schema::Organizers, default(DefaultValue::Null);
    /// The password that locks the content; empty for none. In the body only.
    password: Schema::AnyText;
    /// The ID of the parent event; 0 for none.
    parent: Schema::Id;
    /// The tickets, at most 100, which replace the former ones.
    tickets: Schema::Tickets;
    /// When the event repeats: a rule of RFC 5545, a list of the lines RRULE, RDATE and EXDATE, or an
    /// object; empty for an event that does not repeat. The start is the first occurrence.
    recurrence: Schema::Recurrence;
];

/// Fields of a change of a series or an occurrence that the query may have, too.
pub(crate) const WHICH_OCCURRENCES: [Param; 3] = params![
    SCOPE;
    /// `reset` drops the own fields and cancellations of the occurrences in range.
    overrides: Schema::OneOf(&["keep", "reset"]), default(DefaultValue::Text("keep"));
    /// The fate of an occurrence with own fields that loses its slot: `trash`, or `keep`, which
    /// makes its slot an extra date.
    orphans: Schema::OneOf(&["trash", "keep"]), default(DefaultValue::Text("trash"));
];

/// Fields of a change of an occurrence.
pub(crate) const OCCURRENCE: [Param; 2] = params![
    /// Fields of an occurrence that follow the series again: their names, or `true` for all.
    reset: Schema::FieldNames;
    /// Make an occurrence an event of its own.
    detach: Schema::Boolean, default(DefaultValue::Flag(false));
];

/// Members of a recurrence as an object.
pub(crate) const RECURRENCE: [Param; 17] = params![
    /// The rule as text; not together with the members of a rule.
    rrule: Schema::AnyText;
    /// The unit that repeats, the only required member of a rule.
    frequency: Schema::OneOf(&["daily", "weekly", "monthly", "yearly"]);
    /// Every how many units.
    interval: Schema::Rule, default(DefaultValue::Number(1));
    /// The number of slots, the start included.
    count: Schema::Rule;
    /// The last day, wall clock or instant, inclusive; not together with `count`.
    until: Schema::Date;
    /// Weekdays: `mo`; in a month or year also numbered, such as `1mo` or `-1fr`.
    days: Schema::RuleList;
    /// Days of the month; negative ones count from its end.
    days_of_month: Schema::RuleList;
    /// Days of the year; negative ones count from its end.
    days_of_year: Schema::RuleList;
    /// Weeks of the year (ISO 8601); negative ones count from its end.
    weeks: Schema::RuleList;
    /// Months.
    months: Schema::RuleList;
    /// Hours of the day.
    hours: Schema::RuleList;
    /// Minutes of the hour.
    minutes: Schema::RuleList;
    /// Positions among the slots of one interval; negative ones count from its end.
    positions: Schema::RuleList;
    /// The first day of the week.
    week_start: Schema::AnyText;
    /// The substitute for a day that a month does not have: none, or its last day.
    missing_day: Schema::OneOf(&["skip", "last"]);
    /// Extra dates.
    rdate: Schema::RuleList;
    /// Deleted dates.
    exdate: Schema::RuleList;
];

/// Fields of a ticket.
pub(crate) const TICKET: [Param; 6] = params![
    /// The name.
    name: Schema::Title, required();
    /// The price: a number, or decimal digits as text; at most 15 digits, 4 of them decimals.
    price: Schema::Price, required();
    /// The ISO 4217 code of the currency.
    currency: Schema::CurrencyCode, required();
    /// The URL of the shop (http or https).
    url: Schema::Url;
    /// The start of sale, in the time zone of the event.
    available_from: Schema::Date;
    /// The end of sale, not before `available_from`.
    available_until: Schema::Date;
];

/// Further fields of a venue.
pub(crate) const VENUE: [Param; 13] = params![
    /// The street and number.
    address: Schema::Line, default(DefaultValue::Null), example("12 Mill Lane");
    /// The city.
    city: Schema::Line, default(DefaultValue::Null), example("Lyon");
    /// The country.
    country: Schema::Line, default(DefaultValue::Null), example("France");
    /// The province.
    province: Schema::Line, default(DefaultValue::Null);
    /// The state.
    state: Schema::Line, default(DefaultValue::Null);
    /// The state or province as shown; if empty, made from the others.
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
    /// The slug; by default made from the name.
    slug: Schema::Text, example("outdoor");
];

/// The parent of a category.
pub(crate) const PARENT: Param = param! {
    /// The ID of the parent category; 0 for none.
    parent: Schema::Id
};

const WEBSITE: Param = param! {
    /// The website (http or https), at most 2,048 bytes; empty for none. An internationalized URL
    /// is stored as ASCII.
    website: Schema::Url, default(DefaultValue::Null), example("https://mill.example/")
};

/// The fields of a secret feed.
pub(crate) const FEED: [Param; 2] = params![
    /// The name.
    name: Schema::Line, required(), example("My drafts");
    /// The query of the list that it shows: filters and dates as for the list of events.
    query: Schema::Line, example("status=any&categories=3");
];
