//! The state of the in-memory store.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Category, CategoryId, Entry, Event, EventId, Id, Image, Language, Organizer, Status, Stored,
    Tag, Term, User, UserId, Venue, event::counts_for_links, image::ImageName, place::LinkedEvents,
    policy::Visibility, slug::Slug, time::Timestamp,
};

use crate::{
    place::Place,
    ports::{StoreError, Token},
    term::TermKind,
};

/// The state of the in-memory store.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) events: Table<Event>,
    pub(super) venues: Table<Venue>,
    pub(super) organizers: Table<Organizer>,
    pub(super) categories: Table<Category>,
    pub(super) tags: Table<Tag>,
    pub(super) images: Table<Image>,
    /// The names of all images, deleted ones included.
    pub(super) image_names: BTreeSet<ImageName>,
    pub(super) users: Table<User>,
    /// By ID: no token is ever deleted.
    pub(super) tokens: Vec<Token>,
    pub(super) imports: BTreeMap<(String, i64), EventId>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) answers: BTreeMap<String, ClaimedKey>,
}

/// An idempotency key: the digest of its request, its answer once stored, and its expiry.
#[derive(Clone, Debug)]
pub(super) struct ClaimedKey {
    pub(super) digest: String,
    pub(super) answer: Option<String>,
    pub(super) expires: Timestamp,
}

/// The records of one kind.
#[derive(Clone, Debug)]
pub(super) struct Table<R> {
    pub(super) rows: BTreeMap<Id<R>, Stored<R>>,
    /// Former slugs, each with the last record that gave it up.
    pub(super) former_slugs: BTreeMap<Slug, (Id<R>, Language)>,
    /// ID of the record added last, which may be deleted already.
    last_id: i64,
}

// Written by hand: a derive would require `R: Default`.
impl<R> Default for Table<R> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            former_slugs: BTreeMap::new(),
            last_id: 0,
        }
    }
}

impl<R: Clone> Table<R> {
    /// Adds a record under the next ID.
    pub(super) fn add(&mut self, content: R) -> Stored<R> {
        self.last_id += 1;
        let stored = Stored {
            id: Id::from_raw(self.last_id),
            revision: 1,
            content,
        };
        self.rows.insert(stored.id, stored.clone());
        stored
    }

    pub(super) fn get(&self, id: Id<R>) -> Option<&Stored<R>> {
        self.rows.get(&id)
    }

    pub(super) fn holds(&self, id: Id<R>) -> bool {
        self.rows.contains_key(&id)
    }

    /// The contents, for changes without a new revision.
    pub(super) fn contents_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.rows.values_mut().map(|stored| &mut stored.content)
    }
}

impl State {
    /// Fails unless a user exists.
    pub(super) fn check_user(&self, id: UserId) -> Result<(), StoreError> {
        if self.users.holds(id) {
            Ok(())
        } else {
            Err(StoreError::Internal(format!("there is no user {id}")))
        }
    }

    /// These categories and their descendants.
    pub(super) fn categories_below(&self, ids: &[CategoryId]) -> Vec<CategoryId> {
        let mut found = ids.to_vec();
        let mut looked_below = 0;
        while let Some(&above) = found.get(looked_below) {
            looked_below += 1;
            for category in self.categories.rows.values() {
                if category.parent == Some(above) && !found.contains(&category.id) {
                    found.push(category.id);
                }
            }
        }
        found
    }

    /// The events of a venue or an organizer that the caller may list.
    pub(super) fn linked_events<D: Place>(
        &self,
        id: Id<Entry<D>>,
        visibility: &Visibility,
    ) -> LinkedEvents {
        let mut linked = LinkedEvents::default();
        for event in self.events.rows.values() {
            if D::of_event(event).contains(&id) && counts_for_links(event, visibility) {
                linked.any = true;
                linked.upcoming |= event.details.when.start().utc >= visibility.now;
            }
        }
        linked
    }

    /// The number of public events that carry a term.
    pub(super) fn count<X: TermKind>(&self, id: Id<Term<X>>, now: Timestamp) -> u64 {
        let public = |event: &&Stored<Event>| {
            event.counts_for_terms() && event.status(now) == Status::Publish
        };
        let events = self.events.rows.values().filter(public);
        let carrying = events.filter(|event| X::of_event(event).contains(&id));
        carrying.map(|_| 1).sum()
    }
}
