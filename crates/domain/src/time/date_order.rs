//! The order of day and month in dates such as `5/12/2027`.

use std::{fmt, str::FromStr};

use chrono::NaiveDate;

/// The order of day and month in dates of three numbers.
///
/// ```
/// use events_calendar_domain::time::DateOrder;
///
/// assert_eq!("dmy".parse(), Ok(DateOrder::DayFirst));
/// assert!("ymd".parse::<DateOrder>().is_err());
/// assert_eq!(DateOrder::ALL.map(DateOrder::name), ["mdy", "dmy"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// `12/5/2027` is the fifth of December.
    MonthFirst,
    /// `5/12/2027` is the fifth of December.
    DayFirst,
}

impl DateOrder {
    /// All orders.
    pub const ALL: [Self; 2] = [Self::MonthFirst, Self::DayFirst];

    /// The name in requests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MonthFirst => "mdy",
            Self::DayFirst => "dmy",
        }
    }
}

impl fmt::Display for DateOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for DateOrder {
    type Err = InvalidDateOrder;

    fn from_str(name: &str) -> Result<Self, InvalidDateOrder> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name() == name).ok_or(InvalidDateOrder)
    }
}

/// The text names no order.
///
/// ```
/// assert_eq!(events_calendar_domain::time::InvalidDateOrder.to_string(), "must be mdy or dmy");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be mdy or dmy")]
pub struct InvalidDateOrder;

/// A date of three numbers with the year at the end, such as `5/12/2027 9:00` or `05-12-2027`.
///
/// ```
/// use events_calendar_domain::time::{DateOrder, NumericDate};
///
/// let date = NumericDate::read("25/12/2027 9:00").unwrap();
/// assert_eq!(date.only_order(), Some(DateOrder::DayFirst));
/// assert_eq!(date.text(DateOrder::DayFirst).as_deref(), Some("2027-12-25 9:00"));
/// assert_eq!(date.text(DateOrder::MonthFirst), None);
///
/// assert!(NumericDate::read("5/12/2027").unwrap().is_ambiguous());
/// assert!(!NumericDate::read("5/5/2027").unwrap().is_ambiguous());
/// assert_eq!(NumericDate::read("2027-12-25"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumericDate<'a> {
    first: u32,
    second: u32,
    year: i32,
    /// The time of day, with what stands before it.
    rest: &'a str,
}

impl<'a> NumericDate<'a> {
    /// Reads a date; `None` if the text has another form, or can be no date in either order.
    pub fn read(text: &'a str) -> Option<Self> {
        let end = text.find([' ', '\t', 't', 'T']).unwrap_or(text.len());
        let (day, rest) = text.split_at(end);
        let separator = ['/', '-'].into_iter().find(|one| day.contains(*one))?;
        let mut parts = day.split(separator);
        let mut number = |digits: std::ops::RangeInclusive<usize>| {
            let part = parts.next()?;
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            let part = Some(part).filter(|part| is_number && digits.contains(&part.len()))?;
            part.parse::<u32>().ok()
        };
        let (first, second) = (number(1..=2)?, number(1..=2)?);
        let year = i32::try_from(number(4..=4)?).ok()?;
        let date = Self {
            first,
            second,
            year,
            rest,
        };
        let is_date = DateOrder::ALL.into_iter().any(|order| date.fits(order));
        (parts.next().is_none() && is_date).then_some(date)
    }

    fn day(&self, order: DateOrder) -> Option<NaiveDate> {
        let (month, day) = match order {
            DateOrder::MonthFirst => (self.first, self.second),
            DateOrder::DayFirst => (self.second, self.first),
        };
        NaiveDate::from_ymd_opt(self.year, month, day)
    }

    fn fits(&self, order: DateOrder) -> bool {
        self.day(order).is_some()
    }

    /// The order in which alone it is a date.
    pub fn only_order(&self) -> Option<DateOrder> {
        match DateOrder::ALL.map(|order| self.fits(order)) {
            [true, false] => Some(DateOrder::MonthFirst),
            [false, true] => Some(DateOrder::DayFirst),
            _ => None,
        }
    }

    /// Whether the order decides which day it is.
    pub fn is_ambiguous(&self) -> bool {
        self.only_order().is_none() && self.first != self.second
    }

    /// The text with the year first; `None` if it is no date in this order.
    pub fn text(&self, order: DateOrder) -> Option<String> {
        let day = self.day(order)?;
        Some(format!("{}{}", day.format("%Y-%m-%d"), self.rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_dates() {
        let read = |text| {
            let date = NumericDate::read(text)?;
            Some(DateOrder::ALL.map(|order| date.text(order).unwrap_or_default()))
        };
        for (text, month_first, day_first) in [
            ("4/17/2027", "2027-04-17", ""),
            ("17/4/2027", "", "2027-04-17"),
            ("05/12/2027", "2027-05-12", "2027-12-05"),
            ("05-12-2027T9:00", "2027-05-12T9:00", "2027-12-05T9:00"),
            ("31/1/2027 4pm", "", "2027-01-31 4pm"),
            ("2/29/2028", "2028-02-29", ""),
        ] {
            let expected = [month_first, day_first].map(str::to_owned);
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "/",
            "2027-04-17",
            "2027/04/17",
            "17.4.2027",
            "1/2/3/4",
            "1/2/2027/",
            "31/4/2027",
            "13/13/2027",
            "0/1/2027",
            "1/2/27",
            "1/2/02027",
            "+1/2/2027",
            "1/-2/2027",
            "001/2/2027",
            "17 April 2027",
            "tomorrow",
            "é/2/2027",
            "29/2/2027",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
