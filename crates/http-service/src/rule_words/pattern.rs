//! The days of a rule, if a short phrase can name them.

use chrono::{Datelike as _, NaiveDateTime, Timelike as _};
use domain::recurrence::{Frequency, RuleParts, Weekday};

/// The maximum number of days, weekdays or months that a phrase names.
const MAX_NAMES: usize = 6;

/// The days of a rule. An interval is at least 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Daily {
        interval: i64,
        months: Vec<u32>,
    },
    Weekly {
        interval: i64,
        days: Weekdays,
        months: Vec<u32>,
    },
    Monthly {
        interval: i64,
        days: DaysOfMonth,
    },
    Yearly {
        interval: i64,
        days: DaysOfMonth,
        months: Vec<u32>,
    },
}

/// Weekdays of a week; at least one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Weekdays {
    /// In order, from Monday on.
    Days(Vec<Weekday>),
    /// At least three days in a row, which may go beyond Sunday.
    Row(Weekday, Weekday),
}

/// Days of a month; at least one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DaysOfMonth {
    /// In order; the last day of the month comes last.
    Days(Vec<DayOfMonth>),
    /// For each weekday, its ordinals in the month.
    Weekdays(Vec<(Vec<Ordinal>, Weekday)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayOfMonth {
    /// 1 to 31.
    Day(u32),
    Last,
}

/// The ordinal of a weekday in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ordinal {
    /// 1 to 5.
    Number(usize),
    LastButOne,
    Last,
}

impl Pattern {
    /// The pattern of a rule whose first slot is at a wall clock; none if no short phrase describes it,
    /// or if the first slot deviates from it.
    pub(super) fn of(parts: &RuleParts, first: NaiveDateTime) -> Option<Self> {
        if !is_at_hour_of(parts, first) || !parts.weeks.is_empty() || !parts.days_of_year.is_empty()
        {
            return None;
        }
        let interval = parts.interval;
        let months = months(parts)?;
        let is_in_month = months.is_empty() || months.contains(&first.month());
        if !is_in_month {
            return None;
        }
        match parts.frequency {
            Frequency::Daily => daily(parts, first, months),
            Frequency::Weekly => weekly(parts, first, months),
            Frequency::Monthly if months.is_empty() => Some(Self::Monthly {
                interval,
                days: days_of_month(parts, first)?,
            }),
            // Without an interval, that is a rule of years.
            Frequency::Monthly if interval == 1 => Some(Self::Yearly {
                interval,
                days: days_of_month(parts, first)?,
                months,
            }),
            Frequency::Monthly => None,
            Frequency::Yearly => yearly(parts, first, months),
        }
    }
}

/// Whether each occurrence starts at the time of the first.
fn is_at_hour_of(parts: &RuleParts, first: NaiveDateTime) -> bool {
    let is = |list: &[i64], number: u32| list.is_empty() || list == [i64::from(number)];
    is(&parts.hours, first.hour()) && is(&parts.minutes, first.minute())
}

fn daily(parts: &RuleParts, first: NaiveDateTime, months: Vec<u32>) -> Option<Pattern> {
    if !parts.days_of_month.is_empty() || !parts.positions.is_empty() {
        return None;
    }
    let interval = parts.interval;
    match (parts.days.is_empty(), interval, months.is_empty()) {
        (true, 1, _) | (true, _, true) => Some(Pattern::Daily { interval, months }),
        (false, 1, _) => weekly(parts, first, months),
        _ => None,
    }
}

fn weekly(parts: &RuleParts, first: NaiveDateTime, months: Vec<u32>) -> Option<Pattern> {
    if !parts.days_of_month.is_empty() || !parts.positions.is_empty() {
        return None;
    }
    let interval = parts.interval;
    if interval > 1 && !months.is_empty() {
        return None;
    }
    let mut days: Vec<_> = parts.days.iter().map(|day| day.weekday).collect();
    if days.is_empty() {
        days.push(first.weekday());
    }
    if !days.contains(&first.weekday()) {
        return None;
    }
    match days.len() {
        7 if interval == 1 => Some(Pattern::Daily { interval, months }),
        7 => None,
        _ => Some(Pattern::Weekly {
            interval,
            days: Weekdays::of(days),
            months,
        }),
    }
}

fn yearly(parts: &RuleParts, first: NaiveDateTime, mut months: Vec<u32>) -> Option<Pattern> {
    if months.is_empty() {
        // Weekdays without months are counted within the year, and days of the month fall in each.
        if !parts.days.is_empty() {
            return None;
        }
        months.push(first.month());
    }
    Some(Pattern::Yearly {
        interval: parts.interval,
        days: days_of_month(parts, first)?,
        months,
    })
}

fn months(parts: &RuleParts) -> Option<Vec<u32>> {
    if parts.months.len() > MAX_NAMES {
        return None;
    }
    let months = parts.months.iter().map(|month| u32::try_from(*month).ok());
    months.collect()
}

fn days_of_month(parts: &RuleParts, first: NaiveDateTime) -> Option<DaysOfMonth> {
    match (parts.days_of_month.as_slice(), parts.days.as_slice()) {
        ([], []) if parts.positions.is_empty() => {
            Some(DaysOfMonth::Days(vec![DayOfMonth::Day(first.day())]))
        }
        ([28, 29, 30, 31], []) if parts.positions == [-1] => {
            is_last_day(first).then(|| DaysOfMonth::Days(vec![DayOfMonth::Last]))
        }
        (days, []) if parts.positions.is_empty() => numbered_days(days, first),
        ([], _) => weekdays_of_month(parts, first),
        _ => None,
    }
}

fn numbered_days(days: &[i64], first: NaiveDateTime) -> Option<DaysOfMonth> {
    let (from_end, from_start): (Vec<i64>, Vec<i64>) = days.iter().partition(|day| **day < 0);
    let last = match from_end.as_slice() {
        [] => None,
        [-1] => Some(DayOfMonth::Last),
        _ => return None,
    };
    let has_first =
        from_start.contains(&i64::from(first.day())) || last.is_some() && is_last_day(first);
    if !has_first || days.len() > MAX_NAMES {
        return None;
    }
    let numbers = from_start.into_iter().map(u32::try_from);
    let numbers: Result<Vec<_>, _> = numbers.map(|day| day.map(DayOfMonth::Day)).collect();
    let mut days = numbers.ok()?;
    days.extend(last);
    Some(DaysOfMonth::Days(days))
}

/// Weekdays with their numbers: `2TU`, or `TU` at the position 2.
fn weekdays_of_month(parts: &RuleParts, first: NaiveDateTime) -> Option<DaysOfMonth> {
    let mut found: Vec<(Vec<Ordinal>, Weekday)> = Vec::new();
    let mut names = 0;
    let mut has_first = false;
    let mut add = |number: i64, weekday: Weekday| {
        let ordinal = Ordinal::of(number)?;
        names += 1;
        has_first |= weekday == first.weekday() && ordinal.is_of(first);
        match found.iter_mut().find(|(_, one)| *one == weekday) {
            Some((of_weekday, _)) => of_weekday.push(ordinal),
            None => found.push((vec![ordinal], weekday)),
        }
        Some(())
    };
    match (parts.days.as_slice(), parts.positions.as_slice()) {
        (days, []) => {
            for day in days {
                add(day.number?, day.weekday)?;
            }
        }
        ([day], positions) if day.number.is_none() => {
            for position in positions {
                add(*position, day.weekday)?;
            }
        }
        _ => return None,
    }
    for (of_weekday, _) in &mut found {
        of_weekday.sort_by_key(|ordinal| ordinal.order());
    }
    (has_first && names <= MAX_NAMES).then_some(DaysOfMonth::Weekdays(found))
}

/// Whether no day of the month follows.
fn is_last_day(day: NaiveDateTime) -> bool {
    let next = day.date().succ_opt();
    next.is_none_or(|next| next.month() != day.month())
}

impl Ordinal {
    fn of(number: i64) -> Option<Self> {
        match number {
            1..=5 => usize::try_from(number).ok().map(Self::Number),
            -1 => Some(Self::Last),
            -2 => Some(Self::LastButOne),
            _ => None,
        }
    }

    /// Whether the weekday of a day has this ordinal in the month of the day.
    fn is_of(self, day: NaiveDateTime) -> bool {
        let in_month = |weeks: i64| {
            let other = day.date() + chrono::TimeDelta::weeks(weeks);
            other.month() == day.month()
        };
        match self {
            Self::Number(number) => {
                usize::try_from(day.day0() / 7).is_ok_and(|weeks| weeks + 1 == number)
            }
            Self::Last => !in_month(1),
            Self::LastButOne => in_month(1) && !in_month(2),
        }
    }

    fn order(self) -> usize {
        match self {
            Self::Number(number) => number,
            Self::LastButOne => 6,
            Self::Last => 7,
        }
    }
}

impl Weekdays {
    /// Weekdays in order, of which there are at most six.
    fn of(days: Vec<Weekday>) -> Self {
        let begins = |day: &&Weekday| !days.contains(&day.pred());
        let mut starts = days.iter().filter(begins);
        match (starts.next(), starts.next()) {
            (Some(start), None) if days.len() >= 3 => {
                let end = (1..days.len()).fold(*start, |day, _| day.succ());
                Self::Row(*start, end)
            }
            _ => Self::Days(days),
        }
    }
}
