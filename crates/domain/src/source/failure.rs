//! Failures of runs. None of them names the address of a source.

use std::{fmt, str::FromStr};

use crate::UnknownName;

named_enum! {
    /// A fault for which a source is not read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ReadFault, name {
        /// The server does not answer, or the connection breaks.
        Unreachable = "unreachable",
        /// The answer takes longer than a minute.
        TooSlow = "too-slow",
        /// The address, or one to which it redirects, is not public.
        ForbiddenAddress = "forbidden-address",
        /// There are too many redirects, or one that leads nowhere.
        Redirects = "redirects",
        /// The file has more than 64 MiB.
        TooLarge = "too-large",
        /// The compressed file is damaged.
        Damaged = "damaged",
        /// The answer is no calendar, no table or no site.
        NoCalendar = "no-calendar",
        /// The file has more than 100,000 events.
        TooManyEvents = "too-many-events",
        /// Half of the events to come are gone, or the file is incomplete: nothing is taken.
        TooManyGone = "too-many-gone",
        /// The user is disabled, or is not an author any more.
        NoUser = "no-user",
        /// The file with the headers cannot be read.
        HeaderFile = "header-file",
        /// The run stopped before its end.
        Stopped = "stopped",
    }
}

/// The reason for which a run failed.
///
/// ```
/// use events_calendar_domain::source::{ReadFault, SourceFailure};
/// assert_eq!("status-404".parse(), Ok(SourceFailure::Status(404)));
/// assert_eq!(SourceFailure::Status(404).to_string(), "status-404");
/// assert_eq!("too-slow".parse(), Ok(SourceFailure::Fault(ReadFault::TooSlow)));
/// assert!("status-x".parse::<SourceFailure>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceFailure {
    /// The server answers with this status.
    Status(u16),
    /// Another fault.
    Fault(ReadFault),
}

/// Begins the name of a failure with a status.
const STATUS: &str = "status-";

impl fmt::Display for SourceFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "{STATUS}{status}"),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl FromStr for SourceFailure {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        match text.strip_prefix(STATUS) {
            Some(status) => status.parse().map(Self::Status).map_err(|_| UnknownName),
            None => text.parse().map(Self::Fault),
        }
    }
}

impl From<ReadFault> for SourceFailure {
    fn from(fault: ReadFault) -> Self {
        Self::Fault(fault)
    }
}
