//! The slots of a pattern, period by period.

use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta};

use super::{
    pattern::{Pattern, picks},
    rule::Frequency,
};

/// The last year of a slot.
const LAST_YEAR: i32 = 9999;

/// The Gregorian calendar repeats after 400 years, which are a whole number of each.
const YEARS: i64 = 400;
const MONTHS: i64 = 4800;
const WEEKS: i64 = 20_871;
const DAYS: i64 = 146_097;

/// The slots of a pattern in order, from a wall clock on, up to the year 9999.
///
/// It works through one period after the other: a year, a month or a week, and a month for daily
/// patterns. It ends when the calendar has gone through its cycle without a slot.
#[derive(Clone, Debug)]
pub(super) struct PatternSlots<'a> {
    pattern: &'a Pattern,
    from: NaiveDateTime,
    /// The number of the next period, the first slot's being 0.
    period: i64,
    /// Periods without a slot since the last one with a slot.
    fruitless: i64,
    most_fruitless: i64,
    /// The selected days of the present period.
    days: Vec<NaiveDate>,
    /// The indexes of its slots that the positions select.
    picks: Vec<usize>,
    /// How many of its slots are past.
    past: usize,
    #[cfg(test)]
    pub(super) periods_seen: usize,
}

impl Pattern {
    /// The slots that are not before `from`, which is not before the first slot.
    pub(super) fn slots_from(&self, from: NaiveDateTime) -> PatternSlots<'_> {
        let step = match self.frequency {
            Frequency::Daily => 1,
            _ => self.interval,
        };
        let distance = self.place(from.date().max(self.anchor)) - self.place(self.anchor);
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
            period: distance.div_euclid(step).max(0),
            fruitless: 0,
            most_fruitless,
            days: Vec::new(),
            picks: Vec::new(),
            past: 0,
            #[cfg(test)]
            periods_seen: 0,
        }
    }

    /// The place of a day in units of the pattern: years, months or weeks.
    fn place(&self, day: NaiveDate) -> i64 {
        match self.frequency {
            Frequency::Yearly if self.has_weeks() => self.week_year(day).into(),
            Frequency::Yearly => day.year().into(),
            Frequency::Daily | Frequency::Monthly => month_number(day),
            Frequency::Weekly => i64::from(self.week_of(day).num_days_from_ce()).div_euclid(7),
        }
    }

    /// Adds the selected days of a period; none after the year 9999.
    fn add_period(&self, period: i64, days: &mut Vec<NaiveDate>) -> Option<()> {
        let year = |years: i64| i32::try_from(years).ok().filter(|year| *year <= LAST_YEAR);
        let month = |months: i64| {
            let of_year = u32::try_from(months.rem_euclid(12)).ok()?;
            Some((year(months.div_euclid(12))?, of_year + 1))
        };
        let distance = period.checked_mul(self.interval)?;
        match self.frequency {
            Frequency::Yearly => {
                let place = self.place(self.anchor).checked_add(distance)?;
                if self.has_weeks() {
                    self.add_weeks_of_year(year(place)?, days);
                } else {
                    self.add_year(year(place)?, days);
                }
            }
            Frequency::Monthly => {
                let place = month_number(self.anchor).checked_add(distance)?;
                self.add_month(month(place)?, |_| true, days);
            }
            Frequency::Weekly => {
                let week = self.week_of(self.anchor);
                let week = week.checked_add_signed(TimeDelta::try_weeks(distance)?)?;
                year(week.year().into())?;
                self.add_week(week, days);
            }
            Frequency::Daily => {
                let place = month(month_number(self.anchor).checked_add(period)?)?;
                let first = NaiveDate::from_ymd_opt(place.0, place.1, 1)?;
                let before = (first - self.anchor).num_days() - 1;
                let is_due = |day: u32| (before + i64::from(day)) % self.interval == 0;
                self.add_month(place, is_due, days);
            }
        }
        Some(())
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

    /// Works out the next period; none if there are no more.
    fn go_on(&mut self) -> Option<()> {
        if self.fruitless > self.most_fruitless {
            return None;
        }
        self.days.clear();
        self.past = 0;
        self.pattern.add_period(self.period, &mut self.days)?;
        self.period += 1;
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
                    if slot.year() > LAST_YEAR {
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

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
