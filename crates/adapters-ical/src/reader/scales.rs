//! Rules of other calendars, and rules that move days that do not exist (RFC 7529), as single dates.

use chrono::{Datelike as _, Days, NaiveDate};
use domain::{recurrence::DateValue, time::EventTime};
use icu_calendar::{AnyCalendar, AnyCalendarKind, Date, Ref, types::Month};

use super::rules::{MOST_DATES, RuleEnd, interval, parts_of};

/// Most months from the start on: 300 years.
const MAX_MONTHS: u32 = 4_000;

/// The day or the month that stands for one that does not exist.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    /// None.
    Omit,
    /// The one before.
    Backward,
    /// The one after.
    Forward,
}

/// A rule of years or months with an end, in the months of a calendar.
struct ScaledRule {
    calendar: AnyCalendar,
    is_yearly: bool,
    interval: u32,
    end: RuleEnd,
    /// The number of each month, and whether it is the leap month after the month with this number.
    months: Vec<(u8, bool)>,
    days_of_month: Vec<i8>,
    skip: Skip,
}

/// A month of a calendar.
struct CalendarMonth {
    first: NaiveDate,
    year: i32,
    /// As in [`ScaledRule::months`].
    month: (u8, bool),
    /// The number of days.
    length: u8,
}

/// The dates that a rule of another calendar gives with the start of an event, which is among them; none
/// for another rule, for one without an end, and if there are too many.
pub(super) fn scaled_dates(text: &str, when: &EventTime) -> Option<Vec<DateValue>> {
    ScaledRule::parse(text)?.dates(when)
}

/// The calendar with a name of CLDR.
fn calendar(name: &str) -> Option<AnyCalendar> {
    Some(AnyCalendar::new(match name {
        "BUDDHIST" => AnyCalendarKind::Buddhist,
        "CHINESE" => AnyCalendarKind::Chinese,
        "COPTIC" => AnyCalendarKind::Coptic,
        "DANGI" => AnyCalendarKind::Dangi,
        "ETHIOAA" | "ETHIOPIC-AMETE-ALEM" => AnyCalendarKind::EthiopianAmeteAlem,
        "ETHIOPIC" => AnyCalendarKind::Ethiopian,
        "GREGORIAN" => AnyCalendarKind::Gregorian,
        "HEBREW" => AnyCalendarKind::Hebrew,
        "INDIAN" => AnyCalendarKind::Indian,
        "ISLAMIC-CIVIL" | "ISLAMICC" => AnyCalendarKind::HijriTabularTypeIIFriday,
        "ISLAMIC-TBLA" => AnyCalendarKind::HijriTabularTypeIIThursday,
        "ISLAMIC-UMALQURA" => AnyCalendarKind::HijriUmmAlQura,
        "JAPANESE" => AnyCalendarKind::Japanese,
        "PERSIAN" => AnyCalendarKind::Persian,
        "ROC" => AnyCalendarKind::Roc,
        _ => return None,
    }))
}

/// The number of a month, with an `L` for the leap month after it.
fn month(text: &str) -> Option<(u8, bool)> {
    let text = text.trim();
    let (number, is_leap) = match text.strip_suffix('L') {
        Some(number) => (number, true),
        None => (text, false),
    };
    let number = number.parse().ok()?;
    (1..=13).contains(&number).then_some((number, is_leap))
}

impl ScaledRule {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = parts_of(text)?;
        let calendar = calendar(&parts.remove("RSCALE")?)?;
        let is_yearly = match parts.remove("FREQ")?.as_str() {
            "YEARLY" => true,
            "MONTHLY" => false,
            _ => return None,
        };
        let skip = match parts.remove("SKIP").as_deref() {
            None | Some("OMIT") => Skip::Omit,
            Some("BACKWARD") => Skip::Backward,
            Some("FORWARD") => Skip::Forward,
            Some(_) => return None,
        };
        let interval = interval(&mut parts)?;
        let end = RuleEnd::parse(&mut parts)?;
        let months: Vec<_> = match parts.remove("BYMONTH") {
            Some(text) => text.split(',').map(month).collect::<Option<_>>()?,
            None => Vec::new(),
        };
        let days_of_month: Vec<i8> = match parts.remove("BYMONTHDAY") {
            Some(text) => {
                let days = text.split(',').map(|day| day.trim().parse().ok());
                days.collect::<Option<_>>()?
            }
            None => Vec::new(),
        };
        parts.remove("WKST");
        let from_end = days_of_month.iter().any(|day| *day < 0);
        let is_clear = skip == Skip::Omit || !(from_end || months.contains(&(12, true)));
        let is_known = parts.is_empty() && !days_of_month.contains(&0);
        (is_known && is_clear).then_some(Self {
            calendar,
            is_yearly,
            interval,
            end,
            months,
            days_of_month,
            skip,
        })
    }

    fn dates(mut self, when: &EventTime) -> Option<Vec<DateValue>> {
        let start = when.start().local;
        let value = |day: NaiveDate| {
            if when.all_day() {
                DateValue::Day(day)
            } else {
                DateValue::Local(day.and_time(start.time()))
            }
        };
        let mut month = self.month_of(start.date())?;
        let year = month.year;
        if self.days_of_month.is_empty() {
            let day = (start.date() - month.first).num_days() + 1;
            self.days_of_month.push(i8::try_from(day).ok()?);
        }
        if self.is_yearly && self.months.is_empty() {
            self.months.push(month.month);
        }
        let mut dates = vec![value(start.date())];
        let mut last = start.date();
        for index in 0..MAX_MONTHS {
            if self.end.is_before(month.first.and_time(start.time()), when) {
                return Some(dates);
            }
            let period = if self.is_yearly {
                month.year.abs_diff(year)
            } else {
                index
            };
            let days = if period.is_multiple_of(self.interval) && self.holds(&month)? {
                self.days(month.length)
            } else {
                Vec::new()
            };
            for day in days {
                let day = month.first.checked_add_days(Days::new(day.into()))?;
                if day <= last {
                    continue;
                }
                if self
                    .end
                    .is_reached(dates.len(), day.and_time(start.time()), when)
                {
                    return Some(dates);
                }
                if dates.len() > MOST_DATES {
                    return None;
                }
                dates.push(value(day));
                last = day;
            }
            month = self.month_of(month.after()?)?;
        }
        None
    }

    /// The month of a day.
    fn month_of(&self, day: NaiveDate) -> Option<CalendarMonth> {
        let (month, of_month) = (u8::try_from(day.month()), u8::try_from(day.day()));
        let iso = Date::try_new_iso(day.year(), month.ok()?, of_month.ok()?).ok()?;
        let date = iso.to_calendar(Ref(&self.calendar));
        let before = u64::from(date.day_of_month().0.saturating_sub(1));
        let month: Month = date.month().to_input();
        Some(CalendarMonth {
            first: day.checked_sub_days(Days::new(before))?,
            year: date.year().extended_year(),
            month: (month.number(), month.is_leap()),
            length: date.days_in_month(),
        })
    }

    /// Whether the rule has days in a month, or in a leap month for which the month stands.
    fn holds(&self, month: &CalendarMonth) -> Option<bool> {
        let wants = |one: (u8, bool)| self.months.contains(&one);
        let (number, is_leap) = month.month;
        if self.months.is_empty() || wants(month.month) {
            return Some(true);
        }
        if is_leap {
            return Some(false);
        }
        Some(match self.skip {
            Skip::Omit => false,
            Skip::Backward => {
                wants((number, true)) && self.month_of(month.after()?)?.month != (number, true)
            }
            Skip::Forward => {
                let leap = (number.saturating_sub(1), true);
                wants(leap) && self.month_of(month.first.pred_opt()?)?.month != leap
            }
        })
    }

    /// The days in a month of some length, from 0 on. The length itself is the first day of the next one.
    fn days(&self, length: u8) -> Vec<u8> {
        let day = |wanted: &i8| match (u8::try_from(*wanted), self.skip) {
            (Ok(day), _) if day <= length => Some(day - 1),
            (Ok(_), Skip::Omit) => None,
            (Ok(_), Skip::Backward) => Some(length - 1),
            (Ok(_), Skip::Forward) => Some(length),
            (Err(_), _) => length.checked_sub(wanted.unsigned_abs()),
        };
        let mut days: Vec<_> = self.days_of_month.iter().filter_map(day).collect();
        days.sort_unstable();
        days
    }
}

impl CalendarMonth {
    /// The first day of the next month.
    fn after(&self) -> Option<NaiveDate> {
        self.first.checked_add_days(Days::new(self.length.into()))
    }
}
