//! The runs of a source: their time, their state, their last report.

use super::{Every, Source, SourceFailure, SourceFormat, SourceState};
use crate::time::Timestamp;

/// The seconds of a day.
const DAY: i64 = 86_400;

/// The validators of a file, by which its server tells whether it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The entity tag.
    pub etag: Option<String>,
    /// The time of the last change, as the server writes it.
    pub last_modified: Option<String>,
}

/// The state that the runs of a source left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRuns {
    /// The name of the source in the ledger of imports.
    pub ledger: String,
    /// The time from which on the next run is due.
    pub next_run: Timestamp,
    /// Whether somebody asked for a run, which is due at once.
    pub is_requested: bool,
    /// The validators of the file that was read last.
    pub validators: Validators,
    /// The end of the last run.
    pub last_run: Option<Timestamp>,
    /// The end of the last run that succeeded.
    pub last_success: Option<Timestamp>,
    /// The reason for which the last run failed.
    pub failure: Option<SourceFailure>,
    /// The number of failed runs since the last one that succeeded.
    pub failures: u32,
    /// The end of the first of them.
    pub failing_since: Option<Timestamp>,
    /// The last time that the log told of a source that fails for long.
    pub told: Option<Timestamp>,
    /// The number of events that it brought, without those that it took back.
    pub events: u64,
    /// The report of the last run that read a changed file.
    pub report: Option<SourceReport>,
}

/// The effects of an import of a file, or of a run, in numbers.
///
/// ```
/// use events_calendar_domain::source::ReportCounts;
///
/// let counts = ReportCounts { read: 3, created: 2, ..ReportCounts::default() };
/// let named = counts.named();
/// assert_eq!(named[..3], [("read", 3), ("created", 2), ("updated", 0)]);
/// let of = |name: &str| named.iter().find(|(one, _)| *one == name).map(|(_, number)| *number).ok_or(());
/// assert_eq!(ReportCounts::from_named(of), Ok(counts));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportCounts {
    /// The number of records that were read, refused ones included.
    pub read: u64,
    /// The number of new records.
    pub created: u64,
    /// The number of updated records.
    pub updated: u64,
    /// The number of records that stay as they are.
    pub unchanged: u64,
    /// The number of events that went to the trash because they were called off.
    pub cancelled: u64,
    /// The number of events that the source has no longer, and that went to the trash.
    pub pruned: u64,
    /// The number of pairs of records that look alike, and that nobody knew of.
    pub duplicates: u64,
    /// The number of these that were merged.
    pub merged: u64,
    /// The number of parts of the file that say nothing about an event.
    pub ignored: u64,
}

impl ReportCounts {
    /// The numbers with their names, in the order of reports.
    pub fn named(&self) -> [(&'static str, u64); 9] {
        let Self {
            read,
            created,
            updated,
            unchanged,
            cancelled,
            pruned,
            duplicates,
            merged,
            ignored,
        } = *self;
        [
            ("read", read),
            ("created", created),
            ("updated", updated),
            ("unchanged", unchanged),
            ("cancelled", cancelled),
            ("pruned", pruned),
            ("duplicates", duplicates),
            ("merged", merged),
            ("ignored", ignored),
        ]
    }

    /// The number of records that were read and not taken.
    ///
    /// ```
    /// use events_calendar_domain::source::ReportCounts;
    ///
    /// let counts = ReportCounts { read: 5, created: 2, unchanged: 1, cancelled: 1, pruned: 3, ..ReportCounts::default() };
    /// assert_eq!(counts.refused(), 1, "pruned events are not in the file");
    /// ```
    pub fn refused(&self) -> u64 {
        let taken = self.created + self.updated + self.unchanged + self.cancelled;
        self.read.saturating_sub(taken)
    }

    /// The numbers that `number` gives for each name.
    ///
    /// # Errors
    ///
    /// The first error of `number`.
    pub fn from_named<E>(number: impl Fn(&str) -> Result<u64, E>) -> Result<Self, E> {
        Ok(Self {
            read: number("read")?,
            created: number("created")?,
            updated: number("updated")?,
            unchanged: number("unchanged")?,
            cancelled: number("cancelled")?,
            pruned: number("pruned")?,
            duplicates: number("duplicates")?,
            merged: number("merged")?,
            ignored: number("ignored")?,
        })
    }
}

/// The report of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceReport {
    /// The numbers.
    pub counts: ReportCounts,
    /// The records that were not taken, the first ones.
    pub refused: Vec<SourceFinding>,
    /// Guesses and faults that stop nothing, the first ones.
    pub warnings: Vec<SourceFinding>,
}

impl SourceReport {
    /// Most findings of a kind that are kept.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::source::SourceReport::MAX_FINDINGS, 100);
    /// ```
    pub const MAX_FINDINGS: usize = 100;
}

/// A finding about a record of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFinding {
    /// The line in the file, from 1.
    pub line: u64,
    /// The unique identifier of the record, if it is known.
    pub uid: String,
    /// The property, if it is about one.
    pub property: String,
    /// The kind of the finding.
    pub code: String,
}

impl SourceRuns {
    /// The time after which a source that fails is told, in seconds.
    const LONG: i64 = 3 * DAY;

    /// The state of a new source, which is due at once.
    ///
    /// The [module](crate::source) has an example.
    pub fn new(source: &Source, now: Timestamp) -> Self {
        Self {
            ledger: source.name.as_str().to_owned(),
            next_run: now,
            is_requested: false,
            validators: Validators::default(),
            last_run: None,
            last_success: None,
            failure: None,
            failures: 0,
            failing_since: None,
            told: None,
            events: 0,
            report: None,
        }
    }

    /// The state of the source.
    pub fn state(&self, source: &Source) -> SourceState {
        if source.paused {
            SourceState::Paused
        } else if self.failure.is_some() {
            SourceState::Failing
        } else {
            SourceState::Ok
        }
    }

    /// Whether a run is due.
    pub fn is_due(&self, source: &Source, now: Timestamp) -> bool {
        self.is_requested || (!source.paused && self.next_run <= now)
    }

    /// Takes note of a run that succeeded, also of one that found nothing new.
    pub fn succeed(&mut self, every: Every, now: Timestamp, jitter: i16) {
        self.is_requested = false;
        self.last_run = Some(now);
        self.last_success = Some(now);
        self.failure = None;
        self.failures = 0;
        self.failing_since = None;
        self.told = None;
        self.next_run = every.after(now, 0, jitter);
    }

    /// Takes note of what a run brought.
    pub fn brought(&mut self, events: u64, report: SourceReport, validators: Validators) {
        self.events = events;
        self.report = Some(report);
        self.validators = validators;
    }

    /// Takes note of a run that failed. The next one is due after the pause that the server asks for, in
    /// seconds, if that is longer, but within a week.
    pub fn fail(
        &mut self,
        every: Every,
        now: Timestamp,
        jitter: i16,
        failure: SourceFailure,
        retry_after: Option<u32>,
    ) {
        self.is_requested = false;
        self.last_run = Some(now);
        self.failure = Some(failure);
        self.failures = self.failures.saturating_add(1);
        self.failing_since.get_or_insert(now);
        // A file that is gone for good (410) is asked for once a day.
        let failures = if failure == SourceFailure::Status(410) {
            u32::MAX
        } else {
            self.failures
        };
        let asked = retry_after.unwrap_or(0).min(Every::MAX_SECONDS);
        let asked = now.saturating_add(i64::from(asked));
        self.next_run = every.after(now, failures, jitter).max(asked);
    }

    /// Whether the log is to tell of the source, which fails for three days; once a day. The answer counts
    /// as told.
    ///
    /// ```
    /// # use events_calendar_domain::{source::*, time::Timestamp};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # fn check(mut runs: SourceRuns, every: Every, now: Timestamp) {
    /// runs.fail(every, now, 0, ReadFault::TooSlow.into(), None);
    /// assert!(!runs.is_to_be_told(now));
    /// let later = now.saturating_add(3 * 86_400);
    /// assert!(runs.is_to_be_told(later) && !runs.is_to_be_told(later));
    /// # }
    /// ```
    pub fn is_to_be_told(&mut self, now: Timestamp) -> bool {
        let is_long = |since: Timestamp| now >= since.saturating_add(Self::LONG);
        let is_old = |told: Timestamp| now >= told.saturating_add(DAY);
        let is_due = self.failing_since.is_some_and(is_long) && self.told.is_none_or(is_old);
        if is_due {
            self.told = Some(now);
        }
        is_due
    }

    /// Takes note of another choice of people: the next run reads the whole file again.
    ///
    /// ```
    /// # use events_calendar_domain::{source::*, time::Timestamp};
    /// # fn check(mut runs: SourceRuns, before: &Source, after: &Source, now: Timestamp) {
    /// runs.change(before, after, now);
    /// assert_eq!(runs.validators, Validators::default());
    /// # }
    /// ```
    pub fn change(&mut self, before: &Source, after: &Source, now: Timestamp) {
        self.validators = Validators::default();
        if before.every != after.every {
            self.next_run = self.next_run.min(after.every.after(now, 0, 0));
        }
        if before.url != after.url {
            self.next_run = now;
        }
        // A site has the name of its host in the ledger, which its first run finds.
        if before.format != after.format && after.format != SourceFormat::Site {
            after.name.as_str().clone_into(&mut self.ledger);
        }
    }
}

#[cfg(feature = "url")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Status, UserId, source::ReadFault};

    fn source() -> Source {
        Source {
            name: "Club".parse().unwrap(),
            format: SourceFormat::Calendar,
            url: "https://club.example/a.ics".parse().unwrap(),
            user: UserId::from_raw(1),
            every: Every::default(),
            status: Status::Publish,
            category: None,
            policy: super::super::UpdatePolicy::KeepLocal,
            prune: false,
            header_file: None,
            paused: false,
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds).unwrap()
    }

    #[test]
    fn failures_double_the_pause_up_to_a_day() {
        let mut runs = SourceRuns::new(&source(), at(0));
        let mut pauses = Vec::new();
        for _ in 0..8 {
            runs.fail(Every::default(), at(0), 0, ReadFault::TooSlow.into(), None);
            pauses.push(runs.next_run.seconds() / 3600);
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 24, 24, 24]);
        runs.succeed(Every::default(), at(0), 0);
        assert_eq!((runs.next_run, runs.failures), (at(3600), 0));
    }

    #[test]
    fn a_server_may_ask_for_a_longer_pause_within_a_week() {
        for (asked, pause) in [(60, 3600), (7200, 7200), (u32::MAX, 7 * 86_400)] {
            let mut runs = SourceRuns::new(&source(), at(0));
            let failure = SourceFailure::Status(503);
            runs.fail(Every::default(), at(0), 0, failure, Some(asked));
            assert_eq!(runs.next_run, at(pause));
        }
    }

    #[test]
    fn a_file_that_is_gone_is_asked_for_once_a_day() {
        let mut runs = SourceRuns::new(&source(), at(0));
        let gone = SourceFailure::Status(410);
        runs.fail(Every::default(), at(0), 0, gone, None);
        assert_eq!(runs.next_run, at(86_400));
    }

    #[test]
    fn long_failures_are_told_once_a_day() {
        let mut runs = SourceRuns::new(&source(), at(0));
        let (mut told, hour) = (Vec::new(), 3600);
        for number in 0..24 * 6 {
            let now = at(number * hour);
            runs.fail(Every::default(), now, 0, ReadFault::TooSlow.into(), None);
            if runs.is_to_be_told(now) {
                told.push(number / 24);
            }
        }
        assert_eq!(told, [3, 4, 5]);
    }

    #[test]
    fn a_paused_source_is_due_when_somebody_asks() {
        let paused = Source {
            paused: true,
            ..source()
        };
        let mut runs = SourceRuns::new(&paused, at(0));
        assert!(!runs.is_due(&paused, at(9)));
        runs.is_requested = true;
        assert!(runs.is_due(&paused, at(9)));
        assert_eq!(runs.state(&paused), SourceState::Paused);
    }
}
