//! Mocks of the ports that extend another port. The other mocks are derived from their traits.
//!
//! Methods with a default implementation that a test rarely sets keep it: `prefetch`,
//! `with_ancestors`, `reads`, `snapshot`.

use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Language, Organizer, Stored, Term, Venue,
    event::{EventFilter, EventSpan, Window},
    index::{IndexEntry, IndexQuery},
    page::Page,
    policy::Visibility,
    query::Query,
    slug::Slug,
    term::{Categories, Tags, Taxonomy, TermFilter},
    time::Timestamp,
};
use mockall::mock;

use super::{
    AuditTrail, DataVersion, Duplicates, EventRepository, IdempotencyKeys, ImageRepository,
    ImportLedger, Journal, OccurrenceRepository, RelatedIds, RelatedRecords, Repositories,
    Repository, ReviewRepository, SecretFeeds, Settings, SignInRepository, SlugRequests, Sources,
    Store, StoreError, Tally, TermRepository, TermWithCount, Tombstones, UnitOfWork,
    UserRepository,
};

/// The record that gave up a slug, and the language of the slug.
type FormerOwner<R> = (Id<R>, Language);

/// A record that gave up a slug, the language of the slug, and the slug.
type FormerSlug<R> = (Id<R>, Language, Slug);

mock! {
    pub EventRepository {}

    #[async_trait]
    impl Repository<Event> for EventRepository {
        async fn find(&self, id: EventId) -> Result<Option<Stored<Event>>, StoreError>;
        async fn find_for_update(&self, id: EventId) -> Result<Option<Stored<Event>>, StoreError>;
        async fn find_many(&self, ids: &[EventId]) -> Result<Vec<Stored<Event>>, StoreError>;
        async fn find_by_slug(&self, slug: &Slug) -> Result<Option<EventId>, StoreError>;
        async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<Event>>, StoreError>;
        async fn lock_names(&self, folded: &[String]) -> Result<(), StoreError>;
        async fn lock_tree(&self) -> Result<(), StoreError>;
        async fn page(&self, query: &Query<EventFilter>) -> Result<Page<EventId>, StoreError>;
        async fn index(&self, query: &IndexQuery) -> Result<Page<IndexEntry<Event>>, StoreError>;
        async fn insert(
            &self,
            content: Event,
            slugs: SlugRequests,
        ) -> Result<Stored<Event>, StoreError>;
        async fn insert_at(
            &self,
            record: Stored<Event>,
            slugs: SlugRequests,
        ) -> Result<Option<Stored<Event>>, StoreError>;
        async fn update(
            &self,
            before: &Stored<Event>,
            content: Event,
            slugs: SlugRequests,
        ) -> Result<Stored<Event>, StoreError>;
        async fn give_up_slugs(
            &self,
            id: EventId,
            slugs: &[(Language, Slug)],
        ) -> Result<(), StoreError>;
        async fn find_by_former_slug(
            &self,
            slug: &Slug,
        ) -> Result<Option<FormerOwner<Event>>, StoreError>;
        async fn ids_after(
            &self,
            after: Option<EventId>,
            limit: usize,
        ) -> Result<Vec<EventId>, StoreError>;
        async fn former_slugs(&self, ids: &[EventId]) -> Result<Vec<FormerSlug<Event>>, StoreError>;
        async fn keep(&self, id: EventId) -> Result<Option<String>, StoreError>;
        async fn kept(&self, text: &str) -> Result<Option<Stored<Event>>, StoreError>;
        async fn delete(&self, id:  EventId) -> Result<bool, StoreError>;
    }

    #[async_trait]
    impl EventRepository for EventRepository {
        async fn ancestors(&self, id: EventId) -> Result<Vec<EventId>, StoreError>;
        async fn load_related(
            &self,
            ids: &RelatedIds,
            now: Timestamp,
        ) -> Result<RelatedRecords, StoreError>;
        async fn find_uids(&self, uids: &[String]) -> Result<Vec<(String, EventId)>, StoreError>;
        async fn find_titled(&self, folded: &str, start: Timestamp) -> Result<Vec<EventId>, StoreError>;
        async fn linkable_ids(
            &self,
            ids: &[EventId],
            visibility: &Visibility,
        ) -> Result<Vec<EventId>, StoreError>;
        async fn recorded(&self, ids: &[EventId]) -> Result<Vec<EventId>, StoreError>;
        async fn neighbours(&self, ids: &[EventId]) -> Result<Vec<(EventId, EventId)>, StoreError>;
        async fn find_password_protected(
            &self,
            id: Option<EventId>,
            visibility: &Visibility,
            limit: usize,
        ) -> Result<Vec<(EventId, bool)>, StoreError>;
        async fn spans(
            &self,
            window: &Window,
            now: Timestamp,
            limit: u64,
        ) -> Result<Vec<EventSpan>, StoreError>;
        async fn find_outlines(&self, ids: &[EventId]) -> Result<Vec<Stored<Event>>, StoreError>;
        async fn extent(&self, now: Timestamp) -> Result<Option<[EventSpan; 2]>, StoreError>;
        async fn tally(
            &self,
            ids: &[EventId],
            window: Option<Window>,
            visibility: &Visibility,
        ) -> Result<Tally, StoreError>;
    }
}

mock! {
    pub TermRepository<X: Taxonomy> {}

    #[async_trait]
    impl<X: Taxonomy> Repository<Term<X>> for TermRepository<X> {
        async fn find(&self, id: Id<Term<X>>) -> Result<Option<Stored<Term<X>>>, StoreError>;
        async fn find_for_update(
            &self,
            id: Id<Term<X>>,
        ) -> Result<Option<Stored<Term<X>>>, StoreError>;
        async fn find_many(&self, ids: &[Id<Term<X>>]) -> Result<Vec<Stored<Term<X>>>, StoreError>;
        async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Id<Term<X>>>, StoreError>;
        async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<Term<X>>>, StoreError>;
        async fn lock_names(&self, folded: &[String]) -> Result<(), StoreError>;
        async fn lock_tree(&self) -> Result<(), StoreError>;
        async fn page(&self, query: &Query<TermFilter<X>>) -> Result<Page<Id<Term<X>>>, StoreError>;
        async fn index(&self, query: &IndexQuery) -> Result<Page<IndexEntry<Term<X>>>, StoreError>;
        async fn insert(
            &self,
            content: Term<X>,
            slugs: SlugRequests,
        ) -> Result<Stored<Term<X>>, StoreError>;
        async fn insert_at(
            &self,
            record: Stored<Term<X>>,
            slugs: SlugRequests,
        ) -> Result<Option<Stored<Term<X>>>, StoreError>;
        async fn update(
            &self,
            before: &Stored<Term<X>>,
            content: Term<X>,
            slugs: SlugRequests,
        ) -> Result<Stored<Term<X>>, StoreError>;
        async fn give_up_slugs(
            &self,
            id: Id<Term<X>>,
            slugs: &[(Language, Slug)],
        ) -> Result<(), StoreError>;
        async fn find_by_former_slug(
            &self,
            slug: &Slug,
        ) -> Result<Option<FormerOwner<Term<X>>>, StoreError>;
        async fn ids_after(
            &self,
            after: Option<Id<Term<X>>>,
            limit: usize,
        ) -> Result<Vec<Id<Term<X>>>, StoreError>;
        async fn former_slugs(&self, ids: &[Id<Term<X>>]) -> Result<Vec<FormerSlug<Term<X>>>, StoreError>;
        async fn keep(&self, id: Id<Term<X>>) -> Result<Option<String>, StoreError>;
        async fn kept(&self, text: &str) -> Result<Option<Stored<Term<X>>>, StoreError>;
        async fn delete(&self, id:  Id<Term<X>>) -> Result<bool, StoreError>;
    }

    #[async_trait]
    impl<X: Taxonomy> TermRepository<X> for TermRepository<X> {
        async fn find_with_counts(
            &self,
            ids: &[Id<Term<X>>],
            now: Timestamp,
        ) -> Result<Vec<TermWithCount<X>>, StoreError>;
    }
}

mock! {
    pub Store {}

    impl Repositories for Store {
        fn events(&self) -> &dyn EventRepository;
        fn occurrences(&self) -> &dyn OccurrenceRepository;
        fn venues(&self) -> &dyn Repository<Venue>;
        fn organizers(&self) -> &dyn Repository<Organizer>;
        fn categories(&self) -> &dyn TermRepository<Categories>;
        fn tags(&self) -> &dyn TermRepository<Tags>;
        fn images(&self) -> &dyn ImageRepository;
        fn users(&self) -> &dyn UserRepository;
        fn sign_ins(&self) -> &dyn SignInRepository;
        fn reviews(&self) -> &dyn ReviewRepository;
        fn imports(&self) -> &dyn ImportLedger;
        fn settings(&self) -> &dyn Settings;
        fn idempotency(&self) -> &dyn IdempotencyKeys;
        fn tombstones(&self) -> &dyn Tombstones;
        fn secret_feeds(&self) -> &dyn SecretFeeds;
        fn sources(&self) -> &dyn Sources;
        fn duplicates(&self) -> &dyn Duplicates;
        fn audit(&self) -> &dyn AuditTrail;
    }

    #[async_trait]
    impl Store for Store {
        async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;
        async fn version(&self) -> Result<Option<DataVersion>, StoreError>;
        async fn ping(&self) -> Result<(), StoreError>;
        fn journal(&self) -> &dyn Journal;
        fn repositories(&self) -> &dyn Repositories;
    }
}

mock! {
    pub UnitOfWork {}

    impl Repositories for UnitOfWork {
        fn events(&self) -> &dyn EventRepository;
        fn occurrences(&self) -> &dyn OccurrenceRepository;
        fn venues(&self) -> &dyn Repository<Venue>;
        fn organizers(&self) -> &dyn Repository<Organizer>;
        fn categories(&self) -> &dyn TermRepository<Categories>;
        fn tags(&self) -> &dyn TermRepository<Tags>;
        fn images(&self) -> &dyn ImageRepository;
        fn users(&self) -> &dyn UserRepository;
        fn sign_ins(&self) -> &dyn SignInRepository;
        fn reviews(&self) -> &dyn ReviewRepository;
        fn imports(&self) -> &dyn ImportLedger;
        fn settings(&self) -> &dyn Settings;
        fn idempotency(&self) -> &dyn IdempotencyKeys;
        fn tombstones(&self) -> &dyn Tombstones;
        fn secret_feeds(&self) -> &dyn SecretFeeds;
        fn sources(&self) -> &dyn Sources;
        fn duplicates(&self) -> &dyn Duplicates;
        fn audit(&self) -> &dyn AuditTrail;
    }

    #[async_trait]
    impl UnitOfWork for UnitOfWork {
        async fn commit(self: Box<Self>) -> Result<(), StoreError>;
        async fn rollback(self: Box<Self>) -> Result<(), StoreError>;
        async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;
    }
}
