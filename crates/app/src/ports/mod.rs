//! What the use cases need from the world outside, one trait each.

mod clock;
mod error;
mod idempotency;
mod images;
mod media;
mod repository;
mod store;
mod users;

pub use clock::Clock;
pub use error::StoreError;
pub use idempotency::{IdempotencyKeys, KeptAnswer};
pub use images::ImageRepository;
pub use media::{
    FetchError, Fetched, FilesError, ImageFetcher, ImageFiles, ImageReader, KeptFile, Media,
    ReadImage, ReadSize,
};
pub use repository::{
    EventRepository, Names, RelatedIds, RelatedRecords, Repository, SlugWish, SlugWishes,
    TermRepository, TermWithCount,
};
pub use store::{DataVersion, ImportLedger, Reads, Repositories, Settings, Store, UnitOfWork};
pub use users::{NewToken, Token, TokenScope, UserRepository};

#[cfg(any(test, feature = "test-support"))]
pub use {
    clock::MockClock,
    idempotency::MockIdempotencyKeys,
    images::MockImageRepository,
    media::MockImageFetcher,
    repository::MockRepository,
    store::{MockImportLedger, MockSettings},
    users::MockUserRepository,
};
