//! The import of a calendar file or a table within a request.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use domain::{policy::Caller, source::ReportCounts};
use interchange::import::{
    CalendarFile, CompressionError, ImportOptions, ImportReport, TableFile, decompressed,
    import_calendar, import_table,
};
use metrics::counter;

use crate::{AppState, error::ApiError};

/// Longest file, in bytes, compressed or not.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Most events of a file.
const MAX_EVENTS: usize = 1000;

/// Most events of a unit of work, which also ends after a short time.
const EVENTS_AT_ONCE: usize = 25;

/// Most rows of an import, occurrences included; a record counts as ten. They take seconds.
const MAX_WEIGHT: usize = 50_000;

/// The time after which an import stops, and answers with the report of what it has done. It is below
/// the time limit of a request.
const MAX_DURATION: Duration = Duration::from_secs(9);

/// Counts an import in the metrics, with its records. `way` is `file` or `source`. A failed import has no numbers.
pub fn count_import(way: &'static str, succeeded: bool, counts: Option<&ReportCounts>) {
    let result = if succeeded { "success" } else { "failure" };
    counter!("events_calendar_imports_total", "way" => way, "result" => result).increment(1);
    let Some(counts) = counts else { return };
    for (result, number) in [
        ("created", counts.created),
        ("updated", counts.updated),
        ("unchanged", counts.unchanged),
        ("cancelled", counts.cancelled),
        ("pruned", counts.pruned),
        ("refused", counts.refused()),
    ] {
        counter!("events_calendar_import_records_total", "way" => way, "result" => result)
            .increment(number);
    }
}

/// Imports a file, and returns the report of what was done. The caller of this function holds the permit of the request.
///
/// # Errors
///
/// [`ApiError::NoRoute`] if the service imports no files; the faults of the file; the faults of the import.
pub async fn import_file(
    state: &AppState,
    caller: Caller,
    content: Bytes,
    is_table: bool,
    options: ImportOptions,
) -> Result<ImportReport, ApiError> {
    let is_rehearsal = options.dry_run;
    let done = import(state, caller, content, is_table, options).await;
    if !is_rehearsal {
        let counts = done.as_ref().ok().map(|report| &report.counts);
        count_import("file", done.is_ok(), counts);
    }
    done
}

async fn import(
    state: &AppState,
    caller: Caller,
    content: Bytes,
    is_table: bool,
    options: ImportOptions,
) -> Result<ImportReport, ApiError> {
    let Some(format) = &state.importable else {
        return Err(ApiError::NoRoute);
    };
    let calendar = &state.calendar;
    if content.len() > MAX_BYTES {
        return Err(ApiError::TooLarge { limit: MAX_BYTES });
    }
    let begun = Instant::now();
    let decompress = || decompressed(content, MAX_BYTES);
    let content = calendar.cpu_limiter().run(MAX_BYTES, decompress).await?;
    let content = content.map_err(|error| match error {
        CompressionError::TooLarge { limit } => ApiError::TooLarge { limit },
        CompressionError::Damaged => ApiError::NoCalendarFile,
    })?;
    let size = content.len();
    let too_many = ApiError::TooManyEvents { limit: MAX_EVENTS };
    let mut import = if is_table {
        let read = || TableFile::read(&content, options.kind, MAX_EVENTS);
        let file = calendar.cpu_limiter().run(size, read).await?;
        let file = file.ok_or(too_many)?;
        if file.is_too_wide() {
            return Err(ApiError::TooMuchToImport);
        }
        import_table(calendar, caller, file, options).await?
    } else {
        let zone = options.zone.as_ref().unwrap_or(&calendar.site().zone);
        let items = format.reader(Box::new(std::io::Cursor::new(content)), zone.clone());
        let read = || CalendarFile::read(items, MAX_EVENTS);
        // A file in memory can always be read.
        let file = calendar.cpu_limiter().run(size, read).await?.ok().flatten();
        let file = file.ok_or(too_many)?;
        if !file.is_calendar() {
            return Err(ApiError::NoCalendarFile);
        }
        import_calendar(calendar, caller, file, options).await?
    };
    let weight = || import.weight(MAX_WEIGHT);
    if calendar.cpu_limiter().run(size, weight).await? > MAX_WEIGHT {
        return Err(ApiError::TooMuchToImport);
    }
    while import.remaining() > 0 {
        if begun.elapsed() > MAX_DURATION {
            import.stop();
            break;
        }
        let turn = Instant::now();
        import.step(EVENTS_AT_ONCE).await?;
        // Others write, and read, as long as the import did.
        tokio::time::sleep(turn.elapsed()).await;
    }
    Ok(import.finish())
}
