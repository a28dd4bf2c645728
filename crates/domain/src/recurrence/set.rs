//! Recurrences: a rule with extra and deleted dates from a first slot on, and their slots.

use std::{collections::BTreeSet, iter};

use chrono::{NaiveDateTime, TimeDelta, Timelike};

use super::{date_value::DateValue, part::Part, pattern::Pattern, rule::Rule, slot::Slot};
use crate::time::{EventTime, InvalidDate, Timestamp};

/// More than the clocks of a zone ever jump. Slots this far from an instant, by the wall clock, are
/// before or after it for certain.
pub(super) const MARGIN: TimeDelta = TimeDelta::days(2);

/// A rule, extra dates and deleted dates, as sent.
///
/// ```
/// use domain::recurrence::RecurrenceParts;
///
/// let parts = RecurrenceParts {
///     rule: Some("FREQ=WEEKLY;COUNT=6".parse()?),
///     deleted: vec!["2027-03-16".parse()?],
///     ..RecurrenceParts::default()
/// };
/// assert!(parts.extra.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecurrenceParts {
    /// The rule; none if there are only extra dates.
    pub rule: Option<Rule>,
    /// Extra dates (RDATE). A day means 00:00:00, unless the event takes whole days.
    pub extra: Vec<DateValue>,
    /// Deleted dates (EXDATE). A day means all slots of that day.
    pub deleted: Vec<DateValue>,
}

/// When an event repeats: the first slot, a rule, and extra and deleted dates.
///
/// The start is always a slot and counts in COUNT, even if the rule would not give it (RFC 5545,
/// sections 3.3.10 and 3.8.5.3). What the rule leaves open comes from the start: a weekly rule
/// without BYDAY has its weekday, a monthly one its day. A day that a month does not have is left
/// out. Slots are wall clocks of the zone; [`Self::occurrences`] gives their instants.
///
/// ```
/// use domain::recurrence::{Recurrence, RecurrenceParts};
/// use domain::time::{EventTime, parse_civil};
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
/// let days: Vec<_> = recurrence.slots().map(|slot| slot.day().to_string()).collect();
/// assert_eq!(days, ["2027-03-02", "2027-03-16", "2027-03-23", "2027-03-30", "2027-04-06"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    first: EventTime,
    rule: Option<Rule>,
    extra: BTreeSet<Slot>,
    deleted: BTreeSet<Slot>,
    pattern: Option<Pattern>,
}

/// The reason why parts are not a [`Recurrence`] from a start on.
///
/// ```
/// use domain::recurrence::{InvalidRecurrence, Recurrence, RecurrenceParts};
/// use domain::time::{EventTime, Zone, parse_civil};
///
/// let start = parse_civil("2027-03-02 19:00:00").unwrap();
/// let first = EventTime::new(Zone::utc(), start, start, false)?;
/// let rule = Some("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30".parse()?);
/// let parts = RecurrenceParts { rule, ..RecurrenceParts::default() };
/// assert_eq!(Recurrence::new(first, parts), Err(InvalidRecurrence::Never));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRecurrence {
    /// UNTIL is before the start.
    #[error("UNTIL must not be before the start")]
    UntilBeforeStart,
    /// An event of whole days has no times of day.
    #[error("{0} must not be there for an event of whole days")]
    NotForAllDay(Part),
    /// BYSECOND is another second than that of the start.
    #[error("BYSECOND must be the second of the start")]
    OtherSecond,
    /// The rule gives nothing beside the start up to the year 9999.
    #[error("must give a date beside the start")]
    Never,
    /// It ends, but has more than [`Recurrence::MAX_SLOTS`] slots.
    #[error("must have at most {max} dates", max = Recurrence::MAX_SLOTS)]
    TooManySlots,
    /// There are more than [`Recurrence::MAX_DATES`] extra dates, or as many deleted ones.
    #[error("must have at most {max} extra and {max} deleted dates", max = Recurrence::MAX_DATES)]
    TooManyDates,
    /// All slots are deleted.
    #[error("must not delete all dates")]
    NoneLeft,
    /// An extra or a deleted date is outside the years 1 to 9999.
    #[error(transparent)]
    OutOfRange(#[from] InvalidDate),
}

impl Recurrence {
    /// Most slots of a recurrence that ends.
    pub const MAX_SLOTS: usize = 5000;
    /// Most extra dates, and most deleted dates, as sent.
    pub const MAX_DATES: usize = 1000;

    /// Makes the recurrence of an event whose first occurrence is `first`.
    ///
    /// UNTIL becomes an instant, or a day if the event takes whole days. Extra and deleted dates
    /// become slots. A deleted date without a slot is kept: a day, at the time of the start.
    ///
    /// ```
    /// use domain::recurrence::{InvalidRecurrence, Recurrence, RecurrenceParts};
    /// use domain::time::{EventTime, Zone, parse_civil};
    ///
    /// let start = parse_civil("2027-03-10 18:00:00").unwrap();
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// let until = |day: &str| RecurrenceParts {
    ///     rule: format!("FREQ=DAILY;UNTIL={day}").parse().ok(),
    ///     ..RecurrenceParts::default()
    /// };
    /// let recurrence = Recurrence::new(first.clone(), until("20270312"))?;
    /// let rule = recurrence.rule().unwrap();
    /// assert_eq!(rule.to_string(), "FREQ=DAILY;UNTIL=20270312T225959Z");
    /// let ended = Recurrence::new(first.clone(), until("20270309"));
    /// assert_eq!(ended, Err(InvalidRecurrence::UntilBeforeStart));
    ///
    /// let slot = |_| recurrence.slots().next().unwrap().to_string().parse();
    /// let dates = (0..=Recurrence::MAX_DATES).map(slot).collect::<Result<_, _>>()?;
    /// let parts = RecurrenceParts { extra: dates, ..RecurrenceParts::default() };
    /// assert_eq!(Recurrence::new(first, parts), Err(InvalidRecurrence::TooManyDates));
    /// assert!(recurrence.slots().count() < Recurrence::MAX_SLOTS);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidRecurrence`], naming the rule that is broken.
    pub fn new(first: EventTime, parts: RecurrenceParts) -> Result<Self, InvalidRecurrence> {
        let RecurrenceParts {
            rule,
            extra,
            deleted,
        } = parts;
        if extra.len().max(deleted.len()) > Self::MAX_DATES {
            return Err(InvalidRecurrence::TooManyDates);
        }
        if let Some(rule) = &rule {
            check_start(rule, &first)?;
        }
        let mut recurrence = Self::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
        recurrence.extra = extra
            .into_iter()
            .map(|date| recurrence.extra_slot(date))
            .collect::<Result<_, _>>()?;
        recurrence.deleted = deleted
            .into_iter()
            .flat_map(|date| recurrence.deleted_slots(date))
            .collect();
        recurrence.check_slots()?;
        Ok(recurrence)
    }

    /// Wraps what [`Self::new`] made before.
    ///
    /// ```
    /// use std::collections::BTreeSet;
    /// use domain::recurrence::{Recurrence, Slot};
    /// use domain::time::{EventTime, Zone, parse_civil};
    ///
    /// let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let extra = BTreeSet::from(["2027-06-01T10:00:00".parse::<Slot>()?]);
    /// let stored = Recurrence::from_stored(first, None, extra, BTreeSet::new());
    /// assert_eq!(stored.slots().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_stored(
        first: EventTime,
        rule: Option<Rule>,
        extra: BTreeSet<Slot>,
        deleted: BTreeSet<Slot>,
    ) -> Self {
        let rule = rule.map(|rule| {
            rule.with(|parts| {
                parts.seconds.clear();
                parts.until = parts.until.map(|until| end(until, &first));
            })
        });
        let start = first_slot(&first).local();
        Self {
            pattern: rule.as_ref().map(|rule| Pattern::new(rule.parts(), start)),
            first,
            rule,
            extra,
            deleted,
        }
    }

    /// The time of the first slot, even if that one is deleted.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::{Recurrence, Slot};
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let none = BTreeSet::new();
    /// let recurrence = Recurrence::from_stored(first.clone(), None, none.clone(), none);
    /// assert_eq!(recurrence.first(), &first);
    /// assert_eq!(recurrence.first_slot(), Slot::new(start));
    /// assert!(recurrence.rule().is_none());
    /// assert!(recurrence.extra().is_empty() && recurrence.deleted().is_empty());
    /// # Ok::<(), domain::time::InvalidEventTime>(())
    /// ```
    pub fn first(&self) -> &EventTime {
        &self.first
    }

    /// The slot of the start.
    pub fn first_slot(&self) -> Slot {
        first_slot(&self.first)
    }

    /// The rule; none if there are only extra dates.
    pub fn rule(&self) -> Option<&Rule> {
        self.rule.as_ref()
    }

    /// The slots of extra dates.
    pub fn extra(&self) -> &BTreeSet<Slot> {
        &self.extra
    }

    /// The deleted slots, also those that are no slots of the rule or of extra dates.
    pub fn deleted(&self) -> &BTreeSet<Slot> {
        &self.deleted
    }

    /// The recurrence with other extra and deleted slots; those of both are deleted.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let third = six.slots().nth(2).unwrap();
    /// let five = six.with_dates(six.extra().clone(), BTreeSet::from([third]));
    /// assert_eq!(five.slots().count(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_dates(&self, extra: BTreeSet<Slot>, deleted: BTreeSet<Slot>) -> Self {
        Self {
            extra,
            deleted,
            ..self.clone()
        }
    }

    /// The recurrence with another rule, checked as by [`Self::new`]. Extra and deleted dates stay.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::{InvalidRecurrence, Recurrence};
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let third = BTreeSet::from(["2027-03-16T19:00:00".parse()?]);
    /// let five = Recurrence::from_stored(first, rule, BTreeSet::new(), third);
    /// let seven = five.with_rule(Some("FREQ=WEEKLY;COUNT=8".parse()?))?;
    /// assert_eq!(seven.slots().count(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub fn with_rule(&self, rule: Option<Rule>) -> Result<Self, InvalidRecurrence> {
        if let Some(rule) = &rule {
            check_start(rule, &self.first)?;
        }
        let (extra, deleted) = (self.extra.clone(), self.deleted.clone());
        let recurrence = Self::from_stored(self.first.clone(), rule, extra, deleted);
        recurrence.check_slots()?;
        Ok(recurrence)
    }

    /// Whether the rule has neither COUNT nor UNTIL. Its slots end with the year 9999.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// assert!(weekly.is_endless());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_endless(&self) -> bool {
        let parts = self.rule.as_ref().map(Rule::parts);
        parts.is_some_and(|parts| parts.count.is_none() && parts.until.is_none())
    }

    /// All slots but the deleted ones, in order. Those of an endless rule end with the year 9999.
    ///
    /// Where the clocks jump, two slots can come to one instant: only one of them has an
    /// occurrence.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.slots_from(Slot::MIN)
    }

    /// The slots that are not before `from`, except for deleted ones. A rule without COUNT begins
    /// there at once.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let march = weekly.slots_from("9000-03-01T00:00:00".parse()?).next();
    /// assert_eq!(march.unwrap().to_string(), "9000-03-04T19:00:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slots_from(&self, from: Slot) -> impl Iterator<Item = Slot> {
        let slots = self.all_slots_from(from);
        slots.filter(|slot| !self.deleted.contains(slot))
    }

    /// The slots that are not before `from`, deleted ones included.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::{Recurrence, Slot};
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=3".parse()?);
    /// let deleted = BTreeSet::from(["2027-01-12T19:00:00".parse()?]);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), deleted);
    /// assert_eq!(weekly.slots().count(), 2);
    /// assert_eq!(weekly.all_slots_from(Slot::MIN).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_slots_from(&self, from: Slot) -> impl Iterator<Item = Slot> {
        let mut rule = self.rule_slots_from(from).peekable();
        let mut extra = self.extra.range(from..).copied().peekable();
        iter::from_fn(move || {
            let next = match (rule.peek().copied(), extra.peek().copied()) {
                (Some(rule), Some(extra)) => rule.min(extra),
                (rule, extra) => rule.or(extra)?,
            };
            rule.next_if_eq(&next);
            extra.next_if_eq(&next);
            Some(next)
        })
    }

    /// Whether there is a slot at a wall clock, deleted or not.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=3".parse()?);
    /// let extra = BTreeSet::from(["2027-01-08T19:00:00".parse()?]);
    /// let weekly = Recurrence::from_stored(first, rule, extra, BTreeSet::new());
    /// assert!(weekly.has_slot("2027-01-08T19:00:00".parse()?));
    /// assert!(!weekly.has_rule_slot("2027-01-08T19:00:00".parse()?));
    /// assert!(weekly.has_rule_slot("2027-01-12T19:00:00".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_slot(&self, slot: Slot) -> bool {
        self.extra.contains(&slot) || self.has_rule_slot(slot)
    }

    /// Whether the start or the rule gives a slot at a wall clock, deleted or not.
    pub fn has_rule_slot(&self, slot: Slot) -> bool {
        self.rule_slots_from(slot).next() == Some(slot)
    }

    /// The start, and the slots of the rule after it, that are not before `from`.
    pub(super) fn rule_slots_from(&self, from: Slot) -> impl Iterator<Item = Slot> {
        let start = self.first_slot();
        let parts = self.rule.as_ref().map(Rule::parts);
        let count = parts.and_then(|parts| parts.count);
        let until = parts.and_then(|parts| parts.until);
        let after_start = start.plus(TimeDelta::seconds(1));
        let leap_to = match count {
            None => from.max(after_start),
            Some(_) => after_start,
        };
        let more = count.and_then(|count| usize::try_from(count - 1).ok());
        let rest = self.pattern.iter();
        let rest = rest.flat_map(move |pattern| pattern.slots_from(leap_to.local()));
        let rest = rest.map(Slot::new).take(more.unwrap_or(usize::MAX));
        let bounds = until.map(|until| self.until_bounds(until));
        let rest = rest.take_while(move |slot| bounds.is_none_or(|[_, last]| slot.local() <= last));
        let rest = rest.filter(move |slot| {
            bounds.is_none_or(|[certain, _]| slot.local() <= certain || self.is_by(*slot, until))
        });
        iter::once(start)
            .chain(rest)
            .skip_while(move |slot| *slot < from)
    }

    /// The wall clocks up to which slots are certainly before an end, and after which none are.
    fn until_bounds(&self, until: DateValue) -> [NaiveDateTime; 2] {
        match until {
            DateValue::Instant(instant) => {
                let local = Slot::new(self.first.zone().at(instant).local);
                [local.plus(-MARGIN).local(), local.plus(MARGIN).local()]
            }
            DateValue::Local(local) => [local; 2],
            DateValue::Day(day) => [last_second(day); 2],
        }
    }

    /// Whether the instant of a slot is not after an end.
    fn is_by(&self, slot: Slot, until: Option<DateValue>) -> bool {
        match (until, self.first.zone().at_local(slot.local())) {
            (Some(DateValue::Instant(until)), Ok(moment)) => moment.utc <= until,
            _ => false,
        }
    }

    fn extra_slot(&self, date: DateValue) -> Result<Slot, InvalidRecurrence> {
        let local = match date {
            DateValue::Day(day) => Slot::of_day(day).local(),
            DateValue::Local(local) => local,
            DateValue::Instant(instant) => self.first.zone().at(instant).local,
        };
        let slot = Slot::at(local, self.first.all_day());
        self.first.zone().at_local(slot.local())?;
        Ok(slot)
    }

    /// The slots that a deleted date means; at least one.
    fn deleted_slots(&self, date: DateValue) -> Vec<Slot> {
        let slots = self.slots_at(date);
        if !slots.is_empty() {
            return slots;
        }
        let local = match date {
            DateValue::Day(day) => day.and_time(self.first_slot().local().time()),
            DateValue::Local(local) => local,
            DateValue::Instant(instant) => self.first.zone().at(instant).local,
        };
        vec![Slot::at(local, self.first.all_day())]
    }

    fn check_slots(&self) -> Result<(), InvalidRecurrence> {
        let after_start = self.first_slot().plus(TimeDelta::seconds(1)).local();
        let mut patterns = self.pattern.iter();
        if patterns.any(|pattern| pattern.slots_from(after_start).next().is_none()) {
            return Err(InvalidRecurrence::Never);
        }
        let most = Self::MAX_SLOTS + 1;
        let is_too_many = || self.all_slots_from(Slot::MIN).take(most).count() == most;
        if !self.is_endless() && is_too_many() {
            return Err(InvalidRecurrence::TooManySlots);
        }
        match self.slots().next() {
            Some(_) => Ok(()),
            None => Err(InvalidRecurrence::NoneLeft),
        }
    }
}

/// Checks what a rule says against the start.
fn check_start(rule: &Rule, first: &EventTime) -> Result<(), InvalidRecurrence> {
    let parts = rule.parts();
    if first.all_day() {
        let lists = [(Part::Hours, &parts.hours), (Part::Minutes, &parts.minutes)];
        let mut sent = lists.into_iter().filter(|(_, list)| !list.is_empty());
        if let Some((part, _)) = sent.next() {
            return Err(InvalidRecurrence::NotForAllDay(part));
        }
    }
    let start = first_slot(first).local();
    if parts
        .seconds
        .iter()
        .any(|second| *second != i64::from(start.second()))
    {
        return Err(InvalidRecurrence::OtherSecond);
    }
    let is_before = match parts.until.map(|until| end(until, first)) {
        Some(DateValue::Instant(until)) => until < first.start().utc,
        Some(DateValue::Day(until)) => until < start.date(),
        Some(DateValue::Local(until)) => until < start,
        None => false,
    };
    if is_before {
        Err(InvalidRecurrence::UntilBeforeStart)
    } else {
        Ok(())
    }
}

/// The slot of a first occurrence.
pub(super) fn first_slot(first: &EventTime) -> Slot {
    Slot::at(first.start().local, first.all_day())
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

/// 23:59:59 of a day.
fn last_second(day: chrono::NaiveDate) -> NaiveDateTime {
    Slot::of_day(day).plus(TimeDelta::seconds(86_399)).local()
}
