//! The port of calendar file formats.

use std::{fmt, io};

use crate::feed::{CalendarHeader, FeedItem};

/// A format of calendar files.
///
/// ```
/// use std::io;
///
/// use events_calendar_app::{
///     feed::{CalendarHeader, FeedItem},
///     ports::{CalendarFormat, CalendarWriter},
/// };
///
/// /// A format that lists the UIDs, one in a line.
/// #[derive(Debug)]
/// struct Uids;
///
/// impl CalendarFormat for Uids {
///     fn media_type(&self) -> &'static str {
///         "text/plain"
///     }
///
///     fn writer(&self, _header: CalendarHeader) -> Box<dyn CalendarWriter> {
///         Box::new(UidWriter)
///     }
/// }
///
/// struct UidWriter;
///
/// impl CalendarWriter for UidWriter {
///     fn begin(&mut self, _sink: &mut dyn io::Write) -> io::Result<()> {
///         Ok(())
///     }
///
///     fn item(&mut self, item: &FeedItem, sink: &mut dyn io::Write) -> io::Result<()> {
///         writeln!(sink, "{}", item.uid())
///     }
///
///     fn end(&mut self, _sink: &mut dyn io::Write) -> io::Result<()> {
///         Ok(())
///     }
/// }
///
/// let mut file = Vec::new();
/// let mut writer = Uids.writer(CalendarHeader::default());
/// writer.begin(&mut file)?;
/// writer.end(&mut file)?;
/// assert_eq!((Uids.media_type(), file.len()), ("text/plain", 0));
/// # Ok::<(), io::Error>(())
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
pub trait CalendarFormat: fmt::Debug + Send + Sync {
    /// The media type of the files, with its parameters.
    fn media_type(&self) -> &'static str;

    /// Makes the writer of one file.
    fn writer(&self, header: CalendarHeader) -> Box<dyn CalendarWriter>;
}

/// Writes one calendar file, a part at a time. The same parts give the same bytes.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
pub trait CalendarWriter: Send {
    /// Writes what stands before the first item.
    ///
    /// # Errors
    ///
    /// If the sink fails; so for every method here. A sink of type `Vec<u8>` never does.
    fn begin(&mut self, sink: &mut dyn io::Write) -> io::Result<()>;

    /// Writes one item, after what it refers to.
    ///
    /// # Errors
    ///
    /// As for `begin`.
    fn item(&mut self, item: &FeedItem, sink: &mut dyn io::Write) -> io::Result<()>;

    /// Writes what stands after the last item. A file without it is incomplete.
    ///
    /// # Errors
    ///
    /// As for `begin`.
    fn end(&mut self, sink: &mut dyn io::Write) -> io::Result<()>;
}
