//! Doubles for tests: stores, clocks, records, and mocks of ports.
//!
//! The feature `test-support` adds this module. It is for the tests of programs that use the
//! calendar; each function here panics rather than returning an error.
//!
//! # A calendar over a store in memory
//!
//! [`calendar`] makes the use cases over any store: with a stopped clock ([`FixedClock`]), without
//! media ([`Media::none`](crate::ports::Media::none)), with the default settings of the site. [`InMemoryStore`] behaves as a
//! database does: it has units of work, and refuses what foreign keys would refuse.
//!
//! ```
//! use events_calendar_app::{test_support::{InMemoryStore, add_user, calendar, in_unit, venue}, write::ReadOptions};
//! use domain::{Role, Venue};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let store = InMemoryStore::new();
//! let editor = add_user(&store, "ada", Role::Editor).await;
//! let mill = in_unit(&store, async |unit| venue("Old Mill").insert(unit).await).await;
//!
//! let calendar = calendar(store).await;
//! let found = calendar.get::<Venue>(editor, mill.id.into(), &ReadOptions::default()).await;
//! assert_eq!(found.unwrap().entry.title.as_str(), "Old Mill");
//! # }
//! ```
//!
//! # A store that fails
//!
//! [`InMemoryStore::fail`] makes a write or a commit fail, so that a test sees what a use case does
//! then. Anything else that a store may do takes a mock.
//!
//! # A mock of each port
//!
//! [`ports`](crate::ports) has a mock of each port, made with [`mockall`]: `MockClock` for `Clock`,
//! and so on. [`StoreDouble`] is a store of which single ports are replaced; the rest is in memory.
//! A mock checks its expectations when the last user of it is dropped, so at the end of the test.
//! The predicates of [`predicate`] compare arguments.
//!
//! The repositories of records: the mock decides what is found, and whether the store fails.
//!
//! ```
//! use events_calendar_app::{AppError, ports::*, test_support::*, write::ReadOptions};
//! use domain::{Event, EventId, ImageId, Tag, TagId, Venue, VenueId, policy::Caller, term::Tags};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let (nobody, options) = (Caller::Anonymous, ReadOptions::default());
//!
//! let mut venues = MockRepository::new();
//! venues.expect_find().with(predicate::eq(VenueId::from_raw(7))).returning(|_| Err(StoreError::Conflict));
//! let with_venues = calendar(StoreDouble::default().with_venues(venues)).await;
//! let found = with_venues.get::<Venue>(nobody, VenueId::from_raw(7).into(), &options).await;
//! assert!(matches!(found, Err(AppError::Store(_))));
//!
//! let mut events = MockEventRepository::new();
//! events.expect_find().times(1).returning(|_| Ok(None));
//! let with_events = calendar(StoreDouble::default().with_events(events)).await;
//! let found = with_events.get::<Event>(nobody, EventId::from_raw(7).into(), &options).await;
//! assert!(matches!(found, Err(AppError::NotFound(_))));
//!
//! let mut tags = MockTermRepository::<Tags>::new();
//! tags.expect_find().times(1).returning(|_| Ok(None));
//! let with_tags = calendar(StoreDouble::default().with_tags(tags)).await;
//! let found = with_tags.get::<Tag>(nobody, TagId::from_raw(7).into(), &options).await;
//! assert!(matches!(found, Err(AppError::NotFound(_))));
//!
//! let mut images = MockImageRepository::new();
//! images.expect_find_visible().times(1).returning(|_, _| Ok(None));
//! let with_images = calendar(StoreDouble::default().with_images(images)).await;
//! let found = with_images.image(nobody, ImageId::from_raw(7), &options).await;
//! assert!(matches!(found, Err(AppError::ImageNotFound)));
//! # }
//! ```
//!
//! The other ports of a store: users, imported rows, settings, idempotency keys.
//!
//! ```
//! use events_calendar_app::{
//!     AppError,
//!     calendar::{Idempotent, IdempotencyKey},
//!     ports::*,
//!     test_support::*,
//!     write::NewVenue,
//! };
//! use domain::{Role, UserId, Venue};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let editor = caller(UserId::from_raw(1), Role::Editor);
//!
//! let mut users = MockUserRepository::new();
//! users.expect_find().with(predicate::eq(UserId::from_raw(9))).returning(|_| Ok(None));
//! let with_users = calendar(StoreDouble::default().with_users(users)).await;
//! let mill = NewVenue::builder("Old Mill".parse()?).author(UserId::from_raw(9)).build();
//! let made = with_users.create::<Venue>(editor, &mill).await;
//! assert!(matches!(made, Err(AppError::Invalid(faults)) if faults.contains_key("author")));
//!
//! let mut imports = MockImportLedger::new();
//! imports.expect_known().returning(|_| Err(StoreError::Unavailable("gone".to_owned())));
//! let with_imports = calendar(StoreDouble::default().with_imports(imports)).await;
//! assert!(with_imports.store().imports().known(&[]).await.is_err());
//!
//! let mut settings = MockSettings::new();
//! settings.expect_get_or_insert().times(1).returning(|_, _| Ok("the key of the site".to_owned()));
//! calendar(StoreDouble::default().with_settings(settings)).await;
//!
//! let mut keys = MockIdempotencyKeys::new();
//! keys.expect_claim().returning(|_, digest, _, _| {
//!     Ok(Some(StoredAnswer { digest: digest.to_owned(), answer: "made before".to_owned() }))
//! });
//! let with_keys = calendar(StoreDouble::default().with_idempotency(keys)).await;
//! let key = IdempotencyKey::new("POST /venues", "1", Vec::new());
//! let made = with_keys.create_idempotent::<Venue>(editor, &mill, &key, &|_| String::new()).await;
//! assert_eq!(made?, Idempotent::Replayed("made before".to_owned()));
//! # Ok(())
//! # }
//! ```
//!
//! The store itself and its units of work. A calendar starts with a unit of work, in which it reads
//! the settings; the mock lets the in-memory store give it.
//!
//! ```
//! use events_calendar_app::{AppError, ports::*, test_support::*, write::DeleteOptions};
//! use domain::{Role, UserId, Venue, VenueId};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), StoreError> {
//! let mut store = MockStore::new();
//! let start = InMemoryStore::new().begin().await?;
//! store.expect_begin().times(1).return_once(|| Ok(start));
//! store.expect_ping().returning(|| Err(StoreError::Unavailable("gone".to_owned())));
//! assert!(calendar(store).await.ping().await.is_err());
//!
//! // A unit of work whose venues fail is rolled back.
//! let mut venues = MockRepository::<Venue>::new();
//! venues.expect_find_for_update().returning(|_| Err(StoreError::Internal("torn".to_owned())));
//! let mut unit = MockUnitOfWork::new();
//! unit.expect_venues().return_const(Box::new(venues) as Box<dyn Repository<Venue>>);
//! unit.expect_rollback().times(1).returning(|| Ok(()));
//! let mut store = MockStore::new();
//! let start = InMemoryStore::new().begin().await?;
//! store.expect_begin().times(1).return_once(|| Ok(start));
//! store.expect_begin().times(1).return_once(|| Ok(Box::new(unit)));
//! let with_unit = calendar(store).await;
//!
//! let (editor, mill) = (caller(UserId::from_raw(1), Role::Editor), VenueId::from_raw(7));
//! let options = DeleteOptions::default();
//! let deleted = with_unit.delete::<Venue>(editor, mill.into(), &Default::default(), &options).await;
//! assert!(matches!(deleted, Err(AppError::Store(StoreError::Internal(_)))));
//! # Ok(())
//! # }
//! ```
//!
//! The clock and the ports of images belong to the calendar, not to the store.
//!
//! ```
//! use events_calendar_app::{AppError, calendar::Upload, ports::*, test_support::*, write::NewVenue};
//! use domain::{Role, UserId, image::{AltTexts, FilePath}, web_url::WebUrl};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let editor = caller(UserId::from_raw(1), Role::Editor);
//!
//! let mut clock = MockClock::new();
//! clock.expect_now().times(1).returning(|| at("2030-01-01 09:00:00"));
//! let with_clock = calendar(InMemoryStore::new()).clock(clock).await;
//! assert_eq!(with_clock.now().to_string(), "2030-01-01 09:00:00");
//!
//! let mut files = MockImageFiles::new();
//! files.expect_open().returning(|_| Ok(None));
//! let with_files = calendar(InMemoryStore::new()).files(files).await;
//! let file = with_files.image_file(&FilePath::parse("2030/01/mill.png").unwrap()).await;
//! assert!(matches!(file, Err(AppError::ImageNotFound)));
//!
//! let mut reader = MockImageReader::new();
//! reader.expect_read().returning(|_, _| Err(BadImage::Memory));
//! let with_reader = calendar(InMemoryStore::new()).reader(reader).await;
//! let content = (&b"\x89PNG\r\n\x1a\n"[..]).into();
//! let upload = Upload { file_name: None, declared: None, content, alt: AltTexts::default() };
//! assert!(matches!(with_reader.upload_image(editor, upload).await, Err(AppError::Invalid(_))));
//!
//! let mut fetcher = MockImageFetcher::new();
//! fetcher.expect_fetch().returning(|_, _| Err(FetchError::NoAnswer));
//! let with_fetcher = calendar(InMemoryStore::new()).fetcher(fetcher).await;
//! let image = "https://img.example/mill.png".parse::<WebUrl>()?;
//! let mill = NewVenue::builder("Old Mill".parse()?).image(image).build();
//! assert!(matches!(with_fetcher.create(editor, &mill).await, Err(AppError::Invalid(_))));
//! # Ok(())
//! # }
//! ```

#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test with invalid input fails at once"
)]

use domain::{
    Event, Status, UserId,
    recurrence::RecurrenceParts,
    source::{Every, Source, SourceFormat, UpdatePolicy},
    time::{EventTime, Zone},
};

use crate::{
    ports::StoreOverlay,
    write::{Builder, New, NewEvent},
};

mod builders;
mod calendar;
mod clock;
mod in_unit;
mod memory;

pub use builders::{
    EntryBuilder, TermBuilder, at, caller, category, event, organizer, tag, user, venue,
};
pub use calendar::{CalendarBuilder, calendar};
pub use clock::{FixedClock, START};
pub use in_unit::{add_user, in_unit};
pub use memory::{FailingStep, InMemoryStore};
pub use mockall::predicate;

/// A store in memory of which a test replaces single ports: a [`StoreOverlay`] whose default is over
/// an empty [`InMemoryStore`].
///
/// ```
/// use events_calendar_app::{ports::MockRepository, test_support::{StoreDouble, calendar}};
/// use domain::Venue;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let venues = MockRepository::<Venue>::new();
/// let calendar = calendar(StoreDouble::default().with_venues(venues)).await;
/// assert_eq!(calendar.site().host, "localhost");
/// # }
/// ```
pub type StoreDouble = StoreOverlay;

impl Default for StoreOverlay {
    fn default() -> Self {
        Self::over(InMemoryStore::new())
    }
}

/// A series of events in UTC, from a start such as `2030-03-05 19:00:00`.
///
/// ```
/// use events_calendar_app::test_support::series;
/// assert_eq!(series("Yoga", "2030-03-05 19:00:00", "FREQ=WEEKLY").build().names().count(), 6);
/// ```
///
/// # Panics
///
/// If a text is not valid.
pub fn series(title: &str, start: &str, rule: &str) -> Builder<Event, New> {
    let start = at(start).civil();
    let when = EventTime::new(Zone::utc(), start, start, false).unwrap();
    let parts = RecurrenceParts {
        rule: Some(rule.parse().unwrap()),
        ..RecurrenceParts::default()
    };
    NewEvent::builder(title.parse().unwrap(), when).recurrence(parts)
}

/// A source of calendar files at `https://club.example`, which is read every hour for a user.
///
/// ```
/// use events_calendar_app::test_support::source;
/// use domain::UserId;
/// assert_eq!(source("Club", UserId::from_raw(1)).url.origin(), "https://club.example");
/// ```
///
/// # Panics
///
/// If the name is not valid.
pub fn source(name: &str, user: UserId) -> Source {
    Source {
        name: name.parse().unwrap(),
        format: SourceFormat::Calendar,
        url: "https://club.example/a.ics".parse().unwrap(),
        user,
        every: Every::default(),
        status: Status::Publish,
        category: None,
        policy: UpdatePolicy::KeepLocal,
        prune: false,
        header_file: None,
        paused: false,
    }
}
