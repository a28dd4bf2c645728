//! Recurrences as sent, and their checks.

mod shortened;

use std::collections::{BTreeSet, HashSet};

use chrono::{NaiveDateTime, TimeDelta, Timelike};

use super::{
    date_value::DateValue,
    rule::{Part, Rule},
    set::{Recurrence, end, last_second},
    slot::Slot,
    start::Start,
};
use crate::time::InvalidDate;

pub use shortened::Shortened;

/// A rule, extra dates and deleted dates, as sent.
///
/// ```
/// use events_calendar_domain::recurrence::RecurrenceParts;
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
    /// Extra dates (RDATE). A day means 00:00:00, unless the event takes whole days. An instant means
    /// the wall clock at that time: if that one occurs twice, the first time.
    pub extra: Vec<DateValue>,
    /// Deleted dates (EXDATE). A day means all slots of that day. An instant at the second time that
    /// a wall clock occurs does nothing, unless a slot is there.
    pub deleted: Vec<DateValue>,
}

/// The reason why parts are not a [`Recurrence`] from a start on.
///
/// ```
/// use events_calendar_domain::recurrence::{InvalidRecurrence, Recurrence, RecurrenceParts};
/// use events_calendar_domain::time::{EventTime, Zone, parse_civil};
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
    #[error("{0} is not allowed for an event of whole days")]
    NotForAllDay(Part),
    /// BYSECOND is another second than that of the start.
    #[error("BYSECOND must be the second of the start")]
    OtherSecond,
    /// The rule gives nothing beside the start up to the year 9999.
    #[error("the rule must give a date beside the start")]
    Never,
    /// It ends, but has more than [`Recurrence::MAX_SLOTS`] slots.
    #[error("there must be at most {max} dates", max = Recurrence::MAX_SLOTS)]
    TooManySlots,
    /// There are more than [`Recurrence::MAX_DATES`] extra dates or deleted ones, as sent or as slots.
    #[error("there must be at most {max} extra and {max} deleted dates", max = Recurrence::MAX_DATES)]
    TooManyDates,
    /// No slot has an occurrence: all are deleted, or deleted ones take the instants of the others.
    #[error("at least one date must remain")]
    NoneLeft,
    /// An extra or a deleted date is outside the years 1 to 9999.
    #[error("a date {0}")]
    OutOfRange(#[from] InvalidDate),
}

impl Recurrence {
    /// Most slots of a recurrence that ends.
    pub const MAX_SLOTS: usize = 5000;
    /// Most extra dates, and most deleted dates: as sent, and the slots of the days sent.
    pub const MAX_DATES: usize = 1000;

    /// Makes the recurrence of an event whose first occurrence is `first`.
    ///
    /// UNTIL becomes an instant, or a day if the event takes whole days. Extra and deleted dates
    /// become slots. A deleted date without a slot is kept: a day, at the time of the start.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::{InvalidRecurrence, Recurrence, RecurrenceParts};
    /// use events_calendar_domain::time::{EventTime, Zone, parse_civil};
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
    /// let slot = |_| recurrence.slots(..).next().unwrap().to_string().parse();
    /// let dates = (0..=Recurrence::MAX_DATES).map(slot).collect::<Result<_, _>>()?;
    /// let parts = RecurrenceParts { extra: dates, ..RecurrenceParts::default() };
    /// assert_eq!(Recurrence::new(first, parts), Err(InvalidRecurrence::TooManyDates));
    /// assert!(recurrence.slots(..).count() < Recurrence::MAX_SLOTS);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidRecurrence`], naming the rule that is broken.
    pub fn new(start: impl Into<Start>, parts: RecurrenceParts) -> Result<Self, InvalidRecurrence> {
        let empty = Self::of(start.into(), None, BTreeSet::new(), BTreeSet::new());
        empty.with_parts(parts.rule, Some(parts.extra), Some(parts.deleted))
    }

    /// The recurrence with a rule and with extra and deleted dates as sent, checked as by
    /// [`Self::new`]; one without an occurrence may stay as it is. Absent dates stay; deleted ones follow
    /// their slots to another time of the day as in [`Self::compare`].
    ///
    /// ```
    /// # use std::collections::{BTreeSet, HashSet};
    /// # use events_calendar_domain::recurrence::{InvalidRecurrence, Recurrence};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = Recurrence::from_stored(first, rule.clone(), BTreeSet::new(), BTreeSet::new());
    /// let extra = vec!["2027-03-20T15:00:00".parse()?];
    /// let seven = six.with_parts(rule.clone(), Some(extra), None)?;
    /// assert_eq!(seven.total(), Some(7));
    /// let deleted = vec!["2027-03-16".parse()?];
    /// assert_eq!(seven.with_parts(rule, None, Some(deleted))?.total(), Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Self::new`]. Dates that are there already do not count towards
    /// [`Self::MAX_DATES`].
    pub fn with_parts(
        &self,
        rule: Option<Rule>,
        extra: Option<Vec<DateValue>>,
        deleted: Option<Vec<DateValue>>,
    ) -> Result<Self, InvalidRecurrence> {
        let is_too_many = |dates: &Option<Vec<_>>, stored: &BTreeSet<Slot>| {
            let most = Self::MAX_DATES + stored.len();
            dates.as_ref().is_some_and(|dates| dates.len() > most)
        };
        if is_too_many(&extra, self.extra()) || is_too_many(&deleted, self.deleted()) {
            return Err(InvalidRecurrence::TooManyDates);
        }
        if let Some(rule) = &rule {
            check_start(rule, self.start())?;
        }
        let extra = match extra {
            Some(dates) => {
                let slots = dates.into_iter().map(|date| self.extra_slot(date));
                limited(slots.collect::<Result<_, _>>()?, self.extra())?
            }
            None => self.extra().clone(),
        };
        let with_extra = Self::of(self.start().clone(), rule, extra, BTreeSet::new());
        let recurrence = match deleted {
            Some(dates) => {
                let dates: HashSet<_> = dates.into_iter().collect();
                let slots = dates.into_iter();
                let slots = slots.flat_map(|date| with_extra.deleted_slots(date));
                let deleted = limited(slots.collect(), self.deleted())?;
                with_extra.with_dates(with_extra.extra().clone(), deleted)
            }
            None => with_extra.with_deleted_of(self),
        };
        let checked = recurrence.check_slots();
        if let Err(error) = checked
            && error != InvalidRecurrence::NoneLeft
        {
            return Err(error);
        }
        let recurrence = recurrence.with_stored_end();
        // All slots can be deleted one by one.
        if recurrence != *self {
            checked?;
        }
        Ok(recurrence)
    }

    /// The recurrence with another rule, checked as by [`Self::new`]. Extra and deleted dates stay as
    /// in [`Self::with_parts`].
    ///
    /// ```
    /// # use std::collections::{BTreeSet, HashSet};
    /// # use events_calendar_domain::recurrence::{InvalidRecurrence, Recurrence};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let third = BTreeSet::from(["2027-03-16T19:00:00".parse()?]);
    /// let five = Recurrence::from_stored(first, rule, BTreeSet::new(), third);
    /// let seven = five.with_rule(Some("FREQ=WEEKLY;COUNT=8".parse()?))?;
    /// assert_eq!(seven.slots(..).count(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub fn with_rule(&self, rule: Option<Rule>) -> Result<Self, InvalidRecurrence> {
        self.with_parts(rule, None, None)
    }

    /// Where an instant is the second time that a wall clock occurs, its slot means the first.
    pub(super) fn extra_slot(&self, date: DateValue) -> Result<Slot, InvalidRecurrence> {
        let local = match date {
            DateValue::Day(day) => Slot::of_day(day).local(),
            DateValue::Local(local) => local,
            DateValue::Instant(instant) => self.first().zone().at(instant).local,
        };
        let slot = Slot::at(local, self.first().all_day());
        self.first().zone().at_local(slot.local())?;
        Ok(slot)
    }

    /// The recurrence with the end that is stored: for a wall clock or a day, an instant that gives
    /// the same slots.
    fn with_stored_end(self) -> Self {
        let Some(until) = self.rule().and_then(|rule| rule.parts().until) else {
            return self;
        };
        let last = self.rule_slots().last().unwrap_or(self.first_slot());
        self.ended(end(until, self.first()), last)
    }

    fn check_slots(&self) -> Result<(), InvalidRecurrence> {
        let after_start = self.first_slot().plus(TimeDelta::seconds(1)).local();
        let mut patterns = self.pattern().into_iter();
        if patterns.any(|pattern| {
            pattern
                .slots_between(after_start, NaiveDateTime::MAX)
                .next()
                .is_none()
        }) {
            return Err(InvalidRecurrence::Never);
        }
        // COUNT says how many slots there are at most.
        let counted = self.rule().map_or(Some(1), |rule| rule.parts().count);
        let counted = counted.and_then(|count| usize::try_from(count).ok());
        let can_be_too_many =
            counted.is_none_or(|count| count + self.extra().len() > Self::MAX_SLOTS);
        let is_too_many = || self.all_slots(..).nth(Self::MAX_SLOTS).is_some();
        if !self.is_endless() && can_be_too_many && is_too_many() {
            return Err(InvalidRecurrence::TooManySlots);
        }
        match self.occurrences(..).next() {
            Some(_) => Ok(()),
            None => Err(InvalidRecurrence::NoneLeft),
        }
    }
}

/// Slots of which not too many are new.
fn limited(
    slots: BTreeSet<Slot>,
    stored: &BTreeSet<Slot>,
) -> Result<BTreeSet<Slot>, InvalidRecurrence> {
    match slots.difference(stored).count() {
        count if count > Recurrence::MAX_DATES => Err(InvalidRecurrence::TooManyDates),
        _ => Ok(slots),
    }
}

/// Checks what a rule says against the start.
fn check_start(rule: &Rule, start: &Start) -> Result<(), InvalidRecurrence> {
    let parts = rule.parts();
    let (first, slot) = (start.first(), start.slot().local());
    if first.all_day() {
        let lists = [(Part::Hours, &parts.hours), (Part::Minutes, &parts.minutes)];
        let mut sent = lists.into_iter().filter(|(_, list)| !list.is_empty());
        if let Some((part, _)) = sent.next() {
            return Err(InvalidRecurrence::NotForAllDay(part));
        }
    }
    let second = i64::from(slot.second());
    if parts.seconds.iter().any(|sent| *sent != second) {
        return Err(InvalidRecurrence::OtherSecond);
    }
    let is_before = parts.until.is_some_and(|until| {
        // The end of whole days is a day.
        let until = if first.all_day() {
            end(until, first)
        } else {
            until
        };
        match until {
            DateValue::Instant(until) => until < first.start().utc,
            DateValue::Day(until) => last_second(until) < slot,
            DateValue::Local(until) => until < slot,
        }
    });
    if is_before {
        Err(InvalidRecurrence::UntilBeforeStart)
    } else {
        Ok(())
    }
}
