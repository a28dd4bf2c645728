//! The rule of dates that are regular.

use chrono::{Datelike, Months, NaiveDate};

use super::{Rule, WeekdayNumber, frequency::Frequency, parts::RuleParts};

/// The fewest dates that are regular.
const MIN_DATES: usize = 3;

impl Rule {
    /// The rule by which dates are regular, and the dates of the rule that are not among them: every
    /// so many days, on the same day of a month, or on the same weekday of a month (such as the second
    /// or the last Tuesday). None for fewer than three dates, and if more dates are missing than half
    /// of those that are there.
    ///
    /// The dates must be ascending, without repetition.
    ///
    /// ```
    /// use events_calendar_domain::{recurrence::Rule, time::NaiveDate};
    ///
    /// let day = |text: &str| text.parse::<NaiveDate>().unwrap();
    /// let tuesdays = ["2027-03-02", "2027-03-09", "2027-03-23"].map(day);
    /// let (rule, missing) = Rule::of_dates(&tuesdays).unwrap();
    /// assert_eq!(rule.to_string(), "FREQ=WEEKLY;COUNT=4");
    /// assert_eq!(missing, [day("2027-03-16")]);
    /// assert_eq!(Rule::of_dates(&["2027-03-02", "2027-03-09", "2027-04-23"].map(day)), None);
    /// ```
    pub fn of_dates(dates: &[NaiveDate]) -> Option<(Self, Vec<NaiveDate>)> {
        let (first, last) = (*dates.first()?, *dates.last()?);
        if dates.len() < MIN_DATES {
            return None;
        }
        let by_days = || {
            let step = step(dates, |date| i64::from(date.num_days_from_ce()))?;
            let slots = first.iter_days().step_by(usize::try_from(step).ok()?);
            let slots = slots.take_while(|date| *date <= last);
            let slots = slots.take(2 * dates.len()).collect();
            let parts = if step % 7 == 0 {
                with_interval(Frequency::Weekly, step / 7)
            } else {
                with_interval(Frequency::Daily, step)
            };
            of_slots(dates, slots, parts)
        };
        let months = |day_in: &dyn Fn(NaiveDate) -> Option<NaiveDate>, parts: RuleParts| {
            if !dates.iter().all(|date| day_in(*date) == Some(*date)) {
                return None;
            }
            let step = step(dates, |date| {
                i64::from(date.year()) * 12 + i64::from(date.month0())
            })?;
            let month = first.with_day(1)?;
            let slots = (0..).step_by(usize::try_from(step).ok()?);
            let slots = slots.map_while(|number| month.checked_add_months(Months::new(number)));
            let slots = slots.take_while(|month| *month <= last).filter_map(day_in);
            let slots = slots.take_while(|date| *date <= last);
            let slots = slots.take(2 * dates.len());
            let parts = RuleParts {
                interval: step,
                ..parts
            };
            of_slots(dates, slots.collect(), parts)
        };
        let monthly = || RuleParts::new(Frequency::Monthly);
        let on_weekday = |number: i64| RuleParts {
            days: vec![WeekdayNumber {
                number: Some(number),
                weekday: first.weekday(),
            }],
            ..monthly()
        };
        let number = first.day().div_ceil(7);
        by_days()
            .or_else(|| months(&|month| month.with_day(first.day()), monthly()))
            .or_else(|| {
                let day_in = |month: NaiveDate| {
                    let (year, number) = (month.year(), u8::try_from(number).ok()?);
                    NaiveDate::from_weekday_of_month_opt(
                        year,
                        month.month(),
                        first.weekday(),
                        number,
                    )
                };
                months(&day_in, on_weekday(i64::from(number)))
            })
            .or_else(|| {
                let day_in = |month: NaiveDate| {
                    let next = month.with_day(1)?.checked_add_months(Months::new(1))?;
                    let back = next.pred_opt()?.iter_days().rev().take(7);
                    back.into_iter()
                        .find(|date| date.weekday() == first.weekday())
                };
                months(&day_in, on_weekday(-1))
            })
    }
}

fn with_interval(frequency: Frequency, interval: i64) -> RuleParts {
    RuleParts {
        interval,
        ..RuleParts::new(frequency)
    }
}

/// The greatest step that leads from each date to the next; none if two dates have the same number.
fn step(dates: &[NaiveDate], number: impl Fn(NaiveDate) -> i64) -> Option<i64> {
    let mut common = 0;
    for pair in dates.windows(2) {
        let mut rest = number(pair[1]) - number(pair[0]);
        if rest <= 0 {
            return None;
        }
        while rest != 0 {
            (common, rest) = (rest, common % rest);
        }
    }
    Some(common)
}

/// The rule with these slots and parts, and the slots that are no dates; none if there are too many.
fn of_slots(
    dates: &[NaiveDate],
    slots: Vec<NaiveDate>,
    parts: RuleParts,
) -> Option<(Rule, Vec<NaiveDate>)> {
    let missing = slots.len().checked_sub(dates.len())?;
    if missing * 2 > dates.len() || slots.last() != dates.last() {
        return None;
    }
    let parts = RuleParts {
        count: Some(i64::try_from(slots.len()).ok()?),
        ..parts
    };
    let mut slots = slots;
    slots.retain(|slot| dates.binary_search(slot).is_err());
    Some((Rule::new(parts).ok()?, slots))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dates: &[&str]) -> Option<(String, usize)> {
        let dates: Vec<NaiveDate> = dates.iter().map(|date| date.parse().unwrap()).collect();
        let (rule, missing) = Rule::of_dates(&dates)?;
        Some((rule.to_string(), missing.len()))
    }

    #[test]
    fn regular_dates_have_a_rule() {
        for (dates, rule, missing) in [
            (
                &["2027-03-01", "2027-03-02", "2027-03-03"][..],
                "FREQ=DAILY;COUNT=3",
                0,
            ),
            (
                &["2027-03-01", "2027-03-04", "2027-03-07"],
                "FREQ=DAILY;INTERVAL=3;COUNT=3",
                0,
            ),
            (
                &["2027-03-01", "2027-03-15", "2027-03-29"],
                "FREQ=WEEKLY;INTERVAL=2;COUNT=3",
                0,
            ),
            (
                &["2027-03-01", "2027-03-29", "2027-04-26"],
                "FREQ=WEEKLY;INTERVAL=4;COUNT=3",
                0,
            ),
            (
                &["2027-01-31", "2027-03-31", "2027-05-31"],
                "FREQ=MONTHLY;INTERVAL=2;COUNT=3",
                0,
            ),
            (
                &["2027-01-12", "2027-02-09", "2027-03-09", "2027-04-13"],
                "FREQ=MONTHLY;COUNT=4;BYDAY=2TU",
                0,
            ),
            (
                &["2027-01-26", "2027-02-23", "2027-03-30"],
                "FREQ=MONTHLY;COUNT=3;BYDAY=-1TU",
                0,
            ),
            (
                &["2027-01-05", "2027-02-05", "2027-04-05"],
                "FREQ=MONTHLY;COUNT=4",
                1,
            ),
        ] {
            assert_eq!(of(dates), Some((rule.to_owned(), missing)), "{dates:?}");
        }
    }

    #[test]
    fn other_dates_have_none() {
        for dates in [
            &[][..],
            &["2027-03-01", "2027-03-08"],
            &["2027-03-01", "2027-03-08", "2027-05-20"],
            &["2027-03-01", "2028-03-09", "2036-07-20"],
        ] {
            assert_eq!(of(dates), None, "{dates:?}");
        }
    }
}
