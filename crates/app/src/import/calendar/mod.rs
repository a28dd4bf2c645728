//! Events of calendar files, which an import adds and updates.

mod apply;
mod content;
mod file;

use std::collections::HashSet;

use domain::{
    EventId, Id, Kind, Record as _,
    event::Repetition,
    policy::{Caller, Capability},
    time::Timestamp,
};

use self::apply::{Gone, event_uid};
use super::{
    ImportOptions,
    apply::{FileImport, FileRecord},
};
use crate::{
    calendar::{Calendar, require},
    error::AppError,
    input::Fault,
};

pub use file::CalendarFile;

/// The rows of the ledger that are read at once.
const PAGE: u64 = 500;

impl Calendar {
    /// Begins the import of a calendar file, for editors and above. Each event is stored whole or not at
    /// all. An import that was interrupted can be repeated: events that are stored already stay.
    ///
    /// ```
    /// use app::import::{CalendarFile, FileImport, ImportOptions, ImportReport};
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
    /// let mut import: FileImport<'_> = calendar.import_calendar(editor, file, options).await?;
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
        file: CalendarFile,
        options: ImportOptions,
    ) -> Result<FileImport<'_>, AppError> {
        require(caller, Capability::EditOthers)?;
        let gone = if options.prune {
            self.gone(&file, &options.source).await?
        } else {
            Vec::new()
        };
        let events = file.events.into_iter().map(FileRecord::boxed);
        let mut import = FileImport::new(self, caller, options, events.collect(), file.report);
        import.add(gone.into_iter().map(FileRecord::boxed));
        Ok(import)
    }

    /// The events of a source that have not ended, and that a file has no longer.
    async fn gone(&self, file: &CalendarFile, source: &str) -> Result<Vec<Gone>, AppError> {
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
                if let Some(one) = of_event.filter(|one| !uids.contains(event_uid(&one.uid))) {
                    gone.push(Gone {
                        uid: one.uid.clone(),
                        id: event.id,
                    });
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
