//! iCalendar files (RFC 5545): the ports [`CalendarFormat`] and [`ReadableFormat`].
//!
//! ```
//! use app::{feed::CalendarHeader, ports::CalendarFormat};
//!
//! let mut file = Vec::new();
//! let mut writer = events_calendar_adapters_ical::ICalendar.writer(CalendarHeader::default());
//! writer.begin(&mut file)?;
//! writer.end(&mut file)?;
//! assert!(file.starts_with(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Files of other programs are read, with their mistakes.
//!
//! ```
//! use interchange::{ReadItem, ReadableFormat};
//! use domain::time::Zone;
//!
//! let file = "BEGIN:VEVENT\nDTSTART;TZID=Romance Standard Time:20270417T090000\nSUMMARY:River cleanup\nEND:VEVENT";
//! let mut reader = events_calendar_adapters_ical::ICalendar.reader(Box::new(file.as_bytes()), Zone::utc());
//! let Some(ReadItem::Event(event)) = reader.next().transpose()? else { panic!("no event") };
//! assert_eq!(event.when.zone().name(), "Europe/Paris");
//! # Ok::<(), std::io::Error>(())
//! ```

mod reader;
mod writer;

use std::io;

use app::{
    feed::CalendarHeader,
    ports::{CalendarFormat, CalendarWriter},
};
use domain::time::Zone;
use interchange::{ReadItems, ReadableFormat};

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

impl ReadableFormat for ICalendar {
    fn reader(&self, file: Box<dyn io::Read + Send>, zone: Zone) -> ReadItems {
        Box::new(reader::Reader::new(file, zone))
    }
}
