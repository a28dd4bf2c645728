//! Patterns: which days and times a completed rule selects.

use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Weekday};

use super::rule::{Frequency, RuleParts};

/// A rule with the parts that it leaves open taken from the first slot, in a form that is quick to
/// compare with days. The end of the rule is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) frequency: Frequency,
    pub(super) interval: i64,
    /// The day of the first slot, from which intervals are counted.
    pub(super) anchor: NaiveDate,
    /// Times of day in order.
    pub(super) times: Vec<NaiveTime>,
    /// Positions among the slots of one interval; empty for all. Not for daily patterns, whose
    /// intervals have the same times: there, `times` are those selected.
    pub(super) positions: Vec<i64>,
    week_start: Weekday,
    /// Bit `n` is month `n`.
    months: Option<u64>,
    /// The days of the month, from its start and from its end.
    days_of_month: Option<[u64; 2]>,
    days_of_year: Option<Box<[YearDays; 2]>>,
    weeks: Option<[u64; 2]>,
    weekdays: Option<Weekdays>,
    /// Whether the numbers of weekdays count within the year.
    numbers_in_year: bool,
}

/// A set of days of the year: bit `n % 64` of word `n / 64` is day `n`.
pub(super) type YearDays = [u64; 6];

/// Weekdays, by their number from Monday.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Weekdays {
    /// Bit `n` is each weekday `n`.
    each: u64,
    /// For each weekday, its numbers from the start: bit `n` is the `n`th.
    from_start: [u64; 7],
    /// For each weekday, its numbers from the end.
    from_end: [u64; 7],
}

impl Weekdays {
    fn of(parts: &RuleParts) -> Option<Self> {
        let mut weekdays = Self::default();
        for day in &parts.days {
            let index = index(day.weekday);
            match day.number {
                None => weekdays.each |= 1 << index,
                Some(number) if number > 0 => weekdays.from_start[index] |= bit(number),
                Some(number) => weekdays.from_end[index] |= bit(number),
            }
        }
        (!parts.days.is_empty()).then_some(weekdays)
    }

    /// Whether a weekday is there with a number from the start and one from the end, both from 1 on.
    fn has(&self, weekday: usize, numbers: [u32; 2]) -> bool {
        self.each >> weekday & 1 == 1
            || self.from_start[weekday] >> numbers[0] & 1 == 1
            || self.from_end[weekday] >> numbers[1] & 1 == 1
    }

    /// Whether a weekday is there with any number.
    fn has_any(&self, weekday: usize) -> bool {
        self.each >> weekday & 1 == 1 || self.from_start[weekday] | self.from_end[weekday] != 0
    }
}

impl Pattern {
    /// The pattern of a rule whose first slot is `first`.
    pub(super) fn new(parts: &RuleParts, first: NaiveDateTime) -> Self {
        let parts = parts.completed(first);
        let mut pattern = Self {
            frequency: parts.frequency,
            interval: parts.interval,
            anchor: first.date(),
            times: times(&parts, first.second()),
            positions: parts.positions.clone(),
            week_start: parts.week_start,
            months: (!parts.months.is_empty()).then(|| bits(&parts.months)[0]),
            days_of_month: both_ends(&parts.days_of_month),
            days_of_year: days_of_year(&parts.days_of_year),
            weeks: both_ends(&parts.weeks),
            weekdays: Weekdays::of(&parts),
            numbers_in_year: parts.frequency == Frequency::Yearly && parts.months.is_empty(),
        };
        if pattern.frequency == Frequency::Daily && !pattern.positions.is_empty() {
            let selected = picks(&pattern.positions, pattern.times.len());
            pattern.times = selected.into_iter().map(|at| pattern.times[at]).collect();
            pattern.positions.clear();
        }
        pattern
    }

    /// Whether the years of a yearly pattern consist of whole weeks.
    pub(super) fn has_weeks(&self) -> bool {
        self.weeks.is_some()
    }

    /// The first day of the week of a day.
    pub(super) fn week_of(&self, day: NaiveDate) -> NaiveDate {
        let days = day.weekday().days_since(self.week_start);
        day - TimeDelta::days(days.into())
    }

    /// The first day of the first week of a year: the first week with four days in it.
    pub(super) fn first_week(&self, year: i32) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(year, 1, 4).map(|day| self.week_of(day))
    }

    /// The year of the week of a day.
    pub(super) fn week_year(&self, day: NaiveDate) -> i32 {
        let is_before = |year| self.first_week(year).is_some_and(|first| day < first);
        match day.year() {
            year if is_before(year) => year - 1,
            year if is_before(year + 1) => year,
            year => year + 1,
        }
    }

    /// Whether no day of a month is selected.
    fn leaves_out(&self, month: u32) -> bool {
        self.months.is_some_and(|months| months >> month & 1 == 0)
    }

    /// The first day of the next selected month, if a week is in none.
    pub(super) fn month_after(&self, week: NaiveDate) -> Option<NaiveDate> {
        let last = week.checked_add_signed(TimeDelta::days(6))?;
        if !self.leaves_out(week.month()) || !self.leaves_out(last.month()) {
            return None;
        }
        let first = last.with_day(1)?;
        let months = (1..=12).filter_map(|months| first.checked_add_months(Months::new(months)));
        let mut selected = months.filter(|month| !self.leaves_out(month.month()));
        selected.next()
    }

    /// Adds the selected days of the month of its first day, from a day on in steps of some days.
    pub(super) fn add_month(
        &self,
        first: NaiveDate,
        (from, step): (u32, usize),
        days: &mut Vec<NaiveDate>,
    ) {
        let length = length_of_month(first);
        if from > length || self.leaves_out(first.month()) {
            return;
        }
        let selected = self.days_in_month(index(first.weekday()), length);
        let due = (from..=length).step_by(step);
        let due = due.filter(|day| selected >> day & 1 == 1);
        days.extend(due.filter_map(|day| first.with_day(day)));
    }

    /// The days that the month alone selects, as bits 1 to 31.
    fn days_in_month(&self, first_weekday: usize, length: u32) -> u64 {
        let all = (1 << (length + 1)) - 2;
        let mut selected = all;
        if let Some([from_start, from_end]) = self.days_of_month {
            // Bit `n` from the end is day `length + 1 - n`.
            selected &= from_start | from_end.reverse_bits() >> (62 - length);
        }
        let Some(weekdays) = &self.weekdays else {
            return selected;
        };
        let mut on_weekdays = 0;
        for weekday in 0..7 {
            let first = 1 + (weekday + 7 - first_weekday) % 7;
            // Bits 0, 7, 14, 21 and 28.
            let column = 0x1020_4081 << first & all;
            if self.numbers_in_year && weekdays.has_any(weekday)
                || weekdays.each >> weekday & 1 == 1
            {
                on_weekdays |= column;
            } else if weekdays.has_any(weekday) {
                for day in (1..=length).filter(|day| column >> day & 1 == 1) {
                    let numbers = [day.div_ceil(7), (length + 1 - day).div_ceil(7)];
                    on_weekdays |= u64::from(weekdays.has(weekday, numbers)) << day;
                }
            }
        }
        selected & on_weekdays
    }

    /// The selected days of a year of months. They are those of all years that are as long and
    /// begin with the same weekday.
    pub(super) fn days_in_year(&self, year: i32) -> YearDays {
        let mut selected = YearDays::default();
        let months = (1..=12).filter_map(|month| NaiveDate::from_ymd_opt(year, month, 1));
        let length = length_of_year(year);
        for first in months.filter(|first| !self.leaves_out(first.month())) {
            let of_month = self.days_in_month(index(first.weekday()), length_of_month(first));
            for day in first.iter_days().take(31) {
                let of_year = day.ordinal();
                let numbers = [of_year.div_ceil(7), (length + 1 - of_year).div_ceil(7)];
                let has_number = |weekdays: &Weekdays| {
                    !self.numbers_in_year || weekdays.has(index(day.weekday()), numbers)
                };
                if day.month() == first.month()
                    && of_month >> day.day() & 1 == 1
                    && self.has_day_of_year(of_year, length)
                    && self.weekdays.as_ref().is_none_or(has_number)
                {
                    selected[of_year as usize / 64] |= 1 << (of_year % 64);
                }
            }
        }
        selected
    }

    /// Adds the selected days of a year of weeks.
    pub(super) fn add_weeks_of_year(&self, year: i32, days: &mut Vec<NaiveDate>) {
        let (Some(first), Some(next), Some([from_start, from_end])) =
            (self.first_week(year), self.first_week(year + 1), self.weeks)
        else {
            return;
        };
        let length = (next - first).num_weeks();
        for week in 1..=length {
            if from_start >> week & 1 == 1 || from_end >> (length + 1 - week) & 1 == 1 {
                self.add_week(first + TimeDelta::weeks(week - 1), days);
            }
        }
    }

    /// Adds the selected days of the week that begins with a day.
    pub(super) fn add_week(&self, first: NaiveDate, days: &mut Vec<NaiveDate>) {
        // A week touches two months at most.
        let last = first + TimeDelta::days(6);
        if self.leaves_out(first.month()) && self.leaves_out(last.month()) {
            return;
        }
        for day in first.iter_days().take(7) {
            let is_weekday = |weekdays: &Weekdays| weekdays.each >> index(day.weekday()) & 1 == 1;
            let is_of_month = |[from_start, from_end]: [u64; 2]| {
                let from_end = from_end >> (length_of_month(day) + 1 - day.day());
                (from_start >> day.day() | from_end) & 1 == 1
            };
            if self.weekdays.as_ref().is_none_or(is_weekday)
                && self
                    .months
                    .is_none_or(|months| months >> day.month() & 1 == 1)
                && self.days_of_month.is_none_or(is_of_month)
                && self.has_day_of_year(day.ordinal(), length_of_year(day.year()))
            {
                days.push(day);
            }
        }
    }

    fn has_day_of_year(&self, day: u32, length: u32) -> bool {
        let has = |days: &YearDays, day: u32| days[day as usize / 64] >> (day % 64) & 1 == 1;
        let days = self.days_of_year.as_deref();
        days.is_none_or(|[from_start, from_end]| {
            has(from_start, day) || has(from_end, length + 1 - day)
        })
    }
}

/// The indexes that positions select among `length` values, in order.
pub(super) fn picks(positions: &[i64], length: usize) -> Vec<usize> {
    let pick = |position: &i64| {
        let distance = usize::try_from(position.unsigned_abs()).ok()?;
        if *position > 0 {
            distance.checked_sub(1).filter(|at| *at < length)
        } else {
            length.checked_sub(distance)
        }
    };
    let mut picks: Vec<_> = positions.iter().filter_map(pick).collect();
    picks.sort_unstable();
    picks.dedup();
    picks
}

/// The times of day of a completed rule, in order.
fn times(parts: &RuleParts, second: u32) -> Vec<NaiveTime> {
    let small = |number: &i64| u32::try_from(*number).unwrap_or_default();
    let of_hour = |hour| {
        let minutes = parts.minutes.iter().map(small);
        minutes.filter_map(move |minute| NaiveTime::from_hms_opt(hour, minute, second))
    };
    parts.hours.iter().map(small).flat_map(of_hour).collect()
}

/// The number of a weekday, from Monday on.
fn index(weekday: Weekday) -> usize {
    weekday.num_days_from_monday() as usize
}

/// The bit of a number, whose sign is left out.
fn bit(number: i64) -> u64 {
    1 << (number.unsigned_abs() % 64)
}

/// Positive numbers and negative ones, without their sign, as bits.
fn bits(numbers: &[i64]) -> [u64; 2] {
    numbers.iter().fold([0; 2], |mut bits, number| {
        bits[usize::from(*number < 0)] |= bit(*number);
        bits
    })
}

fn both_ends(numbers: &[i64]) -> Option<[u64; 2]> {
    (!numbers.is_empty()).then(|| bits(numbers))
}

fn days_of_year(numbers: &[i64]) -> Option<Box<[YearDays; 2]>> {
    let mut days = Box::new([YearDays::default(); 2]);
    for number in numbers {
        let word = usize::try_from(number.unsigned_abs() / 64).unwrap_or_default();
        days[usize::from(*number < 0)][word.min(5)] |= bit(*number);
    }
    (!numbers.is_empty()).then_some(days)
}

fn length_of_month(day: NaiveDate) -> u32 {
    day.num_days_in_month().into()
}

fn length_of_year(year: i32) -> u32 {
    NaiveDate::from_ymd_opt(year, 1, 1).map_or(365, |day| if day.leap_year() { 366 } else { 365 })
}
