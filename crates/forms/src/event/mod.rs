//! The fields of an event.

mod cost;
mod links;
mod query;
mod recurrence;
mod series;
mod tickets;

use app::{
    event::{EventFields, EventQuery, EventWrite, FlagChanges, SeriesChange},
    fault::Fault,
    request::Purpose,
    write::Change,
};
use domain::{Event, Kind, Secret, cost::Currency, slug::Slug, text::Title, web_url::WebUrl};
use serde_json::{Map, Value};

use crate::{
    entry::{self, Names},
    field::{DefaultValue, Output, Param, Schema, values, written},
    input::{Input, Reading},
    kind::{Form, needed},
    list::Span,
};

pub(crate) use query::{BOUNDS, OCCURRENCE_DAYS, window};
pub use {
    query::OPENING_PASSWORD,
    recurrence::RECURRENCE_MEMBERS,
    series::{SCOPE, WHICH_OCCURRENCES},
    tickets::TICKET_MEMBERS,
};

declare! {
    /// The title. Markup is removed.
    TITLE: Title, Schema::Title, example("River cleanup") => values::title, written::text as Title;
    /// The start, in the time zone `timezone`. A value with its own offset is converted.
    START_DATE: StartDate, Schema::Date, example("2027-04-17 09:00:00");
    /// The end, not before the start.
    END_DATE: EndDate, Schema::Date, example("2027-04-17 12:00:00");
    /// The short text, at most 200,000 bytes; empty for none.
    EXCERPT: Excerpt, Schema::Html, example("With tea.");
    /// The slug, unique; by default made from the title.
    SLUG: Slug, Schema::Text, example("river-cleanup") => values::slug, written::text as Slug;
    /// The time zone: an IANA name, `UTC`, or an offset such as `UTC+2` or `+02:00`; empty for that
    /// of the site.
    TIMEZONE: TimeZone, Schema::Zone, example("Europe/Paris");
    /// Whether the event lasts whole days. The default of a new event is `false`.
    ALL_DAY: AllDay, Schema::Boolean, default(DefaultValue::Flag(false)) => values::boolean, written::json as bool;
    /// Whether the event is cancelled. Lists still show it.
    CANCELLED: Cancelled, Schema::Boolean => values::boolean, written::json as bool;
    /// The cost: a number, a text such as `€5` or `10-20`, or a list of these; at most 20 amounts
    /// and 500 characters; empty for none.
    COST: Cost, Schema::Cost, example("€4");
    /// The amounts of the cost with their symbol, as answers have them, instead of `cost`; without effect beside
    /// it.
    COST_DETAILS: CostDetails, Schema::CostDetails;
    /// The ISO 4217 code of the currency of the cost; empty for none.
    CURRENCY: Currency, Schema::Currency, example("EUR") => values::currency, written::currency as Currency;
    /// The website (http or https), at most 2,048 bytes; empty for none. An internationalized URL
    /// is stored as ASCII.
    WEBSITE: Website, Schema::Url, default(DefaultValue::Null), example("https://rivers.example/cleanup") => values::web_url, written::text as WebUrl;
    /// Whether pages show a map.
    SHOW_MAP: ShowMap, Schema::Boolean => values::boolean, written::json as bool;
    /// Whether pages link to a map.
    SHOW_MAP_LINK: ShowMapLink, Schema::Boolean => values::boolean, written::json as bool;
    /// Whether lists leave the event out.
    HIDE_FROM_LISTINGS: HideFromListings, Schema::Boolean => values::boolean, written::json as bool;
    /// Whether calendars show the event first.
    STICKY: Sticky, Schema::Boolean => values::boolean, written::json as bool;
    /// Whether the event is featured.
    FEATURED: Featured, Schema::Boolean => values::boolean, written::json as bool;
    /// Categories by ID or name, which replace the former ones. An unknown name creates a category,
    /// if the caller may.
    CATEGORIES: Categories, Schema::Terms, default(DefaultValue::Null), example("Outdoor");
    /// Tags by ID or name, as for categories.
    TAGS: Tags, Schema::Terms, default(DefaultValue::Null), example("river");
    /// The ID of the venue, or its fields. A venue of the same name is reused, otherwise one is
    /// created. If several values are sent, the first is used.
    VENUE: Venue, Schema::Venue, default(DefaultValue::Null);
    /// IDs of organizers, or their fields, as for the venue.
    ORGANIZER: Organizer, Schema::Organizers, default(DefaultValue::Null);
    /// The password that locks the content; empty for none. In the body only.
    PASSWORD: Password, Schema::AnyText => password, written::secret as Secret;
    /// The ID of the parent event; 0 for none.
    PARENT: Parent, Schema::Id => values::integer, written::json as i64;
    /// The tickets, at most 100, which replace the former ones.
    TICKETS: Tickets, Schema::Tickets;
    /// When the event repeats: a rule of RFC 5545, a list of the lines RRULE, RDATE and EXDATE, or an
    /// object; empty for an event that does not repeat. The start is the first occurrence.
    RECURRENCE: Recurrence, Schema::Recurrence;
}

/// The fields that only events have, in the order of the interface.
const FIELDS: [Param; 22] = [
    EXCERPT,
    SLUG.param,
    TIMEZONE,
    ALL_DAY.param,
    CANCELLED.param,
    COST,
    COST_DETAILS,
    CURRENCY.param,
    WEBSITE.param,
    SHOW_MAP.param,
    SHOW_MAP_LINK.param,
    HIDE_FROM_LISTINGS.param,
    STICKY.param,
    FEATURED.param,
    CATEGORIES,
    TAGS,
    VENUE,
    ORGANIZER,
    PASSWORD.param,
    PARENT.param,
    TICKETS,
    RECURRENCE,
];

const NAMES: Names<'_> = Names {
    kind: Kind::Event,
    title: &TITLE,
    excerpt: Some(&EXCERPT),
    slug: Some(&SLUG),
};

impl Form for Event {
    fn fields(purpose: Purpose) -> Vec<Param> {
        let named = [TITLE.param, START_DATE, END_DATE].map(|param| needed(param, purpose));
        let mut fields = [&named[..], &entry::FIELDS, &FIELDS].concat();
        if purpose == Purpose::Update {
            fields.extend(WHICH_OCCURRENCES);
            fields.extend(series::OCCURRENCE);
        }
        fields
    }

    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> EventWrite {
        let shared = entry::read_shared(input, &NAMES, reading, purpose);
        let own = read_own(input, reading, purpose);
        EventWrite { shared, own }
    }

    fn write(write: &EventWrite) -> Map<String, Value> {
        let mut output = Output::default();
        let EventWrite { shared, own } = write;
        entry::write_shared(&mut output, &NAMES, shared);
        write_own(&mut output, own);
        output.into_fields()
    }

    fn filters() -> Vec<Param> {
        query::filters()
    }

    fn read_query(input: &mut Input<'_>, reading: Reading<'_>, span: Span) -> EventQuery {
        query::read(input, reading, span)
    }
}

/// Reads the fields that only events have. For a new event, start and end are required.
fn read_own(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> EventFields {
    let site_zone = reading.zone();
    if purpose == Purpose::Create {
        input.require(&START_DATE);
        input.require(&END_DATE);
    }
    let zone = input.read(&TIMEZONE, |value| values::zone(value, site_zone));
    let mut date = |field| {
        let zone = zone.as_ref().unwrap_or(site_zone);
        input.read(field, |value| {
            values::date(value, zone, reading.now)?;
            values::date_text(value)
        })
    };
    let (start, end) = (date(&START_DATE), date(&END_DATE));
    let strict = input.is_strict();
    EventFields {
        zone: zone.clone(),
        start,
        end,
        all_day: input.take(&ALL_DAY),
        series_start: None,
        recurrence: input.read(&RECURRENCE, |value| {
            let zone = zone.as_ref().unwrap_or(site_zone);
            recurrence::read(value, zone, reading.now)
        }),
        series: match purpose {
            Purpose::Create => SeriesChange::default(),
            Purpose::Update => series::read(input),
        },
        cost: cost::read(input, [&COST, &COST_DETAILS]),
        currency: input.take_clearable(&CURRENCY),
        tickets: input.read(&TICKETS, |value| tickets::read(value, strict, reading)),
        website: input.take_clearable(&WEBSITE),
        flags: FlagChanges {
            cancelled: input.take(&CANCELLED),
            show_map: input.take(&SHOW_MAP),
            show_map_link: input.take(&SHOW_MAP_LINK),
            hide_from_listings: input.take(&HIDE_FROM_LISTINGS),
            sticky: input.take(&STICKY),
            featured: input.take(&FEATURED),
        },
        // From the body alone: in the query, a password opens events.
        password: if input.is_in_body(&PASSWORD) {
            input.take_clearable(&PASSWORD)
        } else {
            Change::Keep
        },
        categories: links::terms_of(input, &CATEGORIES),
        tags: links::terms_of(input, &TAGS),
        venue: links::read_venue(input, &VENUE, reading),
        organizers: links::read_organizers(input, &ORGANIZER, reading),
        parent: input.take_parent(&PARENT),
    }
}

/// Writes the fields that only events have. The start of a series is no field: imports alone set it.
fn write_own(output: &mut Output, own: &EventFields) {
    let EventFields {
        zone,
        start,
        end,
        all_day,
        series_start: _,
        recurrence,
        series,
        cost,
        currency,
        tickets,
        website,
        flags,
        password,
        categories,
        tags,
        venue,
        organizers,
        parent,
    } = own;
    for (field, date) in [(&START_DATE, start), (&END_DATE, end)] {
        if let Some(date) = date {
            output.put(field, date.as_str());
        }
    }
    if let Some(zone) = zone {
        output.put(&TIMEZONE, zone.name());
    }
    output.set(&ALL_DAY, all_day.as_ref());
    if let Some(recurrence) = recurrence {
        output.put(&RECURRENCE, recurrence::write(recurrence));
    }
    series::write(output, series);
    if let Some(cost) = cost {
        cost::write(output, [&COST, &COST_DETAILS], cost);
    }
    output.change(&CURRENCY, currency);
    if let Some(tickets) = tickets {
        output.put(&TICKETS, tickets::write(tickets));
    }
    output.change(&WEBSITE, website);
    let FlagChanges {
        cancelled,
        show_map,
        show_map_link,
        hide_from_listings,
        sticky,
        featured,
    } = flags;
    for (field, flag) in [
        (&CANCELLED, cancelled),
        (&SHOW_MAP, show_map),
        (&SHOW_MAP_LINK, show_map_link),
        (&HIDE_FROM_LISTINGS, hide_from_listings),
        (&STICKY, sticky),
        (&FEATURED, featured),
    ] {
        output.set(field, flag.as_ref());
    }
    output.change(&PASSWORD, password);
    for (field, terms) in [(&CATEGORIES, categories), (&TAGS, tags)] {
        if let Some(terms) = terms {
            output.put(field, links::write_terms(terms));
        }
    }
    match venue {
        Change::Keep => {}
        Change::Clear => output.put(&VENUE, ""),
        Change::Set(venue) => output.put(&VENUE, links::write_place(venue)),
    }
    if let Some(organizers) = organizers {
        let organizers: Vec<_> = organizers.iter().map(links::write_place).collect();
        output.put(&ORGANIZER, organizers);
    }
    output.parent(&PARENT, parent);
}

fn password(value: &Value) -> Result<Secret, Fault> {
    values::owned_text(value).map(Secret::new)
}
