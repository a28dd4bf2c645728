//! A page of items: of a first walk through all records, or of a delta.

use std::collections::{HashMap, HashSet};

use domain::{
    Category, Event, Id, Kind, Organizer, Tag, Venue,
    policy::{Audience, Reach, SyncAction, Visibility},
};

use super::{
    records::Records,
    token::{PageToken, Position, SyncCursor},
};
use crate::{
    error::AppError,
    ports::{EntryQuery, Journal, Publication, RecordRef, Repositories},
    resource::Resource,
};

/// The kinds in the order of a first walk: no record names one that follows it, except for parents.
const WALK: [Kind; 5] = [
    Kind::Category,
    Kind::Tag,
    Kind::Venue,
    Kind::Organizer,
    Kind::Event,
];

/// The greatest number of records that are read at once.
const BATCH: usize = 64;

/// The least number of records that are read at once, where the reader may list few of them.
const LEAST_BATCH: usize = 16;

/// The size of the texts of a page, in bytes, behind which it ends.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The greatest number of records that are read at once for some items.
pub(super) fn batch(items: usize) -> usize {
    items.clamp(LEAST_BATCH, BATCH)
}

/// A record whose item is not decided yet.
#[derive(Clone, Copy)]
struct Candidate {
    record: RecordRef,
    /// Whether the reader could list it in the state that it has.
    was_listed: bool,
    /// The position behind it.
    position: Position,
}

/// An item, and the position behind it.
pub(super) struct Item {
    pub(super) record: RecordRef,
    pub(super) action: SyncAction,
    position: Position,
    /// The size of the texts of the record.
    bytes: usize,
}

/// The items of a page, with the records of its upserts.
pub(super) struct Page<'a> {
    journal: &'a dyn Journal,
    repositories: &'a dyn Repositories,
    /// The visibility for the reader at the end of the range.
    visibility: &'a Visibility,
    kinds: &'a [Kind],
    end: SyncCursor,
    /// Most items.
    room: usize,
    pub(super) items: Vec<Item>,
    pub(super) records: Records,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        token: &'a PageToken,
        room: usize,
        visibility: &'a Visibility,
        journal: &'a dyn Journal,
        repositories: &'a dyn Repositories,
    ) -> Self {
        Self {
            journal,
            repositories,
            visibility,
            kinds: &token.scope.kinds,
            end: token.end,
            room,
            items: Vec::new(),
            records: Records::default(),
        }
    }

    /// Reads the items behind a position. Returns the position of the next page; none on the last one.
    pub(super) async fn read(&mut self, position: Position) -> Result<Option<Position>, AppError> {
        match position {
            Position::Walk(last) => self.walk(last).await?,
            Position::Entry(start, read) => {
                self.entries(start, read).await?;
                let due = start.at;
                // Every publication at the instant is in the state.
                let record = RecordRef {
                    kind: Kind::Venue,
                    id: i64::MAX,
                };
                self.due(start, Publication { due, record }).await?;
            }
            Position::Due(start, last) => self.due(start, last).await?,
        }
        // One item more was looked for: it shows whether there is another page.
        let found = self.items.len();
        self.items.truncate(self.fitting());
        let last = self.items.last().map(|item| item.position);
        Ok(last.filter(|_| self.items.len() < found))
    }

    /// Whether the page has its items, and one more.
    fn is_full(&self) -> bool {
        self.items.len() > self.fitting()
    }

    /// The number of items that fit on the page: one at least.
    fn fitting(&self) -> usize {
        let mut bytes = 0;
        let fitting = self.items.iter().take_while(|item| {
            let fits = bytes < MAX_BYTES;
            bytes += item.bytes;
            fits
        });
        fitting.count().min(self.room)
    }

    /// The number of candidates that are read at once: enough for the rest of the page, if the reader may
    /// list most of them.
    fn batch(&self) -> usize {
        batch(self.room + 1 - self.items.len())
    }

    async fn walk(&mut self, last: Option<RecordRef>) -> Result<(), AppError> {
        let first = last.and_then(|last| WALK.iter().position(|kind| *kind == last.kind));
        for kind in &WALK[first.unwrap_or(0)..] {
            if !self.kinds.contains(kind) {
                continue;
            }
            let mut after = last.filter(|last| last.kind == *kind).map(|last| last.id);
            while !self.is_full() {
                let ids = self.ids_after(*kind, after).await?;
                let Some(id) = ids.last() else { break };
                after = Some(*id);
                let candidates = ids.into_iter().map(|id| {
                    let record = RecordRef { kind: *kind, id };
                    Candidate {
                        record,
                        was_listed: false,
                        position: Position::Walk(Some(record)),
                    }
                });
                self.decide(candidates.collect()).await?;
            }
        }
        Ok(())
    }

    async fn ids_after(&self, kind: Kind, after: Option<i64>) -> Result<Vec<i64>, AppError> {
        match kind {
            Kind::Event => self.ids_of::<Event>(after).await,
            Kind::Venue => self.ids_of::<Venue>(after).await,
            Kind::Organizer => self.ids_of::<Organizer>(after).await,
            Kind::Category => self.ids_of::<Category>(after).await,
            Kind::Tag => self.ids_of::<Tag>(after).await,
        }
    }

    async fn ids_of<R: Resource>(&self, after: Option<i64>) -> Result<Vec<i64>, AppError> {
        let repository = R::repository(self.repositories);
        let ids = repository
            .ids_after(after.map(Id::from_raw), self.batch())
            .await?;
        Ok(ids.into_iter().map(Id::get).collect())
    }

    /// Reads the records with an entry.
    async fn entries(&mut self, start: SyncCursor, mut read: u64) -> Result<(), AppError> {
        let before = Visibility {
            now: start.at,
            ..self.visibility.clone()
        };
        while !self.is_full() {
            let query = EntryQuery {
                read,
                limit: self.batch() as u64,
                ..self.query(start)
            };
            let entries = self.journal.first_entries(&query).await?;
            let Some(last) = entries.last() else { break };
            read = last.number;
            let candidates = entries.iter().map(|entry| Candidate {
                record: entry.record,
                was_listed: before.includes(entry.record.kind, &entry.was),
                position: Position::Entry(start, entry.number),
            });
            self.decide(candidates.collect()).await?;
        }
        Ok(())
    }

    /// The entries of the reader between a state and the end.
    fn query(&self, start: SyncCursor) -> EntryQuery {
        EntryQuery {
            kinds: self.kinds.to_vec(),
            reach: self.visibility.greatest_reach(),
            ..EntryQuery::between(start.place.number, self.end.place.number, u64::MAX)
        }
    }

    /// Reads the records whose scheduled publication took effect, except those with an entry.
    async fn due(&mut self, start: SyncCursor, mut last: Publication) -> Result<(), AppError> {
        while !self.is_full() {
            let limit = self.batch() as u64;
            let due = self
                .journal
                .became_due(&last, self.visibility.now, limit)
                .await?;
            let Some(next) = due.last() else { break };
            last = *next;
            let records = due.iter().map(|one| one.record).collect();
            let with_entry = EntryQuery {
                records: Some(records),
                ..self.query(start)
            };
            let with_entry = self.journal.first_entries(&with_entry).await?;
            let with_entry: HashSet<_> = with_entry.iter().map(|one| one.record).collect();
            let candidates = due.into_iter().filter(|one| {
                self.kinds.contains(&one.record.kind) && !with_entry.contains(&one.record)
            });
            let candidates = candidates.map(|one| Candidate {
                record: one.record,
                was_listed: false,
                position: Position::Due(start, one),
            });
            self.decide(candidates.collect()).await?;
        }
        Ok(())
    }

    /// Adds the items of candidates.
    ///
    /// An upsert needs a record that the reader may list now, and could list at the end of the range: the
    /// next delta begins there, and tells of the removal of such records alone.
    async fn decide(&mut self, candidates: Vec<Candidate>) -> Result<(), AppError> {
        let wanted: Vec<_> = candidates.iter().map(|one| one.record).collect();
        let found = Records::find(&wanted, self.visibility, self.repositories).await?;
        let at_end = self.at_end(wanted).await?;
        let sizes = found.sizes();
        for candidate in candidates {
            let audience = at_end.get(&candidate.record);
            let kind = candidate.record.kind;
            let is_listed = |audience| self.visibility.includes(kind, audience);
            let size = sizes.get(&candidate.record);
            let size = size.filter(|_| audience.is_none_or(is_listed));
            let action = SyncAction::of(candidate.was_listed, size.is_some());
            self.items.extend(action.map(|action| Item {
                record: candidate.record,
                action,
                position: candidate.position,
                bytes: size.copied().unwrap_or(0),
            }));
        }
        self.records.append(found);
        Ok(())
    }

    /// The audiences at the end of the range, of those records that changed behind it. They cover what was
    /// read before the call.
    async fn at_end(
        &self,
        records: Vec<RecordRef>,
    ) -> Result<HashMap<RecordRef, Audience>, AppError> {
        let now = self.journal.end().await?;
        if now == self.end.place {
            return Ok(HashMap::new());
        }
        let later = EntryQuery {
            records: Some(records),
            reach: Reach::All,
            ..EntryQuery::between(self.end.place.number, now.number, u64::MAX)
        };
        let later = self.journal.first_entries(&later).await?;
        Ok(later
            .iter()
            .map(|entry| (entry.record, entry.was))
            .collect())
    }
}
