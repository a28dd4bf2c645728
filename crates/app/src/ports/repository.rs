//! The repositories of records.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{
    CategoryId, Event, EventId, Id, Language, Organizer, OrganizerId, Record, Stored, TagId, Term,
    Venue, VenueId,
    event::{EventSpan, Window},
    index::{IndexEntry, IndexQuery},
    page::Page,
    policy::Visibility,
    query::Query,
    slug::Slug,
    term::{Categories, Tags, Taxonomy},
    time::Timestamp,
};

use super::{StoreError, Tally};

/// The slugs requested for a record: for its original and for its translations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlugRequests {
    /// The request for the original.
    pub original: Option<SlugRequest>,
    /// The requests for the translations, by language.
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
/// The store assigns the first free candidate, or else the last one with a free number from 2 on:
/// the smallest one while few are taken; among many, a store may leave gaps. A reserved slug is
/// never free.
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

    /// Requests the slug made from a name, because the client sent no slug.
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

    /// Adds a candidate for the case that all candidates so far are taken.
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
///
/// ```
/// use events_calendar_app::{
///     ports::{Repositories, Repository, SlugRequest, SlugRequests, Store},
///     test_support::{InMemoryStore, add_user, at, venue},
/// };
/// use domain::{
///     Language, Role, Venue, VenueId,
///     index::IndexQuery,
///     page::PageRequest,
///     place::PlaceFilter,
///     policy::{Caller, Visibility},
///     query::Query,
///     slug::Slug,
///     text::fold,
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// add_user(&store, "ada", Role::Editor).await;
/// let unit = store.begin().await?;
/// let venues: &dyn Repository<Venue> = unit.venues();
///
/// // A write requests slugs in order of preference; the store assigns a free one.
/// let [slug, town] = ["Old Mill", "Lyon"].map(|text| Slug::normalize(text).unwrap());
/// let request = SlugRequest::new(slug.clone()).or(slug.appended(&town));
/// assert_eq!(request.candidates().len(), 2);
/// assert_eq!(request.last().as_str(), "old-mill-lyon");
/// assert!(SlugRequest::from_name(slug.clone()).is_from_name());
/// let mill = venues.insert(venue("Old Mill").build(), request.clone().into()).await?;
/// let other = venues.insert(venue("Old Mill").build(), request.into()).await?;
/// assert_eq!(other.slug.as_ref().unwrap().as_str(), "old-mill-lyon");
///
/// // A given ID, unless a record has it. Later records get greater IDs.
/// let (seven, tower) = (VenueId::from_raw(7), venue("Tower").build());
/// let tower = domain::Stored { id: seven, revision: 3, content: tower };
/// let at_seven = venues.insert_at(tower.clone(), SlugRequests::default()).await?;
/// assert_eq!(at_seven, Some(tower.clone()));
/// assert_eq!(venues.insert_at(tower, SlugRequests::default()).await?, None);
/// assert_eq!(venues.ids_after(Some(mill.id), 2).await?, [other.id, seven]);
/// assert!(venues.delete(seven).await?);
///
/// // Look-ups, which read the writes of the unit.
/// assert_eq!(venues.find(mill.id).await?, Some(mill.clone()));
/// let many = venues.find_many(&[other.id, mill.id]).await?;
/// assert_eq!(many, [other.clone(), mill.clone()]);
/// assert_eq!(venues.find_by_slug(&slug).await?, Some(mill.id));
/// assert_eq!(venues.find_named(&[fold("OLD MILL")]).await?.len(), 2);
/// let query = Query {
///     visibility: Visibility::new(Caller::Anonymous, at("2030-01-01 00:00:00")),
///     filter: PlaceFilter::default(),
///     page: PageRequest::new(1, 10, 100),
/// };
/// assert_eq!(venues.page(&query).await?.total, 2);
/// let now = query.visibility.now;
/// let query = IndexQuery { language: Language::English, now, page: query.page };
/// assert_eq!(venues.index(&query).await?.rows[0].upcoming, 0);
///
/// // A change locks what it depends on, and counts as one revision.
/// venues.lock_names(&[fold("Old Mill")]).await?;
/// venues.lock_tree().await?;
/// let before = venues.find_for_update(mill.id).await?.unwrap();
/// let mut content = before.content.clone();
/// content.details.city = "Lyon".to_owned();
/// let unchanged = SlugRequests::default();
/// assert!(unchanged.is_empty());
/// let after = venues.update(&before, content, unchanged).await?;
/// assert_eq!(after.revision, before.revision + 1);
///
/// // What it was can be kept.
/// let text = venues.keep(mill.id).await?.unwrap();
/// assert_eq!(venues.kept(&text).await?, Some(after));
///
/// // A slug that a record gave up still leads to it.
/// let former = Slug::normalize("mill").unwrap();
/// venues.give_up_slugs(mill.id, &[(Language::English, former.clone())]).await?;
/// let found = venues.find_by_former_slug(&former).await?;
/// assert_eq!(found, Some((mill.id, Language::English)));
/// let all = venues.former_slugs(&[mill.id]).await?;
/// assert_eq!(all, [(mill.id, Language::English, former)]);
/// assert!(venues.delete(other.id).await?);
/// unit.commit().await?;
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait Repository<R: Record>: Send + Sync {
    /// The record with an ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn find(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError>;

    /// Locks and returns the record with an ID: no other unit of work can change it before this
    /// unit ends.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_for_update(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError>;

    /// The records with these IDs, in their order, without those that do not exist. The number of
    /// statements MUST NOT depend on the number of IDs.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_many(&self, ids: &[Id<R>]) -> Result<Vec<Stored<R>>, StoreError>;

    /// The ID of the record with a slug in any language.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Id<R>>, StoreError>;

    /// The records whose folded title or name in any language is one of these, sorted by ID. The
    /// number of statements MUST NOT depend on the number of names.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<R>>, StoreError>;

    /// Locks folded names for a caller that is about to look them up and then add records with
    /// them. Another unit of work that locks one of them waits until this unit ends. Units that
    /// lock the same names in one call never deadlock.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn lock_names(&self, folded: &[String]) -> Result<(), StoreError>;

    /// Locks all links between records of this kind and their parents. Another unit of work that
    /// locks them waits until this unit ends. A caller that sets a parent MUST take this lock
    /// first, and then check the parent.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn lock_tree(&self) -> Result<(), StoreError>;

    /// A page of the IDs in a list, and the list's total.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn page(&self, query: &Query<R::Filter>) -> Result<Page<Id<R>>, StoreError>;

    /// A page of the index of the kind, with its total, as [`IndexQuery::list`] says; an index of events is
    /// empty. The number of statements MUST NOT depend on the number of records.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn index(&self, query: &IndexQuery) -> Result<Page<IndexEntry<R>>, StoreError>;

    /// Adds a record. The store assigns its slugs by the requests, whatever slugs the content has.
    /// The slugs of one record may be equal.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] for a term whose name a sibling has, if its slug is made from its
    /// name and the store detects that; else as for `find`.
    async fn insert(&self, content: R, slugs: SlugRequests) -> Result<Stored<R>, StoreError>;

    /// Adds a record with its positive ID and its revision, as [`insert`](Self::insert) does with the
    /// next ID and the first revision. Later records get greater IDs. None, without a change, if the ID
    /// is taken.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] also if a concurrent unit of work takes the ID; else as for `insert`.
    async fn insert_at(
        &self,
        record: Stored<R>,
        slugs: SlugRequests,
    ) -> Result<Option<Stored<R>>, StoreError>;

    /// Changes a record. In a language with a request, the record releases its slug and gets the
    /// requested one. Without a request it keeps its slug; a translation without a slug in
    /// `content` releases its slug. The revision grows by one.
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

    /// Records the slugs that a record gave up, each with its language. If several records gave up
    /// the same slug, the last one counts.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn give_up_slugs(&self, id: Id<R>, slugs: &[(Language, Slug)]) -> Result<(), StoreError>;

    /// The record that last gave up a slug, and the language of the slug, regardless of the slug's
    /// present owner.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn find_by_former_slug(
        &self,
        slug: &Slug,
    ) -> Result<Option<(Id<R>, Language)>, StoreError>;

    /// The IDs of records after one, in order, at most `limit`: of all records that can be listed by
    /// anybody, those in the trash, and series. Occurrences are among them if they have a record of
    /// their own.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn ids_after(&self, after: Option<Id<R>>, limit: usize)
    -> Result<Vec<Id<R>>, StoreError>;

    /// The slugs that lead to these records as [`find_by_former_slug`](Self::find_by_former_slug) says,
    /// in the order of the IDs and the slugs.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn former_slugs(&self, ids: &[Id<R>])
    -> Result<Vec<(Id<R>, Language, Slug)>, StoreError>;

    /// A text from which [`kept`](Self::kept) makes a record as it is now, with its translations and links. It is of use to
    /// this store alone. The method is part of a unit of work.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn keep(&self, id: Id<R>) -> Result<Option<String>, StoreError>;

    /// The record of a text of [`keep`](Self::keep); `None` if the text is from a former version of the store.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn kept(&self, text: &str) -> Result<Option<Stored<R>>, StoreError>;

    /// Deletes a record permanently, with its present and former slugs, its translations and its
    /// links. Returns whether the record existed.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn delete(&self, id: Id<R>) -> Result<bool, StoreError>;
}

/// IDs of the records that events name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelatedIds {
    /// IDs of categories.
    pub categories: Vec<CategoryId>,
    /// IDs of tags.
    pub tags: Vec<TagId>,
    /// IDs of venues.
    pub venues: Vec<VenueId>,
    /// IDs of organizers.
    pub organizers: Vec<OrganizerId>,
}

/// The records that events name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelatedRecords {
    /// Categories and their ancestors.
    pub categories: Vec<TermWithCount<Categories>>,
    /// Tags.
    pub tags: Vec<TermWithCount<Tags>>,
    /// Venues, in the order of their IDs.
    pub venues: Vec<Stored<Venue>>,
    /// Organizers, in the order of their IDs.
    pub organizers: Vec<Stored<Organizer>>,
}

/// Folded names and IDs of the records that a write of an event names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelatedKeys {
    /// Names of categories.
    pub categories: Vec<String>,
    /// Names of tags.
    pub tags: Vec<String>,
    /// Names of venues.
    pub venues: Vec<String>,
    /// Names of organizers.
    pub organizers: Vec<String>,
    /// IDs of categories.
    pub category_ids: Vec<CategoryId>,
    /// IDs of tags.
    pub tag_ids: Vec<TagId>,
    /// IDs of venues.
    pub venue_ids: Vec<VenueId>,
    /// IDs of organizers.
    pub organizer_ids: Vec<OrganizerId>,
}

/// The queries that only events have.
///
/// ```
/// use events_calendar_app::{
///     ports::{
///         EventRepository, RelatedIds, RelatedKeys, RelatedRecords, Repositories, Store,
///         TermRepository, TermWithCount,
///     },
///     test_support::{InMemoryStore, add_user, at, event, in_unit, tag},
/// };
/// use domain::{Role, event::Window, policy::{Caller, Visibility}, term::Tags, text::fold};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// add_user(&store, "ada", Role::Editor).await;
/// let (fair, stand, loud) = in_unit(&store, async |unit| {
///     let loud = tag("Loud").insert(unit).await;
///     let fair = event("Fair").tags(&[loud.id]).insert(unit).await;
///     let stand = event("Stand").with(|one| one.details.parent = Some(fair.id));
///     (fair.id, stand.password_hash("5f").insert(unit).await.id, loud.id)
/// })
/// .await;
/// let now = at("2030-01-01 00:00:00");
/// let nobody = Visibility::new(Caller::Anonymous, now);
///
/// let events: &dyn EventRepository = store.events();
/// assert_eq!(events.ancestors(stand).await?, [stand, fair]);
/// assert_eq!(events.linkable_ids(&[fair], &nobody).await?, [fair]);
/// assert_eq!(events.recorded(&[fair]).await?, [fair]);
/// assert_eq!(events.neighbours(&[fair]).await?, []);
/// let uid = events.find(fair).await?.unwrap().details.uid.clone();
/// assert_eq!(events.find_uids(&[uid.clone(), "another".to_owned()]).await?, [(uid, fair)]);
/// let start = events.find(fair).await?.unwrap().details.when.start().utc;
/// assert_eq!(events.find_titled("fair", start).await?, [fair]);
/// let locked = events.find_password_protected(None, &nobody, 10).await?;
/// assert_eq!(locked, [(stand, false)]);
/// events.prefetch(&RelatedKeys { tags: vec![fold("Loud")], ..RelatedKeys::default() }).await?;
/// let ids = RelatedIds { tags: vec![loud], ..RelatedIds::default() };
/// let RelatedRecords { tags: related, .. } = events.load_related(&ids, now).await?;
/// assert_eq!(related[0].events, 1);
/// let [first, _last] = events.extent(now).await?.unwrap();
/// assert_eq!(first.start, start);
/// assert_eq!(events.spans(&Window::default(), now, 10).await?.len(), 2);
///
/// let tags: &dyn TermRepository<Tags> = store.tags();
/// let counted: Vec<TermWithCount<Tags>> = tags.find_with_counts(&[loud], now).await?;
/// assert_eq!(counted, related);
/// assert_eq!(tags.with_ancestors(&[loud]).await?[0].name.as_str(), "Loud");
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait EventRepository: Repository<Event> {
    /// The event with this ID and all its ancestors; empty if the event does not exist.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn ancestors(&self, id: EventId) -> Result<Vec<EventId>, StoreError>;

    /// The records that events name, with the number of events of each term at `now`, without those
    /// that do not exist. The number of statements MUST NOT depend on the number of IDs.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn load_related(
        &self,
        ids: &RelatedIds,
        now: Timestamp,
    ) -> Result<RelatedRecords, StoreError>;

    /// Announces names and IDs that are about to be looked up, one after the other. A store may look
    /// up all of them at once, and answer the next lookup of each from it, and the next
    /// [`load_related`](Self::load_related) as to venues and organizers.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn prefetch(&self, _keys: &RelatedKeys) -> Result<(), StoreError> {
        Ok(())
    }

    /// The events with these unique identifiers across calendars, in any order; those in the trash
    /// are among them. The number of statements MUST NOT depend on the number of identifiers, of
    /// which there are at most 1,000.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn find_uids(&self, uids: &[String]) -> Result<Vec<(String, EventId)>, StoreError>;

    /// The events with a folded title that begin at an instant, sorted by ID; those in the trash are
    /// among them.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn find_titled(&self, folded: &str, start: Timestamp)
    -> Result<Vec<EventId>, StoreError>;

    /// The IDs among `ids` of events to which the caller may refer ([`is_linkable`]). The number of
    /// statements MUST NOT depend on the number of IDs.
    ///
    /// [`is_linkable`]: domain::policy::Guarded::is_linkable
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn linkable_ids(
        &self,
        ids: &[EventId],
        visibility: &Visibility,
    ) -> Result<Vec<EventId>, StoreError>;

    /// The IDs among `ids` of events with a record of their own, as [`ids_after`](Repository::ids_after) has them, in
    /// their order: an occurrence that follows its series has none. The number of statements MUST NOT depend on the
    /// number of IDs.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn recorded(&self, ids: &[EventId]) -> Result<Vec<EventId>, StoreError>;

    /// The neighbours of the series among `ids`, from which a series was split or that was split from it: pairs of
    /// a series and a neighbour, in their order. The number of statements MUST NOT depend on the number of IDs.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn neighbours(&self, ids: &[EventId]) -> Result<Vec<(EventId, EventId)>, StoreError>;

    /// Password-protected events to which the caller may refer ([`is_linkable`]) and that it may not
    /// edit, each with whether the password of `visibility` opens it. With an ID, only the event
    /// with this ID. The opened events come first, then those with the smallest IDs; at most
    /// `limit`.
    ///
    /// [`is_linkable`]: domain::policy::Guarded::is_linkable
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn find_password_protected(
        &self,
        id: Option<EventId>,
        visibility: &Visibility,
        limit: usize,
    ) -> Result<Vec<(EventId, bool)>, StoreError>;

    /// The events within a window that everybody can list at `now`, in no order, at most `limit`. The
    /// number of statements MUST NOT depend on the number of events.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn spans(
        &self,
        window: &Window,
        now: Timestamp,
        limit: u64,
    ) -> Result<Vec<EventSpan>, StoreError>;

    /// The events with these IDs as a grid shows them, in their order, without those that do not exist: their
    /// descriptions, excerpts and tickets, and the terms and organizers that they name, may be missing. The number
    /// of statements MUST NOT depend on the number of IDs.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn find_outlines(&self, ids: &[EventId]) -> Result<Vec<Stored<Event>>, StoreError>;

    /// The first event to begin and the last to end of those that everybody can list at `now`; of two that
    /// begin or end at once, any.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn extent(&self, now: Timestamp) -> Result<Option<[EventSpan; 2]>, StoreError>;

    /// The events with these IDs by each value of a filter, without those that not everybody can list, and
    /// without those that a password locks, whose content no filter finds. An ID counts once. `window` has few
    /// other events, if it is given: a store may read all of them. The number of statements MUST NOT depend on
    /// the number of IDs.
    ///
    /// # Errors
    ///
    /// As for `ancestors`.
    async fn tally(
        &self,
        ids: &[EventId],
        window: Option<Window>,
        visibility: &Visibility,
    ) -> Result<Tally, StoreError>;
}

/// A term and the number of events that carry it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermWithCount<X: Taxonomy> {
    /// The term.
    pub term: Stored<Term<X>>,
    /// The number of public events that carry it.
    pub events: u64,
}

/// The queries that only terms have.
#[async_trait]
pub trait TermRepository<X: Taxonomy>: Repository<Term<X>> {
    /// The terms with these IDs and all their ancestors, with their numbers of events at `now`; in
    /// one statement.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn find_with_counts(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<Vec<TermWithCount<X>>, StoreError>;

    /// The terms with these IDs and all their ancestors.
    ///
    /// # Errors
    ///
    /// As for `find_with_counts`.
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
