//! The events of a source that a file of it has no longer.

use std::collections::{BTreeMap, HashSet};

use app::{
    Calendar,
    error::AppError,
    fault::Fault,
    ports::{ImportedRecord, UnitOfWork},
};
use async_trait::async_trait;
use domain::{
    Event, EventId, FieldName, Id, Kind, Record as _, Stored, event::Repetition, policy::Caller,
    time::Timestamp,
};

use super::{
    ImportOptions,
    apply::{Applied, Effect, FileImport, FileRecord, WEIGHT, Writer},
    report::ImportReport,
};
use crate::{Finding, FindingCode};

/// The digest of an event that a source took back, as it was called off or is no longer in the file: it is in the trash, unless
/// another source still has it or a person restored it.
pub(super) const CANCELLED: &str = "cancelled";

/// The rows of the ledger that are read at once.
const PAGE: u64 = 500;

/// An event that the file has no longer.
#[derive(Debug)]
pub(super) struct Gone {
    id: EventId,
    uid: String,
    /// All rows of the ledger that the source has for it.
    rows: Vec<ImportedRecord>,
    /// Whether another source brought it, too, and still has it.
    stays: bool,
}

#[async_trait]
impl FileRecord for Gone {
    fn kind(&self) -> Kind {
        Kind::Event
    }

    fn uid(&self) -> &str {
        &self.uid
    }

    fn weight(&self, _horizon: Timestamp, _names: &mut HashSet<String>) -> usize {
        WEIGHT
    }

    fn finding(&self, field: Option<&str>, code: FindingCode) -> Finding {
        Finding {
            line: 0,
            uid: Some(self.uid.clone()),
            property: field.map(str::to_owned),
            code,
        }
    }

    async fn apply(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        _known: Option<&ImportedRecord>,
    ) -> Result<Applied, AppError> {
        let mut effect = Effect::Unchanged;
        if !self.stays {
            if !writer.unit(unit).trash::<Event>(self.id.into()).await? {
                return Ok(effect.into());
            }
            effect = Effect::Pruned;
        }
        let taken_back = |row: &ImportedRecord| ImportedRecord {
            digest: CANCELLED.to_owned(),
            ..row.clone()
        };
        Ok(Applied {
            ledger: self.rows.iter().map(taken_back).collect(),
            ..effect.into()
        })
    }
}

/// Whether so many of the coming events are gone that the source is broken rather than changed.
pub(super) fn is_doubtful(gone: usize, coming: usize) -> bool {
    gone > 0 && 2 * gone >= coming
}

/// The events of a source that have not ended, and that a file has no longer. `is_kept` says whether
/// the file has an event, which the source brought under an identifier.
///
/// # Errors
///
/// [`AppError::Invalid`] if half of them or more are gone, or one from a file that `is_complete`
/// denies; or if the store fails.
pub(super) async fn gone(
    calendar: &Calendar,
    source: &str,
    is_complete: bool,
    is_kept: impl Fn(&Stored<Event>, &str) -> bool,
) -> Result<Vec<Gone>, AppError> {
    let now = calendar.now();
    let mut brought = brought(calendar, source).await?;
    let (mut coming, mut missing) = (0, BTreeMap::new());
    let ids: Vec<_> = brought.keys().copied().collect();
    for ids in ids.chunks(1000) {
        for event in calendar.store().events().find_many(ids).await? {
            if event.is_in_trash() || ends(&event) <= now {
                continue;
            }
            coming += 1;
            let rows = brought.remove(&event.id).unwrap_or_default();
            if !rows.iter().any(|row| is_kept(&event, &row.uid)) {
                missing.insert(event.id, rows);
            }
        }
    }
    let gone = with_others(calendar, source, missing).await?;
    let going = gone.iter().filter(|one| !one.stays).count();
    if is_doubtful(going, coming) || (going > 0 && !is_complete) {
        return Err(AppError::invalid(FieldName::Prune, Fault::TooManyGone));
    }
    if !is_complete {
        return Ok(Vec::new());
    }
    Ok(gone)
}

/// Whether a source took back what these rows of its ledger stand for.
fn is_taken_back(rows: &[ImportedRecord]) -> bool {
    rows.iter().all(|row| row.digest == CANCELLED)
}

/// Events that a source has no longer, each with its rows of the ledger. Another source may still have some of them.
async fn with_others(
    calendar: &Calendar,
    source: &str,
    events: BTreeMap<EventId, Vec<ImportedRecord>>,
) -> Result<Vec<Gone>, AppError> {
    let ids: Vec<_> = events.keys().map(|id| id.get()).collect();
    let mut others = HashSet::new();
    for ids in ids.chunks(1000) {
        let ledger = calendar.store().imports();
        let rows = ledger.of_records(Kind::Event, ids).await?.into_iter();
        let rows = rows.filter(|row| is_of_other(row, source));
        others.extend(rows.map(|row| row.id));
    }
    let gone = events.into_iter().filter_map(|(id, rows)| {
        Some(Gone {
            id,
            uid: rows.first()?.uid.clone(),
            rows,
            stays: others.contains(&id.get()),
        })
    });
    Ok(gone.collect())
}

/// Whether a row of the ledger says that another source has a record.
pub(super) fn is_of_other(row: &ImportedRecord, source: &str) -> bool {
    row.source != source && row.digest != CANCELLED
}

/// The events that a source brought and did not take back, each with its rows of the ledger.
async fn brought(
    calendar: &Calendar,
    source: &str,
) -> Result<BTreeMap<EventId, Vec<ImportedRecord>>, AppError> {
    let mut brought = BTreeMap::<_, Vec<ImportedRecord>>::new();
    let mut last = String::new();
    loop {
        let ledger = calendar.store().imports();
        let page = ledger.page(source, Kind::Event, &last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last.clone_from(&end.uid);
        for row in page {
            let id = Id::from_raw(row.id);
            brought.entry(id).or_default().push(row);
        }
    }
    brought.retain(|_, rows| !is_taken_back(rows));
    Ok(brought)
}

/// The number of events that a source brought and did not take back.
pub(crate) async fn brought_by(calendar: &Calendar, source: &str) -> Result<u64, AppError> {
    Ok(brought(calendar, source).await?.len() as u64)
}

/// Begins to put all events of a source into the trash.
pub(crate) async fn trash_of(
    calendar: &Calendar,
    caller: Caller,
    options: ImportOptions,
) -> Result<FileImport<'_>, AppError> {
    let brought = brought(calendar, &options.source).await?;
    let gone = with_others(calendar, &options.source, brought).await?;
    let gone = gone.into_iter().map(FileRecord::boxed);
    let report = ImportReport::default();
    Ok(FileImport::new(
        calendar,
        caller,
        options,
        gone.collect(),
        report,
    ))
}

/// The end of an event, or of the last occurrence of a series.
pub(super) fn ends(event: &Event) -> Timestamp {
    match &event.details.repetition {
        Repetition::Series(series) if series.recurrence.is_endless() => Timestamp::MAX,
        Repetition::Series(series) => {
            let last = series.recurrence.last();
            last.map_or(Timestamp::MIN, |last| last.when.end().utc)
        }
        Repetition::Once | Repetition::Occurrence(_) => event.details.when.end().utc,
    }
}
