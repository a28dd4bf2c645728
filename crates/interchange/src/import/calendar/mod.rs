//! Events of calendar files, which an import adds and updates.

mod age;
mod apply;
mod content;
mod fields;
mod file;

use std::collections::HashSet;

use app::{
    calendar::{Calendar, require},
    error::AppError,
};
use domain::policy::{Caller, Capability};

use self::apply::event_uid;
use super::{
    ImportOptions,
    apply::{FileImport, FileRecord},
};

pub use file::CalendarFile;

/// Begins the import of a calendar file, for editors and above. Each event is stored whole or not at
/// all. An import that was interrupted can be repeated: events that are stored already stay.
///
/// ```
/// use events_calendar_interchange::import::{CalendarFile, FileImport, ImportOptions, ImportReport, import_calendar};
/// # use app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
/// let file = CalendarFile::read(std::iter::empty(), 1000)?.unwrap();
/// let options = ImportOptions::from_source("festival");
/// let mut import: FileImport<'_> = import_calendar(&calendar, editor, file, options).await?;
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
    calendar: &Calendar,
    caller: Caller,
    file: CalendarFile,
    options: ImportOptions,
) -> Result<FileImport<'_>, AppError> {
    require(caller, Capability::EditOthers)?;
    import_calendar_of(calendar, caller, file, options).await
}

/// As [`import_calendar`], also for callers who may change their own events alone.
pub(crate) async fn import_calendar_of(
    calendar: &Calendar,
    caller: Caller,
    mut file: CalendarFile,
    options: ImportOptions,
) -> Result<FileImport<'_>, AppError> {
    if let Some(category) = &options.category {
        file.classify(category.as_str());
    }
    let gone = if options.prune {
        let uids: HashSet<&str> = file.uids().collect();
        let is_kept = |_: &_, uid: &str| uids.contains(event_uid(uid));
        super::missing_events::gone(calendar, &options.source, file.is_complete, is_kept).await?
    } else {
        Vec::new()
    };
    let events = file.events.into_iter().map(FileRecord::boxed);
    let mut import = FileImport::new(calendar, caller, options, events.collect(), file.report);
    import.add(gone.into_iter().map(FileRecord::boxed));
    Ok(import)
}
