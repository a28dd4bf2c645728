//! Events of calendar files, which an import adds and updates.

mod apply;
mod content;
mod fields;
mod file;

use std::collections::HashSet;

use domain::policy::{Caller, Capability};

use self::apply::event_uid;
use super::{
    ImportOptions,
    apply::{FileImport, FileRecord},
};
use app::{
    calendar::{Calendar, require},
    error::AppError,
};

pub use file::CalendarFile;

/// See [`Interchange::import_calendar`](crate::Interchange::import_calendar).
pub(crate) async fn import_calendar(
    calendar: &Calendar,
    caller: Caller,
    file: CalendarFile,
    options: ImportOptions,
) -> Result<FileImport<'_>, AppError> {
    require(caller, Capability::EditOthers)?;
    let gone = if options.prune {
        let uids: HashSet<&str> = file.uids().collect();
        let is_kept = |_: &_, uid: &str| uids.contains(event_uid(uid));
        super::gone::gone(calendar, &options.source, file.is_complete, is_kept).await?
    } else {
        Vec::new()
    };
    let events = file.events.into_iter().map(FileRecord::boxed);
    let mut import = FileImport::new(calendar, caller, options, events.collect(), file.report);
    import.add(gone.into_iter().map(FileRecord::boxed));
    Ok(import)
}
