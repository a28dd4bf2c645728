//! The ports: the traits through which use cases access stores, files, clocks and other servers.
//!
//! The feature `test-support` adds a mock of each port, `MockClock` for [`Clock`] and so on. The module
//! `test_support` shows how a test puts them into a [`Calendar`](crate::Calendar).

mod calendar_format;
mod clock;
mod error;
mod feed;
mod idempotency;
mod images;
mod journal;
mod media;
#[cfg(any(test, feature = "test-support"))]
mod mocks;
mod no_media;
mod occurrences;
mod repository;
mod sign_in;
mod store;
mod tally;
mod users;

pub use calendar_format::{CalendarFormat, CalendarWriter};
pub use clock::{Clock, SystemClock};
pub use error::StoreError;
pub use feed::{NewSecretFeed, SecretFeed, SecretFeeds, Tombstones};
pub use idempotency::{IdempotencyKeys, StoredAnswer};
pub use images::ImageRepository;
pub use journal::{
    CursorState, EntryQuery, Journal, JournalCursor, JournalEntry, Publication, RecordRef,
};
pub use media::{
    BadImage, DecodedImage, FetchError, Fetched, FilesError, ImageFetcher, ImageFiles, ImageReader,
    MAX_IMAGE_BYTES, MAX_PAGE_BYTES, Media, ResizedImage, StoredFile,
};
pub use occurrences::{
    GivenOccurrence, OccurrenceFilter, OccurrencePlan, OccurrenceRepository, StoredOccurrence,
};
pub use repository::{
    EventRepository, RelatedIds, RelatedKeys, RelatedRecords, Repository, SlugRequest,
    SlugRequests, TermRepository, TermWithCount,
};
pub use sign_in::{BrowserSession, Invitation, SecondFactor, SignInRepository};
pub use store::{
    AUDIT_PAGE_BYTES, AuditEntry, AuditTrail, DataVersion, DuplicateFilter, Duplicates,
    EventRemark, FieldDigests, ImportLedger, ImportedRecord, Merge, Moved, Proposal, Reads,
    Repositories, ReviewRepository, Settings, SiteChange, SourceLease, Sources, Store,
    StoreOverlay, StoredDuplicate, StoredSite, StoredSiteValue, StoredSource, UnitOfWork,
    entries_of_page,
};
pub use tally::{CityTally, Tally};
pub use users::{NewToken, Token, TokenRights, TokenScope, UserRepository};

#[cfg(any(test, feature = "test-support"))]
pub use self::{
    calendar_format::{MockCalendarFormat, MockCalendarWriter},
    clock::MockClock,
    feed::{MockSecretFeeds, MockTombstones},
    idempotency::MockIdempotencyKeys,
    images::MockImageRepository,
    journal::MockJournal,
    media::{MockImageFetcher, MockImageFiles, MockImageReader},
    mocks::{MockEventRepository, MockStore, MockTermRepository, MockUnitOfWork},
    occurrences::MockOccurrenceRepository,
    repository::MockRepository,
    sign_in::MockSignInRepository,
    store::{
        MockAuditTrail, MockDuplicates, MockImportLedger, MockReviewRepository, MockSettings,
        MockSources,
    },
    users::MockUserRepository,
};
