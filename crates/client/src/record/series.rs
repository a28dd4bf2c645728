//! Series and their occurrences.

use domain::{EventId, event::OverrideField, time::NaiveDateTime};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::values::optional_wall;

/// When a series repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecurrenceRecord {
    /// The rule; empty if there are only extra dates.
    pub rrule: String,
    /// Extra dates.
    pub rdate: Vec<String>,
    /// Deleted dates.
    pub exdate: Vec<String>,
    /// The same rule as an object.
    pub rule: RuleRecord,
    /// The start of the first occurrence.
    #[serde(with = "optional_wall")]
    pub first: Option<NaiveDateTime>,
    /// The start of the last occurrence; none of an endless series.
    #[serde(with = "optional_wall")]
    pub last: Option<NaiveDateTime>,
    /// The number of occurrences; none of an endless series.
    pub total: Option<u64>,
    /// The time up to which lists have occurrences of an endless series.
    #[serde(default, with = "optional_wall")]
    pub kept_until: Option<NaiveDateTime>,
    /// The URL of the occurrences.
    pub occurrences: String,
    /// The series that this one continues.
    pub previous: Option<EventId>,
    /// The series that continues this one.
    pub next: Option<EventId>,
}

/// A rule as an object. Members that are not set are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RuleRecord {
    /// The unit that repeats: `daily`, `weekly`, `monthly` or `yearly`.
    pub frequency: Option<String>,
    /// Every how many units.
    pub interval: Option<i64>,
    /// The last wall clock or day, inclusive.
    pub until: Option<String>,
    /// The number of slots, the start included.
    pub count: Option<i64>,
    /// Months, from 1 to 12.
    pub months: Vec<i64>,
    /// Weeks of the year; negative ones from its end.
    pub weeks: Vec<i64>,
    /// Days of the year; negative ones from its end.
    pub days_of_year: Vec<i64>,
    /// Days of the month; negative ones from its end.
    pub days_of_month: Vec<i64>,
    /// Weekdays, such as `mo`, `1mo` or `-1fr`.
    pub days: Vec<String>,
    /// Hours of the day.
    pub hours: Vec<i64>,
    /// Minutes of the hour.
    pub minutes: Vec<i64>,
    /// Positions among the slots of one interval; negative ones from its end.
    pub positions: Vec<i64>,
    /// The first day of the week, unless it is Monday.
    pub week_start: Option<String>,
}

/// The series of an occurrence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// The ID of the series.
    pub id: EventId,
    /// The URL of the series in the interface.
    pub rest_url: String,
    /// The slug of the series; empty for drafts without one.
    pub slug: String,
    /// The URL of the HTML page of the series.
    pub url: String,
    /// The slot of the occurrence in the series, whatever time it is moved to.
    pub recurrence_id: String,
    /// The rule of the series; empty if there are only extra dates.
    pub rrule: String,
    /// The fields that are the occurrence's own. Names that this library does not know are left out.
    #[serde(serialize_with = "write_own", deserialize_with = "read_own")]
    pub own: Vec<OverrideField>,
}

fn write_own<S: Serializer>(own: &[OverrideField], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(own.iter().map(|field| field.name()))
}

fn read_own<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<OverrideField>, D::Error> {
    let names = Vec::<String>::deserialize(from).map_err(D::Error::custom)?;
    Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
}

/// The effects of the write of a series on its occurrences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecurrenceChanges {
    /// Occurrences that stayed.
    pub kept: u64,
    /// New occurrences.
    pub added: u64,
    /// Occurrences that went.
    pub removed: u64,
    /// Occurrences with fields of their own that went to the trash.
    pub trashed: Vec<EventId>,
}
