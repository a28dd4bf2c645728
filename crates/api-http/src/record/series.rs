//! Series and occurrences as members of events.

use std::collections::BTreeSet;

use app::event::SlotChanges;
use domain::{
    Event, Id, Kind, Stored,
    event::{OccurrenceOf, OverrideField, Series},
    recurrence::{
        DateValue, Frequency, Occurrence, Recurrence, RuleParts, Slot, Weekday, WeekdayNumber,
    },
    slug::Slug,
};
use http_service::site::Site;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    entry::GlobalId,
    values::{DateTime, Url},
};

/// The recurrence of a series.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recurrence")]
pub(super) struct RecurrenceRecord {
    /// The rule (RFC 5545), in canonical form; empty if there are only extra dates.
    rrule: String,
    /// The slots of extra dates.
    rdate: Vec<SlotName>,
    /// The deleted slots.
    exdate: Vec<SlotName>,
    rule: RuleRecord,
    /// The start of the first slot that is not deleted, in the time zone of the series; `null` if all
    /// are.
    first: Option<DateTime>,
    /// The start of the last such slot; `null` if the rule has no end.
    last: Option<DateTime>,
    /// The number of such slots; `null` if the rule has no end.
    total: Option<usize>,
    /// The time up to which lists show the occurrences, in the time zone of the site; only if the rule
    /// has no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept_until: Option<DateTime>,
    /// The URL of the list of occurrences.
    occurrences: Url,
    /// The ID of the series from which this one was split.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<i64>,
    /// The ID of the series that was split from this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<i64>,
}

impl RecurrenceRecord {
    pub(super) fn new(id: i64, series: &Series, site: &Site) -> Self {
        let recurrence = &series.recurrence;
        let names = |slots: &BTreeSet<Slot>| {
            let names = slots.iter().map(|slot| SlotName::of(*slot, recurrence));
            names.collect()
        };
        let rule = recurrence.rule();
        let extent = SlotExtent::of(recurrence);
        Self {
            rrule: rule.map(ToString::to_string).unwrap_or_default(),
            rdate: names(recurrence.extra()),
            exdate: names(recurrence.deleted()),
            rule: rule.map_or_else(RuleRecord::default, |rule| {
                RuleRecord::new(rule.parts(), recurrence.until())
            }),
            first: extent.first,
            last: extent.last,
            total: extent.total,
            kept_until: series
                .kept_until
                .map(|until| DateTime::from(site.zone.at(until).local)),
            occurrences: Url(site.occurrences(id)),
            previous: series.previous.map(Id::get),
            next: series.next.map(Id::get),
        }
    }
}

/// The first and the last slot that are not deleted, and their number.
struct SlotExtent {
    first: Option<DateTime>,
    last: Option<DateTime>,
    total: Option<usize>,
}

impl SlotExtent {
    fn of(recurrence: &Recurrence) -> Self {
        let start = |one: Occurrence| one.when.start().local.into();
        let mut occurrences = recurrence.occurrences(..);
        let first = occurrences.next();
        if recurrence.is_endless() {
            return Self {
                first: first.map(start),
                last: None,
                total: None,
            };
        }
        let mut total = usize::from(first.is_some());
        let mut last = first.clone();
        for one in occurrences {
            total += 1;
            last = Some(one);
        }
        Self {
            first: first.map(start),
            last: last.map(start),
            total: Some(total),
        }
    }
}

/// The name of a slot: a wall clock, or a day if the event takes whole days.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline, extend(
    "pattern" = r"^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$",
    "examples" = ["2027-03-16T19:00:00"]
))]
struct SlotName(String);

impl SlotName {
    fn of(slot: Slot, recurrence: &Recurrence) -> Self {
        Self(recurrence.recurrence_id(slot).to_string())
    }
}

/// The same rule as an object; empty if there is none.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "RecurrenceRule")]
struct RuleRecord {
    /// The unit that repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = Frequency::ALL.map(Frequency::name)))]
    frequency: Option<&'static str>,
    /// Every how many units; only if it is not 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<i64>,
    /// The last wall clock or day, inclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<SlotName>,
    /// The number of slots, the start included.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    /// Months, from 1 to 12.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    months: Vec<i64>,
    /// Weeks of the year; negative ones from its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weeks: Vec<i64>,
    /// Days of the year; negative ones from its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    days_of_year: Vec<i64>,
    /// Days of the month; negative ones from its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    days_of_month: Vec<i64>,
    /// Weekdays, such as `mo`, `1mo` or `-1fr`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    days: Vec<String>,
    /// Hours of the day.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hours: Vec<i64>,
    /// Minutes of the hour.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    minutes: Vec<i64>,
    /// Positions among the slots of one interval; negative ones from its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    positions: Vec<i64>,
    /// The first day of the week; only if it is not `mo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    week_start: Option<String>,
}

impl RuleRecord {
    fn new(parts: &RuleParts, until: Option<DateValue>) -> Self {
        let RuleParts {
            frequency,
            interval,
            count,
            until: _,
            months,
            weeks,
            days_of_year,
            days_of_month,
            days,
            hours,
            minutes,
            // The start has the second.
            seconds: _,
            positions,
            week_start,
        } = parts;
        let lower = |day: WeekdayNumber| day.to_string().to_ascii_lowercase();
        Self {
            frequency: Some(frequency.name()),
            interval: Some(*interval).filter(|interval| *interval != 1),
            until: until.map(|until| SlotName(until.to_string())),
            count: *count,
            months: months.clone(),
            weeks: weeks.clone(),
            days_of_year: days_of_year.clone(),
            days_of_month: days_of_month.clone(),
            days: days.iter().copied().map(lower).collect(),
            hours: hours.clone(),
            minutes: minutes.clone(),
            positions: positions.clone(),
            week_start: (*week_start != Weekday::Mon).then(|| lower((*week_start).into())),
        }
    }
}

/// The series of an occurrence.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Series")]
pub(super) struct SeriesRecord<'a> {
    /// The ID of the series.
    id: i64,
    /// The URL of the series in this interface.
    rest_url: Url,
    /// The slug of the series; empty for drafts without one.
    slug: &'a str,
    /// The URL of the HTML page of the series.
    url: Url,
    /// The slot of the occurrence in the series, whatever time it is moved to.
    recurrence_id: SlotName,
    /// The rule of the series; empty if there are only extra dates.
    rrule: String,
    /// The names of the fields that are the occurrence's own; none while a password locks it.
    own: Vec<OverrideFieldName>,
}

/// The name of a field that an occurrence can have of its own.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline, extend("enum" = OverrideField::ALL.map(OverrideField::name)))]
struct OverrideFieldName(&'static str);

impl<'a> SeriesRecord<'a> {
    /// The member of an occurrence; none if `event` is no series.
    pub(super) fn new(
        event: &'a Stored<Event>,
        occurrence: &OccurrenceOf,
        open: bool,
        site: &Site,
    ) -> Option<Self> {
        let recurrence = &event.series()?.recurrence;
        let rule = recurrence.rule();
        Some(Self {
            id: event.id.get(),
            rest_url: Url(site.record(Kind::Event, event.id)),
            slug: event.slug.as_ref().map_or("", Slug::as_str),
            url: Url(site.page(Kind::Event, event.id, event.slug.as_ref())),
            recurrence_id: SlotName::of(occurrence.slot, recurrence),
            rrule: rule.map(ToString::to_string).unwrap_or_default(),
            own: if open {
                let names = occurrence.overridden.names().into_iter();
                names.map(OverrideFieldName).collect()
            } else {
                Vec::new()
            },
        })
    }

    /// The names across sites of an occurrence without an ID.
    pub(super) fn global_id(&self, site: &Site) -> GlobalId {
        GlobalId::of_slot(self.id, &self.recurrence_id.0, site)
    }
}

/// The effect of a write on the slots of a series, up to its horizon; only in the response to such a
/// write.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RecurrenceChanges")]
pub(super) struct ChangesRecord {
    /// The number of slots that remain.
    kept: usize,
    /// The number of new slots.
    added: usize,
    /// The number of slots that are gone.
    removed: usize,
    /// The IDs of the occurrences that lost their slot and are in the trash.
    trashed: Vec<i64>,
}

impl From<&SlotChanges> for ChangesRecord {
    fn from(changes: &SlotChanges) -> Self {
        Self {
            kept: changes.kept,
            added: changes.added,
            removed: changes.removed,
            trashed: changes.trashed.iter().map(|id| id.get()).collect(),
        }
    }
}
