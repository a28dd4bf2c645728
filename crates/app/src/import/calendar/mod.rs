//! Events of calendar files, which an import adds and updates.

mod apply;
mod content;
mod file;

use std::collections::HashSet;

use domain::{
    EventId, Id, Kind, Record as _,
    event::Repetition,
    policy::{Caller, Capability},
    time::{Timestamp, Zone},
};

use self::apply::{Apply, Change, Step};
use super::UpdatePolicy;
use crate::{
    calendar::{Calendar, require},
    error::AppError,
    feed::{Finding, FindingCode},
    input::{self, Fault, Fields, Input},
};

pub use file::CalendarFile;

/// The rows of the ledger that are read at once.
const PAGE: u64 = 500;

/// The options of an import of a calendar file.
///
/// ```
/// use app::import::{ImportOptions, UpdatePolicy};
///
/// let options = ImportOptions { policy: UpdatePolicy::Keep, ..ImportOptions::from_source("festival") };
/// assert!(!options.dry_run && !options.prune);
/// ```
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The name of the source. Only events that an import from the same source brought are updated.
    pub source: String,
    /// The fields of known events that change.
    pub policy: UpdatePolicy,
    /// Whether events of the source that have not ended and that the file has no longer go to the
    /// trash.
    pub prune: bool,
    /// Whether nothing is stored.
    pub dry_run: bool,
    /// The kind of the rows of a table: events, venues or organizers.
    pub kind: Kind,
}

/// The source of an import that names none.
const DEFAULT_SOURCE: &str = "import";

/// Most characters of the name of a source.
const MAX_SOURCE_CHARS: usize = 200;

impl ImportOptions {
    /// An import from a source that overwrites what it brought before.
    pub fn from_source(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            policy: UpdatePolicy::default(),
            prune: false,
            dry_run: false,
            kind: Kind::Event,
        }
    }
}

/// The result of an import of a calendar file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// The number of events that were read, refused ones included.
    pub read: u64,
    /// The number of new events.
    pub created: u64,
    /// The number of updated events.
    pub updated: u64,
    /// The number of events that stay as they are.
    pub unchanged: u64,
    /// The number of events that went to the trash because they were called off.
    pub cancelled: u64,
    /// The number of events that went to the trash because the file has them no longer.
    pub pruned: u64,
    /// The number of components and properties of the file that say nothing about an event.
    pub ignored: u64,
    /// The events that were not taken, in the order of their lines.
    pub refused: Vec<Finding>,
    /// Guesses and faults that stop nothing, in the order of their lines.
    pub warnings: Vec<Finding>,
}

/// An import under way.
#[derive(Debug)]
pub struct CalendarImport<'a> {
    calendar: &'a Calendar,
    caller: Caller,
    options: ImportOptions,
    file: CalendarFile,
    /// The number of events that were imported.
    done: usize,
    /// The events that the file has no longer.
    gone: Vec<EventId>,
    report: ImportReport,
}

impl Default for ImportOptions {
    /// An import from the source `import`.
    fn default() -> Self {
        Self::from_source(DEFAULT_SOURCE)
    }
}

impl Calendar {
    /// Reads the options of an import from the fields of a request: `source`, `policy`, `timezone`,
    /// `prune`, `dry_run`, `kind`. Also returns the zone of wall clocks for which the file names none.
    ///
    /// ```
    /// use app::{AppError, import::UpdatePolicy, input::Fields};
    /// use domain::{Role, policy::Caller};
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// let mut fields = Fields::default();
    /// fields.query.insert("policy".to_owned(), "keep".into());
    /// let (options, zone) = calendar.read_import_options(editor, &fields)?;
    /// assert_eq!((options.policy, options.source.as_str()), (UpdatePolicy::Keep, "import"));
    /// assert_eq!(zone, calendar.site().zone);
    /// let refused = calendar.read_import_options(Caller::Anonymous, &fields);
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for bad fields; [`AppError::Unauthenticated`] or [`AppError::Forbidden`]
    /// for callers below editors.
    pub fn read_import_options(
        &self,
        caller: Caller,
        fields: &Fields,
    ) -> Result<(ImportOptions, Zone), AppError> {
        let mut input = Input::new(fields);
        input.language();
        let default = ImportOptions::default();
        let names = || UpdatePolicy::ALL.map(UpdatePolicy::name).to_vec();
        let options = ImportOptions {
            source: input.read("source", source).unwrap_or(default.source),
            policy: input
                .read("policy", |value| {
                    let policy = input::text(value)?.parse();
                    policy.map_err(|_| Fault::NotOneOf(names()))
                })
                .unwrap_or_default(),
            prune: input.read("prune", input::boolean).unwrap_or_default(),
            dry_run: input.read("dry_run", input::boolean).unwrap_or_default(),
            kind: input.read("kind", kind).unwrap_or(default.kind),
        };
        let site_zone = &self.site().zone;
        let zone = input.read("timezone", |value| input::zone(value, site_zone));
        input.finish_strict(None)?;
        require(caller, Capability::EditOthers)?;
        Ok((options, zone.unwrap_or_else(|| site_zone.clone())))
    }

    /// Begins the import of a calendar file, for editors and above. Each event is stored whole or not at
    /// all. An import that was interrupted can be repeated: events that are stored already stay.
    ///
    /// ```
    /// use app::import::{CalendarFile, CalendarImport, ImportOptions, ImportReport};
    /// # use app::{ports::MockCalendarReader, test_support::{InMemoryStore, add_user, calendar}};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// # let mut reader = MockCalendarReader::new();
    /// # reader.expect_next().returning(|| Ok(None));
    /// let file = CalendarFile::read(&mut reader, 1000)?.unwrap();
    /// let options = ImportOptions::from_source("festival");
    /// let mut import: CalendarImport<'_> = calendar.import_calendar(editor, file, options).await?;
    /// while import.remaining() > 0 {
    ///     import.step(25).await?;
    /// }
    /// assert_eq!(import.finish(), ImportReport::default());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] and [`AppError::Forbidden`] without the right;
    /// [`AppError::Invalid`] for `prune` if the file is incomplete, or has not even half of the events of
    /// its source that have not ended; or if the store fails.
    pub async fn import_calendar(
        &self,
        caller: Caller,
        mut file: CalendarFile,
        options: ImportOptions,
    ) -> Result<CalendarImport<'_>, AppError> {
        require(caller, Capability::EditOthers)?;
        let gone = if options.prune {
            self.gone(&file, &options.source).await?
        } else {
            Vec::new()
        };
        let refused = std::mem::take(&mut file.refused);
        let report = ImportReport {
            read: (file.events.len() + refused.len()) as u64,
            ignored: file.ignored,
            refused,
            ..ImportReport::default()
        };
        Ok(CalendarImport {
            calendar: self,
            caller,
            options,
            file,
            done: 0,
            gone,
            report,
        })
    }

    /// The events of a source that have not ended, and that a file has no longer.
    async fn gone(&self, file: &CalendarFile, source: &str) -> Result<Vec<EventId>, AppError> {
        let uids: HashSet<&str> = file.uids().collect();
        let now = self.now();
        let (mut gone, mut coming) = (Vec::new(), 0);
        let mut last = String::new();
        loop {
            let ledger = self.store.imports();
            let page = ledger.page(source, Kind::Event, &last, PAGE).await?;
            let Some(end) = page.last() else { break };
            last.clone_from(&end.uid);
            let ids: Vec<EventId> = page.iter().map(|one| Id::from_raw(one.id)).collect();
            let events = self.store.events().find_many(&ids).await?;
            let is_coming = |event: &domain::Event| !event.is_in_trash() && ends(event) > now;
            for event in events.iter().filter(|event| is_coming(event)) {
                coming += 1;
                let of_event = page.iter().find(|one| one.id == event.id.get());
                let uid = of_event.map(|one| apply::event_uid(&one.uid));
                if uid.is_some_and(|uid| !uids.contains(uid)) {
                    gone.push(event.id);
                }
            }
        }
        let is_doubtful = !gone.is_empty() && (2 * gone.len() >= coming || !file.is_complete);
        if is_doubtful {
            return Err(AppError::invalid("prune", Fault::TooManyGone));
        }
        Ok(gone)
    }
}

/// Reads the kind of the rows of a table.
fn kind(value: &serde_json::Value) -> Result<Kind, Fault> {
    let kinds = [Kind::Event, Kind::Venue, Kind::Organizer];
    let name = input::text(value)?;
    let named = kinds.into_iter().find(|kind| kind.plural() == name);
    named.ok_or_else(|| Fault::NotOneOf(kinds.map(Kind::plural).to_vec()))
}

/// Reads the name of a source.
fn source(value: &serde_json::Value) -> Result<String, Fault> {
    let name = input::line(value)?;
    match name.chars().count() {
        0 => Err(Fault::Empty),
        chars if chars > MAX_SOURCE_CHARS => Err(Fault::TooLong(MAX_SOURCE_CHARS)),
        _ => Ok(name),
    }
}

/// The end of an event, or of the last occurrence of a series.
fn ends(event: &domain::Event) -> Timestamp {
    match &event.details.repetition {
        Repetition::Series(series) if series.recurrence.is_endless() => Timestamp::MAX,
        Repetition::Series(series) => {
            let last = series.recurrence.last();
            last.map_or(Timestamp::MIN, |last| last.when.end().utc)
        }
        Repetition::Once | Repetition::Occurrence(_) => event.details.when.end().utc,
    }
}

impl CalendarImport<'_> {
    /// The number of events that are not imported yet, with those that go to the trash.
    pub fn remaining(&self) -> usize {
        self.file.events.len() - self.done + self.gone.len()
    }

    /// Imports the next events, at most `max`, in one unit of work.
    ///
    /// # Errors
    ///
    /// If the store fails. Then none of them is imported.
    pub async fn step(&mut self, max: usize) -> Result<(), AppError> {
        let max = max.clamp(1, 1000);
        let end = self.file.events.len().min(self.done + max);
        let events = self.file.events.get(self.done..end).unwrap_or_default();
        let gone = if events.is_empty() {
            let rest = self.gone.len().saturating_sub(max);
            self.gone.split_off(rest)
        } else {
            Vec::new()
        };
        let work = Apply {
            calendar: self.calendar,
            caller: self.caller,
            options: &self.options,
            events,
            gone: &gone,
        };
        let steps = work.run(self.calendar).await?;
        self.done = end;
        for Step { change, warnings } in steps {
            for warning in warnings {
                self.file.warn(warning);
            }
            match change {
                Change::Created => self.report.created += 1,
                Change::Updated => self.report.updated += 1,
                Change::Unchanged => self.report.unchanged += 1,
                Change::Cancelled => self.report.cancelled += 1,
                Change::Pruned => self.report.pruned += 1,
                Change::Refused(finding) => self.report.refused.push(finding),
            }
        }
        Ok(())
    }

    /// The report of what was imported so far.
    pub fn finish(mut self) -> ImportReport {
        let by_line = |finding: &Finding| (finding.code == FindingCode::MoreWarnings, finding.line);
        self.report.refused.sort_by_key(by_line);
        self.report.warnings = self.file.warnings;
        self.report.warnings.sort_by_key(by_line);
        self.report
    }
}
