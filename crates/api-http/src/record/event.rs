//! Events as JSON.

use std::borrow::Cow;

use app::event::EventView;
use domain::{
    Kind,
    cost::{Cost, Currency, Position},
    event::{EventDetails, Repetition},
    slug::Slug,
    text::escape_markup,
    time::{EventTime, NaiveDateTime},
};
use http_service::{
    record::{event_url, json_ld, shown_id},
    site::Site,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Extent, OrganizerRecord, TermRecord, VenueRecord,
    entry::{EntryHead, GlobalId, shown_image},
    image::ImageOrFalse,
    series::{ChangesRecord, RecurrenceRecord, SeriesRecord},
    ticket::TicketRecord,
    values::{DateTime, EmptyList, JsonLd, LanguageCode, Url, languages},
    warning::WarningRecord,
};

/// An event. While a password locks its content, texts are empty and flags are `null`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub(crate) struct EventRecord<'a> {
    /// The ID, unique among records of its kind.
    id: i64,
    #[serde(flatten)]
    global_id: GlobalId,
    #[serde(flatten)]
    entry: EntryHead,
    /// The URL in this interface.
    rest_url: Url,
    /// `true` for a cancelled event; otherwise there is no such field, nor while locked.
    #[serde(skip_serializing_if = "Option::is_none")]
    cancelled: Option<bool>,
    /// The start before the event was moved, in the time zone of the event; only for 30 days, and not
    /// while locked.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_start_date: Option<DateTime>,
    /// The time at which somebody said that the event is still right, in UTC; only for callers who may change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_at: Option<DateTime>,
    /// The title, plain text.
    title: Cow<'a, str>,
    /// The long text, HTML.
    description: &'a str,
    /// The short text, HTML.
    excerpt: &'a str,
    /// The slug; empty for drafts without one.
    slug: &'a str,
    /// The image, or `false`.
    image: ImageOrFalse,
    #[serde(flatten)]
    time: TimeFields<'a>,
    /// The cost as text.
    cost: String,
    cost_details: CostDetails,
    /// The website; without one, the URL of the HTML page.
    website: Cow<'a, str>,
    /// Whether pages show a map. `null` while locked.
    show_map: Option<bool>,
    /// Whether pages link to a map. `null` while locked.
    show_map_link: Option<bool>,
    /// Whether lists leave the event out. `null` while locked.
    hide_from_listings: Option<bool>,
    /// Whether calendars show the event first. `null` while locked.
    sticky: Option<bool>,
    /// Whether the event is featured. `null` while locked.
    featured: Option<bool>,
    /// The categories, ordered by name.
    categories: Vec<TermRecord<'a>>,
    /// The tags, ordered by name.
    tags: Vec<TermRecord<'a>>,
    /// The venue, or an empty list.
    venue: OneOrNone<VenueRecord<'a>>,
    /// The organizers, in their order.
    organizer: Vec<OrganizerRecord<'a>>,
    /// Always empty.
    custom_fields: EmptyList,
    /// The ID of the parent event; 0 if there is none or the caller may not see it.
    parent: i64,
    /// The tickets.
    tickets: Vec<TicketRecord<'a>>,
    /// Whether the event has tickets. `null` while locked.
    ticketed: Option<bool>,
    /// The language of the original texts.
    language: LanguageCode,
    /// The languages of the texts, the original first.
    translations: Vec<LanguageCode>,
    /// Only of a series.
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<RecurrenceRecord>,
    /// Only of an occurrence.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<SeriesRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence_changes: Option<ChangesRecord>,
    /// Only of a write: the values that had no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<JsonLd>,
}

/// The time of an event.
#[derive(Debug, Serialize, JsonSchema)]
struct TimeFields<'a> {
    /// Whether the event lasts whole days. `null` while locked.
    all_day: Option<bool>,
    /// The start, in the time zone of the event.
    start_date: DateTime,
    start_date_details: DateDetails,
    /// The end, in the time zone of the event.
    end_date: DateTime,
    end_date_details: DateDetails,
    /// The start, in UTC.
    utc_start_date: DateTime,
    utc_start_date_details: DateDetails,
    /// The end, in UTC.
    utc_end_date: DateTime,
    utc_end_date_details: DateDetails,
    /// The time zone.
    timezone: &'a str,
    /// The abbreviation of the time zone at the start.
    timezone_abbr: String,
}

impl<'a> TimeFields<'a> {
    fn new(when: &'a EventTime, open: bool) -> Self {
        let civil = |moment: NaiveDateTime| {
            let date = DateTime::from(moment);
            let details = DateDetails::new(&date);
            (date, details)
        };
        let (start_date, start_date_details) = civil(when.start().local);
        let (end_date, end_date_details) = civil(when.end().local);
        let (utc_start_date, utc_start_date_details) = civil(when.start().utc.civil());
        let (utc_end_date, utc_end_date_details) = civil(when.end().utc.civil());
        Self {
            all_day: open.then_some(when.all_day()),
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
        }
    }
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

/// The cost of an event, in parts.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct CostDetails {
    /// The currency symbol common to all amounts, or an empty text.
    currency_symbol: String,
    /// The ISO 4217 code of the currency, or an empty text.
    currency_code: &'static str,
    /// The position of the symbol.
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
        let (event, open) = (&view.event, view.open);
        let id = shown_id(event.id);
        let EventDetails {
            uid: _,
            sequence: _,
            when,
            rescheduling: _,
            cancelled,
            repetition,
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
        let if_open = |flag: bool| open.then_some(flag);
        let website = match website {
            _ if !open => Cow::Borrowed(""),
            Some(website) => Cow::Borrowed(website.as_str()),
            None => Cow::Owned(site.page(Kind::Event, id, event.slug.as_ref())),
        };
        let venue = view.venue.as_deref().filter(|_| open);
        let (recurrence, series) = match repetition {
            Repetition::Once => (None, None),
            Repetition::Series(series) => (Some(RecurrenceRecord::new(id, series, site)), None),
            Repetition::Occurrence(one) => {
                let series = view.series.as_deref();
                (
                    None,
                    series.and_then(|series| SeriesRecord::new(series, one, open, site)),
                )
            }
        };
        let by_slot = series.as_ref().filter(|_| event.id.is_none());
        Self {
            id,
            global_id: by_slot.map_or_else(
                || GlobalId::new(Kind::Event, id, site),
                |series| series.global_id(site),
            ),
            entry: EntryHead::new(id, event, view.status, site),
            rest_url: Url(event_url(view, site)),
            cancelled: (open && *cancelled).then_some(true),
            previous_start_date: view.previous_start.map(|start| start.local.into()),
            verified_at: view.verified_at.map(Into::into),
            title: escape_markup(event.title.as_str()),
            description: if open { event.description.as_str() } else { "" },
            excerpt: if open { event.excerpt.as_str() } else { "" },
            slug: event.slug.as_ref().map_or("", Slug::as_str),
            image: shown_image(view.image.as_ref().filter(|_| open), view.language, site).into(),
            time: TimeFields::new(when, open),
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
            categories: if_unlocked(open, &view.categories, |term| TermRecord::new(term, site)),
            tags: if_unlocked(open, &view.tags, |term| TermRecord::new(term, site)),
            venue: venue.map_or(OneOrNone::None(EmptyList::default()), |venue| {
                OneOrNone::One(Box::new(VenueRecord::new(venue, site, extent)))
            }),
            organizer: if_unlocked(open, &view.organizers, |organizer| {
                OrganizerRecord::new(organizer, site, extent)
            }),
            custom_fields: EmptyList::default(),
            parent: shown_id(view.parent.filter(|_| open)),
            tickets: if_unlocked(open, tickets, |ticket| {
                TicketRecord::new(ticket, when.zone())
            }),
            ticketed: if_open(!tickets.is_empty()),
            language: event.language.into(),
            translations: languages(&event.content),
            recurrence,
            series,
            recurrence_changes: view.changes.as_ref().map(Into::into),
            warnings: WarningRecord::all(&view.warnings, view.language),
            json_ld: extent.json_ld(|| json_ld::event(view, site)),
        }
    }
}

/// The records of a list in an event; none while a password locks its content.
fn if_unlocked<'a, T, U>(open: bool, all: &'a [T], record: impl Fn(&'a T) -> U) -> Vec<U> {
    if open {
        all.iter().map(record).collect()
    } else {
        Vec::new()
    }
}
