//! Events as JSON.

use std::borrow::Cow;

use app::event::EventView;
use domain::{
    Id, Kind,
    cost::{Cost, Currency, Position},
    event::EventDetails,
    slug::Slug,
    text::escape_markup,
    time::NaiveDateTime,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Extent, OrganizerRecord, TermRecord, VenueRecord,
    entry::{EntryHead, GlobalId, shown_image},
    image::ImageOrFalse,
    json_ld,
    ticket::TicketRecord,
    values::{DateTime, EmptyList, JsonLd, LanguageCode, Url, languages},
};
use crate::site::Site;

/// An event. While a password locks its content, texts are empty and flags are `null`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub(crate) struct EventRecord<'a> {
    /// Its number among its kind.
    id: i64,
    #[serde(flatten)]
    global_id: GlobalId,
    #[serde(flatten)]
    entry: EntryHead,
    /// Its address in this interface.
    rest_url: Url,
    /// The title, plain text.
    title: Cow<'a, str>,
    /// The long text, HTML.
    description: &'a str,
    /// The short text, HTML.
    excerpt: &'a str,
    /// Its name in addresses; empty for drafts without one.
    slug: &'a str,
    /// Its picture, or `false`.
    image: ImageOrFalse,
    /// Whether it lasts whole days. `null` while locked.
    all_day: Option<bool>,
    /// When it starts, by the clocks of its zone.
    start_date: DateTime,
    start_date_details: DateDetails,
    /// When it ends, by the clocks of its zone.
    end_date: DateTime,
    end_date_details: DateDetails,
    /// When it starts, in UTC.
    utc_start_date: DateTime,
    utc_start_date_details: DateDetails,
    /// When it ends, in UTC.
    utc_end_date: DateTime,
    utc_end_date_details: DateDetails,
    /// Its time zone.
    timezone: &'a str,
    /// The letters of the zone at the start.
    timezone_abbr: String,
    /// What it costs, for people.
    cost: String,
    cost_details: CostDetails,
    /// Its web site, or its page.
    website: Cow<'a, str>,
    /// Whether pages show a map. `null` while locked.
    show_map: Option<bool>,
    /// Whether pages link to a map. `null` while locked.
    show_map_link: Option<bool>,
    /// Whether lists leave it out. `null` while locked.
    hide_from_listings: Option<bool>,
    /// Whether calendars show it first. `null` while locked.
    sticky: Option<bool>,
    /// Whether it is featured. `null` while locked.
    featured: Option<bool>,
    /// Its categories, by name.
    categories: Vec<TermRecord<'a>>,
    /// Its tags, by name.
    tags: Vec<TermRecord<'a>>,
    /// Its venue, or an empty list.
    venue: OneOrNone<VenueRecord<'a>>,
    /// Its organizers, in their order.
    organizer: Vec<OrganizerRecord<'a>>,
    /// Further fields: none.
    custom_fields: EmptyList,
    /// The event that it is a part of, if the reader may see it; else 0.
    parent: i64,
    /// Its tickets.
    tickets: Vec<TicketRecord<'a>>,
    /// Whether it has tickets. `null` while locked.
    ticketed: Option<bool>,
    /// The language it was written in.
    language: LanguageCode,
    /// The languages it has texts in, its own first.
    translations: Vec<LanguageCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<JsonLd>,
}

/// A record, or an empty list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum OneOrNone<T> {
    One(Box<T>),
    /// No venue.
    None(EmptyList),
}

/// The parts of a date, padded with zeros.
#[derive(Debug, Serialize, JsonSchema)]
struct DateDetails {
    /// Four digits.
    #[schemars(regex(pattern = r"^\d{4}$"))]
    year: String,
    /// From 01 to 12.
    month: TwoDigits,
    /// From 01 to 31.
    day: TwoDigits,
    /// From 00 to 23.
    hour: TwoDigits,
    /// From 00 to 59.
    minutes: TwoDigits,
    /// From 00 to 59.
    seconds: TwoDigits,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline, extend("pattern" = r"^\d\d$"))]
struct TwoDigits(String);

impl DateDetails {
    fn new(DateTime(date): &DateTime) -> Self {
        // The format is fixed: `2027-04-17 09:00:00`.
        let part = |from: usize, to: usize| date.get(from..to).unwrap_or_default().to_owned();
        Self {
            year: part(0, 4),
            month: TwoDigits(part(5, 7)),
            day: TwoDigits(part(8, 10)),
            hour: TwoDigits(part(11, 13)),
            minutes: TwoDigits(part(14, 16)),
            seconds: TwoDigits(part(17, 19)),
        }
    }
}

/// What an event costs, in parts.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct CostDetails {
    /// The symbol that all amounts have, or nothing.
    currency_symbol: String,
    /// The currency by its three letters, or nothing.
    currency_code: &'static str,
    /// Where the symbol stands.
    #[schemars(extend("enum" = ["prefix", "postfix", ""]))]
    currency_position: &'static str,
    /// The amounts, ascending.
    #[schemars(inner(regex(pattern = r"^\d*\.?\d+$")))]
    values: Vec<String>,
}

impl CostDetails {
    fn new(cost: &Cost, currency: Option<Currency>) -> Self {
        Self {
            currency_symbol: escape_markup(cost.symbol()).into_owned(),
            currency_code: currency.map_or("", Currency::code),
            currency_position: match cost.position() {
                Some(Position::Prefix) => "prefix",
                Some(Position::Postfix) => "postfix",
                None => "",
            },
            values: cost.values(),
        }
    }
}

impl<'a> EventRecord<'a> {
    pub(crate) fn new(view: &'a EventView, site: &Site, extent: Extent) -> Self {
        let EventView {
            event,
            language: _,
            status,
            open,
            categories,
            tags,
            image,
            venue,
            organizers,
            parent,
        } = view;
        let EventDetails {
            uid: _,
            sequence: _,
            when,
            cost,
            currency,
            tickets,
            website,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
            categories: _,
            tags: _,
            venue: _,
            organizers: _,
            parent: _,
            password: _,
        } = &event.details;
        let open = *open;
        let if_open = |flag: bool| open.then_some(flag);
        let website = match website {
            _ if !open => Cow::Borrowed(""),
            Some(website) => Cow::Borrowed(website.as_str()),
            None => Cow::Owned(site.page(Kind::Event, event.id, event.slug.as_ref())),
        };
        let civil = |moment: NaiveDateTime| {
            let date = DateTime::from(moment);
            let details = DateDetails::new(&date);
            (date, details)
        };
        let (start_date, start_date_details) = civil(when.start().local);
        let (end_date, end_date_details) = civil(when.end().local);
        let (utc_start_date, utc_start_date_details) = civil(when.start().utc.civil());
        let (utc_end_date, utc_end_date_details) = civil(when.end().utc.civil());
        let venue = venue.as_deref().filter(|_| open);
        Self {
            id: event.id.get(),
            global_id: GlobalId::new(Kind::Event, event.id.get(), site),
            entry: EntryHead::new(event, *status, site),
            rest_url: Url(site.record(Kind::Event, event.id)),
            title: escape_markup(event.title.as_str()),
            description: if open { event.description.as_str() } else { "" },
            excerpt: if open { event.excerpt.as_str() } else { "" },
            slug: event.slug.as_ref().map_or("", Slug::as_str),
            image: shown_image(image.as_ref().filter(|_| open), site).into(),
            all_day: if_open(when.all_day()),
            start_date,
            start_date_details,
            end_date,
            end_date_details,
            utc_start_date,
            utc_start_date_details,
            utc_end_date,
            utc_end_date_details,
            timezone: when.zone().name(),
            timezone_abbr: when.zone().abbreviation(when.start().utc),
            cost: if open {
                escape_markup(&cost.shown(*currency, site.currency)).into_owned()
            } else {
                String::new()
            },
            cost_details: if open {
                CostDetails::new(cost, *currency)
            } else {
                CostDetails::default()
            },
            website,
            show_map: if_open(*show_map),
            show_map_link: if_open(*show_map_link),
            hide_from_listings: if_open(*hide_from_listings),
            sticky: if_open(*sticky),
            featured: if_open(*featured),
            categories: if_unlocked(open, categories, |term| TermRecord::new(term, site)),
            tags: if_unlocked(open, tags, |term| TermRecord::new(term, site)),
            venue: venue.map_or(OneOrNone::None(EmptyList::default()), |venue| {
                OneOrNone::One(Box::new(VenueRecord::new(venue, site, extent)))
            }),
            organizer: if_unlocked(open, organizers, |organizer| {
                OrganizerRecord::new(organizer, site, extent)
            }),
            custom_fields: EmptyList::default(),
            parent: parent.filter(|_| open).map_or(0, Id::get),
            tickets: if_unlocked(open, tickets, |ticket| {
                TicketRecord::new(ticket, when.zone())
            }),
            ticketed: if_open(!tickets.is_empty()),
            language: event.language.into(),
            translations: languages(&event.content),
            json_ld: extent.json_ld(|| json_ld::event(view, site)),
        }
    }
}

/// The records of a list of an event; none while a password locks its content.
fn if_unlocked<'a, T, U>(open: bool, all: &'a [T], record: impl Fn(&'a T) -> U) -> Vec<U> {
    if open {
        all.iter().map(record).collect()
    } else {
        Vec::new()
    }
}
