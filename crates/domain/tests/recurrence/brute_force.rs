//! A second implementation: each day is compared with the table of RFC 5545, section 3.3.10. It is
//! slow, and shares no code with the first.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of days are small"
)]
#![expect(clippy::maybe_infinite_iter, reason = "each month and each year ends")]

use std::collections::{BTreeMap, HashMap};

use chrono::Datelike;
use events_calendar_domain::time::{NaiveDate, NaiveDateTime};

const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

fn days_since(day: NaiveDate, other: NaiveDate) -> i64 {
    (day - other).num_days()
}

fn plus(day: NaiveDate, days: i64) -> NaiveDate {
    let found = match u64::try_from(days) {
        Ok(days) => day.checked_add_days(chrono::Days::new(days)),
        Err(_) => day.checked_sub_days(chrono::Days::new(days.unsigned_abs())),
    };
    found.unwrap()
}

fn year(day: NaiveDate) -> i64 {
    day.year().into()
}

fn month(day: NaiveDate) -> i64 {
    day.month().into()
}

fn of_month(day: NaiveDate) -> i64 {
    day.day().into()
}

/// 0 for Monday.
fn weekday(day: NaiveDate) -> i64 {
    days_since(day, NaiveDate::from_ymd_opt(2024, 1, 1).unwrap()).rem_euclid(7)
}

fn new_year(year: i64) -> NaiveDate {
    NaiveDate::from_ymd_opt(year.try_into().unwrap(), 1, 1).unwrap()
}

/// A day as a position from the start and one from the end of the days for which `is_inside` holds.
fn positions(day: NaiveDate, step: i64, is_inside: impl Fn(NaiveDate) -> bool) -> [i64; 2] {
    let count = |step| {
        (1..)
            .take_while(|times| is_inside(plus(day, step * times)))
            .count() as i64
    };
    [count(-step) + 1, -count(step) - 1]
}

pub(crate) struct Reading {
    parts: HashMap<String, Vec<String>>,
    /// The parts whose values are numbers.
    numbers: HashMap<String, Vec<i64>>,
    start: NaiveDateTime,
}

impl Reading {
    pub(crate) fn new(rule: &str, start: NaiveDateTime) -> Self {
        let part = |part: &str| {
            let (name, values) = part.split_once('=').unwrap();
            (
                name.to_owned(),
                values.split(',').map(str::to_owned).collect(),
            )
        };
        let parts = rule.split(';').map(part).collect();
        let mut reading = Self {
            parts,
            numbers: HashMap::new(),
            start,
        };
        reading.complete();
        let number = |values: &Vec<String>| -> Option<Vec<i64>> {
            values.iter().map(|value| value.parse().ok()).collect()
        };
        let numbers = reading.parts.iter();
        let numbers = numbers.filter_map(|(name, values)| Some((name.clone(), number(values)?)));
        reading.numbers = numbers.collect();
        reading
    }

    /// RFC 8984, section 4.3.3.
    fn complete(&mut self) {
        let day = self.start.date();
        let has = |name: &str| self.parts.contains_key(name);
        let mut open = Vec::new();
        match self.frequency() {
            "WEEKLY" if !has("BYDAY") => open.push("BYDAY"),
            "MONTHLY" if !has("BYDAY") && !has("BYMONTHDAY") => open.push("BYMONTHDAY"),
            "YEARLY" if !has("BYYEARDAY") => {
                if !has("BYMONTH") && !has("BYWEEKNO") && (has("BYMONTHDAY") || !has("BYDAY")) {
                    open.push("BYMONTH");
                }
                if !has("BYMONTHDAY") && !has("BYWEEKNO") && !has("BYDAY") {
                    open.push("BYMONTHDAY");
                }
                if has("BYWEEKNO") && !has("BYMONTHDAY") && !has("BYDAY") {
                    open.push("BYDAY");
                }
            }
            _ => {}
        }
        open.extend(["BYHOUR", "BYMINUTE"].into_iter().filter(|name| !has(name)));
        for name in open {
            let value = match name {
                "BYDAY" => WEEKDAYS[weekday(day) as usize].to_owned(),
                "BYMONTHDAY" => of_month(day).to_string(),
                "BYMONTH" => month(day).to_string(),
                "BYHOUR" => self.start.format("%H").to_string(),
                _ => self.start.format("%M").to_string(),
            };
            self.parts.insert(name.to_owned(), vec![value]);
        }
    }

    fn frequency(&self) -> &str {
        &self.parts["FREQ"][0]
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.parts
            .get(name)
            .map(|values| values[0].parse().unwrap())
    }

    /// Whether a part is absent, or has one of these values.
    fn allows(&self, name: &str, values: &[i64]) -> bool {
        let is_one = |value: &String| values.contains(&value.parse().unwrap());
        self.parts
            .get(name)
            .is_none_or(|list| list.iter().any(is_one))
    }

    /// The first day of the week of a day.
    fn week(&self, day: NaiveDate) -> NaiveDate {
        let first = self.parts.get("WKST").map_or("MO", |values| &values[0]);
        let first = WEEKDAYS.iter().position(|name| *name == first).unwrap() as i64;
        plus(day, -(weekday(day) - first).rem_euclid(7))
    }

    /// The number of the interval of a day: the years, months, weeks or days since some day.
    fn interval(&self, day: NaiveDate) -> i64 {
        match self.frequency() {
            "DAILY" => days_since(day, new_year(2000)),
            "WEEKLY" => days_since(self.week(day), self.week(new_year(2000))) / 7,
            "MONTHLY" => year(day) * 12 + month(day),
            // A week belongs to the year of its fourth day.
            _ if self.parts.contains_key("BYWEEKNO") => year(plus(self.week(day), 3)),
            _ => year(day),
        }
    }

    fn is_on_weekday(&self, day: NaiveDate) -> bool {
        let Some(list) = self.parts.get("BYDAY") else {
            return true;
        };
        let in_month = self.frequency() == "MONTHLY" || self.parts.contains_key("BYMONTH");
        let is_inside = |other: NaiveDate| {
            year(other) == year(day) && (!in_month || month(other) == month(day))
        };
        list.iter().any(|value| {
            let (number, name) = value.split_at(value.len() - 2);
            name == WEEKDAYS[weekday(day) as usize]
                && (number.is_empty()
                    || positions(day, 7, is_inside).contains(&number.parse().unwrap()))
        })
    }

    fn selects(&self, day: NaiveDate) -> bool {
        let in_month = |other| year(other) == year(day) && month(other) == month(day);
        let length_of_year = days_since(new_year(year(day) + 1), new_year(year(day)));
        let of_year = days_since(day, new_year(year(day))) + 1;
        let middle = plus(self.week(day), 3);
        let has_year = |other| year(other) == year(middle);
        self.allows("BYMONTH", &[month(day)])
            && (!self.parts.contains_key("BYMONTHDAY")
                || self.allows("BYMONTHDAY", &positions(day, 1, in_month)))
            && self.allows("BYYEARDAY", &[of_year, of_year - length_of_year - 1])
            && (!self.parts.contains_key("BYWEEKNO")
                || self.allows("BYWEEKNO", &positions(middle, 7, has_year)))
            && self.is_on_weekday(day)
    }

    fn times(&self) -> Vec<chrono::NaiveTime> {
        let numbers = |name: &str| -> Vec<u32> {
            self.parts[name]
                .iter()
                .map(|value| value.parse().unwrap())
                .collect()
        };
        let second = self.start.format("%S").to_string().parse().unwrap();
        let mut times = Vec::new();
        for hour in numbers("BYHOUR") {
            for minute in numbers("BYMINUTE") {
                times.push(chrono::NaiveTime::from_hms_opt(hour, minute, second).unwrap());
            }
        }
        times.sort();
        times.dedup();
        times
    }

    /// The slots up to the end of a day.
    pub(crate) fn slots(&self, last: NaiveDate) -> Vec<NaiveDateTime> {
        let first = self.interval(self.start.date());
        let step = self.number("INTERVAL").unwrap_or(1);
        let times = self.times();
        let mut intervals = BTreeMap::<i64, Vec<NaiveDateTime>>::new();
        // The interval of the start begins at most a year before it. The last day is that of a year,
        // and may be in the first week of the next one, whose slots positions count.
        let after = if self.parts.contains_key("BYSETPOS") {
            372
        } else {
            0
        };
        let mut day = plus(self.start.date(), -372);
        while day <= plus(last, after) {
            let distance = self.interval(day) - first;
            if distance >= 0 && distance % step == 0 && self.selects(day) {
                let slots = intervals.entry(distance).or_default();
                slots.extend(times.iter().map(|time| day.and_time(*time)));
            }
            day = plus(day, 1);
        }
        let mut slots = vec![self.start];
        for interval in intervals.into_values() {
            let length = interval.len() as i64;
            let selected = interval.iter().zip(1..).filter(|(_, position)| {
                self.allows("BYSETPOS", &[*position, *position - length - 1])
            });
            let after = selected
                .map(|(slot, _)| *slot)
                .filter(|slot| *slot > self.start);
            slots.extend(after);
        }
        let count = self
            .number("COUNT")
            .map_or(usize::MAX, |count| count as usize);
        slots.truncate(count);
        if let Some(until) = self.parts.get("UNTIL") {
            slots.retain(|slot| slot.format("%Y%m%dT%H%M%S").to_string() <= until[0]);
        }
        slots.retain(|slot| slot.date() <= last);
        slots
    }
}
