//! The rule of a series in words: `every second Tuesday, 19:00 to 20:30, until 3 March 2027`.
//!
//! `Pattern` reads what a rule says; each language has a file that words it. Rules that no short
//! phrase describes exactly have none.

mod arabic;
mod english;
mod french;
mod names;
mod pattern;
#[cfg(test)]
mod tests;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike as _};
use domain::{
    Language,
    recurrence::{DateValue, Recurrence, Slot},
    time::Timestamp,
};

use pattern::Pattern;

pub use names::{month_name, weekday_name};

/// The maximum number of exceptions that a phrase names one by one.
const MAX_EXCEPTIONS: usize = 4;

/// The parts of a phrase, without words.
struct Phrase {
    pattern: Pattern,
    hours: Hours,
    end: Option<End>,
    /// The days that the rule gives and the series leaves out.
    without: Exceptions,
    /// The days that the series adds.
    with: Exceptions,
}

/// The time of each occurrence.
#[derive(Clone, Copy)]
enum Hours {
    AllDay,
    /// Whole days, more than one.
    Days(i64),
    At(NaiveTime),
    Between(NaiveTime, NaiveTime),
}

/// The end of a rule.
#[derive(Clone, Copy)]
enum End {
    Until(NaiveDate),
    Times(i64),
}

/// Days that deviate from the rule.
enum Exceptions {
    Days(Vec<NaiveDate>),
    /// More days than a phrase can name.
    Many,
}

/// The rule of a series in words, with the exceptions that are not over; `None` if no short phrase
/// describes the rule.
pub fn rule(recurrence: &Recurrence, now: Timestamp, language: Language) -> Option<String> {
    let phrase = Phrase::of(recurrence, now)?;
    Some(match language {
        Language::Arabic => arabic::phrase(&phrase),
        Language::English => english::phrase(&phrase),
        Language::French => french::phrase(&phrase),
    })
}

impl Phrase {
    fn of(recurrence: &Recurrence, now: Timestamp) -> Option<Self> {
        let parts = recurrence.rule()?.parts();
        let first = recurrence.first_slot();
        let start = first.local().time();
        let pattern = Pattern::of(parts, first.local())?;
        let end = match (parts.count, recurrence.until()) {
            // A single date does not repeat.
            (Some(..=1), _) => return None,
            (Some(count), _) => Some(End::Times(count)),
            (None, Some(until)) => Some(End::Until(last_day(until, start)?)),
            (None, None) => None,
        };
        let today = recurrence.first().zone().at(now).local.date();
        let is_left = |slot: &&Slot| slot.day() >= today;
        let without = recurrence.deleted().iter().filter(is_left);
        let without = without.filter(|slot| recurrence.has_rule_slot(**slot));
        let with = recurrence.extra().iter().filter(is_left);
        let with = with.filter(|slot| {
            !recurrence.has_rule_slot(**slot) && !recurrence.deleted().contains(*slot)
        });
        Some(Self {
            pattern,
            hours: Hours::of(recurrence, start),
            end,
            without: Exceptions::of(without),
            with: Exceptions::of(with),
        })
    }
}

impl Hours {
    fn of(recurrence: &Recurrence, start: NaiveTime) -> Self {
        let seconds = recurrence.start().length();
        if recurrence.first().all_day() {
            // The last day counts whether or not its end is stored as 23:59:59.
            return match seconds / SECONDS_OF_DAY + 1 {
                1 => Self::AllDay,
                days => Self::Days(days),
            };
        }
        if seconds <= 0 || seconds >= SECONDS_OF_DAY {
            return Self::At(start);
        }
        let (end, _) = start.overflowing_add_signed(chrono::TimeDelta::seconds(seconds));
        Self::Between(start, end)
    }
}

const SECONDS_OF_DAY: i64 = 86_400;

/// The last day on which an occurrence can start; none before the year 1.
fn last_day(until: DateValue, start: NaiveTime) -> Option<NaiveDate> {
    let begins_by = |wall: NaiveDateTime| {
        if wall.time() < start {
            wall.date().pred_opt()
        } else {
            Some(wall.date())
        }
    };
    match until {
        DateValue::Day(day) => Some(day),
        DateValue::Local(wall) => begins_by(wall),
        DateValue::Instant(instant) => begins_by(instant.civil()),
    }
}

impl Exceptions {
    fn of<'a>(slots: impl Iterator<Item = &'a Slot>) -> Self {
        let mut days: Vec<_> = slots
            .map(|slot| slot.day())
            .take(MAX_EXCEPTIONS + 1)
            .collect();
        if days.len() > MAX_EXCEPTIONS {
            return Self::Many;
        }
        days.dedup();
        Self::Days(days)
    }
}

/// `09:00`.
fn clock(time: NaiveTime) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// Joins a list: the last item by one word, all others by another.
fn joined(items: &[String], separator: &str, last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., end] => format!("{}{last}{end}", others.join(separator)),
    }
}
