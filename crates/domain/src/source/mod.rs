//! Sources: calendars elsewhere that this one reads on a schedule.
//!
//! A [`Source`] has what people choose, [`SourceRuns`] what the runs left behind: the time of the next run,
//! the [`Validators`] of the file, the last [`SourceReport`] with its [`SourceFinding`]s.
//!
//! ```
//! use events_calendar_domain::{
//!     Status, UserId,
//!     source::{
//!         Every, ReadFault, Source, SourceFailure, SourceFinding, SourceFormat, SourceReport, SourceRuns, SourceState,
//!         UpdatePolicy, Validators,
//!     },
//! };
//! # use events_calendar_domain::time::Timestamp;
//! # let now = Timestamp::from_seconds(1_800_000_000).unwrap();
//!
//! let source = Source {
//!     name: "Rowing club".parse()?,
//!     format: SourceFormat::Calendar,
//!     url: "webcal://club.example/private/5f2a.ics".parse()?,
//!     user: UserId::from_raw(1),
//!     every: "1h".parse()?,
//!     status: Status::Publish,
//!     category: None,
//!     policy: UpdatePolicy::KeepLocal,
//!     prune: false,
//!     header_file: None,
//!     paused: false,
//! };
//! // The path is as good as a password, and is not shown.
//! assert_eq!(source.url.origin(), "https://club.example");
//! assert!(!format!("{source:?}").contains("5f2a"));
//!
//! let mut runs = SourceRuns::new(&source, now);
//! assert!(runs.is_due(&source, now));
//! let failure = SourceFailure::Fault(ReadFault::Unreachable);
//! runs.fail(source.every, now, 0, failure, None);
//! assert_eq!(runs.state(&source), SourceState::Failing);
//! assert_eq!(runs.next_run, now.saturating_add(3600));
//!
//! let report = SourceReport { refused: vec![SourceFinding::default()], ..SourceReport::default() };
//! runs.succeed(source.every, now, 0);
//! runs.brought(1, report, Validators::default());
//! assert_eq!(runs.state(&source), SourceState::Ok);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod every;
mod failure;
mod policy;
mod runs;

use std::str::FromStr;

use crate::{Secret, Status, UserId, text::Title};

pub use address::SourceUrl;
pub use every::{Every, InvalidEvery};
pub use failure::{ReadFault, SourceFailure};
pub use policy::UpdatePolicy;
pub use runs::{ReportCounts, SourceFinding, SourceReport, SourceRuns, Validators};

/// A calendar elsewhere, as people choose to read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name, by which the command line and the ledger of imports know it. It does not change.
    pub name: SourceName,
    /// The form in which it is read.
    pub format: SourceFormat,
    /// The address.
    pub url: SourceUrl,
    /// The user whose records it brings, with the rights that this user has when it is read.
    pub user: UserId,
    /// The time between two runs.
    pub every: Every,
    /// The status of new events: published, pending or draft.
    pub status: Status,
    /// The name of a category of all its events.
    pub category: Option<Title>,
    /// The fields of known events that change.
    pub policy: UpdatePolicy,
    /// Whether events that have not ended and that it has no longer go to the trash.
    pub prune: bool,
    /// The file with the headers of its requests, on the machine of the server.
    pub header_file: Option<Secret>,
    /// Whether it is not read.
    pub paused: bool,
}

impl Source {
    /// Most sources of a calendar.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::source::Source::MAX, 100);
    /// ```
    pub const MAX: u64 = 100;

    /// The statuses that new events may have.
    ///
    /// ```
    /// use events_calendar_domain::{Status, source::Source};
    /// assert!(!Source::STATUSES.contains(&Status::Trash));
    /// ```
    pub const STATUSES: [Status; 3] = [Status::Publish, Status::Pending, Status::Draft];
}

named_enum! {
    /// The form in which a source is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SourceFormat, name {
        /// A calendar file (RFC 5545).
        Calendar = "ics",
        /// A table with comma-separated values (RFC 4180).
        Table = "csv",
        /// A site of The Events Calendar, by its interface.
        Site = "tec",
    }
}

named_enum! {
    /// The state of a source.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SourceState, name {
        /// The last run succeeded, or there was none yet.
        Ok = "ok",
        /// The last run failed.
        Failing = "failing",
        /// Nobody reads it.
        Paused = "paused",
    }
}

/// The name of a source: 1 to 100 characters in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceName(String);

text_value!(SourceName, "Club".parse::<events_calendar_domain::source::SourceName>().unwrap() => "Club");

impl SourceName {
    /// Most characters.
    ///
    /// ```
    /// use events_calendar_domain::source::SourceName;
    /// assert!("x".repeat(SourceName::MAX_CHARS + 1).parse::<SourceName>().is_err());
    /// ```
    pub const MAX_CHARS: usize = 100;
}

/// The reason why a text is not a [`SourceName`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSourceName {
    /// It is empty.
    #[error("must not be empty")]
    Empty,
    /// It has more than [`SourceName::MAX_CHARS`] characters.
    #[error("must have at most {} characters", SourceName::MAX_CHARS)]
    TooLong,
    /// It has a line break or another control character.
    #[error("must be one line without control characters")]
    Control,
}

impl FromStr for SourceName {
    type Err = InvalidSourceName;

    /// Checks a name. Blanks around it are removed.
    ///
    /// ```
    /// use events_calendar_domain::source::{InvalidSourceName, SourceName};
    /// assert_eq!(" Club ".parse::<SourceName>()?.as_str(), "Club");
    /// assert_eq!("".parse::<SourceName>(), Err(InvalidSourceName::Empty));
    /// assert_eq!("a\nb".parse::<SourceName>(), Err(InvalidSourceName::Control));
    /// # Ok::<(), InvalidSourceName>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidSourceName`].
    fn from_str(text: &str) -> Result<Self, InvalidSourceName> {
        let name = text.trim();
        if name.is_empty() {
            Err(InvalidSourceName::Empty)
        } else if name.chars().count() > Self::MAX_CHARS {
            Err(InvalidSourceName::TooLong)
        } else if name.contains(char::is_control) {
            Err(InvalidSourceName::Control)
        } else {
            Ok(Self(name.to_owned()))
        }
    }
}
