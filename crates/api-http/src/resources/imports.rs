//! Imports of calendar files and tables.

use std::time::{Duration, Instant};

use axum::{
    extract::{Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use forms::Reading;
use http_service::{
    AppState, error::ApiError, extract::Auth, header_values::media_type, response::Json,
};
use interchange::{
    Finding,
    import::{
        CalendarFile, CompressionError, ImportOptions, ImportReport, TableFile, decompressed,
        import_calendar, import_table, is_compressed,
    },
};
use serde_json::{Value, json};

use crate::extract::{RequestContext, body};

/// Longest file, in bytes, compressed or not.
const MAX_BYTES: usize = 1024 * 1024;

/// The content types of calendar files. Generated clients send the second for any file; compressed files
/// have the last two.
const CALENDAR_TYPES: [&str; 4] = [
    "text/calendar",
    "application/octet-stream",
    "application/gzip",
    "application/x-gzip",
];

/// Most events of a file.
const MAX_EVENTS: usize = 1000;

/// Most events of a unit of work, which also ends after a short time.
const EVENTS_AT_ONCE: usize = 25;

/// Most rows of an import, occurrences included; a record counts as ten. They take seconds.
const MAX_WEIGHT: usize = 50_000;

/// The time after which an import stops, and answers with the report of what it has done. It is below
/// the time limit of a request.
const MAX_DURATION: Duration = Duration::from_secs(9);

/// `POST` of a calendar file or a table. The request head is checked before the body is read.
pub(crate) async fn import(
    State(state): State<AppState>,
    Auth(caller): Auth,
    request: Request,
) -> Result<Response, ApiError> {
    let Some(format) = &state.importable else {
        return Err(ApiError::NoRoute);
    };
    let (mut parts, body) = request.into_parts();
    let sent_type = media_type(&parts.headers).to_ascii_lowercase();
    parts.headers.remove(header::CONTENT_TYPE);
    let is_declared = body::is_gzip(&parts.headers);
    if is_declared {
        parts.headers.remove(header::CONTENT_ENCODING);
    }
    let bare = Request::from_parts(parts, axum::body::Body::empty());
    let RequestContext { fields, .. } = RequestContext::read(&state, caller, (), bare).await?;
    let calendar = &state.calendar;
    let options = ImportOptions::read(&fields, Reading::of(calendar, caller))?;
    let is_table = sent_type == "text/csv";
    if !is_table && !CALENDAR_TYPES.contains(&&*sent_type) {
        return Err(ApiError::NoCalendarFile);
    }
    let content = body::read(body, MAX_BYTES).await?;
    if is_declared && !is_compressed(&content) {
        return Err(ApiError::UnsupportedBody);
    }
    let _permit = state.concurrency.try_acquire()?;
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
    Ok(Json(report(&import.finish())).into_response())
}

fn report(report: &ImportReport) -> Value {
    let ImportReport {
        read,
        created,
        updated,
        unchanged,
        cancelled,
        pruned,
        ignored,
        refused,
        warnings,
    } = report;
    let findings = |all: &[Finding]| all.iter().map(finding).collect::<Vec<_>>();
    json!({
        "read": read,
        "created": created,
        "updated": updated,
        "unchanged": unchanged,
        "cancelled": cancelled,
        "pruned": pruned,
        "ignored": ignored,
        "refused": findings(refused),
        "warnings": findings(warnings),
    })
}

/// A finding; without a unique identifier or a property, the member is an empty text.
fn finding(finding: &Finding) -> Value {
    let Finding {
        line,
        uid,
        property,
        code,
    } = finding;
    json!({
        "line": line,
        "uid": uid.as_deref().unwrap_or_default(),
        "property": property.as_deref().unwrap_or_default(),
        "code": code.name(),
    })
}
