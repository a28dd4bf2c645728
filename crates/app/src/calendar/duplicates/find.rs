//! The search for records that look alike.

use std::collections::{BTreeSet, HashMap, HashSet};

use async_trait::async_trait;
use domain::{
    Entry, Event, Id, Kind, Organizer, Record as _, Role, Status, Stored, Venue,
    duplicate::{Duplicate, Likeness, Sketch},
    event::{EventFilter, Repetition},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::{Query, Statuses},
};

use super::{KINDS, MergeWrite};
use crate::{
    calendar::{Calendar, Work},
    error::AppError,
    ports::{
        CursorState, EntryQuery, JournalCursor, RecordRef, Repositories, StoredDuplicate,
        UnitOfWork,
    },
    resource::Resource,
};

/// The records that are read at once.
const BATCH: usize = 200;

/// The most batches of a run in the background: the next run goes on. Few of them leave the processor to requests.
const MAX_BATCHES: usize = 10;

/// The most events of a page of those that begin at about the same time.
const PAGE: u32 = 1000;

/// The pairs that a run found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The open pairs that were not known.
    pub pairs: Vec<StoredDuplicate>,
}

/// The position up to which records were compared: the journal, and as long as the records are compared for the first time,
/// the last one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    journal: JournalCursor,
    first: Option<(usize, i64)>,
}

impl Position {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ').map(str::parse::<i64>);
        let mut next = || parts.next()?.ok();
        let number = u64::try_from(next()?).ok()?;
        let nonce = u32::try_from(next()?).ok()?;
        let first = match next() {
            Some(kind) => Some((usize::try_from(kind).ok()?, next()?)),
            None => None,
        };
        Some(Self {
            journal: JournalCursor { number, nonce },
            first,
        })
    }

    fn write(self) -> String {
        let JournalCursor { number, nonce } = self.journal;
        match self.first {
            Some((kind, id)) => format!("{number} {nonce} {kind} {id}"),
            None => format!("{number} {nonce}"),
        }
    }
}

struct StorePosition(String);

#[async_trait]
impl Work for StorePosition {
    type Output = ();

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<(), AppError> {
        Ok(unit.duplicates().set_compared(&self.0).await?)
    }
}

/// A record with its sketch.
struct Sketched {
    id: i64,
    revision: i64,
    sketch: Sketch,
}

/// The venues or organizers of the calendar, by parts of their names.
#[derive(Default)]
struct Places {
    all: Vec<Sketched>,
    by_key: HashMap<String, Vec<usize>>,
}

impl Places {
    async fn read<D: domain::entry::Details>(
        sketch: impl Fn(&Entry<D>) -> Sketch,
        repositories: &dyn Repositories,
    ) -> Result<Self, AppError>
    where
        Entry<D>: Resource,
    {
        let mut places = Self::default();
        let repository = <Entry<D> as Resource>::repository(repositories);
        let mut last = None;
        loop {
            let ids = repository.ids_after(last, BATCH).await?;
            let Some(end) = ids.last() else {
                return Ok(places);
            };
            last = Some(*end);
            for one in repository.find_many(&ids).await? {
                if one.is_in_trash() {
                    continue;
                }
                let sketch = sketch(&one);
                for key in sketch.keys() {
                    let index = places.all.len();
                    places.by_key.entry(key).or_default().push(index);
                }
                places.all.push(Sketched {
                    id: one.id.get(),
                    revision: one.revision,
                    sketch,
                });
            }
        }
    }

    fn near(&self, sketch: &Sketch) -> impl Iterator<Item = &Sketched> {
        let keys = sketch.keys().into_iter();
        let indexes: BTreeSet<_> = keys
            .filter_map(|key| self.by_key.get(&key))
            .flatten()
            .collect();
        indexes.into_iter().map(|index| &self.all[*index])
    }
}

/// The records of a run, as far as they were read.
#[derive(Default)]
struct Reader {
    venues: Option<Places>,
    organizers: Option<Places>,
}

/// Stores what a comparison of a record with all others found.
struct Remember<'a> {
    record: RecordRef,
    found: &'a [Duplicate],
}

#[async_trait]
impl Work for Remember<'_> {
    type Output = Vec<StoredDuplicate>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Vec<StoredDuplicate>, AppError> {
        let RecordRef { kind, id } = self.record;
        let duplicates = unit.duplicates();
        for open in duplicates.open_of(kind, id).await? {
            // Records that do not look alike any more are no pair.
            if self
                .found
                .iter()
                .all(|one| one.records != open.pair.records)
            {
                duplicates.delete(open.id).await?;
            }
        }
        let mut news = Vec::new();
        for found in self.found {
            let present = duplicates.of_pair(kind, found.records).await?;
            if let Some(present) = present {
                if present.pair.found_again(found).is_none() {
                    continue;
                }
                // A pair of changed records has another ID, so that nobody merges what they did not see.
                duplicates.delete(present.id).await?;
            }
            news.push(duplicates.insert(found).await?);
        }
        Ok(news)
    }
}

impl Reader {
    /// The pairs of a record; none for one that is in the trash, repeats, or does not exist.
    async fn pairs(
        &mut self,
        record: RecordRef,
        calendar: &Calendar,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Duplicate>, AppError> {
        let RecordRef { kind, id } = record;
        let found = match kind {
            Kind::Event => events_like(id, calendar, repositories).await?,
            Kind::Venue => {
                if self.venues.is_none() {
                    let places = Places::read(|one: &Venue| Sketch::of_venue(one), repositories);
                    self.venues = Some(places.await?);
                }
                places_like(id, self.venues.as_ref())
            }
            Kind::Organizer => {
                if self.organizers.is_none() {
                    let sketch = |one: &Organizer| Sketch::of_organizer(one);
                    self.organizers = Some(Places::read(sketch, repositories).await?);
                }
                places_like(id, self.organizers.as_ref())
            }
            Kind::Category | Kind::Tag => Vec::new(),
        };
        weighed(kind, found, repositories).await
    }
}

/// Two records, each with its ID and revision, that look alike.
type Alike = ([(i64, i64); 2], Likeness);

fn places_like(id: i64, places: Option<&Places>) -> Vec<Alike> {
    let all = places.map_or(&[][..], |places| &places.all);
    let (Some(places), Some(own)) = (places, all.iter().find(|one| one.id == id)) else {
        return Vec::new();
    };
    let others = places.near(&own.sketch).filter(|one| one.id != id);
    let alike = others.filter_map(|one| {
        let likeness = own.sketch.compare(&one.sketch)?;
        let records = [own, one].map(|one| (one.id, one.revision));
        Some((records, likeness))
    });
    alike.collect()
}

/// Events are compared that happen once.
fn is_compared(event: &Stored<Event>) -> bool {
    event.details.repetition == Repetition::Once && !event.is_in_trash()
}

async fn events_like(
    id: i64,
    calendar: &Calendar,
    repositories: &dyn Repositories,
) -> Result<Vec<Alike>, AppError> {
    let found = repositories.events().find(Id::from_raw(id)).await?;
    let Some(own) = found.filter(is_compared) else {
        return Ok(Vec::new());
    };
    let sketch = sketches(vec![own.clone()], repositories).await?.remove(0).1;
    // All events are compared, whoever may see them; pairs are shown to editors alone.
    let system = Caller::of(own.author, Role::Administrator);
    let statuses = Status::ALL.into_iter();
    let statuses = statuses.filter(|status| *status != Status::Trash);
    let filter = EventFilter {
        statuses: Statuses(Some(statuses.collect())),
        window: sketch.window().unwrap_or_default(),
        with_hidden: true,
        ..EventFilter::default()
    };
    let (mut alike, mut number) = (Vec::new(), 1);
    loop {
        let query = Query {
            visibility: Visibility::new(system, calendar.now()),
            filter: filter.clone(),
            page: PageRequest::new(number, PAGE.into(), PAGE),
        };
        let page = repositories.events().page(&query).await?;
        let others: Vec<_> = page
            .rows
            .iter()
            .copied()
            .filter(|one| *one != own.id)
            .collect();
        let mut others = repositories.events().find_outlines(&others).await?;
        others.retain(is_compared);
        for (other, other_sketch) in sketches(others, repositories).await? {
            if let Some(likeness) = sketch.compare(&other_sketch) {
                let records = [&own, &other].map(|one| (one.id.get(), one.revision));
                alike.push((records, likeness));
            }
        }
        if !page.has_next() {
            return Ok(alike);
        }
        number += 1;
    }
}

/// Events with their sketches.
async fn sketches(
    events: Vec<Stored<Event>>,
    repositories: &dyn Repositories,
) -> Result<Vec<(Stored<Event>, Sketch)>, AppError> {
    let venues: BTreeSet<_> = events.iter().filter_map(|one| one.details.venue).collect();
    let venues: Vec<_> = venues.into_iter().collect();
    let venues = repositories.venues().find_many(&venues).await?;
    let venues: HashMap<_, _> = venues.iter().map(|venue| (venue.id, venue)).collect();
    let sketch = |event: Stored<Event>| {
        let venue = event.details.venue.and_then(|id| venues.get(&id));
        let sketch = Sketch::of_event(&event, venue.map(|venue| &venue.content));
        (event, sketch)
    };
    Ok(events.into_iter().map(sketch).collect())
}

/// Pairs, of which those weigh less that one source brought under two identifiers.
async fn weighed(
    kind: Kind,
    found: Vec<Alike>,
    repositories: &dyn Repositories,
) -> Result<Vec<Duplicate>, AppError> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let mut ids: Vec<_> = found
        .iter()
        .flat_map(|(records, _)| records.map(|(id, _)| id))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let mut sources: HashMap<i64, HashSet<String>> = HashMap::new();
    for ids in ids.chunks(1000) {
        for row in repositories.imports().of_records(kind, ids).await? {
            sources.entry(row.id).or_default().insert(row.source);
        }
    }
    let nothing = HashSet::new();
    let pairs = found.into_iter().filter_map(|(records, likeness)| {
        let [one, other] = records.map(|(id, _)| sources.get(&id).unwrap_or(&nothing));
        let likeness = if one.is_disjoint(other) {
            likeness
        } else {
            likeness.of_one_source()?
        };
        Some(Duplicate::new(kind, records, likeness))
    });
    Ok(pairs.collect())
}

impl Calendar {
    /// Compares the records that changed since the last run with all others, and stores the pairs that look alike. The first
    /// runs compare all records. Returns the number of new pairs.
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn find_duplicates(&self) -> Result<u64, AppError> {
        let mut news = 0;
        for _ in 0..MAX_BATCHES {
            let position = self.compared().await?;
            let Some((kind, last)) = position.first else {
                return Ok(news + self.compare_changed(position.journal).await?);
            };
            let (records, first) = self.next_records(kind, last).await?;
            news += self.compare(&records).await?.pairs.len() as u64;
            let position = Position { first, ..position };
            self.in_unit(&StorePosition(position.write())).await?;
        }
        Ok(news)
    }

    /// Counts all present records as compared: generated ones look alike by chance.
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn skip_comparison(&self) -> Result<(), AppError> {
        let position = Position {
            journal: self.store.journal().end().await?,
            first: None,
        };
        self.in_unit(&StorePosition(position.write())).await
    }

    /// The position up to which records were compared; the beginning if the journal does not tell what changed since.
    async fn compared(&self) -> Result<Position, AppError> {
        let journal = self.store.journal();
        let stored = self.store.duplicates().compared().await?;
        let stored = stored.as_deref().and_then(Position::read);
        if let Some(position) = stored
            && journal.check(position.journal).await? == CursorState::Valid
        {
            return Ok(position);
        }
        Ok(Position {
            journal: journal.end().await?,
            first: Some((0, 0)),
        })
    }

    /// The next records behind one of a kind, and the last one of them; none behind the last record.
    async fn next_records(
        &self,
        kind: usize,
        last: i64,
    ) -> Result<(Vec<RecordRef>, Option<(usize, i64)>), AppError> {
        let Some(of_kind) = KINDS.get(kind).copied() else {
            return Ok((Vec::new(), None));
        };
        let reads = self.store.reads().await?;
        let ids = match of_kind {
            Kind::Event => ids_after::<Event>(last, &*reads).await?,
            Kind::Venue => ids_after::<Venue>(last, &*reads).await?,
            _ => ids_after::<Organizer>(last, &*reads).await?,
        };
        let next = ids.last().map_or((kind + 1, 0), |id| (kind, *id));
        let records = ids.into_iter().map(|id| RecordRef { kind: of_kind, id });
        Ok((records.collect(), Some(next)))
    }

    /// Compares the records that changed after a place of the journal. Returns the number of new pairs.
    async fn compare_changed(&self, after: JournalCursor) -> Result<u64, AppError> {
        let journal = self.store.journal();
        let end = journal.end().await?;
        let mut query = EntryQuery {
            kinds: KINDS.to_vec(),
            ..EntryQuery::between(after.number, end.number, BATCH as u64)
        };
        let mut news = 0;
        while query.read < end.number {
            let entries = journal.first_entries(&query).await?;
            let is_last = entries.len() < BATCH;
            query.read = entries.last().map_or(end.number, |entry| entry.number);
            let records: BTreeSet<_> = entries.into_iter().map(|entry| entry.record).collect();
            let records: Vec<_> = records.into_iter().collect();
            news += self.compare(&records).await?.pairs.len() as u64;
            if is_last {
                break;
            }
        }
        if end != after {
            let position = Position {
                journal: end,
                first: None,
            };
            self.in_unit(&StorePosition(position.write())).await?;
        }
        Ok(news)
    }

    /// Compares records with all others, and stores the pairs that look alike.
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn compare(&self, records: &[RecordRef]) -> Result<Found, AppError> {
        let mut found = Found::default();
        let mut reader = Reader::default();
        for record in records {
            let reads = self.store.reads().await?;
            let pairs = reader.pairs(*record, self, &*reads).await?;
            let open = reads.duplicates().open_of(record.kind, record.id).await?;
            if pairs.is_empty() && open.is_empty() {
                continue;
            }
            let remember = Remember {
                record: *record,
                found: &pairs,
            };
            found.pairs.extend(self.in_unit(&remember).await?);
        }
        // A pair of two records of the run was found twice, and is stored once.
        let mut known = HashSet::new();
        found.pairs.retain(|one| known.insert(one.id));
        Ok(found)
    }

    /// Merges the pairs that leave no doubt, and of which `brought` has one record at least: into the record that is not
    /// brought, or else the older one. Returns the number of merges.
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer. A pair that cannot be merged stays open.
    pub async fn merge_sure(
        &self,
        caller: Caller,
        found: &Found,
        brought: &HashSet<RecordRef>,
    ) -> Result<u64, AppError> {
        let mut merged = 0;
        for StoredDuplicate { id, pair, .. } in &found.pairs {
            let is_brought = |id: i64| {
                brought.contains(&RecordRef {
                    kind: pair.kind,
                    id,
                })
            };
            let [lower, higher] = pair.records;
            if pair.likeness.score < Likeness::SURE || !(is_brought(lower) || is_brought(higher)) {
                continue;
            }
            let keep = if is_brought(lower) && !is_brought(higher) {
                higher
            } else {
                lower
            };
            let write = MergeWrite {
                keep,
                ..MergeWrite::default()
            };
            match self.merge_duplicate(caller, *id, &write).await {
                Ok(_) => merged += 1,
                Err(AppError::Store(error)) => return Err(error.into()),
                Err(error) => tracing::info!(pair = id.get(), %error, "a pair of duplicates stays"),
            }
        }
        Ok(merged)
    }
}

async fn ids_after<R: Resource>(
    last: i64,
    repositories: &dyn Repositories,
) -> Result<Vec<i64>, AppError> {
    let after = Some(Id::from_raw(last));
    let ids = R::repository(repositories).ids_after(after, BATCH).await?;
    Ok(ids.into_iter().map(Id::get).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_they_were_written() {
        let journal = JournalCursor {
            number: 7,
            nonce: 3,
        };
        for first in [None, Some((2, 41))] {
            let position = Position { journal, first };
            assert_eq!(Position::read(&position.write()), Some(position));
        }
        assert_eq!(Position::read("x"), None);
    }
}
