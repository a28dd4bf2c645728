//! Records of tables, which an import adds and updates.

mod apply;
mod cells;
mod dates;
mod file;
mod row;

use app::{
    calendar::{Calendar, require},
    error::AppError,
    fault::Fault,
};
use domain::{
    FieldName, Kind,
    policy::{Caller, Capability},
};

use self::{
    dates::{Contradiction, DateReading},
    file::finding,
    row::{Present, Rows},
};
use super::{
    ImportOptions,
    apply::{FileImport, FileRecord},
};
use crate::FindingCode;

pub use file::TableFile;

/// Begins the import of a table, for editors and above. Each row is stored whole or not at all. An
/// import that was interrupted can be repeated: rows that are stored already stay.
///
/// A row is the record with its UID, else that with its ID and its name, else that of the source with
/// its title and start, or of a venue or an organizer with its name. Other rows become new records.
///
/// ```
/// use domain::Kind;
/// use events_calendar_interchange::import::{FileImport, ImportOptions, TableFile, import_table};
/// # use app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
/// let text = b"Venue Name;Venue City\nOld Mill;Lyon\n;Vienne\n";
/// let file = TableFile::read(text, Kind::Venue, 1000).unwrap();
/// let options = ImportOptions::from_source("venues");
/// let mut import: FileImport<'_> = import_table(&calendar, editor, file, options).await?;
/// while import.remaining() > 0 {
///     import.step(25).await?;
/// }
/// let report = import.finish();
/// assert_eq!((report.counts.read, report.counts.created), (2, 1));
/// assert_eq!((report.refused[0].line, report.refused[0].code.name()), (3, "no-title"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`AppError::Unauthenticated`] and [`AppError::Forbidden`] without the right;
/// [`AppError::Invalid`] for `prune` if the table is not one of events, or has not even half of the
/// events of its source that have not ended; or if the store fails.
pub async fn import_table(
    calendar: &Calendar,
    caller: Caller,
    file: TableFile,
    options: ImportOptions,
) -> Result<FileImport<'_>, AppError> {
    require(caller, Capability::EditOthers)?;
    import_table_of(calendar, caller, file, options).await
}

/// As [`import_table`], also for callers who may change their own records alone.
pub(crate) async fn import_table_of(
    calendar: &Calendar,
    caller: Caller,
    mut file: TableFile,
    options: ImportOptions,
) -> Result<FileImport<'_>, AppError> {
    if options.prune && file.kind != Kind::Event {
        return Err(AppError::invalid(
            FieldName::Prune,
            Fault::NotOneOf(vec!["0"]),
        ));
    }
    let is_whole = !file.is_too_wide();
    let language = options.language.unwrap_or(calendar.site().language);
    let cells = file.rows.iter().map(|row| &row.cells);
    let dates = DateReading::of(cells, options.date_order, language);
    if let Some(code) = dates.warning {
        let warning = finding(file.first_line, Some("start_date"), code);
        file.report.warn(warning);
    }
    let zone = options.zone.as_ref();
    let mut rows = Rows::new(file.kind, calendar.now(), &calendar.site().zone, zone);
    rows.category = options.category.as_ref();
    let (mut all, mut present) = (Vec::with_capacity(file.rows.len()), Present::default());
    for mut row in std::mem::take(&mut file.rows) {
        match dates.read(&mut row.cells) {
            Ok(()) => {
                let row = rows.row(row.line, &row.cells);
                present.add(&row);
                all.push(row.boxed());
            }
            Err(Contradiction(field)) => {
                file.refuse(row.line, row.cells, Some(field), FindingCode::DateOrder);
            }
        }
    }
    let mut gone = Vec::new();
    if options.prune {
        for cells in &mut file.refused {
            // A date that contradicts the others stays unread.
            dates.read(cells).ok();
            present.add_refused(cells, &rows);
        }
        let is_kept = |event: &_, key: &str| present.has(event, key);
        gone = super::missing_events::gone(calendar, &options.source, is_whole, is_kept).await?;
    }
    let mut import = FileImport::new(calendar, caller, options, all, file.report);
    import.add(gone.into_iter().map(FileRecord::boxed));
    Ok(import)
}
