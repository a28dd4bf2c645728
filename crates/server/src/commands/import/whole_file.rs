//! Imports of calendar files and tables, which are read whole.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    time::{Duration, Instant},
};

use adapters_http::{HttpClient, StatusCode, Timeouts, header::HeaderMap};
use adapters_ical::ICalendar;
use anyhow::{Context, bail};
use app::{AppError, Calendar};
use bytes::Bytes;
use domain::{Kind, policy::Caller};
use indicatif::HumanCount;
use interchange::{
    Finding, FindingCode, ReadableFormat as _,
    import::{
        CalendarFile, FileImport, ImportOptions, ImportReport, TableFile, decompressed,
        import_calendar, import_table,
    },
};

use super::{Imported, PAUSE_INTERVAL, batch_size::BatchSize, caller, pause};
use crate::{
    cli::{ImportArgs, is_url},
    output,
    settings::Settings,
    wiring,
};

/// Longest file, in bytes, compressed or not.
const MAX_BYTES: usize = 64 << 20;

/// Most events of a file.
const MAX_EVENTS: usize = 100_000;

/// Time limits of a request for a file.
const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(10),
    idle: Duration::from_mins(1),
};

/// A file whose events or rows are not imported yet.
enum Content {
    Calendar(CalendarFile),
    Table(TableFile),
}

impl Content {
    /// Reads a file; none if it has too many events or rows.
    fn read(bytes: Bytes, table: Option<Kind>, settings: &Settings) -> io::Result<Option<Self>> {
        if let Some(kind) = table {
            return Ok(TableFile::read(&bytes, kind, MAX_EVENTS).map(Self::Table));
        }
        let items = ICalendar.reader(Box::new(io::Cursor::new(bytes)), settings.zone.clone());
        let read = CalendarFile::read(items, MAX_EVENTS)?;
        Ok(read.map(Self::Calendar))
    }

    async fn import(
        self,
        calendar: &Calendar,
        caller: Caller,
        options: ImportOptions,
    ) -> Result<FileImport<'_>, AppError> {
        match self {
            Self::Calendar(file) => import_calendar(calendar, caller, file, options).await,
            Self::Table(file) => import_table(calendar, caller, file, options).await,
        }
    }
}

/// Imports a calendar file or a table, and shows its faults and guesses.
pub(super) async fn run(
    settings: &Settings,
    file: &str,
    import: &ImportArgs,
    is_table: bool,
) -> anyhow::Result<Imported> {
    // The file is read first: a mistyped name must not create a database.
    let (content, source) = if is_url(file) {
        let (content, source) = fetch(settings, file).await?;
        (content, ImportOptions::from_source(source))
    } else {
        (read(file)?, ImportOptions::default())
    };
    let content =
        decompressed(content, MAX_BYTES).with_context(|| format!("cannot read {file}"))?;
    let options = ImportOptions {
        source: import
            .source
            .clone()
            .unwrap_or_else(|| source.source.clone()),
        policy: import.policy.unwrap_or_default(),
        prune: import.prune,
        dry_run: import.dry_run,
        kind: import.kind.unwrap_or(Kind::Event),
        date_order: import.date_order,
        ..source
    };
    let table = is_table.then_some(options.kind);
    let read = Content::read(content, table, settings)
        .with_context(|| format!("cannot read {file}"))?
        .with_context(|| {
            format!(
                "{file} has more than {} events or rows",
                HumanCount(MAX_EVENTS as u64)
            )
        })?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let caller = caller(&wiring::accounts(store), import.user.as_deref()).await?;
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        let begun = read.import(&calendar, caller, options).await;
        let mut import = begun.map_err(|error| match error {
            AppError::Invalid(_) => anyhow::anyhow!(
                "{file} is incomplete, or has not even half of the coming events of its source: \
                 nothing was imported; leave out --prune to import it"
            ),
            AppError::Forbidden => {
                anyhow::anyhow!(
                    "only editors and administrators may import calendar files and tables"
                )
            }
            error => error.into(),
        })?;
        let progress = output::progress_bar(Some(import.remaining() as u64));
        let (mut size, mut worked) = (BatchSize::default(), Duration::ZERO);
        while import.remaining() > 0 {
            let begun = Instant::now();
            import
                .step(size.rows())
                .await
                .with_context(|| format!("{file}: stopped"))?;
            size.adapt(size.rows(), begun.elapsed());
            worked += begun.elapsed();
            progress.set_position(progress.length().unwrap_or(0) - import.remaining() as u64);
            if worked >= PAUSE_INTERVAL {
                tokio::time::sleep(pause(settings)).await;
                worked = Duration::ZERO;
            }
        }
        progress.finish_and_clear();
        Ok(import.finish())
    });
    let report = done.await?;
    for finding in &report.warnings {
        output::notice(&format!("warning: {}", finding_line(finding)));
    }
    for finding in &report.refused {
        output::notice(&finding_line(finding));
    }
    Ok(Imported {
        text: summary(&report),
        rejected: !report.refused.is_empty(),
    })
}

/// Reads a file, or standard input for `-`.
fn read(file: &str) -> anyhow::Result<Bytes> {
    let unreadable = || format!("cannot read {file}");
    let opened: Box<dyn Read> = if file == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(Path::new(file)).with_context(unreadable)?)
    };
    let mut content = Vec::new();
    let mut bounded = opened.take(MAX_BYTES as u64 + 1);
    bounded.read_to_end(&mut content).with_context(unreadable)?;
    if content.len() > MAX_BYTES {
        bail!("{file} has more than {} MiB", MAX_BYTES >> 20);
    }
    Ok(content.into())
}

/// Reads the file at a URL. Also returns the URL by which the source is known.
async fn fetch(settings: &Settings, file: &str) -> anyhow::Result<(Bytes, String)> {
    let unreadable = || format!("cannot read {file}");
    let url = adapters_http::parse_url(file).with_context(unreadable)?;
    adapters_http::install_tls();
    let client = HttpClient::new(settings.allow_private_hosts, TIMEOUTS);
    let response = client.get(&url, HeaderMap::new()).await;
    let response = response.with_context(unreadable)?;
    let status = response.status();
    if status != StatusCode::OK {
        bail!("cannot read {file}: the server answers {status}");
    }
    let body = response.read(MAX_BYTES).await.with_context(unreadable)?;
    Ok((body, url.into()))
}

/// The numbers of a report, as text.
fn summary(report: &ImportReport) -> String {
    let refused = report.refused.len() as u64;
    let counts = &report.counts;
    let numbers = [
        (counts.created, "created"),
        (counts.updated, "updated"),
        (counts.unchanged, "unchanged"),
        (counts.cancelled, "cancelled"),
        (counts.pruned, "no longer there"),
        (refused, "refused"),
    ];
    let found = [
        (counts.duplicates, "pairs look alike"),
        (counts.merged, "merged"),
    ];
    let found = found.into_iter().filter(|(number, _)| *number > 0);
    let numbers = numbers.into_iter().chain(found);
    let numbers = numbers.map(|(number, what)| format!("{} {what}", HumanCount(number)));
    numbers.collect::<Vec<_>>().join(", ")
}

/// A finding in one line: `line 88 (2@fair.example): DTSTART: must be a date`.
fn finding_line(finding: &Finding) -> String {
    let Finding {
        line,
        uid,
        property,
        code,
    } = finding;
    let uid = uid
        .as_ref()
        .map_or_else(String::new, |uid| format!(" ({uid})"));
    let property = property
        .as_ref()
        .map_or_else(String::new, |name| format!("{name}: "));
    output::printable(&format!("line {line}{uid}: {property}{}", text(*code)))
}

fn text(code: FindingCode) -> &'static str {
    match code {
        FindingCode::BadDate => "must be a date in the years 1 to 9999",
        FindingCode::NoStart => "is missing",
        FindingCode::EndBeforeStart => "must not be before the start",
        FindingCode::NoTitle => "is missing or empty",
        FindingCode::Recurrence => "repeats in a way that this calendar does not know",
        FindingCode::TooLarge => "has more than 1 MiB",
        FindingCode::TooDeep => "is nested more than 8 levels deep",
        FindingCode::TooManyProperties => "the event has more than 1,000 properties",
        FindingCode::TooManyDates => {
            "has more dates than are kept; the oldest ones, or the latest, were left out"
        }
        FindingCode::TooManyValues => "has more than 1,000 values",
        FindingCode::Encoding => "is not UTF-8, and was read as Windows-1252",
        FindingCode::NoCalendar => "the file is no calendar",
        FindingCode::NoColon => "has no colon, and was left out",
        FindingCode::NotClosed => "has no end, and was closed",
        FindingCode::UnknownZone => "has an unknown time zone; that of the calendar was taken",
        FindingCode::AdjustedTime => "has no such time of day; the nearest one was taken",
        FindingCode::AdjustedValue => "has a fault; it was read as meant, or left out",
        FindingCode::Method => "answers an invitation, and changes nothing here",
        FindingCode::ForeignUid => {
            "belongs to an event that another source brought or that was created here"
        }
        FindingCode::Twice => "is there twice; the newer event counts",
        FindingCode::NoUid => "is missing; start, title and place identify the event",
        FindingCode::BadValue => "has a value that this calendar does not take",
        FindingCode::Forbidden => "belongs to an event that the user may not change",
        FindingCode::UnknownParent => {
            "names an event that is not here or cannot be its parent, and was left out"
        }
        FindingCode::UnknownColumn => "is no column of such tables, and was left out",
        FindingCode::TooManyColumns => "has more than 200 columns",
        FindingCode::DayFirst => {
            "does not tell whether the day or the month is first; it was read day first (--date-order)"
        }
        FindingCode::MonthFirst => {
            "does not tell whether the day or the month is first; it was read month first (--date-order)"
        }
        FindingCode::NotLinked => {
            "names a category or a tag that is not here, or that the user may not create; taken without"
        }
        FindingCode::DateOrder => {
            "contradicts the order of day and month of its column; tell it by --date-order"
        }
        FindingCode::NotReached => "was not reached; import the file again",
        FindingCode::MoreWarnings => "further warnings are not shown",
    }
}
