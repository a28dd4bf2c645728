//! The slots of a pattern, period by period.

use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta};

use super::{
    pattern::{Pattern, YearDays, picks},
    rule::Frequency,
};

/// The last day of a slot.
const LAST_DAY: Option<NaiveDate> = NaiveDate::from_ymd_opt(9999, 12, 31);

/// The Gregorian calendar repeats after 400 years, which are a whole number of each.
const YEARS: i64 = 400;
const MONTHS: i64 = 4800;
const WEEKS: i64 = 20_871;
const DAYS: i64 = 146_097;

/// The slots of a pattern in order, between two wall clocks.
///
/// It works through one period after the other: a year, a month or a week, and a month for daily
/// patterns. It ends when the calendar has gone through its cycle without a slot.
#[derive(Clone, Debug)]
pub(super) struct PatternSlots<'a> {
    pattern: &'a Pattern,
    from: NaiveDateTime,
    to: NaiveDateTime,
    /// The next period, in units of the pattern: a year, or the number of a month or of a week.
    period: i64,
    last_period: i64,
    /// Periods without a slot since the last one with a slot.
    fruitless: i64,
    most_fruitless: i64,
    /// The selected days of the present period.
    days: Vec<NaiveDate>,
    /// The indexes of its slots that the positions select.
    picks: Vec<usize>,
    /// How many of its slots are past.
    past: usize,
    /// The selected days of the years seen, by kind: the first weekday, and whether it is a leap year.
    years: [Option<YearDays>; 14],
    #[cfg(test)]
    pub(super) periods_seen: usize,
}

impl Pattern {
    /// The slots from `from`, which is not before the first slot, up to `to`, but at most up to the
    /// year 9999.
    pub(super) fn slots_between(&self, from: NaiveDateTime, to: NaiveDateTime) -> PatternSlots<'_> {
        let first = self.period_of(self.anchor);
        let distance = self.period_of(from.date().max(self.anchor)) - first;
        let last_day = LAST_DAY.map_or(to.date(), |last| last.min(to.date()));
        let cycle = |length: i64| length / gcd(self.interval, length);
        let most_fruitless = match self.frequency {
            Frequency::Daily => MONTHS * (self.interval / gcd(self.interval, DAYS)),
            Frequency::Weekly => cycle(WEEKS),
            Frequency::Monthly => cycle(MONTHS),
            Frequency::Yearly => cycle(YEARS),
        };
        PatternSlots {
            pattern: self,
            from,
            to,
            period: first + distance - distance.rem_euclid(self.step()),
            last_period: self.period_of(last_day.max(self.anchor)),
            fruitless: 0,
            most_fruitless,
            days: Vec::new(),
            picks: Vec::new(),
            past: 0,
            years: [None; 14],
            #[cfg(test)]
            periods_seen: 0,
        }
    }

    /// The distance of two periods.
    fn step(&self) -> i64 {
        match self.frequency {
            Frequency::Daily => 1,
            _ => self.interval,
        }
    }

    /// The period of a day, in units of the pattern: years, months or weeks.
    fn period_of(&self, day: NaiveDate) -> i64 {
        match self.frequency {
            Frequency::Yearly if self.has_weeks() => self.week_year(day).into(),
            Frequency::Yearly => day.year().into(),
            Frequency::Daily | Frequency::Monthly => month_number(day),
            Frequency::Weekly => i64::from(self.week_of(day).num_days_from_ce()).div_euclid(7),
        }
    }
}

impl PatternSlots<'_> {
    /// The slot of an index in the present period.
    fn slot(&self, index: usize) -> Option<NaiveDateTime> {
        let times = &self.pattern.times;
        let index = if self.pattern.positions.is_empty() {
            index
        } else {
            *self.picks.get(index)?
        };
        let day = self.days.get(index / times.len().max(1))?;
        Some(day.and_time(*times.get(index % times.len().max(1))?))
    }

    /// Adds the selected days of the next period; none after the last one.
    fn add_period(&mut self) -> Option<()> {
        let (pattern, period) = (self.pattern, self.period);
        if period > self.last_period {
            return None;
        }
        self.period = period.checked_add(pattern.step())?;
        match pattern.frequency {
            Frequency::Yearly if pattern.has_weeks() => {
                pattern.add_weeks_of_year(i32::try_from(period).ok()?, &mut self.days);
            }
            Frequency::Yearly => self.add_year(i32::try_from(period).ok()?)?,
            Frequency::Monthly => {
                pattern.add_month(first_of_month(period)?, (1, 1), &mut self.days);
            }
            Frequency::Weekly => {
                let anchor = pattern.week_of(pattern.anchor);
                let weeks = TimeDelta::try_weeks(period - pattern.period_of(anchor))?;
                let first = anchor.checked_add_signed(weeks)?;
                pattern.add_week(first, &mut self.days);
                // None where the week can have slots.
                let _ = self.leap(first);
            }
            Frequency::Daily => {
                let first = first_of_month(period)?;
                let before = (pattern.anchor - first).num_days();
                let before = before.rem_euclid(pattern.interval);
                let from = u32::try_from(before + 1).ok()?;
                let step = usize::try_from(pattern.interval).ok()?;
                pattern.add_month(first, (from, step), &mut self.days);
            }
        }
        Some(())
    }

    /// Goes on from a week, if its months are left out, at the next one with a selected month.
    fn leap(&mut self, week: NaiveDate) -> Option<()> {
        let pattern = self.pattern;
        let month = pattern.month_after(week)?;
        let step = pattern.step();
        let steps = (pattern.period_of(month) - self.period + step - 1).div_euclid(step);
        self.period += steps.max(0) * step;
        self.fruitless += steps.max(0);
        Some(())
    }

    /// Adds the selected days of a year of months.
    fn add_year(&mut self, year: i32) -> Option<()> {
        let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
        let weekday = first.weekday().num_days_from_monday() as usize;
        let kind = weekday * 2 + usize::from(first.leap_year());
        let pattern = self.pattern;
        let selected = self.years.get_mut(kind)?;
        let selected = selected.get_or_insert_with(|| pattern.days_in_year(year));
        for (word, before) in selected.iter().zip((0..).step_by(64)) {
            let mut rest = *word;
            while rest != 0 {
                self.days
                    .extend(NaiveDate::from_yo_opt(year, before + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
        Some(())
    }

    /// Works out the next period; none if there are no more.
    fn go_on(&mut self) -> Option<()> {
        if self.fruitless > self.most_fruitless {
            return None;
        }
        self.days.clear();
        self.past = 0;
        self.add_period()?;
        #[cfg(test)]
        {
            self.periods_seen += 1;
        }
        if !self.pattern.positions.is_empty() {
            let slots = self.days.len() * self.pattern.times.len();
            self.picks = picks(&self.pattern.positions, slots);
        }
        self.fruitless = match self.slot(0) {
            Some(_) => 0,
            None => self.fruitless + 1,
        };
        Some(())
    }
}

impl Iterator for PatternSlots<'_> {
    type Item = NaiveDateTime;

    fn next(&mut self) -> Option<NaiveDateTime> {
        loop {
            match self.slot(self.past) {
                None => self.go_on()?,
                Some(slot) => {
                    self.past += 1;
                    if slot > self.to || LAST_DAY.is_none_or(|last| slot.date() > last) {
                        return None;
                    }
                    if slot >= self.from {
                        return Some(slot);
                    }
                }
            }
        }
    }
}

/// The number of the month of a day, from January of the year 0.
fn month_number(day: NaiveDate) -> i64 {
    i64::from(day.year()) * 12 + i64::from(day.month0())
}

/// The first day of the month with a number.
fn first_of_month(number: i64) -> Option<NaiveDate> {
    let year = i32::try_from(number.div_euclid(12)).ok()?;
    let month = u32::try_from(number.rem_euclid(12)).ok()?;
    NaiveDate::from_ymd_opt(year, month + 1, 1)
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{recurrence::Rule, time::parse_civil};

    /// The number of periods seen until a rule is given up, and the number of its slots.
    fn effort(rule: &str) -> (usize, usize) {
        let first = parse_civil("2027-01-05 19:00:00").unwrap();
        let pattern = Pattern::new(rule.parse::<Rule>().unwrap().parts(), first);
        let after_first = first + TimeDelta::seconds(1);
        let mut slots = pattern.slots_between(after_first, NaiveDateTime::MAX);
        let found = slots.by_ref().count();
        assert!(slots.days.capacity() <= 512, "{rule}");
        (slots.periods_seen, found)
    }

    #[test]
    fn fruitless_rules_end_after_a_cycle() {
        for (rule, most) in [
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", YEARS),
            ("FREQ=YEARLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=30", YEARS),
            ("FREQ=YEARLY;BYYEARDAY=366;BYMONTHDAY=30", YEARS),
            ("FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", YEARS),
            ("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11", MONTHS),
            ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", MONTHS),
            ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=2", MONTHS / 12),
            ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=366", WEEKS),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYSETPOS=-366", WEEKS),
            ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", MONTHS),
            ("FREQ=DAILY;INTERVAL=7;BYDAY=WE", MONTHS),
            ("FREQ=DAILY;INTERVAL=994;BYDAY=WE", 12 * 8000),
            ("FREQ=DAILY;BYHOUR=9;BYSETPOS=2", MONTHS),
        ] {
            let (periods, found) = effort(rule);
            let most = usize::try_from(most).unwrap() + 1;
            assert!(periods <= most, "{rule}: {periods} periods");
            assert_eq!(found, 0, "{rule}");
        }
    }

    #[test]
    fn the_search_ends_with_the_window() {
        let first = parse_civil("2027-01-05 19:00:00").unwrap();
        for rule in [
            "DAILY;INTERVAL=994;BYDAY=WE",
            "WEEKLY;BYSETPOS=9;BYDAY=MO",
            "YEARLY;BYMONTH=2;BYMONTHDAY=30",
        ] {
            let rule: Rule = format!("FREQ={rule}").parse().unwrap();
            let pattern = Pattern::new(rule.parts(), first);
            let from = parse_civil("9000-03-01 00:00:00").unwrap();
            let mut slots = pattern.slots_between(from, from + TimeDelta::days(2));
            assert_eq!(slots.by_ref().count(), 0, "{rule}");
            assert!(slots.periods_seen <= 2, "{rule}");
        }
    }

    #[test]
    fn weeks_outside_the_months_are_left_out() {
        let first = parse_civil("2027-02-02 19:00:00").unwrap();
        let rule: Rule = "FREQ=WEEKLY;INTERVAL=3;BYMONTH=2".parse().unwrap();
        let pattern = Pattern::new(rule.parts(), first);
        let mut slots = pattern.slots_between(first, NaiveDateTime::MAX);
        let last = slots.by_ref().take(1000).last().unwrap();
        let years = usize::try_from(last.date().year() - 2027).unwrap();
        // Every third of five weeks, and a week before the leap.
        assert!(
            slots.periods_seen <= 3 * years + 3,
            "{} periods",
            slots.periods_seen
        );
        let next = last + TimeDelta::seconds(1);
        let later = pattern.slots_between(next, NaiveDateTime::MAX).next();
        assert_eq!(later, slots.next());
    }

    #[test]
    fn rare_slots_are_found() {
        for (rule, slots) in [
            // 29 February and 31 December of leap years: Sundays counted with another calendar.
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", 259),
            ("FREQ=YEARLY;BYYEARDAY=366;BYDAY=SU", 259),
            ("FREQ=WEEKLY;INTERVAL=1000;BYDAY=TU;BYMONTH=1", 34),
        ] {
            assert_eq!(effort(rule).1, slots, "{rule}");
        }
    }
}
