//! The records that a reader may list, and their views.

use std::collections::{HashMap, HashSet};

use domain::{
    Category, Event, Id, Language, Organizer, Stored, Tag, Translation, Venue, policy::Visibility,
};

use super::{SyncRecord, Synced};
use crate::{
    error::AppError,
    ports::{RecordRef, Repositories},
    resource::{self, Resource},
};

/// Some records that a reader may list.
#[derive(Default)]
pub(super) struct Records {
    events: Vec<Stored<Event>>,
    venues: Vec<Stored<Venue>>,
    organizers: Vec<Stored<Organizer>>,
    categories: Vec<Stored<Category>>,
    tags: Vec<Stored<Tag>>,
}

impl Records {
    /// Reads `wanted`, without records that the reader may not list.
    pub(super) async fn find(
        wanted: &[RecordRef],
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Self, AppError> {
        Ok(Self {
            events: stored(find(wanted, visibility, repositories).await?, repositories).await?,
            venues: find(wanted, visibility, repositories).await?,
            organizers: find(wanted, visibility, repositories).await?,
            categories: find(wanted, visibility, repositories).await?,
            tags: find(wanted, visibility, repositories).await?,
        })
    }

    /// The records, each with the size of its texts in bytes.
    pub(super) fn sizes(&self) -> HashMap<RecordRef, usize> {
        let mut sizes = HashMap::new();
        sizes.extend(sizes_of(&self.events));
        sizes.extend(sizes_of(&self.venues));
        sizes.extend(sizes_of(&self.organizers));
        sizes.extend(sizes_of(&self.categories));
        sizes.extend(sizes_of(&self.tags));
        sizes
    }

    pub(super) fn append(&mut self, other: Self) {
        let Self {
            events,
            venues,
            organizers,
            categories,
            tags,
        } = other;
        self.events.extend(events);
        self.venues.extend(venues);
        self.organizers.extend(organizers);
        self.categories.extend(categories);
        self.tags.extend(tags);
    }

    /// The views of the records that are wanted. `texts` says whether they come with all their texts.
    pub(super) async fn load(
        self,
        wanted: &HashSet<RecordRef>,
        texts: bool,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<HashMap<RecordRef, SyncRecord>, AppError> {
        let Self {
            events,
            venues,
            organizers,
            categories,
            tags,
        } = self;
        let loading = Loading {
            wanted,
            texts,
            visibility,
            repositories,
        };
        let mut loaded = HashMap::new();
        loaded.extend(loading.load(events, SyncRecord::Event).await?);
        loaded.extend(loading.load(venues, SyncRecord::Venue).await?);
        loaded.extend(loading.load(organizers, SyncRecord::Organizer).await?);
        loaded.extend(loading.load(categories, SyncRecord::Category).await?);
        loaded.extend(loading.load(tags, SyncRecord::Tag).await?);
        Ok(loaded)
    }
}

/// How records are loaded.
#[derive(Clone, Copy)]
struct Loading<'a> {
    wanted: &'a HashSet<RecordRef>,
    texts: bool,
    visibility: &'a Visibility,
    repositories: &'a dyn Repositories,
}

impl Loading<'_> {
    async fn load<R: Resource>(
        self,
        mut records: Vec<Stored<R>>,
        synced: impl Fn(Box<Synced<R>>) -> SyncRecord,
    ) -> Result<Vec<(RecordRef, SyncRecord)>, AppError> {
        records.retain(|record| self.wanted.contains(&ref_of(record)));
        if records.is_empty() {
            return Ok(Vec::new());
        }
        let texts = |record: &Stored<R>| {
            if self.texts {
                texts_of(&record.content)
            } else {
                Vec::new()
            }
        };
        let texts: Vec<_> = records
            .iter()
            .map(|one| (ref_of(one), texts(one)))
            .collect();
        let views = resource::load::<R>(records, self.visibility, self.repositories).await?;
        let views = texts.into_iter().zip(views);
        Ok(views
            .map(|((record, texts), view)| (record, synced(Box::new(Synced { view, texts }))))
            .collect())
    }
}

/// The texts of a record in each of its languages, the original first.
fn texts_of<R: Resource>(record: &R) -> Vec<(Language, Translation)> {
    let translations = record.translations().iter();
    let translations = translations.map(|(language, texts)| (language, texts.clone()));
    let original = (record.language(), record.original_texts());
    [original].into_iter().chain(translations).collect()
}

async fn find<R: Resource>(
    wanted: &[RecordRef],
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<Vec<Stored<R>>, AppError> {
    let ids = wanted.iter().filter(|one| one.kind == R::KIND);
    let ids: Vec<_> = ids.map(|one| Id::from_raw(one.id)).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut records = R::repository(repositories).find_many(&ids).await?;
    records.retain(|record| visibility.includes(R::KIND, &record.audience()));
    Ok(records)
}

/// The events with a record of their own. A date that follows its series is found by its ID, too, and is no record.
async fn stored(
    mut events: Vec<Stored<Event>>,
    repositories: &dyn Repositories,
) -> Result<Vec<Stored<Event>>, AppError> {
    let may_be_plain = |event: &&Stored<Event>| {
        let occurrence = event.occurrence();
        occurrence.is_some_and(|occurrence| occurrence.overridden.is_empty())
    };
    let ids = events.iter().filter(may_be_plain).map(|one| one.id);
    let asked: HashSet<_> = ids.collect();
    if asked.is_empty() {
        return Ok(events);
    }
    let ids: Vec<_> = asked.iter().copied().collect();
    let recorded = repositories.events().recorded(&ids).await?;
    events.retain(|event| !asked.contains(&event.id) || recorded.contains(&event.id));
    Ok(events)
}

fn ref_of<R: Resource>(record: &Stored<R>) -> RecordRef {
    RecordRef {
        kind: R::KIND,
        id: record.id.get(),
    }
}

fn sizes_of<R: Resource>(records: &[Stored<R>]) -> impl Iterator<Item = (RecordRef, usize)> {
    records
        .iter()
        .map(|record| (ref_of(record), record.content.text_bytes()))
}
