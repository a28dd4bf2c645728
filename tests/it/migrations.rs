//! The schema, step by step: what was there before a step is right after it.

use adapters_db::{SchemaError, SeaOrmStore};
use app::{
    ports::{Repositories, Store},
    test_support::{at, event},
};
use domain::{
    Id, Language, VenueId,
    event::{EventFilter, Window},
    geo::{Circle, Position},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    search::Search,
};
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use tests::{both_stores, db::TestDb};

/// What the first step knows of a venue at 10° N 179.9° E.
const BEFORE: [&str; 2] = [
    "INSERT INTO account (name, name_key, role, disabled) VALUES ('ada', 'ada', 'editor', FALSE)",
    "INSERT INTO venue (revision, author_id, stage, date_utc, date_is_chosen, published_utc, \
     modified_utc, language, title, title_key, description, excerpt, address, city, country, \
     province, state, stateprovince, zip, phone, show_map, show_map_link, latitude, longitude) \
     VALUES (1, 1, 'published', 0, FALSE, 0, 0, 'en', 'V', 'v', '', '', '', '', '', '', '', '', \
     '', '', TRUE, TRUE, 10.0, 179.9)",
];

/// How many steps there are before that which keeps lists fast.
const BEFORE_LISTS: u32 = 5;

/// Two listed events, which that step finds with all that they are linked with: one goes on for twenty
/// days and is translated, the other is locked by a password.
const EVENTS: [&str; 8] = [
    "INSERT INTO organizer (revision, author_id, stage, date_utc, date_is_chosen, published_utc, \
     modified_utc, language, title, title_key, description, excerpt, phone, email) \
     VALUES (1, 1, 'published', 0, FALSE, 0, 0, 'en', 'O', 'o', '', '', '', '')",
    "INSERT INTO category (revision, language, name, name_key, slug, description, event_count) \
     VALUES (1, 'en', 'C', 'c', 'c', '', 1)",
    "INSERT INTO tag (revision, language, name, name_key, slug, description, event_count) \
     VALUES (1, 'en', 'T', 't', 't', '', 1)",
    // From 1 to 21 January 2030; on 15 January, for two hours.
    "INSERT INTO event (revision, author_id, stage, date_utc, date_is_chosen, published_utc, \
     modified_utc, language, title, title_key, description, excerpt, uid, sequence, listed, \
     start_local, end_local, start_utc, end_utc, time_zone, all_day, cost, show_map, \
     show_map_link, hide_from_listings, sticky, featured, venue_id, password_hash, search_text, \
     translated) \
     VALUES (1, 1, 'published', 0, FALSE, 0, 0, 'en', 'Opera', 'opera', '', '', 'u1', 0, TRUE, \
     '2030-01-01 00:00:00', '2030-01-21 00:00:00', 1893456000, 1895184000, 'UTC', FALSE, '', \
     TRUE, TRUE, FALSE, FALSE, FALSE, 1, NULL, 'opera', TRUE), \
     (1, 1, 'published', 0, FALSE, 0, 0, 'en', 'Secret', 'secret', '', '', 'u2', 0, TRUE, \
     '2030-01-15 00:00:00', '2030-01-15 02:00:00', 1894665600, 1894672800, 'UTC', FALSE, '', \
     TRUE, TRUE, FALSE, FALSE, FALSE, 1, 'a hash', 'secret opera', FALSE)",
    "INSERT INTO event_category (event_id, position, term_id) VALUES (1, 0, 1), (2, 0, 1)",
    "INSERT INTO event_tag (event_id, position, term_id) VALUES (1, 0, 1), (2, 0, 1)",
    "INSERT INTO event_organizer (event_id, position, place_id) VALUES (1, 0, 1), (2, 0, 1)",
    "INSERT INTO event_translation (record_id, language, title, title_key, search_text) \
     VALUES (1, 'fr', 'Soirée', 'soiree', 'soiree')",
];

/// Has the counters tell of so many events that searches go by the index of texts.
const MANY: &str = "UPDATE event_starts SET starts = starts + 100000 WHERE scope = 0";

/// Goes down to nothing, and up to a step, with something in it.
async fn at_step(db: &TestDb, step: u32, statements: &[&str]) -> DatabaseConnection {
    let connection = Database::connect(&db.url).await.unwrap();
    Migrator::down(&connection, None).await.unwrap();
    Migrator::up(&connection, Some(step)).await.unwrap();
    for statement in statements {
        connection.execute_unprepared(statement).await.unwrap();
    }
    connection
}

#[both_stores]
async fn venues_are_found_where_they_were(db: TestDb) {
    let connection = at_step(&db, 1, &BEFORE).await;
    Migrator::up(&connection, None).await.unwrap();
    connection.close().await.unwrap();

    let unit = db.store.begin().await.unwrap();
    let there = event("E").venue(VenueId::from_raw(1));
    let there = there.insert(&*unit).await.id;
    unit.commit().await.unwrap();
    for (latitude, longitude, held) in [(10.0, -179.9, vec![there]), (10.0, 179.5, vec![])] {
        let center = Position::new(latitude, longitude).unwrap();
        let query = Query {
            visibility: Visibility::new(Caller::Anonymous, at("2030-01-01 00:00:00")),
            filter: EventFilter { near: Circle::new(center, 25.0).ok(), ..EventFilter::default() },
            page: PageRequest::new(1, 10, 100),
        };
        assert_eq!(db.store.events().page(&query).await.unwrap().rows, held);
    }
}

/// The first event that a list holds, and how many it holds. As the page is full, that is counted.
async fn first_of(store: &SeaOrmStore, language: Language, filter: EventFilter) -> (Vec<i64>, u64) {
    let query = Query {
        visibility: Visibility {
            language,
            ..Visibility::new(Caller::Anonymous, at("2029-12-01 00:00:00"))
        },
        filter,
        page: PageRequest::new(1, 1, 100),
    };
    let page = store.events().page(&query).await.unwrap();
    (page.rows.iter().map(|id| id.get()).collect(), page.total)
}

/// Filters that each hold the first event, and would the second, if no password locked it.
fn narrowed(window: Window) -> [EventFilter; 4] {
    let narrow = |with: fn(&mut EventFilter)| {
        let mut filter = EventFilter { window, ..EventFilter::default() };
        with(&mut filter);
        filter
    };
    [
        narrow(|filter| filter.categories = Some(vec![Id::from_raw(1)])),
        narrow(|filter| filter.tags = Some(vec![Id::from_raw(1)])),
        narrow(|filter| filter.organizers = Some(vec![Id::from_raw(1)])),
        narrow(|filter| filter.venues = Some(vec![Id::from_raw(1)])),
    ]
}

async fn lists_hold_what_was_there(store: &SeaOrmStore) {
    let midnight = |day: u32| Some(at(&format!("2030-01-{day:02} 00:00:00")));
    let starts_after = |day| Window { start_min: midnight(day), ..Window::default() };
    let ends_after = |day| Window { end_min: midnight(day), ..Window::default() };
    let (first, second, none) = (|| vec![1], || vec![2], Vec::new);
    for (window, of_all, of_narrowed) in [
        (Window::default(), (first(), 2), (first(), 1)),
        (starts_after(2), (second(), 1), (none(), 0)),
        (ends_after(10), (first(), 2), (first(), 1)),
        (ends_after(18), (first(), 1), (first(), 1)),
        (ends_after(22), (none(), 0), (none(), 0)),
    ] {
        let all = EventFilter { window, ..EventFilter::default() };
        let held = first_of(store, Language::English, all).await;
        assert_eq!(held, of_all, "{window:?}");
        for filter in narrowed(window) {
            let held = first_of(store, Language::English, filter.clone()).await;
            assert_eq!(held, of_narrowed, "{filter:?}");
        }
    }
}

async fn searches_find_what_was_there(store: &SeaOrmStore) {
    // Of what is locked, only the title is looked at.
    for (word, language, found) in [
        ("opera", Language::English, vec![1]),
        ("opera", Language::French, vec![]),
        ("soiree", Language::French, vec![1]),
        ("soiree", Language::English, vec![]),
        ("secret", Language::English, vec![2]),
    ] {
        let filter = EventFilter { search: Search::parse(word), ..EventFilter::default() };
        let held = first_of(store, language, filter).await;
        let total = found.len() as u64;
        assert_eq!(held, (found, total), "{word}: {language:?}");
    }
}

/// Whatever is written, searches know; in the end, all is as it was.
async fn searches_follow_changes(store: &SeaOrmStore, connection: &DatabaseConnection) {
    for (change, word, language, found, total) in [
        (
            "UPDATE event SET password_hash = NULL WHERE id = 2",
            "opera",
            Language::English,
            vec![1],
            2,
        ),
        (
            "UPDATE event SET password_hash = 'a hash' WHERE id = 2",
            "opera",
            Language::English,
            vec![1],
            1,
        ),
        // Both start in the same second.
        (
            "UPDATE event SET start_utc = 1893456000 WHERE id = 2",
            "e",
            Language::English,
            vec![1],
            2,
        ),
        (
            "UPDATE event SET start_utc = 1893369600 WHERE id = 2",
            "e",
            Language::English,
            vec![2],
            2,
        ),
        (
            "UPDATE event SET start_utc = 1894665600 WHERE id = 2",
            "e",
            Language::English,
            vec![1],
            2,
        ),
        (
            "UPDATE event SET search_text = 'ballet' WHERE id = 1",
            "ballet",
            Language::English,
            vec![1],
            1,
        ),
        (
            "UPDATE event SET search_text = 'opera' WHERE id = 1",
            "ballet",
            Language::English,
            vec![],
            0,
        ),
        ("UPDATE event SET listed = FALSE WHERE id = 1", "opera", Language::English, vec![], 0),
        ("UPDATE event SET listed = TRUE WHERE id = 1", "opera", Language::English, vec![1], 1),
        ("DELETE FROM event_translation", "opera", Language::French, vec![1], 1),
        (EVENTS[7], "opera", Language::French, vec![], 0),
    ] {
        connection.execute_unprepared(change).await.unwrap();
        let filter = EventFilter { search: Search::parse(word), ..EventFilter::default() };
        let held = first_of(store, language, filter).await;
        assert_eq!(held, (found, total), "{change}");
    }
}

/// Goes up with events in it, and down to where they came from, twice.
#[both_stores]
async fn lists_are_what_they_were(db: TestDb) {
    let statements = [&BEFORE[..], &EVENTS[..]].concat();
    let connection = at_step(&db, BEFORE_LISTS, &statements).await;
    let steps = u32::try_from(Migrator::migrations().len()).unwrap() - BEFORE_LISTS;
    for _ in 0..2 {
        Migrator::up(&connection, None).await.unwrap();
        let store = db.another(|_| {}).await;
        lists_hold_what_was_there(&store).await;
        searches_find_what_was_there(&store).await;
        searches_follow_changes(&store, &connection).await;
        connection.execute_unprepared(MANY).await.unwrap();
        searches_find_what_was_there(&store).await;
        drop(store);
        Migrator::down(&connection, Some(steps)).await.unwrap();
    }
}

/// What a newer version of the program made is left alone.
#[both_stores]
async fn a_newer_schema_is_left_alone(db: TestDb) {
    const NEWER: &str = "m20991231_000001_more";
    let connection = Database::connect(&db.url).await.unwrap();
    let insert =
        format!("INSERT INTO seaql_migrations (version, applied_at) VALUES ('{NEWER}', 0)");
    connection.execute_unprepared(&insert).await.unwrap();
    for outcome in [db.store.migrate().await, db.store.pending().await] {
        let error = outcome.unwrap_err();
        assert!(
            matches!(&error, SchemaError::Newer { migration } if migration == NEWER),
            "{error}"
        );
    }
}

/// As a replica is, whatever its schema.
#[tokio::test]
async fn postgres_read_only() {
    let Some(db) = TestDb::postgres().await else {
        return;
    };
    let (_, name) = db.url.rsplit_once('/').unwrap();
    let connection = Database::connect(&db.url).await.unwrap();
    let alter = format!("ALTER DATABASE {name} SET default_transaction_read_only = on");
    connection.execute_unprepared(&alter).await.unwrap();
    let store = db.another(|_| {}).await;
    for outcome in [store.migrate().await, store.pending().await] {
        let error = outcome.unwrap_err();
        assert!(matches!(error, SchemaError::ReadOnly), "{error}");
    }
    store.close().await.unwrap();
}
