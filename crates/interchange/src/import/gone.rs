//! The events of a source that a file of it has no longer.

use std::collections::{BTreeMap, HashMap, HashSet};

use app::{
    Calendar,
    error::AppError,
    fault::Fault,
    ports::{ImportedRecord, UnitOfWork},
};
use async_trait::async_trait;
use domain::{
    Event, EventId, FieldName, Id, Kind, Record as _, Stored, event::Repetition, time::Timestamp,
};

use super::apply::{Applied, Effect, FileRecord, WEIGHT, Writer};
use crate::{Finding, FindingCode};

/// The digest of an event that an import put into the trash, as it was called off or is no longer in the
/// file.
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
        if !writer.unit(unit).trash::<Event>(self.id.into()).await? {
            return Ok(Effect::Unchanged.into());
        }
        let trashed = |row: &ImportedRecord| ImportedRecord {
            digest: CANCELLED.to_owned(),
            ..row.clone()
        };
        Ok(Applied {
            ledger: self.rows.iter().map(trashed).collect(),
            ..Effect::Pruned.into()
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
    let mut coming = BTreeMap::<_, (bool, Vec<ImportedRecord>)>::new();
    let mut last = String::new();
    loop {
        let ledger = calendar.store().imports();
        let page = ledger.page(source, Kind::Event, &last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last.clone_from(&end.uid);
        let ids: Vec<EventId> = page.iter().map(|one| Id::from_raw(one.id)).collect();
        let events = calendar.store().events().find_many(&ids).await?;
        let is_coming = |event: &&Stored<Event>| !event.is_in_trash() && ends(event) > now;
        let events = events.iter().filter(is_coming);
        let events: HashMap<_, _> = events.map(|event| (event.id.get(), event)).collect();
        for row in page {
            let Some(event) = events.get(&row.id) else {
                continue;
            };
            let (kept, rows) = coming.entry(event.id).or_default();
            *kept |= is_kept(event, &row.uid);
            rows.push(row);
        }
    }
    let all = coming.len();
    let gone = coming.into_iter().filter(|(_, (kept, _))| !kept);
    let gone: Vec<_> = gone
        .filter_map(|(id, (_, rows))| {
            let uid = rows.first()?.uid.clone();
            Some(Gone { id, uid, rows })
        })
        .collect();
    if is_doubtful(gone.len(), all) || (!gone.is_empty() && !is_complete) {
        return Err(AppError::invalid(FieldName::Prune, Fault::TooManyGone));
    }
    Ok(gone)
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
