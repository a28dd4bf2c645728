//! Tickets of events.
//!
//! ```
//! use events_calendar_domain::ticket::{MAX_TICKETS, OnSale, Ticket};
//!
//! let balcony = Ticket {
//!     name: "Balcony".parse()?,
//!     price: "12.50".parse()?,
//!     currency: "EUR".parse()?,
//!     url: Some("https://tickets.example/7".parse()?),
//!     on_sale: OnSale::default(),
//! };
//! assert_eq!(balcony.price.to_string(), "12.50");
//!
//! let tickets = vec![balcony];
//! assert!(tickets.len() <= MAX_TICKETS, "an event has no more");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

use crate::{cost::Currency, text::Title, time::Timestamp, web_url::WebUrl};

/// Most tickets of an event.
pub const MAX_TICKETS: usize = 100;

/// A kind of ticket for an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The name.
    pub name: Title,
    /// The price.
    pub price: Price,
    /// The currency of the price.
    pub currency: Currency,
    /// The page that sells the ticket.
    pub url: Option<WebUrl>,
    /// The sale period.
    pub on_sale: OnSale,
}

/// A price: an exact decimal number, at least 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price(Decimal);

/// The reason why a text is not a [`Price`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPrice {
    /// The text is not a decimal number.
    #[error("must be a decimal number like 12.50")]
    Form,
    /// The number is less than 0.
    #[error("must not be negative")]
    Negative,
    /// The number has more digits than [`Price::MAX_DIGITS`], or more decimals than
    /// [`Price::MAX_DECIMALS`].
    #[error(
        "must have at most {} digits, of these at most {} decimals",
        Price::MAX_DIGITS,
        Price::MAX_DECIMALS
    )]
    TooLong,
}

impl Price {
    /// Most digits.
    pub const MAX_DIGITS: usize = 15;
    /// Most decimals: no currency has more.
    pub const MAX_DECIMALS: u32 = 4;

    /// Whether the ticket costs nothing.
    ///
    /// ```
    /// use events_calendar_domain::ticket::Price;
    /// assert!("0.00".parse::<Price>()?.is_zero());
    /// assert!(!"0.01".parse::<Price>()?.is_zero());
    /// # Ok::<(), events_calendar_domain::ticket::InvalidPrice>(())
    /// ```
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl FromStr for Price {
    type Err = InvalidPrice;

    /// Parses digits, with `.` before decimals.
    ///
    /// # Errors
    ///
    /// [`InvalidPrice`], naming the rule that `text` breaks.
    ///
    /// ```
    /// use events_calendar_domain::ticket::{InvalidPrice, Price};
    /// assert_eq!("012.50".parse::<Price>()?.to_string(), "12.50");
    /// assert_eq!("-1".parse::<Price>(), Err(InvalidPrice::Negative));
    /// assert_eq!("12,50".parse::<Price>(), Err(InvalidPrice::Form));
    /// assert!("1".repeat(Price::MAX_DIGITS).parse::<Price>().is_ok());
    /// assert_eq!("1.00000".parse::<Price>(), Err(InvalidPrice::TooLong));
    /// assert!(Price::MAX_DECIMALS < 5);
    /// # Ok::<(), InvalidPrice>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, InvalidPrice> {
        let text = text.trim();
        let (negative, number) = match text.strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, text),
        };
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let points = number.bytes().filter(|byte| *byte == b'.').count();
        if digits == 0 || points > 1 || digits + points < number.len() {
            return Err(InvalidPrice::Form);
        }
        if digits > Self::MAX_DIGITS {
            return Err(InvalidPrice::TooLong);
        }
        match Decimal::from_str_exact(number) {
            Ok(price) if negative && !price.is_zero() => Err(InvalidPrice::Negative),
            Ok(price) if price.scale() > Self::MAX_DECIMALS => Err(InvalidPrice::TooLong),
            Ok(price) => Ok(Self(price)),
            Err(_) => Err(InvalidPrice::Form),
        }
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A sale period; either end may be open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnSale {
    from: Option<Timestamp>,
    until: Option<Timestamp>,
}

/// Error: the end is before the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must not lie before available_from")]
pub struct EndsBeforeStart;

impl OnSale {
    /// The period between two times.
    ///
    /// # Errors
    ///
    /// [`EndsBeforeStart`] if `until` is before `from`.
    ///
    /// ```
    /// use events_calendar_domain::{ticket::{EndsBeforeStart, OnSale}, time::Timestamp};
    /// let at = Timestamp::from_seconds;
    /// assert!(OnSale::new(at(1), at(1)).is_ok());
    /// assert!(OnSale::new(at(1), None).is_ok());
    /// assert_eq!(OnSale::new(at(1), at(0)), Err(EndsBeforeStart));
    /// ```
    pub fn new(from: Option<Timestamp>, until: Option<Timestamp>) -> Result<Self, EndsBeforeStart> {
        match (from, until) {
            (Some(from), Some(until)) if until < from => Err(EndsBeforeStart),
            _ => Ok(Self { from, until }),
        }
    }

    /// The start.
    ///
    /// ```
    /// # use events_calendar_domain::ticket::OnSale;
    /// assert_eq!(OnSale::default().from(), None);
    /// ```
    pub fn from(self) -> Option<Timestamp> {
        self.from
    }

    /// The end.
    ///
    /// ```
    /// # use events_calendar_domain::ticket::OnSale;
    /// assert_eq!(OnSale::default().until(), None);
    /// ```
    pub fn until(self) -> Option<Timestamp> {
        self.until
    }

    /// Whether the sale has begun and has not ended. Both moments belong to it.
    ///
    /// ```
    /// # use events_calendar_domain::{ticket::OnSale, time::Timestamp};
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let on_sale = OnSale::new(None, Some(at(10)))?;
    /// assert!(on_sale.is_open(at(10)) && !on_sale.is_open(at(11)));
    /// # Ok::<(), events_calendar_domain::ticket::EndsBeforeStart>(())
    /// ```
    pub fn is_open(self, now: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= now) && self.until.is_none_or(|until| now <= until)
    }
}

/// The offer of an event's tickets at a moment.
///
/// ```
/// use events_calendar_domain::{ticket::{OnSale, Ticket, TicketOffer}, time::Timestamp};
///
/// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
/// let ticket = |name: &str, from, until| Ticket {
///     name: name.parse().unwrap(),
///     price: "5".parse().unwrap(),
///     currency: "EUR".parse().unwrap(),
///     url: None,
///     on_sale: OnSale::new(from, until).unwrap(),
/// };
/// let tickets = [ticket("late", Some(at(20)), Some(at(40))), ticket("early", Some(at(10)), Some(at(30)))];
/// assert_eq!(TicketOffer::at(at(5), &tickets), Some(TicketOffer::From(at(10))));
/// assert_eq!(TicketOffer::at(at(15), &tickets), Some(TicketOffer::Open(vec![&tickets[1]])));
/// assert_eq!(TicketOffer::at(at(30), &tickets), Some(TicketOffer::Open(vec![&tickets[0], &tickets[1]])));
/// assert_eq!(TicketOffer::at(at(41), &tickets), Some(TicketOffer::Ended));
/// assert_eq!(TicketOffer::at(at(5), &[]), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TicketOffer<'a> {
    /// These are on sale, in the order of the event.
    Open(Vec<&'a Ticket>),
    /// The first goes on sale then.
    From(Timestamp),
    /// All sales have ended.
    Ended,
}

impl<'a> TicketOffer<'a> {
    /// The offer of tickets; none if there are no tickets.
    pub fn at(now: Timestamp, tickets: &'a [Ticket]) -> Option<Self> {
        if tickets.is_empty() {
            return None;
        }
        let is_open = |ticket: &&Ticket| ticket.on_sale.is_open(now);
        let open: Vec<_> = tickets.iter().filter(is_open).collect();
        if !open.is_empty() {
            return Some(Self::Open(open));
        }
        let starts = tickets.iter().filter_map(|ticket| ticket.on_sale.from);
        let next = starts.filter(|from| *from > now).min();
        Some(next.map_or(Self::Ended, Self::From))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prices() {
        for (text, price) in [
            ("0", "0"),
            ("0.00", "0.00"),
            ("-0", "0"),
            (" 12.5 ", "12.5"),
            ("007", "7"),
            (".5", "0.5"),
            ("123456789012345", "123456789012345"),
            ("99999999999.9999", "99999999999.9999"),
        ] {
            assert_eq!(text.parse::<Price>().unwrap().to_string(), price, "{text}");
        }
        for (text, error) in [
            ("", InvalidPrice::Form),
            (".", InvalidPrice::Form),
            ("-", InvalidPrice::Form),
            ("free", InvalidPrice::Form),
            ("1e3", InvalidPrice::Form),
            ("1_000", InvalidPrice::Form),
            ("1,5", InvalidPrice::Form),
            ("+1", InvalidPrice::Form),
            ("1.2.3", InvalidPrice::Form),
            ("$5", InvalidPrice::Form),
            ("٥", InvalidPrice::Form),
            ("-0.01", InvalidPrice::Negative),
            ("--1", InvalidPrice::Form),
            ("1.23456", InvalidPrice::TooLong),
            ("1234567890123456", InvalidPrice::TooLong),
        ] {
            assert_eq!(text.parse::<Price>(), Err(error), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_price_is_read_back(text in "[0-9]{1,11}(\\.[0-9]{1,4})?|\\PC*") {
            if let Ok(price) = text.parse::<Price>() {
                let again = price.to_string().parse::<Price>().unwrap();
                prop_assert_eq!(again.to_string(), price.to_string());
            }
        }
    }
}
