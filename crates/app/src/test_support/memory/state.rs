//! The state of the in-memory store.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use domain::{
    Category, Entry, Event, EventId, Id, Image, Kind, Language, Organizer, Secret, Stored, Tag,
    User, UserId, Venue,
    duplicate::Duplicate,
    event::{Tombstone, linked_events},
    image::ImageName,
    place::LinkedEvents,
    policy::Visibility,
    slug::Slug,
    source::Source,
    time::Timestamp,
};

use super::occurrence_row::OccurrenceRow;
use crate::{
    place::Place,
    ports::{
        AuditEntry, BrowserSession, EventRemark, ImportedRecord, Invitation, JournalEntry,
        Proposal, SecondFactor, SecretFeed, StoreError, StoredDuplicate, StoredSite, StoredSource,
        Token,
    },
};

/// The state of the in-memory store.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) events: Table<Event>,
    /// Overrides are included. Their IDs are among those of events.
    pub(super) occurrences: BTreeMap<EventId, OccurrenceRow>,
    pub(super) venues: Table<Venue>,
    pub(super) organizers: Table<Organizer>,
    pub(super) categories: Table<Category>,
    pub(super) tags: Table<Tag>,
    pub(super) images: Table<Image>,
    /// The names of all images, deleted ones included.
    pub(super) image_names: BTreeSet<ImageName>,
    pub(super) users: Table<User>,
    /// The hashes of passwords.
    pub(super) passwords: BTreeMap<UserId, Secret>,
    pub(super) second_factors: BTreeMap<UserId, SecondFactor>,
    pub(super) invitations: BTreeMap<UserId, Invitation>,
    /// By hash.
    pub(super) sessions: BTreeMap<String, BrowserSession>,
    pub(super) remarks: BTreeMap<EventId, EventRemark>,
    pub(super) verified: BTreeMap<EventId, Timestamp>,
    pub(super) proposals: BTreeMap<EventId, Proposal>,
    /// By ID.
    pub(super) tokens: Vec<Token>,
    /// The ID of the token added last, which may be deleted already.
    pub(super) last_token: i64,
    pub(super) imports: BTreeMap<(String, i64), EventId>,
    /// By source, kind and identifier.
    pub(super) imported: BTreeMap<(String, Kind, String), ImportedRecord>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) site: StoredSite,
    pub(super) answers: BTreeMap<String, ClaimedKey>,
    pub(super) journal: JournalEntries,
    /// By UID.
    pub(super) tombstones: BTreeMap<String, Tombstone>,
    pub(super) feeds: BTreeMap<Id<SecretFeed>, SecretFeed>,
    /// The ID of the feed added last, which may be deleted already.
    pub(super) last_feed: i64,
    pub(super) sources: BTreeMap<Id<Source>, StoredSource>,
    /// The ID of the source added last, which may be deleted already.
    pub(super) last_source: i64,
    pub(super) duplicates: BTreeMap<Id<Duplicate>, StoredDuplicate>,
    /// The ID of the pair added last, which may be deleted already.
    pub(super) last_duplicate: i64,
    /// By number.
    pub(super) trail: VecDeque<AuditEntry>,
    /// The number of the entry added last.
    pub(super) last_entry: i64,
}

/// An idempotency key: the digest of its request, its answer once stored, and its expiry.
#[derive(Clone, Debug)]
pub(super) struct ClaimedKey {
    pub(super) digest: String,
    pub(super) answer: Option<String>,
    pub(super) expires: Timestamp,
}

/// The entries of the journal that are not deleted, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct JournalEntries(pub(super) VecDeque<StoredEntry>);

/// An entry of the journal as stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredEntry {
    pub(super) entry: JournalEntry,
    /// When it was made.
    pub(super) at: Timestamp,
    /// Whether the record and the cause of its change were or are public.
    pub(super) is_public: bool,
}

/// The records of one kind.
#[derive(Clone, Debug)]
pub(super) struct Table<R> {
    pub(super) rows: BTreeMap<Id<R>, Stored<R>>,
    /// Former slugs, each with the last record that gave it up.
    pub(super) former_slugs: BTreeMap<Slug, (Id<R>, Language)>,
    /// The records that were kept for later, in the order in which that happened.
    pub(super) kept: Vec<Stored<R>>,
    /// ID of the record added last, which may be deleted already.
    last_id: i64,
}

// Written by hand: a derive would require `R: Default`.
impl<R> Default for Table<R> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            former_slugs: BTreeMap::new(),
            kept: Vec::new(),
            last_id: 0,
        }
    }
}

impl<R: Clone> Table<R> {
    /// Adds a record under the next ID.
    pub(super) fn add(&mut self, content: R) -> Stored<R> {
        let stored = Stored {
            id: self.next_id(),
            revision: 1,
            content,
        };
        self.add_at(stored)
    }

    /// Adds a record under an ID that no record has.
    pub(super) fn add_at(&mut self, stored: Stored<R>) -> Stored<R> {
        self.skip_to(stored.id);
        self.rows.insert(stored.id, stored.clone());
        stored
    }

    /// Makes later records get greater IDs.
    pub(super) fn skip_to(&mut self, id: Id<R>) {
        self.last_id = self.last_id.max(id.get());
    }

    /// An ID that no record has had.
    pub(super) fn next_id(&mut self) -> Id<R> {
        self.last_id += 1;
        Id::from_raw(self.last_id)
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

    /// The events of a venue or an organizer that the caller may list.
    pub(super) fn linked_events<D: Place>(
        &self,
        id: Id<Entry<D>>,
        visibility: &Visibility,
    ) -> LinkedEvents {
        let links = |event: &&Stored<Event>| D::of_event(event).contains(&id);
        let events: Vec<_> = self.events.rows.values().filter(links).collect();
        let series: BTreeSet<_> = events.iter().map(|event| event.id).collect();
        let plain: Vec<_> = self
            .plain_occurrences(|row| series.contains(&row.series))
            .collect();
        let all = events.into_iter().chain(&plain);
        linked_events(all.map(|event| &event.content), visibility)
    }
}
