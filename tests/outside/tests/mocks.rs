//! Tests against a mock of each port.

use std::sync::Arc;

use app::{AppError, auth::Accounts, ports::*, test_support::*};
use app::{calendar::*, feed::CalendarHeader, write::*};
use domain::{Event, EventId, Id, ImageId, Role, Status, Tag, TagId, UserId, Venue, VenueId};
use domain::{
    image::{AltTexts, FilePath},
    policy::{Caller, Reach},
    source::ReadFault,
    term::Tags,
    time::Zone,
    web_url::WebUrl,
};
use forms::Fields;
use interchange::{
    MockReadableFormat, MockSourceSite, ReadableFormat as _, SourceSiteError,
    import::{RowReader, SiteImport, SiteImportError, import_rows, import_site},
    source::{MockSourceReader, run_source},
};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// Fails as a database that is gone.
fn gone<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("gone".to_owned()))
}

#[tokio::test]
async fn clock() {
    let mut clock = MockClock::new();
    clock
        .expect_now()
        .times(1)
        .returning(|| at("2030-01-01 09:00:00"));
    let calendar = calendar(InMemoryStore::new()).clock(clock).await;
    assert_eq!(calendar.now().to_string(), "2030-01-01 09:00:00");
}

#[tokio::test]
async fn repository() {
    let mut venues = MockRepository::<Venue>::new();
    venues.expect_find().times(1).returning(|_| gone());
    let calendar = calendar(StoreDouble::default().with_venues(venues)).await;
    let key = VenueId::from_raw(7).into();
    let found = calendar
        .get::<Venue>(Caller::Anonymous, key, &ReadOptions::default())
        .await;
    assert!(matches!(
        found,
        Err(AppError::Store(StoreError::Unavailable(_)))
    ));
}

#[tokio::test]
async fn event_repository() {
    let mut events = MockEventRepository::new();
    events.expect_find().times(1).returning(|_| Ok(None));
    let calendar = calendar(StoreDouble::default().with_events(events)).await;
    let key = EventId::from_raw(7).into();
    let found = calendar
        .get::<Event>(Caller::Anonymous, key, &ReadOptions::default())
        .await;
    assert!(matches!(found, Err(AppError::NotFound(_))));
}

#[tokio::test]
async fn occurrence_repository() {
    let mut occurrences = MockOccurrenceRepository::new();
    let lock = occurrences.expect_lock_unfinished();
    lock.times(1).returning(|_, _| gone());
    let calendar = calendar(StoreDouble::default().with_occurrences(occurrences)).await;
    assert!(calendar.extend_series().await.is_err());
}

#[tokio::test]
async fn term_repository() {
    let mut tags = MockTermRepository::<Tags>::new();
    tags.expect_find().times(1).returning(|_| Ok(None));
    let calendar = calendar(StoreDouble::default().with_tags(tags)).await;
    let key = TagId::from_raw(7).into();
    let found = calendar
        .get::<Tag>(Caller::Anonymous, key, &ReadOptions::default())
        .await;
    assert!(matches!(found, Err(AppError::NotFound(_))));
}

#[tokio::test]
async fn image_repository() {
    let mut images = MockImageRepository::new();
    images
        .expect_find_visible()
        .times(1)
        .returning(|_, _| Ok(None));
    let calendar = calendar(StoreDouble::default().with_images(images)).await;
    let (id, fields) = (ImageId::from_raw(7), Fields::default());
    let found = calendar.image(Caller::Anonymous, id, &fields).await;
    assert!(matches!(found, Err(AppError::ImageNotFound)));
}

#[tokio::test]
async fn user_repository() -> Tested {
    let mut users = MockUserRepository::new();
    users.expect_find().times(1).returning(|_| Ok(None));
    let calendar = calendar(StoreDouble::default().with_users(users)).await;
    let (editor, nobody) = (
        caller(UserId::from_raw(1), Role::Editor),
        UserId::from_raw(9),
    );
    let mill = NewVenue::builder("Old Mill".parse()?)
        .author(nobody)
        .build();
    let added = calendar.create(editor, &mill).await;
    assert!(matches!(added, Err(AppError::Invalid(faults)) if faults.contains_key("author")));
    Ok(())
}

#[tokio::test]
async fn import_ledger() {
    let mut imports = MockImportLedger::new();
    imports.expect_known().times(1).returning(|_| gone());
    let calendar = calendar(StoreDouble::default().with_imports(imports)).await;
    let editor = caller(UserId::from_raw(1), Role::Editor);
    let row = RowReader::default()
        .read(r#"{"title": "River cleanup"}"#)
        .unwrap();
    assert!(import_rows(&calendar, editor, &[row]).await.is_err());
}

#[tokio::test]
async fn settings() {
    let mut settings = MockSettings::new();
    let key = "event_password_key";
    let of_key = settings
        .expect_get_or_insert()
        .withf(move |name, _| name == key);
    of_key.times(1).returning(|_, _| Ok("secret".to_owned()));
    calendar(StoreDouble::default().with_settings(settings)).await;
}

#[tokio::test]
async fn idempotency_keys() -> Tested {
    let mut keys = MockIdempotencyKeys::new();
    keys.expect_claim().times(1).returning(|_, digest, _, _| {
        Ok(Some(StoredAnswer {
            digest: digest.to_owned(),
            answer: "made before".to_owned(),
        }))
    });
    let calendar = calendar(StoreDouble::default().with_idempotency(keys)).await;
    let editor = caller(UserId::from_raw(1), Role::Editor);
    let key = IdempotencyKey::new("POST /venues", "1", Vec::new());
    let mill = NewVenue::builder("Old Mill".parse()?).build();
    let added = calendar
        .create_idempotent(editor, &mill, &key, &|_| String::new())
        .await?;
    assert!(matches!(added, Idempotent::Replayed(answer) if answer == "made before"));
    Ok(())
}

#[tokio::test]
async fn store() -> Tested {
    let start = InMemoryStore::new().begin().await?;
    let mut store = MockStore::new();
    store.expect_begin().times(1).return_once(|| Ok(start));
    store.expect_ping().times(1).returning(gone);
    assert!(calendar(store).await.ping().await.is_err());
    Ok(())
}

#[tokio::test]
async fn journal() {
    let mut journal = MockJournal::new();
    let last = JournalCursor {
        number: 7,
        nonce: 5,
    };
    journal
        .expect_last_visible()
        .times(1)
        .returning(move |_| Ok(last));
    let store = StoreDouble::default().with_journal(journal);
    let read = store.journal().last_visible(Reach::Published).await;
    assert_eq!(read.ok(), Some(last));
}

#[tokio::test]
async fn calendar_format() {
    let mut format = MockCalendarFormat::new();
    let mut writer = MockCalendarWriter::new();
    writer.expect_begin().times(1).returning(|_| Ok(()));
    let writer: Box<dyn CalendarWriter> = Box::new(writer);
    format.expect_writer().return_once(|_| writer);
    let mut writer = format.writer(CalendarHeader::default());
    assert!(writer.begin(&mut Vec::new()).is_ok());
}

#[tokio::test]
async fn readable_format() {
    let mut format = MockReadableFormat::new();
    format
        .expect_reader()
        .return_once(|_, _| Box::new(std::iter::empty()));
    let mut items = format.reader(Box::new(std::io::empty()), Zone::utc());
    assert!(items.next().is_none());
}

#[tokio::test]
async fn unit_of_work() {
    let mut settings = MockSettings::new();
    let key = "secret".to_owned();
    settings.expect_get_or_insert().return_once(|_, _| Ok(key));
    let settings: Box<dyn Settings> = Box::new(settings);
    let mut unit = MockUnitOfWork::new();
    unit.expect_settings().return_const(settings);
    unit.expect_commit().times(1).returning(|| Ok(()));
    let mut store = MockStore::new();
    store.expect_begin().return_once(|| Ok(Box::new(unit)));
    calendar(store).await;
}

#[tokio::test]
async fn image_files() {
    let mut files = MockImageFiles::new();
    files
        .expect_open()
        .times(1)
        .returning(|_| Err(FilesError("no disk".to_owned())));
    let calendar = calendar(InMemoryStore::new()).files(files).await;
    let path = FilePath::parse("2030/01/mill.png").unwrap();
    assert!(matches!(
        calendar.image_file(&path).await,
        Err(AppError::Files(_))
    ));
}

#[tokio::test]
async fn image_reader() {
    let mut reader = MockImageReader::new();
    reader
        .expect_read()
        .times(1)
        .returning(|_, _| Err(BadImage::Memory));
    let calendar = calendar(InMemoryStore::new()).reader(reader).await;
    let content = b"\x89PNG\r\n\x1a\n".as_slice().into();
    let upload = Upload {
        file_name: None,
        declared: None,
        content,
        alt: AltTexts::default(),
    };
    let editor = caller(UserId::from_raw(1), Role::Editor);
    let uploaded = calendar.upload_image(editor, upload).await;
    assert!(matches!(uploaded, Err(AppError::Invalid(faults)) if faults.contains_key("file")));
}

#[tokio::test]
async fn image_fetcher() -> Tested {
    let mut fetcher = MockImageFetcher::new();
    fetcher
        .expect_fetch()
        .times(1)
        .returning(|_, _| Err(FetchError::NoAnswer));
    let calendar = calendar(InMemoryStore::new()).fetcher(fetcher).await;
    let editor = caller(UserId::from_raw(1), Role::Editor);
    let image = "https://img.example/mill.png".parse::<WebUrl>()?;
    let mill = NewVenue::builder("Old Mill".parse()?).image(image).build();
    let added = calendar.create(editor, &mill).await;
    assert!(matches!(added, Err(AppError::Invalid(faults)) if faults.contains_key("image")));
    Ok(())
}

#[tokio::test]
async fn several_ports_at_once() -> Tested {
    let mut users = MockUserRepository::new();
    users.expect_find().returning(|_| Ok(None));
    let mut fetcher = MockImageFetcher::new();
    let silence = |_: &_, _| Err(FetchError::NoAnswer);
    fetcher.expect_fetch().returning(silence);
    let store = StoreDouble::default().with_users(users);
    let calendar = calendar(store).fetcher(fetcher).await;

    let editor = caller(UserId::from_raw(1), Role::Editor);
    let image = "https://img.example/mill.png".parse::<WebUrl>()?;
    let mill = NewVenue::builder("Old Mill".parse()?).author(UserId::from_raw(9));
    let added = calendar.create(editor, &mill.image(image).build()).await;
    assert!(matches!(added, Err(AppError::Invalid(faults)) if faults.len() == 2));
    Ok(())
}

#[tokio::test]
async fn tombstones() {
    let mut tombstones = MockTombstones::new();
    tombstones.expect_prune().times(1).returning(|_| Ok(3));
    let calendar = calendar(StoreDouble::default().with_tombstones(tombstones)).await;
    assert!(matches!(calendar.prune_tombstones().await, Ok(3)));
}

#[tokio::test]
async fn sign_ins() -> Tested {
    let mut sign_ins = MockSignInRepository::new();
    sign_ins
        .expect_invitation()
        .times(1)
        .returning(|_| Ok(None));
    let store = StoreDouble::default().with_sign_ins(sign_ins);
    let accounts = Accounts::new(Arc::new(store), Arc::new(FixedClock::default()));
    assert!(accounts.sign_in().invited("a link").await?.is_none());
    Ok(())
}

#[tokio::test]
async fn reviews() {
    let mut reviews = MockReviewRepository::new();
    reviews.expect_remarks().times(1).returning(|_| gone());
    let calendar = calendar(StoreDouble::default().with_reviews(reviews)).await;
    let remarks = calendar.remarks(Caller::Anonymous, &[]).await;
    assert!(matches!(remarks, Err(AppError::Store(_))));
}

#[tokio::test]
async fn sources() {
    let mut sources = MockSources::new();
    sources
        .expect_find_by_name()
        .times(1)
        .returning(|_| Ok(None));
    let calendar = calendar(StoreDouble::default().with_sources(sources)).await;
    let found = calendar.source_named("Club").await;
    assert!(matches!(found, Err(AppError::SourceNotFound)));
}

#[tokio::test]
async fn duplicates() {
    let mut duplicates = MockDuplicates::new();
    duplicates.expect_find().times(1).returning(|_| Ok(None));
    let calendar = calendar(StoreDouble::default().with_duplicates(duplicates)).await;
    let editor = Caller::of(Id::from_raw(1), Role::Editor);
    let found = calendar.duplicate(editor, Id::from_raw(7)).await;
    assert!(matches!(found, Err(AppError::DuplicateNotFound)));
}

#[tokio::test]
async fn audit_trail() {
    let mut trail = MockAuditTrail::new();
    trail.expect_prune().times(1).returning(|_, _| gone());
    let calendar = calendar(StoreDouble::default().with_audit(trail)).await;
    assert!(calendar.prune_audit(365).await.is_err());
}

#[tokio::test]
async fn source_reader() {
    let mut reader = MockSourceReader::new();
    let file = reader.expect_file().times(1);
    file.returning(|_, _| Err(ReadFault::TooSlow.into()));
    let store = InMemoryStore::new();
    let admin = add_user(&store, "ada", Role::Administrator).await;
    let calendar = calendar(store).await;
    let write = SourceWrite {
        name: Some("Club".parse().unwrap()),
        url: Some("https://club.example/a.ics".parse().unwrap()),
        ..SourceWrite::default()
    };
    calendar.create_source(admin, &write).await.unwrap();
    let leased = calendar.lease_due_source().await.unwrap().unwrap();
    let format = MockReadableFormat::new();
    let run = run_source(&calendar, &format, &reader, &leased).await;
    assert_eq!(run.unwrap().runs.failures, 1);
}

#[tokio::test]
async fn secret_feeds() {
    let mut feeds = MockSecretFeeds::new();
    feeds.expect_find_by_key().times(1).returning(|_| Ok(None));
    let calendar = calendar(StoreDouble::default().with_secret_feeds(feeds)).await;
    let opened = calendar.open_secret_feed("a key").await;
    assert!(matches!(opened, Err(AppError::FeedNotFound)));
}

#[tokio::test]
async fn source_site() {
    let mut site = MockSourceSite::new();
    let gone = |_, _| Err(SourceSiteError::Failed("gone".to_owned()));
    site.expect_name().return_const("old.example".to_owned());
    site.expect_statuses().return_const(vec![Status::Publish]);
    site.expect_page().times(1).returning(gone);
    let store = InMemoryStore::new();
    let editor = add_user(&store, "ada", Role::Editor).await;
    let calendar = calendar(store).await;
    let options = SiteImport::default();
    let stopped = import_site(&calendar, editor, &site, &options, &|_| {}).await;
    assert!(matches!(stopped, Err(SiteImportError::Site(error)) if error.to_string() == "gone"));
}
