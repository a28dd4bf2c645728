//! Records of any kind, and shorthands to write them.

use std::collections::HashMap;

use app::{
    ports::{
        ImportLedger, Repositories, SlugRequest, SlugRequests, Store, StoreError, TermRepository,
    },
    resource::Resource,
    test_support::{category, event, organizer, tag, user, venue},
};
use domain::{
    Category, Event, Id, Language, Organizer, Record, Role, Stored, Tag, Term, TextField,
    Translation, UserId, Venue, html::RichText, slug::Slug, term::Taxonomy, text::Title,
    time::Timestamp,
};

/// The users that every store here starts with, by ID from 1.
pub(super) const USERS: [&str; 3] = ["ada", "ben", "cleo"];

/// The ID of one of [`USERS`].
pub(super) fn user_id(place: usize) -> UserId {
    Id::from_raw(i64::try_from(place + 1).unwrap())
}

/// Adds [`USERS`], who are the authors of other records.
pub(super) async fn add_users(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    for (place, name) in USERS.into_iter().enumerate() {
        let added = unit.users().insert(user(name, Role::Author)).await;
        assert_eq!(added.unwrap().unwrap().id, user_id(place));
    }
    unit.commit().await.unwrap();
}

/// Whether the row of a file was imported.
pub(super) async fn is_imported(
    ledger: &dyn ImportLedger,
    digest: &str,
    ordinal: i64,
) -> Result<bool, StoreError> {
    let known = ledger.known(&[digest.to_owned()]).await?;
    Ok(known.contains(&(digest.to_owned(), ordinal)))
}

/// The number of public events that carry each of some terms, and each ancestor of them.
pub(super) async fn counts<X: Taxonomy>(
    terms: &dyn TermRepository<X>,
    ids: &[Id<Term<X>>],
    now: Timestamp,
) -> HashMap<Id<Term<X>>, u64> {
    let counted = terms.find_with_counts(ids, now).await.unwrap();
    let counts = counted.into_iter().map(|one| (one.term.id, one.events));
    counts.collect()
}

/// Runs work in a unit of its own.
pub(super) async fn in_unit<T>(
    store: &dyn Store,
    work: impl AsyncFnOnce(&dyn Repositories) -> T,
) -> T {
    let unit = store.begin().await.unwrap();
    let outcome = work(&*unit).await;
    unit.commit().await.unwrap();
    outcome
}

/// A kind of record, for rules of all kinds.
pub(super) trait Sample: Resource {
    /// A public record of this name, by the first user. Two terms of one name must not both request
    /// the slug made of it.
    fn sample(name: &str) -> Self;
    /// The same with another slug.
    fn with_slug(self, slug: Option<&Slug>) -> Self;
    /// The same with another name.
    fn named(self, name: &str) -> Self;
    /// Takes over the immutable identifiers of `before`.
    #[must_use]
    fn in_place_of(self, before: &Self) -> Self {
        let _ = before;
        self
    }
}

/// The shared implementation of the three kinds of entry.
macro_rules! entry_sample {
    ($builder:ident) => {
        fn sample(name: &str) -> Self {
            $builder(name).build()
        }

        fn with_slug(mut self, slug: Option<&Slug>) -> Self {
            self.slug = slug.cloned();
            self
        }

        fn named(mut self, name: &str) -> Self {
            self.title = name.parse::<Title>().unwrap();
            self
        }
    };
}

impl Sample for Event {
    entry_sample!(event);

    fn in_place_of(mut self, before: &Self) -> Self {
        self.details.uid.clone_from(&before.details.uid);
        self
    }
}

impl Sample for Venue {
    entry_sample!(venue);
}

impl Sample for Organizer {
    entry_sample!(organizer);
}

/// The shared implementation of the two kinds of term.
macro_rules! term_sample {
    ($builder:ident) => {
        fn sample(name: &str) -> Self {
            $builder(name).build()
        }

        fn with_slug(mut self, slug: Option<&Slug>) -> Self {
            self.slug = slug.unwrap().clone();
            self
        }

        fn named(mut self, name: &str) -> Self {
            self.name = name.parse::<Title>().unwrap();
            self
        }
    };
}

impl Sample for Category {
    term_sample!(category);
}

impl Sample for Tag {
    term_sample!(tag);
}

/// Calls a generic rule for each kind of record.
macro_rules! for_each_kind {
    ($rule:ident($store:expr)) => {
        $rule::<domain::Event>($store).await;
        $rule::<domain::Venue>($store).await;
        $rule::<domain::Organizer>($store).await;
        $rule::<domain::Category>($store).await;
        $rule::<domain::Tag>($store).await;
    };
}
pub(super) use for_each_kind;

/// A slug with any text, without the rules of slugs.
pub(super) fn slug(text: &str) -> Slug {
    Slug::from_stored(text.to_owned())
}

/// A request for this slug.
pub(super) fn request(text: &str) -> SlugRequest {
    SlugRequest::new(slug(text))
}

/// Adds a record with a slug in a unit of its own.
pub(super) async fn add<R: Resource>(store: &dyn Store, content: R, requested: &str) -> Stored<R> {
    add_requesting(store, content, Some(request(requested))).await
}

/// Adds a record with requests for slugs in a unit of its own.
pub(super) async fn add_requesting<R: Resource>(
    store: &dyn Store,
    content: R,
    requests: impl Into<SlugRequests>,
) -> Stored<R> {
    let requests = requests.into();
    in_unit(store, async |to| R::repository(to).insert(content, requests).await).await.unwrap()
}

/// Changes a record in a unit of its own.
pub(super) async fn change<R: Resource>(
    store: &dyn Store,
    before: &Stored<R>,
    content: R,
    requests: impl Into<SlugRequests>,
) -> Stored<R> {
    try_change(store, before, content, requests).await.unwrap()
}

/// Changes a record in a unit of its own, or rolls the unit back on an error.
pub(super) async fn try_change<R: Resource>(
    store: &dyn Store,
    before: &Stored<R>,
    content: R,
    requests: impl Into<SlugRequests>,
) -> Result<Stored<R>, StoreError> {
    let unit = store.begin().await.unwrap();
    let changed = R::repository(&*unit).update(before, content, requests.into()).await;
    match changed {
        Ok(_) => unit.commit().await.unwrap(),
        Err(_) => unit.rollback().await.unwrap(),
    }
    changed
}

/// Deletes a record in a unit of its own.
pub(super) async fn remove<R: Resource>(store: &dyn Store, id: Id<R>) -> bool {
    in_unit(store, async |to| R::repository(to).delete(id).await).await.unwrap()
}

/// The record of an ID, as committed.
pub(super) async fn found<R: Resource>(store: &dyn Store, id: Id<R>) -> Option<Stored<R>> {
    R::repository(store.repositories()).find(id).await.unwrap()
}

/// The ID of a slug, as committed.
pub(super) async fn id_of_slug<R: Resource>(store: &dyn Store, text: &str) -> Option<Id<R>> {
    let repository = R::repository(store.repositories());
    repository.find_by_slug(&slug(text)).await.unwrap()
}

/// The IDs of records, in their order.
pub(super) fn ids<'a, R: 'static>(records: impl IntoIterator<Item = &'a Stored<R>>) -> Vec<Id<R>> {
    records.into_iter().map(|record| record.id).collect()
}

/// Pseudo-random numbers, the same in each run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below `sides`.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        // Knuth's MMIX generator; its upper bits are the good ones.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    /// True once in `sides` times.
    pub(super) fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    /// One of these values.
    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())].clone()
    }

    /// Some of these values, each at most once, in any order.
    pub(super) fn some<T: Clone>(&mut self, from: &[T], at_most: usize) -> Vec<T> {
        let mut left = from.to_vec();
        let mut taken = Vec::new();
        for _ in 0..self.roll(at_most.min(from.len()) + 1) {
            let place = self.roll(left.len());
            taken.push(left.swap_remove(place));
        }
        taken
    }
}

/// Gives a record translations into some languages, each with some texts.
pub(super) fn translate<R: Record>(
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
