//! Moves of a recurrence to another start, zone or kind of day.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveTime, TimeDelta, Timelike};

use super::{
    date_value::DateValue,
    rule::{Frequency, Part, Rule, RuleParts, WEEKDAYS},
    set::{Recurrence, end, first_slot, length},
    slot::Slot,
};
use crate::time::{EventTime, InvalidEventTime};

/// The distance by which all slots of a series move with its start.
///
/// Wall clocks stay where only the zone changes. Slots become days where the event comes to take
/// whole days, and get the time of the start where it no longer does.
///
/// ```
/// use domain::recurrence::{Shift, Slot};
/// use domain::time::{EventTime, Zone, parse_civil};
///
/// let at = |text| {
///     let start = parse_civil(text).unwrap();
///     EventTime::new(Zone::utc(), start, start, false)
/// };
/// let shift = Shift::between(&at("2027-03-02 19:00:00")?, &at("2027-03-03 20:00:00")?);
/// let third: Slot = "2027-03-16T19:00:00".parse()?;
/// assert_eq!(shift.apply(third).to_string(), "2027-03-17T20:00:00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    distance: TimeDelta,
    /// The time of day of all slots after the move; none if it moves, too.
    time: Option<NaiveTime>,
}

impl Shift {
    /// The shift of the slots whose first occurrence moves from one time to another.
    pub fn between(from: &EventTime, to: &EventTime) -> Self {
        let (old, new) = (first_slot(from).local(), first_slot(to).local());
        if from.all_day() || to.all_day() {
            Self {
                distance: new.date() - old.date(),
                time: Some(new.time()),
            }
        } else {
            Self {
                distance: new - old,
                time: None,
            }
        }
    }

    /// A slot after the move.
    #[must_use]
    pub fn apply(&self, slot: Slot) -> Slot {
        let moved = slot.plus(self.distance);
        match self.time {
            Some(time) => Slot::new(moved.day().and_time(time)),
            None => moved,
        }
    }
}

/// The reason why a rule does not follow a new start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMove {
    /// A part of the rule names days, months or times that would not move.
    #[error("does not fit {0} of the recurrence")]
    Contradicts(Part),
    /// An event of whole days has no times of day.
    #[error("{0} of the recurrence must not be there for an event of whole days")]
    NotForAllDay(Part),
}

impl Recurrence {
    /// The recurrence after a move of its first occurrence to another time, zone or kind of day.
    ///
    /// All slots move by the same distance on the clock ([`Shift`]), with extra and deleted dates
    /// and the end. What the rule takes from the start follows it. Weekdays of a weekly rule turn;
    /// any other rule with BYDAY, BYMONTHDAY, BYYEARDAY or BYWEEKNO stays on its days.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::{InvalidMove, Part, Recurrence};
    /// # use domain::time::{EventTime, parse_civil};
    /// # let at = |text| {
    /// #     let start = parse_civil(text).unwrap();
    /// #     EventTime::new("Europe/Paris".parse().unwrap(), start, start, false)
    /// # };
    /// let (tuesday, wednesday) = (at("2027-03-02 19:00:00")?, at("2027-03-03 20:00:00")?);
    /// let recurrence = |rule: &str| {
    ///     let rule = rule.parse().ok();
    ///     Recurrence::from_stored(tuesday.clone(), rule, BTreeSet::new(), BTreeSet::new())
    /// };
    /// let moved = recurrence("FREQ=WEEKLY;BYDAY=TU,SU;COUNT=6").moved(&wednesday)?;
    /// assert_eq!(moved.rule().unwrap().to_string(), "FREQ=WEEKLY;COUNT=6;BYDAY=MO,WE");
    /// let first_tuesday = recurrence("FREQ=MONTHLY;BYDAY=1TU").moved(&wednesday);
    /// assert_eq!(first_tuesday, Err(InvalidMove::Contradicts(Part::Days)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidMove`], naming the part of the rule that does not follow.
    pub fn moved(&self, to: &EventTime) -> Result<Self, InvalidMove> {
        let shift = Shift::between(self.first(), to);
        let rule = match self.rule() {
            Some(rule) => Some(self.moved_rule(rule, to)?),
            None => None,
        };
        let extra = self.extra().iter().map(|slot| shift.apply(*slot));
        // A day is deleted if all its slots were.
        let has_become_days = to.all_day() && !self.first().all_day();
        let lookup = self.lookup();
        let is_deleted = |slot: &&Slot| {
            let of_day = lookup.slots_at(DateValue::Day(slot.day()));
            !has_become_days || of_day.iter().all(|slot| self.deleted().contains(slot))
        };
        let deleted = self.deleted().iter().filter(is_deleted);
        let deleted = deleted.map(|slot| shift.apply(*slot)).collect();
        let moved = Self::from_stored(to.clone(), rule, extra.collect(), deleted);
        Ok(moved.with_end_of(self, shift))
    }

    /// The time of the first occurrence with which that of a slot comes at `to`: all move by as much
    /// as this one.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let at = |text| {
    /// #     let start = parse_civil(text).unwrap();
    /// #     EventTime::new(Zone::utc(), start, start, false)
    /// # };
    /// let tuesday = at("2027-03-02 19:00:00")?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(tuesday, rule, BTreeSet::new(), BTreeSet::new());
    /// let third = "2027-03-16T19:00:00".parse()?;
    /// let first = weekly.first_for(third, &at("2027-03-17 20:00:00")?)?;
    /// assert_eq!(first, at("2027-03-03 20:00:00")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidEventTime`] if the first occurrence would leave the years 1 to 9999.
    pub fn first_for(&self, slot: Slot, to: &EventTime) -> Result<EventTime, InvalidEventTime> {
        let from = self.time_at(slot);
        let from = from.as_ref().unwrap_or(self.first());
        let start = Shift::between(from, to).apply(self.first_slot()).local();
        let end = Slot::new(start).plus(length(to)).local();
        EventTime::new(to.zone().clone(), start, end, to.all_day())
    }

    fn moved_rule(&self, rule: &Rule, to: &EventTime) -> Result<Rule, InvalidMove> {
        let (from, to_slot) = (self.first_slot().local(), first_slot(to).local());
        let days = (to_slot.date() - from.date()).num_days();
        let parts = rule.parts();
        let mut moved = parts.clone();
        if days != 0 {
            turn_days(&mut moved, days)?;
            let months = &mut moved.months;
            let (old, new) = (i64::from(from.month()), i64::from(to_slot.month()));
            if parts.frequency == Frequency::Yearly && *months == [old] {
                *months = vec![new];
            }
            if months.contains(&old) && !months.contains(&new) {
                return Err(InvalidMove::Contradicts(Part::Months));
            }
        }
        let lists = [(Part::Hours, &parts.hours), (Part::Minutes, &parts.minutes)];
        let timed = lists.into_iter().find(|(_, list)| !list.is_empty());
        match timed {
            Some((part, _)) if to.all_day() => return Err(InvalidMove::NotForAllDay(part)),
            Some(_) => move_times(
                &mut moved,
                &parts.completed(from),
                from.time(),
                to_slot.time(),
            )?,
            None => {}
        }
        Ok(rule.with(|parts| *parts = moved))
    }

    /// The recurrence with the end that `old` had, moved so that the same slots remain.
    fn with_end_of(self, old: &Self, shift: Shift) -> Self {
        let until = old.rule().and_then(|rule| rule.parts().until);
        let (Some(until), Some(rule)) = (until, self.rule()) else {
            return self;
        };
        let (from, to) = (old.first(), self.first());
        let is_kept = shift == Shift::between(from, from)
            && (from.zone(), from.all_day()) == (to.zone(), to.all_day());
        let (last, all_day) = match until {
            _ if is_kept => return self,
            DateValue::Day(day) => (Slot::of_day(day), true),
            DateValue::Local(local) => (Slot::new(local), false),
            DateValue::Instant(instant) => (Slot::new(from.zone().at(instant).local), false),
        };
        let last = last.plus(shift.distance);
        let natural = if all_day {
            DateValue::Day(last.day())
        } else {
            DateValue::Local(last.local())
        };
        let ending = |until| {
            let rule = rule.with(|parts| parts.until = Some(until));
            let (extra, deleted) = (self.extra().clone(), self.deleted().clone());
            Self::from_stored(to.clone(), Some(rule), extra, deleted)
        };
        let moved = ending(end(natural, to));
        let last_slot = |recurrence: &Self| recurrence.rule_slots().last();
        let wanted = last_slot(old).map(|slot| shift.apply(slot));
        match wanted {
            Some(wanted) if last_slot(&moved) != Some(wanted) => {
                let at = moved
                    .time_at(wanted)
                    .map_or(to.start(), |when| when.start());
                ending(end(DateValue::Instant(at.utc), to))
            }
            _ => moved,
        }
    }
}

/// Moves the parts that name days.
fn turn_days(parts: &mut RuleParts, days: i64) -> Result<(), InvalidMove> {
    let turned = |weekday: chrono::Weekday| {
        let index = i64::from(weekday.num_days_from_monday()) + days;
        let index = usize::try_from(index.rem_euclid(7)).unwrap_or_default();
        WEEKDAYS.get(index).copied().unwrap_or(weekday)
    };
    if parts.frequency == Frequency::Weekly {
        for day in &mut parts.days {
            day.weekday = turned(day.weekday);
        }
        // Otherwise, it makes no difference on which day a week begins.
        if parts.interval > 1 || !parts.positions.is_empty() {
            parts.week_start = turned(parts.week_start);
        }
        return Ok(());
    }
    let named = [
        (Part::Days, parts.days.is_empty()),
        (Part::DaysOfMonth, parts.days_of_month.is_empty()),
        (Part::DaysOfYear, parts.days_of_year.is_empty()),
        (Part::Weeks, parts.weeks.is_empty()),
    ];
    let mut named = named.into_iter().filter(|(_, is_empty)| !is_empty);
    match named.next() {
        Some((part, _)) => Err(InvalidMove::Contradicts(part)),
        None => Ok(()),
    }
}

/// Moves BYHOUR and BYMINUTE by as much as the time of the start, within the day.
fn move_times(
    parts: &mut RuleParts,
    completed: &RuleParts,
    from: NaiveTime,
    to: NaiveTime,
) -> Result<(), InvalidMove> {
    let refused = InvalidMove::Contradicts(Part::Hours);
    let distance = (to - from).num_seconds();
    let second = i64::from(from.second());
    let (mut hours, mut minutes) = (BTreeSet::new(), BTreeSet::new());
    for hour in &completed.hours {
        for minute in &completed.minutes {
            let time = hour * 3600 + minute * 60 + second + distance;
            if !(0..86_400).contains(&time) {
                return Err(refused);
            }
            hours.insert(time / 3600);
            minutes.insert(time / 60 % 60);
        }
    }
    // Not all sets of times are those of some hours with some minutes.
    if hours.len() * minutes.len() != completed.hours.len() * completed.minutes.len() {
        return Err(refused);
    }
    let start = (i64::from(to.hour()), i64::from(to.minute()));
    if !parts.hours.is_empty() || !hours.iter().eq([&start.0]) {
        parts.hours = hours.into_iter().collect();
    }
    if !parts.minutes.is_empty() || !minutes.iter().eq([&start.1]) {
        parts.minutes = minutes.into_iter().collect();
    }
    Ok(())
}
