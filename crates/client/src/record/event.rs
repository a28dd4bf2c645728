//! Events.

use domain::{
    EventId, Language, Status, UserId,
    term::{Categories, Tags},
    time::{NaiveDateTime, Timestamp},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ImageRecord, OrganizerRecord, RecurrenceChanges, RecurrenceRecord, SeriesRecord, TermRecord,
    VenueRecord, Warning,
    values::{id_or_zero, one_or_none, optional_utc, optional_wall, utc, wall},
};

/// An event. While a password locks its content, texts are empty and flags are `None`.
///
/// `L` is the form of its links: the linked records, or their IDs in a list of changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventRecord<L = LinkedRecords> {
    /// The ID, unique among records of its kind.
    pub id: EventId,
    /// The global identifier.
    pub global_id: String,
    /// All global identifiers that the record has had.
    pub global_id_lineage: Vec<String>,
    /// The user who owns the record.
    pub author: UserId,
    /// The status.
    pub status: Status,
    /// The publication date, in the time zone of the site.
    #[serde(with = "wall")]
    pub date: NaiveDateTime,
    /// The publication date in UTC.
    #[serde(with = "utc")]
    pub date_utc: Timestamp,
    /// The time of the last change, in the time zone of the site.
    #[serde(with = "wall")]
    pub modified: NaiveDateTime,
    /// The time of the last change in UTC.
    #[serde(with = "utc")]
    pub modified_utc: Timestamp,
    /// The URL of the HTML page.
    pub url: String,
    /// The URL in the interface.
    pub rest_url: String,
    /// Whether the event was called off.
    #[serde(default)]
    pub cancelled: bool,
    /// The start before the event was moved, in its time zone; only for 30 days.
    #[serde(default, with = "optional_wall")]
    pub previous_start_date: Option<NaiveDateTime>,
    /// The time at which somebody said that the event is still right; only for callers who may change it.
    #[serde(default, with = "optional_utc")]
    pub verified_at: Option<Timestamp>,
    /// The title.
    pub title: String,
    /// The long text, HTML.
    pub description: String,
    /// The short text, HTML.
    pub excerpt: String,
    /// The slug; empty for drafts without one.
    pub slug: String,
    /// The image.
    #[serde(deserialize_with = "one_or_none")]
    pub image: Option<ImageRecord>,
    /// Whether the event lasts whole days.
    pub all_day: Option<bool>,
    /// The start, in the time zone of the event.
    #[serde(with = "wall")]
    pub start_date: NaiveDateTime,
    /// The parts of `start_date`.
    pub start_date_details: DateDetails,
    /// The end, in the time zone of the event.
    #[serde(with = "wall")]
    pub end_date: NaiveDateTime,
    /// The parts of `end_date`.
    pub end_date_details: DateDetails,
    /// The start in UTC.
    #[serde(with = "utc")]
    pub utc_start_date: Timestamp,
    /// The parts of `utc_start_date`.
    pub utc_start_date_details: DateDetails,
    /// The end in UTC.
    #[serde(with = "utc")]
    pub utc_end_date: Timestamp,
    /// The parts of `utc_end_date`.
    pub utc_end_date_details: DateDetails,
    /// The name of the time zone; the service may know zones that this library does not.
    pub timezone: String,
    /// The abbreviation of the time zone at the start.
    pub timezone_abbr: String,
    /// The cost as text.
    pub cost: String,
    /// The cost in parts.
    pub cost_details: CostDetails,
    /// The website; without one, the URL of the HTML page.
    pub website: String,
    /// Whether pages show a map.
    pub show_map: Option<bool>,
    /// Whether pages link to a map.
    pub show_map_link: Option<bool>,
    /// Whether lists leave the event out.
    pub hide_from_listings: Option<bool>,
    /// Whether calendars show the event first.
    pub sticky: Option<bool>,
    /// Whether the event is featured.
    pub featured: Option<bool>,
    /// Categories, tags, venue and organizers.
    #[serde(flatten)]
    pub links: L,
    /// Always empty.
    pub custom_fields: Vec<Value>,
    /// The parent event, if the caller may see it.
    #[serde(with = "id_or_zero")]
    pub parent: Option<EventId>,
    /// The tickets.
    pub tickets: Vec<TicketRecord>,
    /// Whether the event has tickets.
    pub ticketed: Option<bool>,
    /// The language of the original texts.
    pub language: Language,
    /// The languages of the texts, the original first.
    pub translations: Vec<Language>,
    /// When it repeats; only of a series.
    pub recurrence: Option<RecurrenceRecord>,
    /// The series; only of an occurrence.
    pub series: Option<SeriesRecord>,
    /// The effects of the write of a series on its occurrences; only of a write.
    pub recurrence_changes: Option<RecurrenceChanges>,
    /// The values that had no effect; only of a write.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// The record in the vocabulary of schema.org; only of the read of one record.
    pub json_ld: Option<Value>,
}

/// The linked records of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkedRecords {
    /// The categories, ordered by name.
    pub categories: Vec<TermRecord<Categories>>,
    /// The tags, ordered by name.
    pub tags: Vec<TermRecord<Tags>>,
    /// The venue.
    #[serde(deserialize_with = "one_or_none")]
    pub venue: Option<VenueRecord>,
    /// The organizers, in their order.
    #[serde(rename = "organizer")]
    pub organizers: Vec<OrganizerRecord>,
}

/// The IDs of the linked records of an event.
#[cfg(feature = "sync")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkIds {
    /// The venue.
    #[serde(with = "id_or_zero")]
    pub venue_id: Option<domain::VenueId>,
    /// The organizers, in their order.
    pub organizer_ids: Vec<domain::OrganizerId>,
    /// The categories.
    pub category_ids: Vec<domain::CategoryId>,
    /// The tags.
    pub tag_ids: Vec<domain::TagId>,
}

/// The parts of a date, padded with zeros.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateDetails {
    /// Four digits.
    pub year: String,
    /// From 01 to 12.
    pub month: String,
    /// From 01 to 31.
    pub day: String,
    /// From 00 to 23.
    pub hour: String,
    /// From 00 to 59.
    pub minutes: String,
    /// From 00 to 59.
    pub seconds: String,
}

/// The cost of an event in parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostDetails {
    /// The symbol common to all amounts, or an empty text.
    pub currency_symbol: String,
    /// The ISO 4217 code of the currency, or an empty text.
    pub currency_code: String,
    /// The position of the symbol: `prefix`, `postfix`, or an empty text.
    pub currency_position: String,
    /// The amounts, ascending.
    pub values: Vec<String>,
}

/// A ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketRecord {
    /// The name.
    pub name: String,
    /// The price, as decimal digits.
    pub price: String,
    /// The ISO 4217 code of the currency.
    pub currency: String,
    /// The URL of the shop.
    pub url: Option<String>,
    /// The start of sale, in the time zone of the event.
    #[serde(default, with = "optional_wall")]
    pub available_from: Option<NaiveDateTime>,
    /// The end of sale, in the time zone of the event.
    #[serde(default, with = "optional_wall")]
    pub available_until: Option<NaiveDateTime>,
}
