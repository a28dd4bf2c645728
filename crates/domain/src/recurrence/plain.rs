//! Rules as people say them in a form.

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike, Weekday};

use super::{
    date_value::DateValue,
    rule::{Frequency, InvalidRule, Rule, RuleParts, WEEKDAYS, WeekdayNumber},
    set::Recurrence,
};

/// The unit of a [`PlainRule`], with the days that it gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Every day.
    Daily,
    /// Every week, on weekdays in order from Monday on; without weekdays, on the weekday of the start.
    Weekly(Vec<Weekday>),
    /// Every month, on the day of the start.
    MonthlyOnDay,
    /// Every month, on the weekday of the start with its number in the month, such as the second Tuesday.
    MonthlyOnWeekday,
    /// Every month, on the last weekday of the start, such as the last Tuesday.
    MonthlyOnLastWeekday,
    /// Every year, on the day of the start.
    Yearly,
}

/// The end of a [`PlainRule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleEnd {
    /// There is none.
    Never,
    /// The last day.
    Until(NaiveDate),
    /// The number of dates, the start included.
    After(i64),
}

/// A rule as people say it: `every second week on Tuesday, ten times`.
///
/// The days of a month and of a year come from the start.
///
/// ```
/// use events_calendar_domain::recurrence::{PlainRule, Recurrence, RecurrenceParts, RuleEnd, Repeats};
/// use events_calendar_domain::time::{EventTime, Zone, parse_civil};
///
/// let start = parse_civil("2027-03-09 19:00:00").unwrap(); // the second Tuesday
/// let plain = PlainRule { repeats: Repeats::MonthlyOnWeekday, interval: 2, end: RuleEnd::After(4) };
/// let rule = plain.rule(start.date())?;
/// assert_eq!(rule.to_string(), "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=2TU");
///
/// let first = EventTime::new(Zone::utc(), start, start, false)?;
/// let parts = RecurrenceParts { rule: Some(rule), ..RecurrenceParts::default() };
/// assert_eq!(PlainRule::of(&Recurrence::new(first, parts)?), Some(plain));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainRule {
    /// The unit and its days.
    pub repeats: Repeats,
    /// Every how many units.
    pub interval: i64,
    /// The end.
    pub end: RuleEnd,
}

impl PlainRule {
    /// The rule of an event that starts on a day.
    ///
    /// # Errors
    ///
    /// [`InvalidRule`] if the interval or the number of dates is out of its limits.
    pub fn rule(&self, start: NaiveDate) -> Result<Rule, InvalidRule> {
        let weekday = start.weekday();
        let numbered = |number: i64| WeekdayNumber {
            number: Some(number),
            weekday,
        };
        let (frequency, days) = match &self.repeats {
            Repeats::Daily => (Frequency::Daily, Vec::new()),
            Repeats::Weekly(days) if days.iter().all(|day| *day == weekday) => {
                (Frequency::Weekly, Vec::new())
            }
            Repeats::Weekly(days) => {
                let days = days.iter().copied().map(WeekdayNumber::from);
                (Frequency::Weekly, days.collect())
            }
            Repeats::MonthlyOnDay => (Frequency::Monthly, Vec::new()),
            Repeats::MonthlyOnWeekday => (Frequency::Monthly, vec![numbered(number_of(start))]),
            Repeats::MonthlyOnLastWeekday => (Frequency::Monthly, vec![numbered(-1)]),
            Repeats::Yearly => (Frequency::Yearly, Vec::new()),
        };
        let (count, until) = match self.end {
            RuleEnd::Never => (None, None),
            RuleEnd::Until(day) => (None, Some(DateValue::Day(day))),
            RuleEnd::After(count) => (Some(count), None),
        };
        Rule::new(RuleParts {
            interval: self.interval,
            count,
            until,
            days,
            ..RuleParts::new(frequency)
        })
    }

    /// The rule of a recurrence, if people say it exactly so. Extra and deleted dates are no part of it.
    pub fn of(recurrence: &Recurrence) -> Option<Self> {
        let first = recurrence.first_slot().local();
        if first != recurrence.first().start().local && !recurrence.first().all_day() {
            return None;
        }
        let parts = recurrence.rule()?.parts();
        let start = first.date();
        let is_open = |list: &[i64], own: u32| list.is_empty() || list == [i64::from(own)];
        let time = first.time();
        let (hour, minute) = (time.hour(), time.minute());
        let is_at_hour = is_open(&parts.hours, hour) && is_open(&parts.minutes, minute);
        let has_month = !parts.months.is_empty();
        let is_yearly = parts.frequency == Frequency::Yearly;
        if !is_at_hour
            || !parts.weeks.is_empty()
            || !parts.days_of_year.is_empty()
            || has_month && !is_yearly
        {
            return None;
        }
        let is_of_start = parts.days.is_empty()
            && parts.positions.is_empty()
            && is_open(&parts.days_of_month, start.day());
        let is_of_week = parts.days_of_month.is_empty() && parts.positions.is_empty();
        let repeats = match parts.frequency {
            Frequency::Daily if !is_of_week => return None,
            Frequency::Daily if parts.days.is_empty() => Repeats::Daily,
            Frequency::Daily if parts.interval == 1 => weekly(parts, start)?,
            Frequency::Weekly => is_of_week.then(|| weekly(parts, start)).flatten()?,
            Frequency::Monthly if is_of_start => Repeats::MonthlyOnDay,
            Frequency::Monthly => on_weekday(parts, start)?,
            Frequency::Yearly if is_of_start && is_open(&parts.months, start.month()) => {
                Repeats::Yearly
            }
            Frequency::Daily | Frequency::Yearly => return None,
        };
        let end = match (parts.count, recurrence.until()) {
            (Some(count), _) => RuleEnd::After(count),
            (None, Some(until)) => RuleEnd::Until(last_day(until, time)?),
            (None, None) => RuleEnd::Never,
        };
        Some(Self {
            repeats,
            interval: parts.interval,
            end,
        })
    }
}

/// The number of a day among its weekdays of the month.
fn number_of(day: NaiveDate) -> i64 {
    i64::from(day.day0() / 7) + 1
}

fn weekly(parts: &RuleParts, start: NaiveDate) -> Option<Repeats> {
    let chosen = |day: &Weekday| parts.days.iter().any(|one| one.weekday == *day);
    let mut days: Vec<_> = WEEKDAYS.into_iter().filter(chosen).collect();
    if days.is_empty() {
        days.push(start.weekday());
    }
    // The weeks that are left out begin on Monday.
    let begins_otherwise = parts.week_start != Weekday::Mon && parts.interval > 1;
    let is_of_start = days == [start.weekday()];
    (is_of_start || !begins_otherwise).then_some(Repeats::Weekly(days))
}

/// `2TU`, or `TU` at the position 2.
fn on_weekday(parts: &RuleParts, start: NaiveDate) -> Option<Repeats> {
    let [day] = parts.days.as_slice() else {
        return None;
    };
    if day.weekday != start.weekday() || !parts.days_of_month.is_empty() {
        return None;
    }
    let number = match (day.number, parts.positions.as_slice()) {
        (Some(number), []) => number,
        (None, [position]) => *position,
        _ => return None,
    };
    match number {
        -1 => Some(Repeats::MonthlyOnLastWeekday),
        number if number == number_of(start) => Some(Repeats::MonthlyOnWeekday),
        _ => None,
    }
}

/// The last day on which a date at a time of the day can be; `None` before the year 1.
fn last_day(until: DateValue, time: NaiveTime) -> Option<NaiveDate> {
    let wall = match until {
        DateValue::Day(day) => return Some(day),
        DateValue::Local(wall) => wall,
        DateValue::Instant(instant) => instant.civil(),
    };
    if wall.time() < time {
        wall.date().pred_opt()
    } else {
        Some(wall.date())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        recurrence::RecurrenceParts,
        time::{EventTime, parse_civil},
    };

    const STARTS: [&str; 7] = [
        "2027-03-09 19:00:00",
        "2027-03-30 00:00:00",
        "2027-01-31 23:59:59",
        "2028-02-29 12:00:00",
        "2027-03-01 09:30:00",
        "2027-03-28 02:30:00",
        "2027-10-31 02:30:00",
    ];

    fn recurrence(start: &str, all_day: bool, rule: Rule) -> Option<Recurrence> {
        let start = parse_civil(start).unwrap();
        let zone = "Europe/Paris".parse().unwrap();
        let first = EventTime::new(zone, start, start, all_day).ok()?;
        let parts = RecurrenceParts {
            rule: Some(rule),
            ..RecurrenceParts::default()
        };
        Recurrence::new(first, parts).ok()
    }

    /// The rule that a form says is shown as the same words in the form.
    #[test]
    fn a_plain_rule_becomes_a_rule_and_comes_back() {
        let until = NaiveDate::from_ymd_opt(2035, 3, 9).unwrap();
        let mut checked = 0;
        for start in STARTS {
            let day = parse_civil(start).unwrap().date();
            for repeats in [
                Repeats::Daily,
                Repeats::Weekly(vec![day.weekday()]),
                Repeats::Weekly(vec![Weekday::Tue]),
                Repeats::Weekly(vec![Weekday::Mon, Weekday::Wed, Weekday::Sun]),
                Repeats::MonthlyOnDay,
                Repeats::MonthlyOnWeekday,
                Repeats::MonthlyOnLastWeekday,
                Repeats::Yearly,
            ] {
                for interval in [1, 2, 5] {
                    for end in [RuleEnd::Never, RuleEnd::Until(until), RuleEnd::After(7)] {
                        let repeats = repeats.clone();
                        let plain = PlainRule {
                            repeats,
                            interval,
                            end,
                        };
                        for all_day in [false, true] {
                            let rule = plain.rule(day).unwrap();
                            // The clocks change at some starts, which are no times then.
                            let Some(made) = recurrence(start, all_day, rule) else {
                                continue;
                            };
                            let back = PlainRule::of(&made);
                            assert_eq!(back.as_ref(), Some(&plain), "{start} {:?}", made.rule());
                            checked += 1;
                        }
                    }
                }
            }
        }
        assert!(checked > 900, "{checked}");
    }

    /// A rule that a form shows gives the same dates when the form is sent.
    #[test]
    fn a_rule_becomes_plain_and_comes_back() {
        let start = "2027-03-09 19:00:00"; // the second Tuesday of the month
        let day = parse_civil(start).unwrap().date();
        for (text, is_plain) in [
            ("FREQ=DAILY", true),
            ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", true),
            ("FREQ=DAILY;INTERVAL=2;BYDAY=TU", false),
            ("FREQ=DAILY;BYMONTH=3", false),
            ("FREQ=DAILY;BYHOUR=9,19", false),
            ("FREQ=DAILY;BYHOUR=19;BYMINUTE=0", true),
            ("FREQ=DAILY;UNTIL=20270312T180000Z", true),
            ("FREQ=DAILY;UNTIL=20270312T175959Z", true),
            ("FREQ=DAILY;UNTIL=20270312T230000Z", true),
            ("FREQ=WEEKLY", true),
            ("FREQ=WEEKLY;BYDAY=TH", true),
            ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", true),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU", false),
            ("FREQ=WEEKLY;BYDAY=SU,TU;WKST=SU;COUNT=9", true),
            ("FREQ=WEEKLY;BYMONTH=3,4", false),
            ("FREQ=MONTHLY", true),
            ("FREQ=MONTHLY;BYMONTHDAY=9", true),
            ("FREQ=MONTHLY;BYMONTHDAY=10", false),
            ("FREQ=MONTHLY;BYMONTHDAY=9,10", false),
            ("FREQ=MONTHLY;BYDAY=2TU", true),
            ("FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", true),
            ("FREQ=MONTHLY;BYDAY=TU", false),
            ("FREQ=MONTHLY;BYDAY=3TU", false),
            ("FREQ=MONTHLY;BYDAY=2WE", false),
            ("FREQ=MONTHLY;BYDAY=-1TU", true),
            ("FREQ=MONTHLY;BYDAY=-2TU", false),
            ("FREQ=MONTHLY;BYDAY=2TU;BYMONTH=3", false),
            ("FREQ=MONTHLY;BYDAY=TU;BYMONTHDAY=9", false),
            ("FREQ=YEARLY", true),
            ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=9", true),
            ("FREQ=YEARLY;BYMONTH=3", true),
            ("FREQ=YEARLY;BYMONTH=4", false),
            ("FREQ=YEARLY;BYMONTH=3;BYDAY=2TU", false),
            ("FREQ=YEARLY;BYWEEKNO=10", false),
            ("FREQ=YEARLY;BYYEARDAY=68", false),
        ] {
            let stored = recurrence(start, false, text.parse().unwrap()).unwrap();
            let plain = PlainRule::of(&stored);
            assert_eq!(plain.is_some(), is_plain, "{text}");
            let Some(plain) = plain else { continue };
            let again = recurrence(start, false, plain.rule(day).unwrap()).unwrap();
            let dates = |one: &Recurrence| one.slots(..).take(60).collect::<Vec<_>>();
            assert_eq!(dates(&stored), dates(&again), "{text}: {plain:?}");
        }
    }

    #[test]
    fn limits_are_those_of_rules() {
        let day = NaiveDate::from_ymd_opt(2027, 3, 9).unwrap();
        for (interval, end) in [
            (0, RuleEnd::Never),
            (1001, RuleEnd::Never),
            (1, RuleEnd::After(0)),
        ] {
            let repeats = Repeats::Daily;
            let plain = PlainRule {
                repeats,
                interval,
                end,
            };
            assert!(matches!(plain.rule(day), Err(InvalidRule::Value(_))));
        }
    }
}
