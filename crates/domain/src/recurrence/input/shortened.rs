//! Recurrences with more dates than the limits, as they are imported.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate};

use super::{InvalidRecurrence, RecurrenceParts};
use crate::{
    recurrence::{date_value::DateValue, set::Recurrence, slot::Slot, start::Start},
    time::{EventTime, Timestamp},
};

/// Most slots of a rule that are looked at: all days of 270 years.
const MOST_SLOTS: usize = 100_000;

/// A recurrence that begins later than it was sent, or ends earlier, so that its dates are not too many.
///
/// ```
/// use events_calendar_domain::{
///     recurrence::{RecurrenceParts, Shortened},
///     time::{EventTime, Timestamp, Zone, parse_civil},
/// };
///
/// let start = parse_civil("2027-01-01 19:00:00").unwrap();
/// let first = EventTime::new(Zone::utc(), start, start, false)?;
/// let rule = Some("FREQ=DAILY;UNTIL=20501231".parse()?);
/// let parts = RecurrenceParts { rule, ..RecurrenceParts::default() };
/// let now = Timestamp::from_seconds(1_795_305_600).unwrap();
/// let shortened: Shortened = parts.shortened(&first, now, now)?.unwrap();
/// assert_eq!(shortened.first, first);
/// assert_eq!(shortened.parts.rule.unwrap().to_string(), "FREQ=DAILY;COUNT=5000");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The time of the first date that is left.
    pub first: EventTime,
    /// The rule and the dates from it on.
    pub parts: RecurrenceParts,
}

impl RecurrenceParts {
    /// The recurrence of an event without its oldest dates, if it has more than
    /// [`Recurrence::MAX_SLOTS`], or more than [`Recurrence::MAX_DATES`] extra or deleted ones. `None`
    /// if it has not, or if [`Recurrence::new`] refuses it for another reason.
    ///
    /// It begins with the first date after the earliest 1 January from which on the dates are not too
    /// many, or else after the first day of the month of `now`. If even those are too many, the latest
    /// dates go as well, and COUNT ends the rule. The dates of an endless rule count up to `horizon`.
    ///
    /// ```
    /// use events_calendar_domain::{
    ///     recurrence::{Recurrence, RecurrenceParts, horizon},
    ///     time::{EventTime, Timestamp, Zone, parse_civil},
    /// };
    ///
    /// let start = parse_civil("2005-01-03 09:15:00").unwrap();
    /// let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR".parse()?);
    /// let parts = RecurrenceParts { rule, ..RecurrenceParts::default() };
    ///
    /// let now = Timestamp::from_seconds(1_795_305_600).unwrap();
    /// let horizon = horizon(now, &Zone::utc(), 60);
    /// let shortened = parts.shortened(&first, now, horizon)?.unwrap();
    /// assert_eq!(shortened.first.start().utc.to_string(), "2013-01-01 09:15:00");
    /// assert_eq!(shortened.parts.rule, parts.rule);
    /// let series = Recurrence::new(shortened.first, shortened.parts)?;
    /// assert!(series.count_before(horizon, 5001) <= Recurrence::MAX_SLOTS);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidRecurrence`] if there are too many slots before now, or too many deleted dates from then
    /// on.
    pub fn shortened(
        &self,
        first: &EventTime,
        now: Timestamp,
        horizon: Timestamp,
    ) -> Result<Option<Shortened>, InvalidRecurrence> {
        let whole = Recurrence::new(first.clone(), self.clone());
        let is_too_long = match &whole {
            Ok(whole) if whole.is_endless() => {
                let most = Recurrence::MAX_SLOTS + 1;
                whole.count_before(horizon, most) == most
            }
            Err(error) => matches!(
                error,
                InvalidRecurrence::TooManySlots | InvalidRecurrence::TooManyDates
            ),
            Ok(_) => false,
        };
        if !is_too_long {
            return Ok(None);
        }
        let all = Dates::of(self, first, now, horizon)?;
        all.shortened(self).map(Some)
    }
}

/// The dates of a recurrence with too many.
struct Dates {
    /// The recurrence without deleted dates.
    whole: Recurrence,
    /// The slots of the rule in order, deleted or not, up to more than fit from this month on.
    rule: Vec<Slot>,
    /// Whether there are later ones.
    has_more: bool,
    /// The wall clocks of deleted dates.
    deleted: Vec<NaiveDate>,
    today: NaiveDate,
}

impl Dates {
    fn of(
        parts: &RecurrenceParts,
        first: &EventTime,
        now: Timestamp,
        horizon: Timestamp,
    ) -> Result<Self, InvalidRecurrence> {
        let zone = first.zone();
        let none = || Recurrence::of(first.clone().into(), None, BTreeSet::new(), BTreeSet::new());
        let extra = parts.extra.iter().map(|date| none().extra_slot(*date));
        let extra = extra.collect::<Result<_, _>>()?;
        let start = Start::from(first.clone());
        let whole = Recurrence::of(start, parts.rule.clone(), extra, BTreeSet::new());
        let today = zone.at(now).local.date();
        let this_month = month_of(today);
        let last = if whole.is_endless() {
            Slot::new(zone.at(horizon).local)
        } else {
            Slot::MAX
        };
        let (mut rule, mut coming) = (Vec::new(), 0);
        let mut has_more = false;
        for slot in whole.rule_slots_between(Slot::MIN, last) {
            if coming > Recurrence::MAX_SLOTS {
                has_more = true;
                break;
            }
            if rule.len() == MOST_SLOTS {
                return Err(InvalidRecurrence::TooManySlots);
            }
            coming += usize::from(slot >= this_month);
            rule.push(slot);
        }
        let day = |date: &DateValue| match *date {
            DateValue::Day(day) => day,
            DateValue::Local(local) => local.date(),
            DateValue::Instant(instant) => zone.at(instant).local.date(),
        };
        Ok(Self {
            rule,
            has_more,
            deleted: parts.deleted.iter().map(day).collect(),
            today,
            whole,
        })
    }

    fn shortened(&self, parts: &RecurrenceParts) -> Result<Shortened, InvalidRecurrence> {
        let from = self.start();
        let at = self.rule.partition_point(|slot| *slot < from);
        let skipped = self
            .rule
            .iter()
            .skip(at)
            .position(|slot| self.begins(*slot));
        let begin = skipped.and_then(|skipped| Some((at + skipped, *self.rule.get(at + skipped)?)));
        let extra = self.whole.extra().range(from..);
        let extra: Vec<_> = extra.copied().take(Recurrence::MAX_DATES).collect();
        let (first, rule) = if let Some((at, slot)) = begin {
            let left = self.rule.len() - at;
            let most = Recurrence::MAX_SLOTS - extra.len();
            let is_cut = self.has_more || left > most;
            let rule = self.whole.rule().map(|rule| {
                rule.with(|parts| {
                    if is_cut {
                        parts.until = None;
                        parts.count = i64::try_from(left.min(most)).ok();
                    } else if parts.count.is_some() {
                        parts.count = i64::try_from(left).ok();
                    }
                })
            });
            (slot, rule)
        } else {
            // The rule has ended.
            let first = extra.iter().find(|slot| self.begins(**slot));
            (*first.ok_or(InvalidRecurrence::NoneLeft)?, None)
        };
        let when = self.whole.time_at(first);
        let when = when.ok_or(InvalidRecurrence::NoneLeft)?;
        let extra = extra.into_iter().filter(|slot| *slot != first);
        let extra = extra.map(|slot| self.whole.recurrence_id(slot)).collect();
        let deleted = parts.deleted.iter().zip(&self.deleted);
        let deleted = deleted.filter(|(_, day)| **day >= from.day());
        let deleted: Vec<_> = deleted.map(|(date, _)| *date).collect();
        let mut shortened = Shortened {
            first: when,
            parts: RecurrenceParts {
                rule,
                extra,
                deleted: Vec::new(),
            },
        };
        shortened.parts.deleted = shortened.hit(deleted)?;
        Ok(shortened)
    }

    /// The first day that the dates are kept from.
    fn start(&self) -> Slot {
        let first = self.whole.all_slots(..).next();
        let first = first.unwrap_or(self.whole.first_slot());
        let years = first.day().year()..=self.today.year();
        let years = years.filter_map(|year| NaiveDate::from_ymd_opt(year, 1, 1));
        let mut starts = years.map(Slot::of_day).filter(|start| *start > first);
        let this_month = month_of(self.today);
        if let Some(start) = starts.find(|start| self.fits(*start)) {
            return start;
        }
        let has_dates = |from: Slot| {
            self.rule.last().is_some_and(|last| *last >= from)
                || self.whole.extra().range(from..).next().is_some()
        };
        if has_dates(this_month) {
            return this_month.max(first);
        }
        // All are past: the last ones.
        let most = Recurrence::MAX_SLOTS - Recurrence::MAX_DATES;
        let of_rule = self
            .rule
            .len()
            .checked_sub(most)
            .and_then(|at| self.rule.get(at));
        let mut extra = self.whole.extra().iter().rev();
        let of_extra = extra.nth(Recurrence::MAX_DATES - 1);
        let start = of_rule.max(of_extra).copied();
        start.unwrap_or(first)
    }

    /// Whether the dates from a slot on are not too many, and there are some.
    fn fits(&self, from: Slot) -> bool {
        let before = self.rule.partition_point(|slot| *slot < from);
        let extra = self.whole.extra().range(from..).count();
        let deleted = self.deleted.iter().filter(|day| **day >= from.day());
        let all = self.rule.len() - before + extra;
        !self.has_more
            && (1..=Recurrence::MAX_SLOTS).contains(&all)
            && extra <= Recurrence::MAX_DATES
            && deleted.count() <= Recurrence::MAX_DATES
    }

    /// Whether a series can begin with a slot: the clocks skip neither its start nor its end.
    fn begins(&self, slot: Slot) -> bool {
        self.whole.time_at(slot).is_some_and(|when| {
            let start = Start::from(when);
            start.slot() == slot && start.length() == self.whole.start().length()
        })
    }
}

impl Shortened {
    /// The deleted dates that hit a date, if they are too many.
    fn hit(&self, deleted: Vec<DateValue>) -> Result<Vec<DateValue>, InvalidRecurrence> {
        if deleted.len() <= Recurrence::MAX_DATES {
            return Ok(deleted);
        }
        let series = Recurrence::new(self.first.clone(), self.parts.clone())?;
        let dates = deleted.into_iter();
        let hit: Vec<_> = dates.filter(|date| series.find(*date).is_some()).collect();
        if hit.len() > Recurrence::MAX_DATES {
            return Err(InvalidRecurrence::TooManyDates);
        }
        Ok(hit)
    }
}

/// The beginning of the month of a day.
fn month_of(day: NaiveDate) -> Slot {
    Slot::of_day(day.with_day(1).unwrap_or(day))
}
