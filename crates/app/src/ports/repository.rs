//! The repositories of records.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{
    CategoryId, Event, EventId, Id, Language, Organizer, OrganizerId, Record, Stored, TagId, Term,
    Venue, VenueId,
    page::Page,
    policy::Visibility,
    query::Query,
    slug::Slug,
    term::{Categories, Tags, Taxonomy},
    time::Timestamp,
};

use super::StoreError;

/// The slugs requested for a record: for its original and for its translations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlugRequests {
    /// For the original.
    pub original: Option<SlugRequest>,
    /// For the translations, by language.
    pub translations: BTreeMap<Language, SlugRequest>,
}

impl SlugRequests {
    /// Whether no slug is requested.
    pub fn is_empty(&self) -> bool {
        self.original.is_none() && self.translations.is_empty()
    }
}

impl From<Option<SlugRequest>> for SlugRequests {
    fn from(original: Option<SlugRequest>) -> Self {
        Self {
            original,
            ..Self::default()
        }
    }
}

impl From<SlugRequest> for SlugRequests {
    fn from(original: SlugRequest) -> Self {
        Some(original).into()
    }
}

/// The slugs requested for a record in one language, in order of preference.
///
/// The first free one is taken; if none is, the last with a free number from 2 on. That is the first
/// one while few are taken; among many, a store need not look for gaps. A reserved one is never free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlugRequest {
    /// At least one.
    candidates: Vec<Slug>,
    from_name: bool,
}

impl SlugRequest {
    /// Requests one slug.
    pub fn new(slug: Slug) -> Self {
        Self {
            candidates: vec![slug],
            from_name: false,
        }
    }

    /// Requests the slug made from a name, as the client chose none.
    pub fn from_name(slug: Slug) -> Self {
        Self {
            candidates: vec![slug],
            from_name: true,
        }
    }

    /// Whether the slug is made from a name.
    pub fn is_from_name(&self) -> bool {
        self.from_name
    }

    /// Adds a candidate for the case that all candidates before are taken.
    #[must_use]
    pub fn or(mut self, slug: Slug) -> Self {
        self.candidates.push(slug);
        self
    }

    /// The slugs in order of preference.
    pub fn candidates(&self) -> &[Slug] {
        &self.candidates
    }

    /// The last candidate, to which the store appends a number.
    pub fn last(&self) -> &Slug {
        &self.candidates[self.candidates.len() - 1]
    }
}

/// Stores the records of one kind.
#[cfg_attr(test, mockall::automock)]
#[async_trait]
pub trait Repository<R: Record>: Send + Sync {
    /// The record of an ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn find(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError>;

    /// The same; nobody else changes it before this unit of work ends.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_for_update(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError>;

    /// The records of some IDs, in their order, without those that do not exist. The number of
    /// statements MUST NOT depend on how many they are.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_many(&self, ids: &[Id<R>]) -> Result<Vec<Stored<R>>, StoreError>;

    /// The ID of a slug, of whichever language.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Id<R>>, StoreError>;

    /// The records whose folded title or name is one of these in some language, by ID. The number of
    /// statements MUST NOT depend on how many they are.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<R>>, StoreError>;

    /// Takes these folded names for who means to add records of them, and looks for them again: until
    /// this unit of work ends, whoever else takes one of them waits. Units that take the same names
    /// in one call never wait for each other in a circle.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn lock_names(&self, folded: &[String]) -> Result<(), StoreError>;

    /// Takes all links between records of this kind and their parents: until this unit of work ends,
    /// whoever else takes them waits. Who is about to set a parent does so before anything else, and
    /// then looks whether the parent may be one.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn lock_tree(&self) -> Result<(), StoreError>;

    /// The IDs on a page of a list, and the length of the list.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn page(&self, query: &Query<R::Filter>) -> Result<Page<Id<R>>, StoreError>;

    /// Adds a record. Its slugs are those that the wishes lead to, whatever the content says. Slugs
    /// of one record may be equal.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] for a term whose name a sibling has and for whose slug nobody
    /// wished but its name, where the store can tell; else as for `find`.
    async fn insert(&self, content: R, slugs: SlugRequests) -> Result<Stored<R>, StoreError>;

    /// Changes a record. In a language with a wish it gives its slug back and takes the one that the
    /// wish leads to; without, it keeps its slug, but a translation without one in `content` gives
    /// it back. The revision grows by one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if the record is no longer at the revision of `before`; else as for
    /// `find`.
    async fn update(
        &self,
        before: &Stored<R>,
        content: R,
        slugs: SlugRequests,
    ) -> Result<Stored<R>, StoreError>;

    /// Notes that a record gave up some slugs, each with the language that it was in. Of several records
    /// that gave up the same slug, the last one counts.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn give_up_slugs(&self, id: Id<R>, slugs: &[(Language, Slug)]) -> Result<(), StoreError>;

    /// The record that was the last to give up a slug, and the language that the slug was in; whichever
    /// record has the slug by now.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_by_former_slug(
        &self,
        slug: &Slug,
    ) -> Result<Option<(Id<R>, Language)>, StoreError>;

    /// Removes a record for good, with its slugs, present and former, its translations and its links; tells
    /// whether it was there.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn delete(&self, id: Id<R>) -> Result<bool, StoreError>;
}

/// IDs of what events name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelatedIds {
    /// Of categories.
    pub categories: Vec<CategoryId>,
    /// Of tags.
    pub tags: Vec<TagId>,
    /// Of venues.
    pub venues: Vec<VenueId>,
    /// Of organizers.
    pub organizers: Vec<OrganizerId>,
}

/// The records that events name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelatedRecords {
    /// Categories and all above them.
    pub categories: Vec<TermWithCount<Categories>>,
    /// Tags.
    pub tags: Vec<TermWithCount<Tags>>,
    /// Venues, in the order of their IDs.
    pub venues: Vec<Stored<Venue>>,
    /// Organizers, in the order of their IDs.
    pub organizers: Vec<Stored<Organizer>>,
}

/// Folded names of what an event names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelatedNames {
    /// Of categories.
    pub categories: Vec<String>,
    /// Of tags.
    pub tags: Vec<String>,
    /// Of venues.
    pub venues: Vec<String>,
    /// Of organizers.
    pub organizers: Vec<String>,
}

/// The queries that only events have.
#[async_trait]
pub trait EventRepository: Repository<Event> {
    /// This event and all that it is a part of, through however many others; none if it does not
    /// exist.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn ancestors(&self, id: EventId) -> Result<Vec<EventId>, StoreError>;

    /// What events name, with the numbers of events of the moment `now`; what does not exist is left
    /// out. The number of statements MUST NOT depend on how many they are.
    ///
    /// # Errors
    ///
    /// As for `lineage`.
    async fn load_related(
        &self,
        ids: &RelatedIds,
        now: Timestamp,
    ) -> Result<RelatedRecords, StoreError>;

    /// Is told which names are about to be looked up one kind after the other, so that a store in which
    /// they cannot change meanwhile may look for all of them at once.
    ///
    /// # Errors
    ///
    /// As for `lineage`.
    async fn prefetch_names(&self, _names: &RelatedNames) -> Result<(), StoreError> {
        Ok(())
    }

    /// The IDs among `ids` of events that a reader sees where other records name them
    /// ([`Visibility::links`]). The number of statements MUST NOT depend on how many they are.
    ///
    /// # Errors
    ///
    /// As for `lineage`.
    async fn visible_ids(
        &self,
        ids: &[EventId],
        visibility: &Visibility,
    ) -> Result<Vec<EventId>, StoreError>;

    /// Events with a password that a reader may know of ([`Visibility::links`]) and may not edit, of one
    /// ID or of all, and whether the password of `visibility` opens each. The events that it opens come
    /// first, then those with the smallest IDs; at most `limit`.
    ///
    /// # Errors
    ///
    /// As for `lineage`.
    async fn find_password_protected(
        &self,
        id: Option<EventId>,
        visibility: &Visibility,
        limit: usize,
    ) -> Result<Vec<(EventId, bool)>, StoreError>;
}

/// A term and the number of events that carry it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermWithCount<X: Taxonomy> {
    /// The term.
    pub term: Stored<Term<X>>,
    /// How many events carry it that everybody may see.
    pub events: u64,
}

/// The queries that only terms have.
#[async_trait]
pub trait TermRepository<X: Taxonomy>: Repository<Term<X>> {
    /// These terms and all above them, with the events of the moment `now`; in one statement.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn find_with_counts(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<Vec<TermWithCount<X>>, StoreError>;

    /// These terms and all above them.
    ///
    /// # Errors
    ///
    /// As for `counted`.
    async fn with_ancestors(
        &self,
        ids: &[Id<Term<X>>],
    ) -> Result<Vec<Stored<Term<X>>>, StoreError> {
        let found = self
            .find_with_counts(ids, Timestamp::MAX)
            .await?
            .into_iter();
        Ok(found.map(|one| one.term).collect())
    }
}
