//! The port of calendar files that can be read.

use std::io;

use app::ports::CalendarFormat;
use domain::time::Zone;

use crate::reading::ReadItem;

/// A format of calendar files that can be read, too.
///
/// ```
/// use std::io;
///
/// use interchange::{CalendarReader, ReadItem};
///
/// struct NoEvents;
///
/// impl CalendarReader for NoEvents {
///     fn next(&mut self) -> io::Result<Option<ReadItem>> {
///         Ok(None)
///     }
/// }
/// assert!(NoEvents.next()?.is_none());
/// # Ok::<(), io::Error>(())
/// ```
pub trait ReadableFormat: CalendarFormat {
    /// Makes the reader of one file. `zone` is that of wall clocks for which the file names none.
    fn reader(&self, file: Box<dyn io::Read + Send>, zone: Zone) -> Box<dyn CalendarReader>;
}

/// Reads one calendar file, a part at a time, in little memory.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
pub trait CalendarReader: Send {
    /// The next item; none at the end of the file. No content of a file is an error.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn next(&mut self) -> io::Result<Option<ReadItem>>;
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
        fn reader(&self, file: Box<dyn io::Read + Send>, zone: Zone) -> Box<dyn CalendarReader>;
    }
}
