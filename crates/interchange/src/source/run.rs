//! A run of a source.

use std::{
    io::Cursor,
    pin::pin,
    time::{Duration, Instant},
};

use app::{
    calendar::{Calendar, LeasedSource},
    error::AppError,
};
use bytes::Bytes;
use domain::{
    Kind,
    policy::Caller,
    source::{
        ReadFault, ReportCounts, Source, SourceFinding, SourceFormat, SourceReport, SourceRuns,
        Validators,
    },
};
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::read::{ReadError, SITE_FAILED, SourceFile, SourceReader};
use crate::{
    Finding, FindingCode, ReadableFormat,
    import::{
        CalendarFile, CompressionError, FileImport, ImportOptions, ImportReport, SiteImport,
        SiteImportError, SiteReport, TableFile, brought_by, decompressed, import_calendar_of,
        import_site_of, import_table_of,
    },
};

/// Longest file of a source, in bytes, compressed or not.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// Most events of a file.
const MAX_EVENTS: usize = 100_000;

/// Most events of a unit of work, which also ends after a short time.
const EVENTS_AT_ONCE: usize = 25;

/// The time after which a lease is renewed, a quarter of its duration.
const RENEWAL: Duration = Duration::from_secs(30);

/// The attempts to get a permit for CPU-bound work, which requests get first.
const ATTEMPTS: u32 = 60;

/// The reason for which a run fails.
enum RunError {
    /// The source cannot be read, or not be taken.
    Read(ReadError),
    /// The store failed.
    App(AppError),
    /// Another server has the lease.
    Lost,
}

impl From<ReadError> for RunError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<ReadFault> for RunError {
    fn from(fault: ReadFault) -> Self {
        Self::Read(fault.into())
    }
}

/// The outcome of a run of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRun {
    /// The state that it left.
    pub runs: SourceRuns,
    /// Its effects in numbers; `None` if the source is unchanged, or was not read.
    pub counts: Option<ReportCounts>,
}

/// The changes that a run brought.
struct Brought {
    /// The name of the source in the ledger.
    ledger: String,
    report: SourceReport,
    validators: Validators,
}

/// Runs a source that is leased: reads it, imports what changed, and stores the state that the run left. A run
/// that is interrupted has no result, and the next one goes on.
///
/// The [module](crate::source) has an example.
///
/// # Errors
///
/// If the store fails.
#[tracing::instrument(name = "source.run", skip_all, fields(source.id = %leased.stored.id))]
pub async fn run_source(
    calendar: &Calendar,
    format: &dyn ReadableFormat,
    reader: &dyn SourceReader,
    leased: &LeasedSource,
) -> Result<SourceRun, AppError> {
    let stored = &leased.stored;
    let (source, mut runs) = (&stored.source, stored.runs.clone());
    let mut counts = None;
    let work = async {
        match Box::pin(bring(calendar, format, reader, source, &runs)).await {
            Ok(None) => Ok(None),
            Ok(Some(brought)) => {
                let events = brought_by(calendar, &brought.ledger).await;
                Ok(Some((events.map_err(RunError::App)?, brought)))
            }
            Err(error) => Err(error),
        }
    };
    let done = while_leased_or(calendar, leased, work, RunError::Lost, RunError::App).await;
    let now = calendar.now();
    let jitter = leased.jitter(now);
    let failed = match done {
        Ok(brought) => {
            runs.succeed(source.every, now, jitter);
            if let Some((events, brought)) = brought {
                counts = Some(brought.report.counts);
                runs.ledger = brought.ledger;
                runs.brought(events, brought.report, brought.validators);
            }
            None
        }
        Err(RunError::Read(error)) => Some(error),
        Err(RunError::Lost) => {
            tracing::warn!("another server reads the source now");
            return Ok(SourceRun { runs, counts });
        }
        Err(RunError::App(error)) => {
            tracing::warn!(%error, "the run of a source stopped");
            Some(ReadFault::Stopped.into())
        }
    };
    if let Some(ReadError {
        failure,
        retry_after,
    }) = failed
    {
        runs.fail(source.every, now, jitter, failure, retry_after);
        let (name, origin) = (&source.name, source.url.origin());
        if runs.is_to_be_told(now) {
            tracing::warn!(source = %name, place = origin, %failure, "a source has not been read for days");
        } else {
            tracing::info!(source = %name, place = origin, %failure, "a source was not read");
        }
    }
    calendar.finish_source(leased, &runs).await?;
    Ok(SourceRun { runs, counts })
}

/// Runs work, and renews the lease meanwhile. Work without the lease stops.
pub(super) async fn while_leased(
    calendar: &Calendar,
    leased: &LeasedSource,
    work: impl Future<Output = Result<ImportReport, AppError>>,
) -> Result<ImportReport, AppError> {
    while_leased_or(calendar, leased, work, AppError::SourceRunning, |error| {
        error
    })
    .await
}

async fn while_leased_or<T, E>(
    calendar: &Calendar,
    leased: &LeasedSource,
    work: impl Future<Output = Result<T, E>>,
    lost: E,
    failed: impl Fn(AppError) -> E,
) -> Result<T, E> {
    let mut work = pin!(work);
    let mut renewals = interval(RENEWAL);
    renewals.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first tick comes at once.
    renewals.tick().await;
    loop {
        tokio::select! {
            done = &mut work => return done,
            _ = renewals.tick() => {
                if !calendar.renew_source(leased).await.map_err(&failed)? {
                    return Err(lost);
                }
            }
        }
    }
}

/// Reads a source, and imports it if it changed.
async fn bring(
    calendar: &Calendar,
    format: &dyn ReadableFormat,
    reader: &dyn SourceReader,
    source: &Source,
    runs: &SourceRuns,
) -> Result<Option<Brought>, RunError> {
    let caller = calendar.source_caller(source).await;
    let caller = caller.map_err(RunError::App)?.ok_or(ReadFault::NoUser)?;
    if source.format == SourceFormat::Site {
        return bring_site(calendar, reader, source, caller).await.map(Some);
    }
    let (content, validators) = match reader.file(source, &runs.validators).await? {
        SourceFile::Unchanged => return Ok(None),
        SourceFile::Changed {
            content,
            validators,
        } => (content, validators),
    };
    let options = ImportOptions {
        policy: source.policy,
        prune: source.prune,
        status: Some(source.status),
        category: source.category.clone(),
        ..ImportOptions::from_source(&*runs.ledger)
    };
    let import = open(calendar, format, source.format, &content, caller, options).await?;
    let report = import_in_turns(import).await.map_err(RunError::App)?;
    let is_whole = !report.refused.iter().any(is_temporary);
    Ok(Some(Brought {
        ledger: runs.ledger.clone(),
        report: first_findings(report),
        // Records that a later run may take are asked for again.
        validators: if is_whole {
            validators
        } else {
            Validators::default()
        },
    }))
}

/// Whether a record may be taken later although the file stays as it is.
fn is_temporary(finding: &Finding) -> bool {
    matches!(
        finding.code,
        FindingCode::Forbidden | FindingCode::ForeignUid | FindingCode::NotReached
    )
}

/// Runs CPU-bound work. Requests get their permits first.
async fn patiently<T: Send>(
    calendar: &Calendar,
    size: usize,
    work: impl Fn() -> T + Send + Sync,
) -> Result<T, RunError> {
    for _ in 1..ATTEMPTS {
        match calendar.cpu_limiter().run(size, &work).await {
            Err(AppError::Overloaded) => sleep(Duration::from_millis(500)).await,
            done => return done.map_err(RunError::App),
        }
    }
    Err(RunError::App(AppError::Overloaded))
}

/// Reads a file, and begins its import.
async fn open<'a>(
    calendar: &'a Calendar,
    format: &dyn ReadableFormat,
    form: SourceFormat,
    content: &Bytes,
    caller: Caller,
    options: ImportOptions,
) -> Result<FileImport<'a>, RunError> {
    let decompress = || decompressed(content.clone(), MAX_SOURCE_BYTES);
    let content = patiently(calendar, content.len(), decompress).await?;
    let content = content.map_err(|error| match error {
        CompressionError::TooLarge { .. } => ReadFault::TooLarge,
        CompressionError::Damaged => ReadFault::Damaged,
    })?;
    let size = content.len();
    let begun = if form == SourceFormat::Table {
        let read = || TableFile::read(&content, Kind::Event, MAX_EVENTS);
        let file = patiently(calendar, size, read).await?;
        let file = file.ok_or(ReadFault::TooManyEvents)?;
        if !file.has_titles() || file.is_too_wide() {
            return Err(ReadFault::NoCalendar.into());
        }
        import_table_of(calendar, caller, file, options).await
    } else {
        let read = || {
            let zone = calendar.site().zone.clone();
            let items = format.reader(Box::new(Cursor::new(content.clone())), zone);
            CalendarFile::read(items, MAX_EVENTS)
        };
        let file = patiently(calendar, size, read).await?;
        // A file in memory can always be read.
        let file = file.map_err(|_| ReadFault::NoCalendar)?;
        let file = file.ok_or(ReadFault::TooManyEvents)?;
        if !file.is_calendar() {
            return Err(ReadFault::NoCalendar.into());
        }
        import_calendar_of(calendar, caller, file, options).await
    };
    begun.map_err(|error| match error {
        // The option `prune` alone is refused.
        AppError::Invalid(_) => ReadFault::TooManyGone.into(),
        error => RunError::App(error),
    })
}

/// Imports all records of a file. Others write, and read, as long as the import does.
pub(super) async fn import_in_turns(mut import: FileImport<'_>) -> Result<ImportReport, AppError> {
    while import.remaining() > 0 {
        let turn = Instant::now();
        import.step(EVENTS_AT_ONCE).await?;
        sleep(turn.elapsed()).await;
    }
    Ok(import.finish())
}

/// Imports a site.
async fn bring_site(
    calendar: &Calendar,
    reader: &dyn SourceReader,
    source: &Source,
    caller: Caller,
) -> Result<Brought, RunError> {
    let site = reader.site(source).await?;
    let options = SiteImport {
        policy: source.policy,
        prune: source.prune,
        status: Some(source.status),
        category: source.category.clone(),
        ..SiteImport::default()
    };
    let done = import_site_of(calendar, caller, &*site, &options, &|_| {}).await;
    let report = done.map_err(|error| match error {
        SiteImportError::Site(_) => SITE_FAILED.into(),
        SiteImportError::App(error) => RunError::App(error),
    })?;
    Ok(Brought {
        ledger: site.name().to_owned(),
        report: of_site(&report),
        validators: Validators::default(),
    })
}

/// The report of a file with the first findings alone.
fn first_findings(report: ImportReport) -> SourceReport {
    let mut report = SourceReport::from(report);
    for findings in [&mut report.refused, &mut report.warnings] {
        findings.truncate(SourceReport::MAX_FINDINGS);
    }
    report
}

/// The report of a site. Its remarks name addresses, and are left out; a kind with records that were not
/// taken is one finding.
fn of_site(report: &SiteReport) -> SourceReport {
    let mut all = SourceReport {
        counts: ReportCounts {
            pruned: report.pruned,
            duplicates: report.duplicates,
            merged: report.merged,
            ..ReportCounts::default()
        },
        ..SourceReport::default()
    };
    for (kind, counts) in &report.counts {
        all.counts.created += counts.created;
        all.counts.updated += counts.updated;
        all.counts.unchanged += counts.unchanged;
        all.counts.read += counts.created + counts.updated + counts.unchanged + counts.refused;
        if counts.refused > 0 {
            all.refused.push(SourceFinding {
                property: kind.plural().to_owned(),
                code: FindingCode::BadValue.name().to_owned(),
                ..SourceFinding::default()
            });
        }
    }
    if report.is_prune_refused {
        all.warnings.push(SourceFinding {
            code: ReadFault::TooManyGone.name().to_owned(),
            ..SourceFinding::default()
        });
    }
    all
}
