//! Moves of a recurrence to another start, zone or kind of day.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};

use super::{
    date_value::DateValue,
    rule::{Frequency, InvalidRule, Part, Rule, RuleParts, WEEKDAYS},
    set::{Recurrence, end},
    slot::Slot,
    start::Start,
};
use crate::time::{EventTime, InvalidEventTime};

/// Maps each slot of a recurrence to its slot after the series was moved.
///
/// Slots move by the distance of the starts. Wall clocks stay where only the zone changes. Slots
/// become days where the event comes to take whole days, and get the time of the start where it no
/// longer does.
#[derive(Clone, Debug)]
pub(super) struct Shift {
    distance: TimeDelta,
    /// The time of day of all slots after the move; none if it moves, too.
    time: Option<NaiveTime>,
    /// Slots of a rule that gives other days than the distance; the n-th is the n-th.
    by_index: BTreeMap<Slot, Slot>,
}

impl Shift {
    fn between(from: &Start, to: &Start) -> Self {
        let (old, new) = (from.slot().local(), to.slot().local());
        let has_days = from.first().all_day() || to.first().all_day();
        Self {
            distance: if has_days {
                new.date() - old.date()
            } else {
                new - old
            },
            time: has_days.then_some(new.time()),
            by_index: BTreeMap::new(),
        }
    }

    /// A slot after the move.
    pub(super) fn apply(&self, slot: Slot) -> Slot {
        if let Some(slot) = self.by_index.get(&slot) {
            return *slot;
        }
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
    #[error("{0} of the recurrence does not follow this change")]
    Contradicts(Part),
    /// An event of whole days has no times of day.
    #[error("{0} of the recurrence is not allowed for an event of whole days")]
    NotForAllDay(Part),
    /// An extra date or the end would lie outside the years 1 to 9999.
    #[error("a date of the recurrence would leave the years 1 to 9999")]
    OutOfRange,
}

impl Recurrence {
    /// The recurrence after a move of its first occurrence to another time, zone or kind of day.
    ///
    /// All slots move by the same distance on the clock, with extra and deleted dates and the end.
    /// The parts that the rule takes from the start follow it. Weekdays of a weekly rule turn; any other rule
    /// with BYDAY, BYMONTHDAY, BYYEARDAY or BYWEEKNO stays on its days, and so does a daily or
    /// weekly one with BYMONTH. Not all months have the same days: of a monthly or yearly rule, the
    /// n-th slot becomes the n-th, and as many remain.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::{InvalidMove, Part, Recurrence};
    /// # use events_calendar_domain::time::{EventTime, parse_civil};
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
        self.moved_to(self.start().moved(to))
    }

    /// The recurrence after a move to another start, as [`Self::moved`].
    ///
    /// # Errors
    ///
    /// As for [`Self::moved`].
    pub fn moved_to(&self, start: Start) -> Result<Self, InvalidMove> {
        let to = start.first().clone();
        let shift = Shift::between(self.start(), &start);
        let rule = match self.rule() {
            Some(rule) => Some(self.moved_rule(rule, &start)?),
            None => None,
        };
        let moved = Self::from_stored(start, rule, BTreeSet::new(), BTreeSet::new());
        let moved = moved.with_end_of(self, &shift);
        // The months named need not have the new day.
        let has_more = |recurrence: &Self| recurrence.rule_slots().nth(1).is_some();
        let has_months = self
            .rule()
            .is_some_and(|rule| !rule.parts().months.is_empty());
        if has_months && has_more(self) && !has_more(&moved) {
            return Err(InvalidMove::Contradicts(Part::Months));
        }
        let mut deleted = self.deleted().clone();
        if to.all_day() && !self.first().all_day() {
            // A day is deleted if all its slots were.
            let days: BTreeSet<_> = deleted.iter().map(|slot| slot.day()).collect();
            let is_deleted = |slot: Slot| self.deleted().contains(&slot);
            let stay = |day: &NaiveDate| !self.slots_of(*day).into_iter().all(is_deleted);
            let stay: BTreeSet<_> = days.into_iter().filter(stay).collect();
            deleted.retain(|slot| !stay.contains(&slot.day()));
        }
        let shift = self.shift_to(&moved, self.extra().last().max(deleted.last()).copied());
        let moved_dates = |slots: &BTreeSet<Slot>| -> BTreeSet<Slot> {
            slots.iter().map(|slot| shift.apply(*slot)).collect()
        };
        let is_in_range = |slot: &Slot| to.zone().at_local(slot.local()).is_ok();
        let extra = moved_dates(self.extra());
        let mut deleted = moved_dates(&deleted);
        // A deleted date outside the years hits no slot.
        deleted.retain(is_in_range);
        let moved = moved.with_dates(extra, deleted);
        let reads_back = |rule: &Rule| Rule::from_stored(&rule.to_string()).is_ok();
        if moved.extra().iter().all(is_in_range) && moved.rule().is_none_or(reads_back) {
            Ok(moved)
        } else {
            Err(InvalidMove::OutOfRange)
        }
    }

    /// The names of slots in a recurrence that takes the place of this one, whether or not either
    /// has them. A slot at another time of the same day is the same one if that day has one before
    /// and after, deleted or not.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::{Recurrence, Slot};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let at = |text| {
    /// #     let start = parse_civil(text).unwrap();
    /// #     EventTime::new(Zone::utc(), start, start, false)
    /// # };
    /// let tuesday = at("2027-03-02 19:00:00")?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=2".parse()?);
    /// let two = Recurrence::from_stored(tuesday, rule, BTreeSet::new(), BTreeSet::new());
    /// let wednesdays = two.moved(&at("2027-03-03 20:00:00")?)?;
    /// let friday: Slot = "2027-05-07T19:00:00".parse()?;
    /// assert_eq!(two.moved_names(&wednesdays, &[friday]), ["2027-05-08T20:00:00".parse()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved_names(&self, new: &Self, slots: &[Slot]) -> Vec<Slot> {
        let shift = self.shift_to(new, slots.iter().max().copied());
        let name = |slot: &Slot| {
            let name = shift.apply(*slot);
            match (&*self.shown_of(slot.day()), &*new.shown_of(name.day())) {
                ([former], [one]) if former == slot => *one,
                _ => name,
            }
        };
        slots.iter().map(name).collect()
    }

    /// The names of the slots up to `last` in a recurrence that takes the place of this one.
    pub(super) fn shift_to(&self, new: &Self, last: Option<Slot>) -> Shift {
        let mut shift = Shift::between(self.start(), new.start());
        if let Some(last) = last
            && self.follows_by_index(new)
        {
            let slots = self.rule_slots_between(Slot::MIN, last);
            let slots = slots.zip(new.rule_slots());
            // More than are kept of a series; a deleted date can be far beyond.
            shift.by_index = slots.take(2 * Self::MAX_SLOTS).collect();
        }
        shift
    }

    /// Whether the rule takes its day of the month from the start, and is the same after a move of
    /// the start to another day: not all months have both days.
    fn follows_by_index(&self, new: &Self) -> bool {
        let (Some(rule), Some(new_rule)) = (self.rule(), new.rule()) else {
            return false;
        };
        let parts = rule.parts();
        let is_open = matches!(parts.frequency, Frequency::Monthly | Frequency::Yearly)
            && named_days(parts).is_none()
            && self.first_slot().day() != new.first_slot().day();
        let without_end =
            |rule: &Rule| rule.with(|parts| (parts.count, parts.until) = (None, None));
        let is_same = |moved: Rule| without_end(&moved) == without_end(new_rule);
        is_open && self.moved_rule(rule, new.start()).is_ok_and(is_same)
    }

    /// The start with which the occurrence of a slot comes at `to`: all move by as much as this one.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let at = |text| {
    /// #     let start = parse_civil(text).unwrap();
    /// #     EventTime::new(Zone::utc(), start, start, false)
    /// # };
    /// let tuesday = at("2027-03-02 19:00:00")?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(tuesday, rule, BTreeSet::new(), BTreeSet::new());
    /// let third = "2027-03-16T19:00:00".parse()?;
    /// let start = weekly.start_for(third, &at("2027-03-17 20:00:00")?)?;
    /// assert_eq!(start.first(), &at("2027-03-03 20:00:00")?);
    /// let later = weekly.moved_to(start)?;
    /// assert_eq!(later.time_at("2027-03-17T20:00:00".parse()?), at("2027-03-17 20:00:00").ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidEventTime`] if the first occurrence would leave the years 1 to 9999.
    pub fn start_for(&self, slot: Slot, to: &EventTime) -> Result<Start, InvalidEventTime> {
        self.start().start_for(slot, to)
    }

    fn moved_rule(&self, rule: &Rule, to: &Start) -> Result<Rule, InvalidMove> {
        let (from, to_slot) = (self.first_slot().local(), to.slot().local());
        let days = (to_slot.date() - from.date()).num_days();
        let parts = rule.parts();
        let mut moved = parts.clone();
        if days != 0 {
            turn_days(&mut moved, days)?;
            let months = &mut moved.months;
            let (old, new) = (i64::from(from.month()), i64::from(to_slot.month()));
            if parts.frequency == Frequency::Yearly && *months == [old] {
                *months = vec![new];
            } else if months.contains(&old) != months.contains(&new) {
                return Err(InvalidMove::Contradicts(Part::Months));
            }
        }
        let lists = [(Part::Hours, &parts.hours), (Part::Minutes, &parts.minutes)];
        let timed = lists.into_iter().find(|(_, list)| !list.is_empty());
        match timed {
            Some((part, _)) if to.first().all_day() => return Err(InvalidMove::NotForAllDay(part)),
            Some(_) => move_times(&mut moved, from, to_slot.time())?,
            None => {}
        }
        Ok(rule.with(|parts| *parts = moved))
    }

    /// The recurrence with the end that `old` had, moved so that as many slots remain.
    fn with_end_of(self, old: &Self, shift: &Shift) -> Self {
        let until = old.rule().and_then(|rule| rule.parts().until);
        let (Some(until), Some(rule)) = (until, self.rule()) else {
            return self;
        };
        let (from, to) = (old.first(), self.first());
        if old.start().slot() == self.start().slot()
            && (from.zone(), from.all_day()) == (to.zone(), to.all_day())
        {
            return self;
        }
        let (last, all_day) = match until {
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
        let endless = rule.with(|parts| parts.until = None);
        let none = BTreeSet::new();
        let endless = Self::from_stored(self.start().clone(), Some(endless), none.clone(), none);
        let slots = endless.rule_slots().zip(old.rule_slots());
        let last = slots.last().map_or(self.first_slot(), |(slot, _)| slot);
        self.ended(end(natural, to), last)
    }
}

/// Moves the parts that name days.
fn turn_days(parts: &mut RuleParts, days: i64) -> Result<(), InvalidMove> {
    let turned = |weekday: chrono::Weekday| {
        let index = i64::from(weekday.num_days_from_monday()) + days;
        let index = usize::try_from(index.rem_euclid(7)).unwrap_or_default();
        WEEKDAYS.get(index).copied().unwrap_or(weekday)
    };
    // Their days are those of the same months, whatever the start.
    let is_short = matches!(parts.frequency, Frequency::Daily | Frequency::Weekly);
    if is_short && !parts.months.is_empty() {
        return Err(InvalidMove::Contradicts(Part::Months));
    }
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
    match named_days(parts) {
        Some(part) => Err(InvalidMove::Contradicts(part)),
        None => Ok(()),
    }
}

/// The first part that names days; none if they come from the start.
fn named_days(parts: &RuleParts) -> Option<Part> {
    let named = [
        (Part::Days, parts.days.is_empty()),
        (Part::DaysOfMonth, parts.days_of_month.is_empty()),
        (Part::DaysOfYear, parts.days_of_year.is_empty()),
        (Part::Weeks, parts.weeks.is_empty()),
    ];
    let mut named = named.into_iter().filter(|(_, is_empty)| !is_empty);
    named.next().map(|(part, _)| part)
}

/// Moves BYHOUR and BYMINUTE by as much as the time of the start, within the day.
fn move_times(
    parts: &mut RuleParts,
    start: NaiveDateTime,
    to: NaiveTime,
) -> Result<(), InvalidMove> {
    let (from, completed) = (start.time(), parts.completed(start));
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
    // A list that says no more than the start comes and goes with the move, unless it was there
    // before.
    let moved = |list: &[i64], moved: BTreeSet<i64>, from: u32, to: u32| {
        let was_said = *list == [i64::from(from)];
        let is_said = moved.iter().eq([&i64::from(to)]);
        let moved = moved.into_iter().filter(|_| was_said || !is_said);
        moved.collect()
    };
    parts.hours = moved(&parts.hours, hours, from.hour(), to.hour());
    parts.minutes = moved(&parts.minutes, minutes, from.minute(), to.minute());
    if Rule::new(parts.clone()) == Err(InvalidRule::PositionsAlone) {
        parts.hours = vec![to.hour().into()];
    }
    Ok(())
}
