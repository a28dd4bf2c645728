//! A page of items: of a first walk through all records, or of a delta.

use std::collections::{HashMap, HashSet};

use domain::{
    Category, Event, EventId, Id, Kind, Organizer, Stage, Tag, Venue,
    policy::{Audience, Guarded as _, Reach, SyncAction, Visibility},
    time::Timestamp,
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
            Position::Due(start, last, neighbour) => {
                self.neighbours(start, last, neighbour).await?;
                self.due(start, last).await?;
            }
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
            ..EntryQuery::between(start.journal.number, self.end.journal.number, u64::MAX)
        }
    }

    /// Reads the neighbours of a published series that are left behind one of them, except those with an entry.
    async fn neighbours(
        &mut self,
        start: SyncCursor,
        published: Publication,
        behind: Option<i64>,
    ) -> Result<(), AppError> {
        let mut left = self.with_neighbours(start, vec![published]).await?;
        left.retain(|one| match one.position {
            Position::Due(_, _, neighbour) => neighbour > behind,
            Position::Walk(_) | Position::Entry(..) => true,
        });
        self.decide_unwritten(start, left).await
    }

    /// Reads the records whose scheduled publication took effect, and the neighbours of published series, which show
    /// these from now on; all except those with an entry.
    async fn due(&mut self, start: SyncCursor, mut last: Publication) -> Result<(), AppError> {
        while !self.is_full() {
            let limit = self.batch() as u64;
            let due = self
                .journal
                .became_due(&last, self.visibility.now, limit)
                .await?;
            let Some(next) = due.last() else { break };
            last = *next;
            let candidates = self.with_neighbours(start, due).await?;
            self.decide_unwritten(start, candidates).await?;
        }
        Ok(())
    }

    /// The candidates of publications: each published record, and behind it the neighbours of a series, without those
    /// that have a publication of their own in the delta.
    async fn with_neighbours(
        &self,
        start: SyncCursor,
        due: Vec<Publication>,
    ) -> Result<Vec<Candidate>, AppError> {
        let events = due.iter().filter(|one| one.record.kind == Kind::Event);
        let series: Vec<_> = events.map(|one| Id::from_raw(one.record.id)).collect();
        let events = self.repositories.events();
        let mut pairs = events.neighbours(&series).await?;
        if !pairs.is_empty() {
            let neighbours: Vec<_> = pairs.iter().map(|(_, neighbour)| *neighbour).collect();
            let mut shown = events.find_many(&neighbours).await?;
            let is_in_delta = |due: Timestamp| due > start.at && due <= self.visibility.now;
            shown.retain(|one| {
                let audience = one.audience();
                audience.stage != Some(Stage::Published) || !audience.due.is_some_and(is_in_delta)
            });
            pairs.retain(|(_, neighbour)| shown.iter().any(|one| one.id == *neighbour));
        }
        let candidates = due.into_iter().flat_map(|published| {
            let of_series = move |(series, _): &&(EventId, EventId)| {
                published.record.kind == Kind::Event && series.get() == published.record.id
            };
            let neighbours = pairs.iter().filter(of_series);
            let neighbours = neighbours.map(|(_, neighbour)| Some(neighbour.get()));
            let all = std::iter::once(None).chain(neighbours);
            all.map(move |neighbour| Candidate {
                record: neighbour.map_or(published.record, |id| RecordRef {
                    kind: Kind::Event,
                    id,
                }),
                was_listed: false,
                position: Position::Due(start, published, neighbour),
            })
        });
        Ok(candidates.collect())
    }

    /// Adds the items of candidates that have no entry in the delta, and no item on the page.
    async fn decide_unwritten(
        &mut self,
        start: SyncCursor,
        mut candidates: Vec<Candidate>,
    ) -> Result<(), AppError> {
        let records = candidates.iter().map(|one| one.record).collect();
        let with_entry = EntryQuery {
            records: Some(records),
            ..self.query(start)
        };
        let with_entry = self.journal.first_entries(&with_entry).await?;
        let mut known: HashSet<_> = with_entry.iter().map(|one| one.record).collect();
        known.extend(self.items.iter().map(|item| item.record));
        let kinds = self.kinds;
        candidates.retain(|one| kinds.contains(&one.record.kind) && known.insert(one.record));
        self.decide(candidates).await
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
        if now == self.end.journal {
            return Ok(HashMap::new());
        }
        let later = EntryQuery {
            records: Some(records),
            reach: Reach::All,
            ..EntryQuery::between(self.end.journal.number, now.number, u64::MAX)
        };
        let later = self.journal.first_entries(&later).await?;
        Ok(later
            .iter()
            .map(|entry| (entry.record, entry.was))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use domain::{Role, event::Repetition, policy::Caller};

    use crate::{
        calendar::{Following, ListChanges},
        ports::SlugRequests,
        test_support::{FixedClock, InMemoryStore, add_user, at, calendar, event, in_unit},
    };

    /// A series that was split off and becomes public by the clock is named by the other one from then on, which has
    /// no entry either: both are items, on whichever pages.
    #[tokio::test]
    async fn the_neighbour_of_a_published_series_is_an_item() {
        let store = InMemoryStore::new();
        add_user(&store, "ada", Role::Editor).await;
        let clock = FixedClock::at("2030-01-01 00:00:00");
        let calendar = calendar(store.clone()).clock(clock.clone()).await;
        let (first, second) = in_unit(&store, async |unit| {
            let rule = ("FREQ=DAILY;COUNT=3", at("9000-01-01 00:00:00"));
            let first = event("First").repeating(rule.0, rule.1).insert_series(unit);
            let (first, _) = first.await;
            let second = event("Second").scheduled("2030-01-02 00:00:00");
            let second = second.repeating(rule.0, rule.1).with(|event| {
                if let Repetition::Series(series) = &mut event.details.repetition {
                    series.previous = Some(first.id);
                }
            });
            let (second, _) = second.insert_series(unit).await;
            let mut content = first.content.clone();
            if let Repetition::Series(series) = &mut content.details.repetition {
                series.next = Some(second.id);
            }
            let events = unit.events();
            let slugs = SlugRequests::default();
            events.update(&first, content, slugs).await.unwrap();
            (first.id.get(), second.id.get())
        })
        .await;
        let read = async |input: &ListChanges| {
            let delta = calendar.changes(Caller::Anonymous, input).await.unwrap();
            let ids: Vec<_> = delta.items.iter().map(|item| item.record.id).collect();
            (ids, delta.next)
        };
        let (ids, next) = read(&ListChanges::default()).await;
        assert_eq!(ids, [first]);
        let Following::Complete(token) = next else {
            panic!("{next:?}");
        };
        clock.advance_seconds(86_400);
        for per_page in [1, 2, 50] {
            let mut input = ListChanges {
                sync_token: Some(token.clone()),
                per_page,
                ..ListChanges::default()
            };
            let mut found = Vec::new();
            loop {
                let (ids, next) = read(&input).await;
                found.extend(ids);
                match next {
                    Following::Page(token) => input.page_token = Some(token),
                    Following::Complete(_) => break,
                }
            }
            assert_eq!(found, [second, first], "{per_page}");
        }
    }
}
