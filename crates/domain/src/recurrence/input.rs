//! Recurrences as sent, and their checks.

use std::collections::BTreeSet;

use chrono::{NaiveDateTime, TimeDelta, Timelike};

use super::{
    date_value::DateValue,
    rule::{Part, Rule},
    set::{Recurrence, end, first_slot},
    slot::Slot,
};
use crate::time::{EventTime, InvalidDate};

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
        let rule_alone = Self::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
        let extra = extra.into_iter().map(|date| rule_alone.extra_slot(date));
        let with_extra = rule_alone.with_dates(extra.collect::<Result<_, _>>()?, BTreeSet::new());
        let lookup = with_extra.lookup();
        let deleted = deleted.into_iter();
        let deleted = deleted.flat_map(|date| lookup.deleted_slots(date));
        let deleted = deleted.collect();
        let recurrence = with_extra.with_dates(with_extra.extra().clone(), deleted);
        recurrence.check_slots()?;
        Ok(recurrence)
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
            check_start(rule, self.first())?;
        }
        let (extra, deleted) = (self.extra().clone(), self.deleted().clone());
        let recurrence = Self::from_stored(self.first().clone(), rule, extra, deleted);
        recurrence.check_slots()?;
        Ok(recurrence)
    }

    fn extra_slot(&self, date: DateValue) -> Result<Slot, InvalidRecurrence> {
        let local = match date {
            DateValue::Day(day) => Slot::of_day(day).local(),
            DateValue::Local(local) => local,
            DateValue::Instant(instant) => self.first().zone().at(instant).local,
        };
        let slot = Slot::at(local, self.first().all_day());
        self.first().zone().at_local(slot.local())?;
        Ok(slot)
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
