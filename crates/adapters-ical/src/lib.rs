//! iCalendar files (RFC 5545): the port [`CalendarFormat`].
//!
//! ```
//! use app::{feed::CalendarHeader, ports::CalendarFormat};
//!
//! let mut file = Vec::new();
//! let mut writer = adapters_ical::ICalendar.writer(CalendarHeader::default());
//! writer.begin(&mut file)?;
//! writer.end(&mut file)?;
//! assert!(file.starts_with(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod writer;

use app::{
    feed::CalendarHeader,
    ports::{CalendarFormat, CalendarWriter},
};

/// The format iCalendar.
#[derive(Clone, Copy, Debug, Default)]
pub struct ICalendar;

impl CalendarFormat for ICalendar {
    fn media_type(&self) -> &'static str {
        "text/calendar; charset=utf-8"
    }

    fn writer(&self, header: CalendarHeader) -> Box<dyn CalendarWriter> {
        Box::new(writer::Writer::new(header))
    }
}
