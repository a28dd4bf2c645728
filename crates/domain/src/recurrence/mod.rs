//! Events that repeat: rules, slots and occurrences.
//!
//! A [`Recurrence`] says when an event repeats: from the start of the event on, by a [`Rule`] (RFC
//! 5545, section 3.3.10), with extra and deleted dates. A [`Slot`] is the wall clock at which it
//! puts an [`Occurrence`], and its name; the zone of the event says when that is.
//!
//! ```
//! use events_calendar_domain::{
//!     recurrence::{Recurrence, RecurrenceParts},
//!     time::{EventTime, parse_civil},
//! };
//!
//! // Tuesdays from 19:00 to 21:00 in Paris.
//! let time = |text| parse_civil(text).unwrap();
//! let (start, end) = (time("2027-03-16 19:00:00"), time("2027-03-16 21:00:00"));
//! let first = EventTime::new("Europe/Paris".parse()?, start, end, false)?;
//! let rule = Some("FREQ=WEEKLY;COUNT=3".parse()?);
//! let weekly = Recurrence::new(first, RecurrenceParts { rule, ..RecurrenceParts::default() })?;
//!
//! // 19:00 stays 19:00 when the clocks change on 28 March.
//! let starts: Vec<_> = weekly.occurrences(..).map(|one| one.when.start()).collect();
//! assert_eq!(starts[2].local, time("2027-03-30 19:00:00"));
//! assert_eq!(starts[1].utc.to_string(), "2027-03-23 18:00:00");
//! assert_eq!(starts[2].utc.to_string(), "2027-03-30 17:00:00");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Changes
//!
//! [`Recurrence::split`] divides a series at a slot. [`Recurrence::moved`] follows a new start, zone or
//! kind of day. [`Recurrence::with_rule`] and [`Recurrence::with_parts`] take another rule and other
//! dates. [`Recurrence::compare`] says which slots a change keeps, with their new names, and which it
//! adds and removes.
//!
//! ```
//! use events_calendar_domain::{
//!     recurrence::{Comparison, Recurrence, RecurrenceParts},
//!     time::{EventTime, Timestamp, Zone, parse_civil},
//! };
//!
//! let start = parse_civil("2027-03-16 19:00:00").unwrap();
//! let first = EventTime::new(Zone::utc(), start, start, false)?;
//! let lines = ["RRULE:FREQ=WEEKLY", "EXDATE:20270323T190000Z"];
//! let parts = RecurrenceParts::from_lines(&lines, first.zone())?;
//! let weekly = Recurrence::new(first, parts)?;
//!
//! // What is stored of an endless rule: the occurrences up to a horizon.
//! let horizon = Timestamp::from_seconds(1_810_000_000).unwrap();
//! assert_eq!(weekly.occurrences(..horizon).count(), 7);
//! let thursdays = weekly.with_rule(Some("FREQ=WEEKLY;BYDAY=TU,TH".parse()?))?;
//! let Comparison { kept, added, removed, .. } = weekly.compare(&thursdays, horizon);
//! assert_eq!((kept.len(), added.len(), removed.len()), (7, 8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cost
//!
//! Iterators are lazy, and take a bounded time for each slot, whatever the rule: a rule that gives
//! nothing more is given up after one cycle of the calendar of 400 years.

mod compare;
mod date_value;
mod input;
mod lines;
mod lookup;
mod moved;
mod occurrence;
mod pattern;
mod period;
mod plain;
mod rule;
mod set;
mod slot;
mod slots;
mod split;
mod start;

pub use chrono::Weekday;

use chrono::{Datelike, Months, NaiveTime};

use crate::time::{Timestamp, Zone};

pub use compare::Comparison;
pub use date_value::DateValue;
pub use input::{InvalidRecurrence, RecurrenceParts, Shortened};
pub use lines::{Deviation, InvalidLine};
pub use moved::InvalidMove;
pub use occurrence::Occurrence;
pub use plain::{PlainRule, Repeats, RuleEnd};
pub use rule::{Frequency, InvalidRule, MissingDay, Part, Rule, RuleParts, WeekdayNumber};
pub use set::Recurrence;
pub use slot::Slot;
pub use split::InvalidSplit;
pub use start::Start;

/// The instant up to which the occurrences of endless rules are stored: the beginning of the month, in
/// a zone, after the month that is `months` ahead.
///
/// ```
/// use events_calendar_domain::{recurrence::horizon, time::{Timestamp, Zone}};
///
/// let now = Timestamp::from_seconds(1_795_305_600).unwrap();
/// assert_eq!(now.to_string(), "2026-11-22 00:00:00");
/// assert_eq!(horizon(now, &Zone::utc(), 60).to_string(), "2031-12-01 00:00:00");
/// ```
pub fn horizon(now: Timestamp, zone: &Zone, months: u32) -> Timestamp {
    let today = zone.at(now).local.date();
    let month = today.with_day(1).unwrap_or(today);
    let after = month.checked_add_months(Months::new(months.saturating_add(1)));
    let begins = after.and_then(|day| zone.at_local(day.and_time(NaiveTime::MIN)).ok());
    begins.map_or(Timestamp::MAX, |moment| moment.utc)
}
