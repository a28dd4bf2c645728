//! Records of any kind, and shorthands to write them.

use std::collections::HashMap;

use crate::Dice;
use app::{
    ports::{
        ImportLedger, OccurrenceFilter, OccurrencePlan, Repositories, SlugRequest, SlugRequests,
        Store, StoreError, TermRepository, UnitOfWork,
    },
    resource::Resource,
    test_support::{EntryBuilder, category, event, organizer, tag, venue},
};
use domain::{
    Category, CategoryId, Event, EventId, Id, Language, Organizer, OrganizerId, Record, Status,
    Stored, Tag, TagId, Term, TextField, Translation, UserId, Venue, VenueId, entry::Details,
    html::RichText, slug::Slug, term::Taxonomy, text::Title, time::Timestamp,
};

/// The ID of one of the users that every store here starts with, by index from 0.
pub fn user_id(index: usize) -> UserId {
    Id::from_raw(i64::try_from(index + 1).unwrap())
}

/// Whether the row of a file was imported.
pub async fn is_imported(
    ledger: &dyn ImportLedger,
    digest: &str,
    ordinal: i64,
) -> Result<bool, StoreError> {
    let known = ledger.known(&[digest.to_owned()]).await?;
    Ok(known.contains(&(digest.to_owned(), ordinal)))
}

/// The number of public events that carry each of some terms, and each ancestor of them.
pub async fn counts<X: Taxonomy>(
    terms: &dyn TermRepository<X>,
    ids: &[Id<Term<X>>],
    now: Timestamp,
) -> HashMap<Id<Term<X>>, u64> {
    let counted = terms.find_with_counts(ids, now).await.unwrap();
    let counts = counted.into_iter().map(|one| (one.term.id, one.events));
    counts.collect()
}

/// Runs work in a unit of its own.
pub async fn in_unit<T>(store: &dyn Store, work: impl AsyncFnOnce(&dyn Repositories) -> T) -> T {
    let unit = store.begin().await.unwrap();
    let outcome = work(&*unit).await;
    unit.commit().await.unwrap();
    outcome
}

/// Commits a unit, or rolls it back.
pub async fn end(unit: Box<dyn UnitOfWork>, keeps: bool) {
    let ended = if keeps { unit.commit().await } else { unit.rollback().await };
    ended.unwrap();
}

/// Runs work in a unit of its own, which is rolled back on an error.
pub async fn try_in_unit<T>(
    store: &dyn Store,
    work: impl AsyncFnOnce(&dyn Repositories) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let unit = store.begin().await.unwrap();
    let outcome = work(&*unit).await;
    end(unit, outcome.is_ok()).await;
    outcome
}

/// A kind of record, for rules of all kinds.
pub trait Sample: Resource {
    /// A public record of this name, by the first user. Two terms of one name must not both request
    /// the slug made of it.
    fn sample(name: &str) -> Self;

    /// The same with another slug.
    #[must_use]
    fn with_slug(mut self, slug: Option<&Slug>) -> Self {
        let slug = slug.cloned();
        self.swap_texts(Translation { slug, ..Translation::default() });
        self
    }

    /// The same with another name.
    #[must_use]
    fn named(mut self, name: &str) -> Self {
        let title = Some(name.parse::<Title>().unwrap());
        self.swap_texts(Translation { title, ..Translation::default() });
        self
    }

    /// Takes over the immutable identifiers of `before`.
    #[must_use]
    fn in_place_of(self, before: &Self) -> Self {
        let _ = before;
        self
    }
}

impl Sample for Event {
    fn sample(name: &str) -> Self {
        event(name).build()
    }

    fn in_place_of(mut self, before: &Self) -> Self {
        self.details.uid.clone_from(&before.details.uid);
        self
    }
}

impl Sample for Venue {
    fn sample(name: &str) -> Self {
        venue(name).build()
    }
}

impl Sample for Organizer {
    fn sample(name: &str) -> Self {
        organizer(name).build()
    }
}

impl Sample for Category {
    fn sample(name: &str) -> Self {
        category(name).build()
    }
}

impl Sample for Tag {
    fn sample(name: &str) -> Self {
        tag(name).build()
    }
}

/// A slug with any text, without the rules of slugs.
pub fn slug(text: &str) -> Slug {
    Slug::from_stored(text.to_owned())
}

/// A request for this slug.
pub fn request(text: &str) -> SlugRequest {
    SlugRequest::new(slug(text))
}

/// Adds a record with a slug in a unit of its own.
pub async fn add<R: Resource>(store: &dyn Store, content: R, requested: &str) -> Stored<R> {
    add_requesting(store, content, Some(request(requested))).await
}

/// Adds a record with requests for slugs in a unit of its own.
pub async fn add_requesting<R: Resource>(
    store: &dyn Store,
    content: R,
    requests: impl Into<SlugRequests>,
) -> Stored<R> {
    let requests = requests.into();
    in_unit(store, async |to| R::repository(to).insert(content, requests).await).await.unwrap()
}

/// Changes a record in a unit of its own.
pub async fn change<R: Resource>(
    store: &dyn Store,
    before: &Stored<R>,
    content: R,
    requests: impl Into<SlugRequests>,
) -> Stored<R> {
    try_change(store, before, content, requests).await.unwrap()
}

/// Edits the content of a record in a unit of its own, without requests for slugs.
pub async fn edit<R: Resource>(
    store: &dyn Store,
    before: &Stored<R>,
    edit: impl FnOnce(&mut R),
) -> Stored<R> {
    let mut content = before.content.clone();
    edit(&mut content);
    change(store, before, content, None).await
}

/// Changes a record in a unit of its own, or rolls the unit back on an error.
pub async fn try_change<R: Resource>(
    store: &dyn Store,
    before: &Stored<R>,
    content: R,
    requests: impl Into<SlugRequests>,
) -> Result<Stored<R>, StoreError> {
    let requests = requests.into();
    try_in_unit(store, async |to| R::repository(to).update(before, content, requests).await).await
}

/// Deletes a record in a unit of its own.
pub async fn remove<R: Resource>(store: &dyn Store, id: Id<R>) -> bool {
    in_unit(store, async |to| R::repository(to).delete(id).await).await.unwrap()
}

/// The record of an ID, as committed.
pub async fn found<R: Resource>(store: &dyn Store, id: Id<R>) -> Option<Stored<R>> {
    R::repository(store.repositories()).find(id).await.unwrap()
}

/// All records of a kind, as committed.
pub async fn all<R: Resource>(store: &dyn Store) -> Vec<Stored<R>> {
    let every_id: Vec<_> = (1..=1000).map(Id::from_raw).collect();
    R::repository(store.repositories()).find_many(&every_id).await.unwrap()
}

/// The ID of a slug, as committed.
pub async fn id_of_slug<R: Resource>(store: &dyn Store, text: &str) -> Option<Id<R>> {
    let repository = R::repository(store.repositories());
    repository.find_by_slug(&slug(text)).await.unwrap()
}

/// The IDs of records, in their order.
pub fn ids<'a, R: 'static>(records: impl IntoIterator<Item = &'a Stored<R>>) -> Vec<Id<R>> {
    records.into_iter().map(|record| record.id).collect()
}

/// Records that events link.
#[derive(Clone, Debug, Default)]
pub struct Links {
    pub venues: Vec<VenueId>,
    pub organizers: Vec<OrganizerId>,
    pub categories: Vec<CategoryId>,
    pub tags: Vec<TagId>,
}

impl Links {
    /// Adds a record of each kind for each name.
    pub async fn add(to: &dyn Repositories, names: &[&str]) -> Self {
        let mut links = Self::default();
        for name in names {
            links.venues.push(venue(name).insert(to).await.id);
            links.organizers.push(organizer(name).insert(to).await.id);
            links.categories.push(category(name).insert(to).await.id);
            links.tags.push(tag(name).insert(to).await.id);
        }
        links
    }
}

/// Publication dates.
pub const DATES: [&str; 4] =
    ["2029-05-01 12:00:00", "2029-11-01 00:00:00", "2029-11-01 00:00:01", "2029-11-30 12:00:00"];

/// Dates of scheduled entries: at the moments of the readers and around them.
const SCHEDULED: [&str; 4] =
    ["2030-01-01 00:00:00", "2030-01-01 00:00:01", "2030-07-01 00:00:00", "2040-01-01 00:00:00"];

const STATUSES: [Status; 10] = [
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Future,
    Status::Future,
    Status::Draft,
    Status::Pending,
    Status::Private,
    Status::Trash,
];

/// Gives an entry a random author, status and date.
pub fn staged<D: Details>(dice: &mut Dice, builder: EntryBuilder<D>) -> EntryBuilder<D> {
    let builder = builder.author(user_id(dice.roll(3)));
    match dice.pick(&STATUSES) {
        Status::Future => builder.scheduled(dice.pick(&SCHEDULED)),
        status => builder.dated(dice.pick(&DATES)).status(status),
    }
}

/// Deletes some records of a kind, and changes others into what `varied` returns.
pub async fn shuffle<R: Sample>(
    store: &dyn Store,
    dice: &mut Dice,
    varied: impl Fn(&mut Dice) -> R,
) {
    for record in all::<R>(store).await {
        match dice.roll(4) {
            0 => assert!(remove(store, record.id).await),
            1 => {}
            _ => {
                let content = varied(dice).in_place_of(&record.content);
                change(store, &record, content, None).await;
            }
        }
    }
}

/// Gives a record translations into some languages, each with some texts.
pub fn translate<R: Record>(
    dice: &mut Dice,
    record: &mut R,
    fields: &[TextField],
    titles: &[&str],
    texts: &[&str],
) {
    for language in Language::ALL {
        if language == record.language() || dice.once_in(2) {
            continue;
        }
        let mut some = |from: &[&str]| {
            let text = dice.pick(from);
            (!text.is_empty() && dice.once_in(2)).then(|| text.to_owned())
        };
        let rich = |text: Option<String>| text.map(|text| RichText::parse(&text).unwrap());
        let translation = Translation {
            title: some(titles).map(|title| title.parse::<Title>().unwrap()),
            description: rich(some(texts)),
            text_fields: fields.iter().filter_map(|field| Some((*field, some(texts)?))).collect(),
            ..Translation::default()
        };
        record.translations_mut().put(language, translation);
    }
}

/// Makes an occurrence an override with this content.
pub async fn set_override(
    to: &dyn Repositories,
    series: &Stored<Event>,
    before: &Stored<Event>,
    content: Event,
) -> Result<Stored<Event>, StoreError> {
    let overridden = vec![(before.clone(), content)];
    let plan = OccurrencePlan { overridden, ..OccurrencePlan::default() };
    to.occurrences().apply(series, &plan).await?;
    Ok(to.events().find(before.id).await?.unwrap())
}

/// Makes an override follow its series again.
pub async fn clear_override(
    to: &dyn Repositories,
    series: &Stored<Event>,
    own: &Stored<Event>,
) -> Result<Stored<Event>, StoreError> {
    let plan = OccurrencePlan { cleared: vec![own.clone()], ..OccurrencePlan::default() };
    to.occurrences().apply(series, &plan).await?;
    Ok(to.events().find(own.id).await?.unwrap())
}

/// The overrides of a series.
pub async fn overrides(store: &dyn Store, series: EventId) -> Vec<EventId> {
    let overrides = OccurrenceFilter::overrides();
    let stored = store.repositories().occurrences().of_series(series, &overrides).await;
    stored.unwrap().iter().map(|one| one.id).collect()
}
