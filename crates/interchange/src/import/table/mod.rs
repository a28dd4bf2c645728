//! Records of tables, which an import adds and updates.

mod apply;
mod cells;
mod dates;
mod file;
mod row;

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
use app::{
    calendar::{Calendar, require},
    error::AppError,
    fault::Fault,
};

pub use file::TableFile;

/// See [`Interchange::import_table`](crate::Interchange::import_table).
pub(crate) async fn import_table(
    calendar: &Calendar,
    caller: Caller,
    mut file: TableFile,
    options: ImportOptions,
) -> Result<FileImport<'_>, AppError> {
    require(caller, Capability::EditOthers)?;
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
        gone = super::gone::gone(calendar, &options.source, is_whole, is_kept).await?;
    }
    let mut import = FileImport::new(calendar, caller, options, all, file.report);
    import.add(gone.into_iter().map(FileRecord::boxed));
    Ok(import)
}
