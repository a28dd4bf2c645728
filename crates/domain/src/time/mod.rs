//! Instants, wall clocks, time zones, and the parsing of dates.
//!
//! A calendar needs two representations of a time: the *wall clock* ("nine o'clock in New York", a
//! [`NaiveDateTime`]), which people use, and the *instant* ([`Timestamp`]), which compares events.
//! A [`Zone`] converts between them, a [`Moment`] holds both, and an [`EventTime`] consists of a
//! start, an end and their zone. [`parse_date`] parses the dates that people type. [`ZoneData`]
//! holds the rules of the zones.
//!
//! Times are whole seconds within the years 1 to 9999. Nothing here reads a clock: the current time
//! is always an argument.
//!
//! ```
//! use events_calendar_domain::time::{Timestamp, Zone, parse_date};
//!
//! let new_york = "America/New_York".parse::<Zone>()?;
//! let now = Timestamp::from_seconds(0).unwrap();
//! let start = parse_date("2027-03-10 09:00", &new_york, now)?;
//! assert_eq!(start.utc.to_string(), "2027-03-10 14:00:00");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod absolute;
mod clock;
mod date_order;
mod event_time;
mod input;
mod invalid_date;
mod offset;
mod period;
mod relative;
mod scan;
mod sent;
mod timestamp;
mod zone;
mod zone_data;

pub use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, Weekday};

pub(crate) use input::is_day;

pub use date_order::{DateOrder, InvalidDateOrder, NumericDate};
pub use event_time::{EventTime, EventTimeChange, InvalidEventTime};
pub use input::{parse_date, parse_day, read_date};
pub use invalid_date::InvalidDate;
pub use period::{Period, PeriodUnit};
pub use sent::SentDate;
pub use timestamp::{InvalidTimestamp, Timestamp, format_civil, parse_civil};
pub use zone::{InvalidZone, Moment, Observance, Zone};
pub use zone_data::{
    InvalidZoneData, InvalidZoneDataVersion, ZoneData, ZoneDataInUse, ZoneDataVersion,
};
