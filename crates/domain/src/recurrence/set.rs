//! Recurrences: a rule with extra and deleted dates from a first slot on, and their slots.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::{date_value::DateValue, pattern::Pattern, rule::Rule, slot::Slot, start::Start};
use crate::time::{EventTime, Timestamp};

/// More than the clocks of a zone ever jump. Slots this far from an instant, by the wall clock, are
/// before or after it for certain.
pub(super) const MARGIN: TimeDelta = TimeDelta::days(2);

/// When an event repeats: the first slot, a rule, and extra and deleted dates.
///
/// The start is always a slot and counts in COUNT, even if the rule would not give it (RFC 5545,
/// sections 3.3.10 and 3.8.5.3). The start determines the parts that the rule leaves open: a weekly rule
/// without BYDAY has its weekday, a monthly one its day. A day that a month does not have is left
/// out. Slots are wall clocks of the zone; [`Self::occurrences`] gives their instants.
///
/// ```
/// use events_calendar_domain::recurrence::{Recurrence, RecurrenceParts};
/// use events_calendar_domain::time::{EventTime, parse_civil};
///
/// let time = |text| parse_civil(text).unwrap();
/// let (start, end) = (time("2027-03-02 19:00:00"), time("2027-03-02 21:00:00"));
/// let first = EventTime::new("Europe/Paris".parse()?, start, end, false)?;
/// let weekly = RecurrenceParts {
///     rule: Some("FREQ=WEEKLY;COUNT=6".parse()?),
///     deleted: vec!["2027-03-09".parse()?],
///     ..RecurrenceParts::default()
/// };
/// let recurrence = Recurrence::new(first, weekly)?;
/// let days: Vec<_> = recurrence.slots(..).map(|slot| slot.day().to_string()).collect();
/// assert_eq!(days, ["2027-03-02", "2027-03-16", "2027-03-23", "2027-03-30", "2027-04-06"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence(Arc<Parts>);

/// The parts of a recurrence, which its clones share.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    start: Start,
    rule: Option<Rule>,
    extra: BTreeSet<Slot>,
    deleted: BTreeSet<Slot>,
    pattern: Option<Pattern>,
    last_counted: LastCounted,
}

/// The last slot of a rule with COUNT, once it is worked out. It follows from the rest of a recurrence, and
/// makes no difference between two of them.
#[derive(Clone, Debug, Default)]
struct LastCounted(OnceLock<Slot>);

impl PartialEq for LastCounted {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for LastCounted {}

impl Recurrence {
    /// Wraps what [`Self::new`] made before. The start is that of [`Self::start`]; an [`EventTime`]
    /// does unless the recurrence is the later half of a split.
    ///
    /// ```
    /// use std::collections::BTreeSet;
    /// use events_calendar_domain::recurrence::{Recurrence, Slot};
    /// use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    ///
    /// let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let extra = BTreeSet::from(["2027-06-01T10:00:00".parse::<Slot>()?]);
    /// let stored = Recurrence::from_stored(first, None, extra, BTreeSet::new());
    /// assert_eq!(stored.slots(..).count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_stored(
        start: impl Into<Start>,
        rule: Option<Rule>,
        extra: BTreeSet<Slot>,
        deleted: BTreeSet<Slot>,
    ) -> Self {
        let start = start.into();
        let rule = rule.map(|rule| {
            rule.with(|parts| parts.until = parts.until.map(|until| end(until, start.first())))
        });
        Self::of(start, rule, extra, deleted)
    }

    /// A recurrence whose end may be a wall clock or a day as sent.
    pub(super) fn of(
        start: Start,
        rule: Option<Rule>,
        extra: BTreeSet<Slot>,
        deleted: BTreeSet<Slot>,
    ) -> Self {
        let rule = rule.map(|rule| {
            rule.with(|parts| {
                parts.seconds.clear();
                if start.first().all_day() {
                    parts.until = parts.until.map(|until| end(until, start.first()));
                }
            })
        });
        let first = start.slot().local();
        Self(Arc::new(Parts {
            pattern: rule.as_ref().map(|rule| Pattern::new(rule.parts(), first)),
            start,
            rule,
            extra,
            deleted,
            last_counted: LastCounted::default(),
        }))
    }

    /// The first slot, its time, and the length of all occurrences.
    pub fn start(&self) -> &Start {
        &self.0.start
    }

    /// The time of the first slot, even if that one is deleted.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::{Recurrence, Slot};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let none = BTreeSet::new();
    /// let recurrence = Recurrence::from_stored(first.clone(), None, none.clone(), none);
    /// assert_eq!(recurrence.first(), &first);
    /// assert_eq!(recurrence.first_slot(), Slot::new(start));
    /// assert!(recurrence.rule().is_none());
    /// assert!(recurrence.extra().is_empty() && recurrence.deleted().is_empty());
    /// # Ok::<(), events_calendar_domain::time::InvalidEventTime>(())
    /// ```
    pub fn first(&self) -> &EventTime {
        self.0.start.first()
    }

    /// The slot of the start.
    pub fn first_slot(&self) -> Slot {
        self.0.start.slot()
    }

    /// The rule; none if there are only extra dates.
    pub fn rule(&self) -> Option<&Rule> {
        self.0.rule.as_ref()
    }

    /// The slots of extra dates.
    pub fn extra(&self) -> &BTreeSet<Slot> {
        &self.0.extra
    }

    /// The deleted slots, also those that are no slots of the rule or of extra dates.
    pub fn deleted(&self) -> &BTreeSet<Slot> {
        &self.0.deleted
    }

    /// The recurrence with other extra and deleted slots; those of both are deleted.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let third = six.slots(..).nth(2).unwrap();
    /// let five = six.with_dates(six.extra().clone(), BTreeSet::from([third]));
    /// assert_eq!(five.slots(..).count(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_dates(&self, extra: BTreeSet<Slot>, deleted: BTreeSet<Slot>) -> Self {
        Self(Arc::new(Parts {
            extra,
            deleted,
            ..Parts::clone(&self.0)
        }))
    }

    /// The recurrence whose rule ends at an instant, or on a day, with `last` as its last slot. `until`
    /// is the end, unless it gives another last slot.
    pub(super) fn ended(&self, until: DateValue, last: Slot) -> Self {
        let ended = |until| {
            let rule = self.0.rule.as_ref();
            let rule = rule.map(|rule| rule.with(|parts| parts.until = Some(until)));
            let (extra, deleted) = (self.0.extra.clone(), self.0.deleted.clone());
            Self::from_stored(self.0.start.clone(), rule, extra, deleted)
        };
        let first = self.first().start().utc;
        let by_until = ended(match until {
            DateValue::Instant(instant) => DateValue::Instant(instant.max(first)),
            date => date,
        });
        let rest = by_until.rule_slots_between(last, Slot::MAX);
        if rest.last() == Some(last) {
            return by_until;
        }
        let at_last = self
            .0
            .start
            .time_at(last)
            .map_or(first, |when| when.start().utc);
        ended(end(DateValue::Instant(at_last.max(first)), self.first()))
    }

    /// The last slot of a rule with COUNT.
    pub(super) fn last_counted(&self, last: impl FnOnce() -> Slot) -> Slot {
        *self.0.last_counted.0.get_or_init(last)
    }

    /// The rule as it selects days; none if there are only extra dates.
    pub(super) fn pattern(&self) -> Option<&Pattern> {
        self.0.pattern.as_ref()
    }

    /// Whether the rule has neither COUNT nor UNTIL. Its slots end with the year 9999.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// assert!(weekly.is_endless());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_endless(&self) -> bool {
        let parts = self.0.rule.as_ref().map(Rule::parts);
        parts.is_some_and(|parts| parts.count.is_none() && parts.until.is_none())
    }

    /// The end of the rule by the clocks of the zone: a wall clock, or a day if the event takes
    /// whole days.
    ///
    /// ```
    /// # use events_calendar_domain::recurrence::{Recurrence, RecurrenceParts};
    /// # use events_calendar_domain::time::{EventTime, parse_civil};
    /// # let start = parse_civil("2027-03-10 18:00:00").unwrap();
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// let rule = Some("FREQ=DAILY;UNTIL=20270312T225959Z".parse()?);
    /// let parts = RecurrenceParts { rule, ..RecurrenceParts::default() };
    /// let daily = Recurrence::new(first, parts)?;
    /// assert_eq!(daily.until().unwrap().to_string(), "2027-03-12T23:59:59");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn until(&self) -> Option<DateValue> {
        let until = self.rule()?.parts().until?;
        Some(match until {
            DateValue::Instant(instant) => DateValue::Local(self.first().zone().at(instant).local),
            date => date,
        })
    }
}

/// An end as the series of an event has it: an instant, or a day if the event takes whole days.
pub(super) fn end(until: DateValue, first: &EventTime) -> DateValue {
    let zone = first.zone();
    let local = match until {
        DateValue::Day(day) => last_second(day),
        DateValue::Local(local) => local,
        DateValue::Instant(instant) => zone.at(instant).local,
    };
    match (first.all_day(), until) {
        (true, DateValue::Instant(instant)) if is_day_in_utc(instant) => {
            DateValue::Day(instant.civil().date())
        }
        (true, _) => DateValue::Day(local.date()),
        (false, DateValue::Instant(_)) => until,
        (false, DateValue::Day(day)) => DateValue::Instant(zone.end_of_day(day)),
        (false, DateValue::Local(local)) => match zone.at_local(local) {
            Ok(moment) => DateValue::Instant(moment.utc),
            // Beyond the last instant in the zone.
            Err(_) => DateValue::Instant(Timestamp::MAX),
        },
    }
}

/// Whether an instant is the first or the last second of a day in UTC: programs write the last day of
/// whole days so, whatever the zone.
fn is_day_in_utc(instant: Timestamp) -> bool {
    let time = instant.civil().time();
    time == NaiveTime::MIN || Some(time) == NaiveTime::from_hms_opt(23, 59, 59)
}

/// 23:59:59 of a day.
pub(super) fn last_second(day: NaiveDate) -> NaiveDateTime {
    Slot::of_day(day).plus(TimeDelta::seconds(86_399)).local()
}
