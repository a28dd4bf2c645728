//! Rules that this calendar does not have, as single dates: those of hours, minutes and seconds.

use std::collections::{BTreeSet, HashMap};

use chrono::{Datelike as _, NaiveDateTime, TimeDelta, Timelike as _, Weekday};
use domain::{
    recurrence::{DateValue, InvalidRecurrence, Recurrence, RecurrenceParts, Rule},
    time::EventTime,
};

/// Most steps from the start on: a rule that leaves nearly all of them out is not followed to its end.
const MAX_STEPS: i64 = 100_000;

/// Most dates that a rule becomes. An import keeps fewer of them: the past ones go.
pub(super) const MOST_DATES: usize = 10_000;

/// The dates that a rule gives with the start of an event, which is among them; `None` if it has no end, or
/// if there are too many.
pub(super) fn dates_of(rule: Rule, when: &EventTime) -> Option<Vec<DateValue>> {
    let parts = RecurrenceParts {
        rule: Some(rule),
        ..RecurrenceParts::default()
    };
    let whole = match Recurrence::new(when.clone(), parts.clone()) {
        Ok(whole) => whole,
        Err(InvalidRecurrence::TooManySlots) => {
            let none = BTreeSet::new();
            Recurrence::from_stored(when.clone(), parts.rule, none.clone(), none)
        }
        Err(_) => return None,
    };
    if whole.is_endless() {
        return None;
    }
    let slots = whole.slots(..).take(MOST_DATES + 1);
    let dates: Vec<_> = slots.map(|slot| whole.recurrence_id(slot)).collect();
    (dates.len() <= MOST_DATES).then_some(dates)
}

/// Whether a rule has no end.
pub(super) fn is_endless(rule: &Rule) -> bool {
    let parts = rule.parts();
    parts.count.is_none() && parts.until.is_none()
}

/// Whether the days of a rule hold the start of an event. An event has its start also if they do not; a
/// rule that excludes dates excludes it only if they do.
pub(super) fn has_start(rule: &Rule, when: &EventTime) -> bool {
    let parts = rule.parts();
    let start = when.start().local;
    let has = |list: &[i64], value: u32| list.is_empty() || list.contains(&i64::from(value));
    let is_day =
        parts.days.is_empty() || parts.days.iter().any(|day| day.weekday == start.weekday());
    let others = [&parts.weeks, &parts.days_of_year, &parts.positions];
    is_day
        && has(&parts.months, start.month())
        && has(&parts.days_of_month, start.day())
        && others.iter().all(|list| list.is_empty())
}

/// The parts of a rule by their names, in capitals; none if one comes twice or has no value.
pub(super) fn parts_of(text: &str) -> Option<HashMap<String, String>> {
    let mut parts = HashMap::new();
    for part in text.split(';') {
        let (name, value) = part.split_once('=')?;
        let name = name.trim().to_ascii_uppercase();
        let value = value.trim().to_ascii_uppercase();
        if parts.insert(name, value).is_some() {
            return None;
        }
    }
    Some(parts)
}

/// The number of units from one to the next that have dates: 1 without INTERVAL.
pub(super) fn interval(parts: &mut HashMap<String, String>) -> Option<u32> {
    parts
        .remove("INTERVAL")
        .map_or(Some(1), |text| positive(&text))
}

fn positive(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number| *number > 0)
}

/// The end of a rule: COUNT or UNTIL.
pub(super) struct RuleEnd {
    count: Option<usize>,
    until: Option<DateValue>,
}

impl RuleEnd {
    /// Takes the end from the parts of a rule; none without an end, or with two.
    pub(super) fn parse(parts: &mut HashMap<String, String>) -> Option<Self> {
        let count = match parts.remove("COUNT") {
            Some(text) => Some(positive(&text)?),
            None => None,
        };
        let until = match parts.remove("UNTIL") {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        };
        (count.is_some() != until.is_some()).then_some(Self {
            count: count.map(|count| count as usize),
            until,
        })
    }

    /// Whether a rule that has given some dates gives none at a time.
    pub(super) fn is_reached(&self, dates: usize, time: NaiveDateTime, when: &EventTime) -> bool {
        self.count.is_some_and(|count| dates >= count) || self.is_before(time, when)
    }

    /// Whether the rule ends before a time.
    pub(super) fn is_before(&self, time: NaiveDateTime, when: &EventTime) -> bool {
        match self.until {
            None => false,
            Some(DateValue::Day(day)) => time.date() > day,
            Some(DateValue::Local(local)) => time > local,
            Some(DateValue::Instant(instant)) => {
                let moment = when.zone().at_local(time);
                moment.is_ok_and(|moment| moment.utc > instant)
            }
        }
    }
}

/// A rule of hours, minutes or seconds with an end.
struct Frequent {
    /// The seconds from one step to the next.
    step: i64,
    /// The seconds of the unit.
    unit: i64,
    end: RuleEnd,
    months: Vec<i32>,
    days_of_month: Vec<i32>,
    days_of_year: Vec<i32>,
    weekdays: Vec<Weekday>,
    hours: Vec<i32>,
    minutes: Vec<i32>,
    seconds: Vec<i32>,
}

/// The dates that a rule of hours, minutes or seconds gives with the start of an event, which is among
/// them; none for another rule, for one without an end, and if there are too many.
pub(super) fn frequent_dates(text: &str, when: &EventTime) -> Option<Vec<DateValue>> {
    if when.all_day() {
        return None;
    }
    Frequent::parse(text)?.dates(when)
}

impl Frequent {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = parts_of(text)?;
        let unit = match parts.remove("FREQ")?.as_str() {
            "HOURLY" => 3600,
            "MINUTELY" => 60,
            "SECONDLY" => 1,
            _ => return None,
        };
        let interval = interval(&mut parts)?;
        let end = RuleEnd::parse(&mut parts)?;
        let mut list = |name: &str| match parts.remove(name) {
            Some(text) => text.split(',').map(|one| one.trim().parse().ok()).collect(),
            None => Some(Vec::new()),
        };
        let rule = Self {
            step: unit * i64::from(interval),
            unit,
            end,
            months: list("BYMONTH")?,
            days_of_month: list("BYMONTHDAY")?,
            days_of_year: list("BYYEARDAY")?,
            hours: list("BYHOUR")?,
            minutes: list("BYMINUTE")?,
            seconds: list("BYSECOND")?,
            weekdays: match parts.remove("BYDAY") {
                Some(text) => text.split(',').map(weekday).collect::<Option<_>>()?,
                None => Vec::new(),
            },
        };
        parts.remove("WKST");
        if parts
            .get("RSCALE")
            .is_some_and(|scale| scale == "GREGORIAN")
        {
            parts.remove("RSCALE");
        }
        parts.is_empty().then_some(rule)
    }

    fn dates(&self, when: &EventTime) -> Option<Vec<DateValue>> {
        let start = when.start().local;
        let mut dates = vec![DateValue::Local(start)];
        let seconds = start.and_utc().timestamp();
        let begin = NaiveDateTime::default().checked_add_signed(TimeDelta::try_seconds(
            seconds - seconds.rem_euclid(self.unit),
        )?)?;
        for step in 0..MAX_STEPS {
            let step = TimeDelta::try_seconds(self.step * step)?;
            let unit = begin.checked_add_signed(step)?;
            if self.end.is_before(unit, when) {
                return Some(dates);
            }
            if !self.holds(unit) {
                continue;
            }
            for time in self
                .times(unit, start)
                .into_iter()
                .filter(|time| *time > start)
            {
                if self.end.is_reached(dates.len(), time, when) {
                    return Some(dates);
                }
                if dates.len() > MOST_DATES {
                    return None;
                }
                dates.push(DateValue::Local(time));
            }
        }
        None
    }

    /// Whether the parts that leave out units keep this one.
    fn holds(&self, unit: NaiveDateTime) -> bool {
        let has = |list: &[i32], value: u32| {
            list.is_empty() || list.iter().any(|one| i64::from(*one) == i64::from(value))
        };
        let counts = |list: &[i32], value: u32, length: u32| {
            let from_end = i64::from(value) - i64::from(length) - 1;
            let is = |one: &i32| i64::from(*one) == i64::from(value) || i64::from(*one) == from_end;
            list.is_empty() || list.iter().any(is)
        };
        let day = unit.date();
        let of_year = if day.leap_year() { 366 } else { 365 };
        let of_month = u32::from(day.num_days_in_month());
        has(&self.months, unit.month())
            && counts(&self.days_of_month, unit.day(), of_month)
            && counts(&self.days_of_year, unit.ordinal(), of_year)
            && (self.weekdays.is_empty() || self.weekdays.contains(&unit.weekday()))
            && has(&self.hours, unit.hour())
            && (self.unit > 60 || has(&self.minutes, unit.minute()))
            && (self.unit > 1 || has(&self.seconds, unit.second()))
    }

    /// The times within a unit, in order.
    fn times(&self, unit: NaiveDateTime, start: NaiveDateTime) -> Vec<NaiveDateTime> {
        let or = |list: &[i32], value: u32| -> Vec<u32> {
            if list.is_empty() {
                return vec![value];
            }
            let values = list.iter().filter_map(|one| u32::try_from(*one).ok());
            values.collect()
        };
        let minutes = match self.unit {
            3600 => or(&self.minutes, start.minute()),
            _ => vec![unit.minute()],
        };
        let seconds = match self.unit {
            1 => vec![unit.second()],
            _ => or(&self.seconds, start.second()),
        };
        let mut times: Vec<_> = minutes
            .iter()
            .flat_map(|minute| seconds.iter().map(move |second| (minute, second)))
            .filter_map(|(minute, second)| unit.with_minute(*minute)?.with_second(*second))
            .collect();
        times.sort_unstable();
        times.dedup();
        times
    }
}

/// A day of the week without a number.
fn weekday(text: &str) -> Option<Weekday> {
    Some(match text.trim() {
        "MO" => Weekday::Mon,
        "TU" => Weekday::Tue,
        "WE" => Weekday::Wed,
        "TH" => Weekday::Thu,
        "FR" => Weekday::Fri,
        "SA" => Weekday::Sat,
        "SU" => Weekday::Sun,
        _ => return None,
    })
}
