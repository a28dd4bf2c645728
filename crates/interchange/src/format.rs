//! The port of calendar files that can be read.

use std::io;

use app::ports::CalendarFormat;
use domain::time::Zone;

use crate::calendar_file::ReadItem;

/// The items of one calendar file, which are read one after the other, in little memory. An error says that
/// the file cannot be read; no content of a file is an error.
pub type ReadItems = Box<dyn Iterator<Item = io::Result<ReadItem>> + Send>;

/// A format of calendar files that can be read, too.
pub trait ReadableFormat: CalendarFormat {
    /// Reads one file. `zone` is that of wall clocks for which the file names none.
    fn reader(&self, file: Box<dyn io::Read + Send>, zone: Zone) -> ReadItems;
}

#[cfg(any(test, feature = "test-support"))]
mockall::mock! {
    #[derive(Debug)]
    pub ReadableFormat {}

    impl CalendarFormat for ReadableFormat {
        fn media_type(&self) -> &'static str;
        fn writer(&self, header: app::feed::CalendarHeader) -> Box<dyn app::ports::CalendarWriter>;
    }

    impl ReadableFormat for ReadableFormat {
        fn reader(&self, file: Box<dyn io::Read + Send>, zone: Zone) -> ReadItems;
    }
}
