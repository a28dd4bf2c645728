//! The parts of rules, and the limits of each.

use chrono::{Datelike, NaiveDate, NaiveDateTime, Timelike, Weekday};

use super::{
    Rule,
    frequency::{Frequency, WeekdayNumber},
    part::{InvalidRule, Part},
};
use crate::recurrence::date_value::DateValue;

/// The parts of a rule, before their check: what the members of an object say, in any order.
///
/// Empty lists are absent parts. [`Rule::parts`] is the reverse view, in canonical order.
///
/// ```
/// use events_calendar_domain::recurrence::{Frequency, Rule, RuleParts};
///
/// let parts = RuleParts {
///     count: Some(4),
///     days: vec!["-1fr".parse()?],
///     ..RuleParts::new(Frequency::Monthly)
/// };
/// assert_eq!(Rule::new(parts)?.to_string(), "FREQ=MONTHLY;COUNT=4;BYDAY=-1FR");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleParts {
    /// The unit (FREQ).
    pub frequency: Frequency,
    /// Every how many units (INTERVAL).
    pub interval: i64,
    /// The number of slots, the start included (COUNT).
    pub count: Option<i64>,
    /// The last moment, inclusive (UNTIL).
    pub until: Option<DateValue>,
    /// Months (BYMONTH).
    pub months: Vec<i64>,
    /// Weeks of the year (BYWEEKNO).
    pub weeks: Vec<i64>,
    /// Days of the year (BYYEARDAY).
    pub days_of_year: Vec<i64>,
    /// Days of the month (BYMONTHDAY).
    pub days_of_month: Vec<i64>,
    /// Weekdays (BYDAY).
    pub days: Vec<WeekdayNumber>,
    /// Hours (BYHOUR).
    pub hours: Vec<i64>,
    /// Minutes (BYMINUTE).
    pub minutes: Vec<i64>,
    /// Seconds (BYSECOND). A recurrence takes the second of its start alone, and drops this part.
    pub seconds: Vec<i64>,
    /// Positions among the slots of one interval (BYSETPOS).
    pub positions: Vec<i64>,
    /// The first day of the week (WKST).
    pub week_start: Weekday,
}

impl RuleParts {
    /// The parts of a rule of a frequency alone: interval 1, weeks from Monday on.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::{Frequency, Rule, RuleParts};
    ///
    /// let rule = Rule::new(RuleParts::new(Frequency::Weekly)).unwrap();
    /// assert_eq!(rule.to_string(), "FREQ=WEEKLY");
    /// ```
    pub fn new(frequency: Frequency) -> Self {
        Self {
            frequency,
            interval: 1,
            count: None,
            until: None,
            months: Vec::new(),
            weeks: Vec::new(),
            days_of_year: Vec::new(),
            days_of_month: Vec::new(),
            days: Vec::new(),
            hours: Vec::new(),
            minutes: Vec::new(),
            seconds: Vec::new(),
            positions: Vec::new(),
            week_start: Weekday::Mon,
        }
    }

    /// The parts with the last day of a month in place of a day that it does not have
    /// ([`MissingDay::Last`](super::MissingDay)).
    ///
    /// They select the last one of the days from 28 to the day of the month; without
    /// `days_of_month`, that is the day of `start`.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::{Frequency, Rule, RuleParts};
    /// use events_calendar_domain::time::NaiveDate;
    ///
    /// let start = NaiveDate::from_ymd_opt(2027, 1, 31).unwrap();
    /// let parts = RuleParts::new(Frequency::Monthly).with_last_day(start)?;
    /// let rule = Rule::new(parts)?;
    /// assert_eq!(rule.to_string(), "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1");
    /// # Ok::<(), events_calendar_domain::recurrence::InvalidRule>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidRule::NoMissingDay`] unless the rule is monthly, or yearly within one month, and has
    /// one day of the month from 29 to 31, one time a day, and neither weekdays, weeks, days of the
    /// year nor positions.
    pub fn with_last_day(mut self, start: NaiveDate) -> Result<Self, InvalidRule> {
        let completed = self.completed(start.into());
        let is_in_month = match self.frequency {
            Frequency::Monthly => true,
            Frequency::Yearly => completed.months.len() == 1,
            Frequency::Daily | Frequency::Weekly => false,
        };
        let (&[day @ 29..=31], [], [], [], [], true) = (
            completed.days_of_month.as_slice(),
            self.days.as_slice(),
            self.weeks.as_slice(),
            self.days_of_year.as_slice(),
            self.positions.as_slice(),
            is_in_month && self.hours.len() < 2 && self.minutes.len() < 2,
        ) else {
            return Err(InvalidRule::NoMissingDay);
        };
        self.months = completed.months;
        self.days_of_month = (28..=day).collect();
        self.positions = vec![-1];
        Ok(self)
    }

    /// The parts with those that the rule leaves open, taken from the first slot (RFC 8984, section
    /// 4.3.3).
    pub(in crate::recurrence) fn completed(&self, first: NaiveDateTime) -> Self {
        let mut parts = self.clone();
        let Self {
            months,
            weeks,
            days_of_month,
            days,
            ..
        } = self;
        let (is_monthly, is_yearly) = (
            self.frequency == Frequency::Monthly,
            self.frequency == Frequency::Yearly && self.days_of_year.is_empty(),
        );
        let has_no_day = days_of_month.is_empty() && days.is_empty();
        let month_is_open =
            months.is_empty() && weeks.is_empty() && (!days_of_month.is_empty() || days.is_empty());
        if is_yearly && month_is_open {
            parts.months = vec![first.month().into()];
        }
        if has_no_day && (is_monthly || is_yearly && weeks.is_empty()) {
            parts.days_of_month = vec![first.day().into()];
        }
        let is_weekly = self.frequency == Frequency::Weekly;
        if has_no_day && (is_weekly || is_yearly && !weeks.is_empty()) {
            parts.days = vec![first.weekday().into()];
        }
        if parts.hours.is_empty() {
            parts.hours = vec![first.hour().into()];
        }
        if parts.minutes.is_empty() {
            parts.minutes = vec![first.minute().into()];
        }
        parts
    }

    /// The BY parts that select slots.
    fn by_parts(&self) -> impl Iterator<Item = Part> {
        let lists = self.numbers().into_iter();
        // BYSECOND says nothing that the start does not say.
        let numbers = lists.filter(|(part, list, _)| *part != Part::Seconds && !list.is_empty());
        let days = (!self.days.is_empty()).then_some(Part::Days);
        numbers.map(|(part, ..)| part).chain(days)
    }

    /// The lists of numbers with their bounds; a negative lower bound excludes zero.
    fn numbers(&self) -> [(Part, &Vec<i64>, [i64; 2]); 8] {
        [
            (Part::Months, &self.months, [1, 12]),
            (Part::Weeks, &self.weeks, [-53, 53]),
            (Part::DaysOfYear, &self.days_of_year, [-366, 366]),
            (Part::DaysOfMonth, &self.days_of_month, [-31, 31]),
            (Part::Hours, &self.hours, [0, 23]),
            (Part::Minutes, &self.minutes, [0, 59]),
            (Part::Seconds, &self.seconds, [0, 59]),
            (Part::Positions, &self.positions, [-366, 366]),
        ]
    }

    /// Puts the lists in order, without repetition.
    pub(super) fn sort(&mut self) {
        for list in [
            &mut self.months,
            &mut self.weeks,
            &mut self.days_of_year,
            &mut self.days_of_month,
            &mut self.hours,
            &mut self.minutes,
            &mut self.seconds,
            &mut self.positions,
        ] {
            list.sort_unstable();
            list.dedup();
        }
        self.days.sort_unstable_by_key(WeekdayNumber::key);
        self.days.dedup();
    }

    pub(super) fn check_values(&self) -> Result<(), InvalidRule> {
        for (part, list, [least, most]) in self.numbers() {
            let is_allowed =
                |number: &i64| (least..=most).contains(number) && (least >= 0 || *number != 0);
            if !list.iter().all(is_allowed) {
                return Err(InvalidRule::Value(part));
            }
        }
        let is_interval = (1..=Rule::MAX_INTERVAL).contains(&self.interval);
        let is_count = |count| (1..=Rule::MAX_COUNT).contains(&count);
        let most = match self.frequency {
            Frequency::Monthly => 5,
            _ => 53,
        };
        let is_number = |number: i64| number != 0 && (-most..=most).contains(&number);
        let numbers = self.days.iter().map(|day| day.number);
        match () {
            () if !is_interval => Err(InvalidRule::Value(Part::Interval)),
            () if !self.count.is_none_or(is_count) => Err(InvalidRule::Value(Part::Count)),
            () if !numbers.flatten().all(is_number) => Err(InvalidRule::Value(Part::Days)),
            () => Ok(()),
        }
    }

    pub(super) fn check_combinations(&self) -> Result<(), InvalidRule> {
        if self.count.is_some() && self.until.is_some() {
            return Err(InvalidRule::NotWith(Part::Count, Part::Until));
        }
        let has_numbered_day = self.days.iter().any(|day| day.number.is_some());
        if !self.weeks.is_empty() {
            if has_numbered_day {
                return Err(InvalidRule::NotWith(Part::Weeks, Part::Days));
            }
            if self.interval != 1 {
                return Err(InvalidRule::NotWith(Part::Weeks, Part::Interval));
            }
        }
        let (is_weekly, is_yearly) = (
            self.frequency == Frequency::Weekly,
            self.frequency == Frequency::Yearly,
        );
        let is_short = is_weekly || self.frequency == Frequency::Daily;
        let excluded = [
            (Part::Weeks, !is_yearly && !self.weeks.is_empty()),
            (
                Part::DaysOfYear,
                !is_yearly && !self.days_of_year.is_empty(),
            ),
            (
                Part::DaysOfMonth,
                is_weekly && !self.days_of_month.is_empty(),
            ),
            (Part::Days, is_short && has_numbered_day),
        ];
        if let Some((part, _)) = excluded.into_iter().find(|(_, excluded)| *excluded) {
            return Err(InvalidRule::NotWithFrequency(part, self.frequency));
        }
        if self.by_parts().eq([Part::Positions]) {
            return Err(InvalidRule::PositionsAlone);
        }
        let times = self.hours.len().max(1) * self.minutes.len().max(1);
        if times > Rule::MAX_TIMES_PER_DAY {
            return Err(InvalidRule::TooManyTimes);
        }
        Ok(())
    }
}
