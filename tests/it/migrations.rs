//! The schema: a database of the migrations before the first release is adopted, any other is refused.
//!
//! The folder `migrations` holds a dump of such a database for each store, with these records: a venue at 10° N
//! 179.9° E, and two listed events with the same venue, organizer, category and tag. One lasts twenty days and has
//! a French translation, the other is protected by a password.

use adapters_db::{SchemaError, SeaOrmStore};
use app::{
    ports::{Repositories, Store, TokenScope},
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
    text::fold,
};
use migration::{FORMER_MIGRATIONS, Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use tests::{both_stores, db::TestDb};

/// Every object of an SQLite schema. The order of the indexes and triggers of a table matters too.
const SQLITE_OBJECTS: &str = "SELECT concat_ws(' ', type, tbl_name, name, sql) AS object
    FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type, rowid";

/// Every object of a PostgreSQL schema.
const POSTGRES_OBJECTS: &str = "
    SELECT concat_ws(' ', 'column', table_name,
        row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position), column_name,
        data_type, collation_name, is_nullable, column_default, identity_generation,
        generation_expression) AS object
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT concat_ws(' ', 'function', proname, provolatile, prosrc) FROM pg_proc AS p
    WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
    UNION ALL SELECT concat_ws(' ', 'options', relname, reloptions) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
    UNION ALL SELECT 'extension ' || extname FROM pg_extension
    ORDER BY object";

/// Restores the translation of the dump.
const TRANSLATE: &str =
    "INSERT INTO event_translation (record_id, language, title, title_key, search_text)
    VALUES (1, 'fr', 'Soirée', 'soiree', 'soiree')";

/// Selects one text from each row.
async fn texts(db: &TestDb, select: &str) -> Vec<String> {
    let connection = Database::connect(&db.url).await.unwrap();
    let select = Statement::from_string(connection.get_database_backend(), select);
    let rows = connection.query_all_raw(select).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// The definitions of all objects of the schema, without quotes of names and differences of white
/// space.
async fn objects(db: &TestDb) -> Vec<String> {
    let select = if db.url.starts_with("sqlite:") { SQLITE_OBJECTS } else { POSTGRES_OBJECTS };
    let mut objects = texts(db, select).await;
    for object in &mut objects {
        let spaced = object.replace('"', "").replace(['\n', '\t'], " ");
        let mut words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
        for mark in ["(", ")", ",", ";"] {
            words = words.replace(&format!(" {mark}"), mark).replace(&format!("{mark} "), mark);
        }
        *object = words;
    }
    objects
}

/// The names of the migrations that a database records.
async fn recorded(db: &TestDb) -> Vec<String> {
    texts(db, "SELECT version FROM seaql_migrations ORDER BY version").await
}

/// Loads the dump of a former database.
async fn load_former(db: &TestDb) {
    let connection = Database::connect(&db.url).await.unwrap();
    let dump = match connection.get_database_backend() {
        DbBackend::Postgres => include_str!("migrations/postgres.dump"),
        _ => include_str!("migrations/sqlite.dump"),
    };
    connection.execute_unprepared(dump).await.unwrap();
    // The PostgreSQL dump changes settings of its connection.
    connection.close().await.unwrap();
    assert_eq!(recorded(db).await, FORMER_MIGRATIONS);
}

/// The IDs on a page of one event, and the total, which is counted because the page is full.
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

/// Filters that match the first event, and would match the second without its password.
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
    // A search reads only the title of a locked event.
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

/// Searches find every change. The last change restores the records.
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
        (TRANSLATE, "opera", Language::French, vec![], 0),
    ] {
        connection.execute_unprepared(change).await.unwrap();
        let filter = EventFilter { search: Search::parse(word), ..EventFilter::default() };
        let held = first_of(store, language, filter).await;
        assert_eq!(held, (found, total), "{change}");
    }
}

/// Events at the venue of the dump are found across the 180th meridian.
async fn venues_are_found_where_they_are(store: &SeaOrmStore) {
    let unit = store.begin().await.unwrap();
    let there = event("E").venue(VenueId::from_raw(1));
    let there = there.insert(&*unit).await.id;
    unit.commit().await.unwrap();
    let near = vec![Id::from_raw(1), there];
    for (latitude, longitude, held) in [(10.0, -179.9, near), (10.0, 179.5, vec![])] {
        let center = Position::new(latitude, longitude).unwrap();
        let query = Query {
            visibility: Visibility::new(Caller::Anonymous, at("2030-01-01 00:00:00")),
            filter: EventFilter { near: Circle::new(center, 25.0).ok(), ..EventFilter::default() },
            page: PageRequest::new(1, 10, 100),
        };
        let page = store.events().page(&query).await.unwrap();
        assert_eq!(page.rows, held);
    }
}

/// Programs that start at once on a former database all succeed. Its schema is the one that a new database has,
/// its records are there, and the triggers work.
#[both_stores]
async fn a_former_database_is_adopted(new: TestDb) {
    let db = new.empty().await;
    load_former(&db).await;
    let other = db.another(|_| {}).await;
    let later = u32::try_from(Migrator::migrations().len() - 1).unwrap();
    let (one, two, pending) = tokio::join!(db.store.migrate(), other.migrate(), db.store.pending());
    let (one, two, pending) = (one.unwrap(), two.unwrap(), pending.unwrap());
    assert_eq!((one.min(two), one.max(two)), (0, later));
    assert!(pending == 0 || pending == later, "{pending}");
    assert_eq!(recorded(&db).await, recorded(&new).await);
    let (adopted, created) = (objects(&db).await, objects(&new).await);
    for (adopted, created) in adopted.iter().zip(&created) {
        assert_eq!(adopted, created);
    }
    assert_eq!(adopted.len(), created.len());

    let store = db.another(|_| {}).await;
    let connection = Database::connect(&db.url).await.unwrap();
    lists_hold_what_was_there(&store).await;
    searches_find_what_was_there(&store).await;
    searches_follow_changes(&store, &connection).await;
    store.merge_search_index().await.unwrap();
    searches_find_what_was_there(&store).await;
    searches_follow_changes(&store, &connection).await;
    venues_are_found_where_they_are(&store).await;
}

/// Texts that were folded with the shapes of their punctuation are folded as texts are now.
#[both_stores]
async fn folded_texts_get_straight_punctuation(new: TestDb) {
    const TEXT: &str = "L’Opéra “d‚été” – Saint‑Denis, «\u{ad}7′\u{2060} ‘n ʼn»";
    const FORMERLY: &str = "l’opera “d‚ete” – saint‐denis, «\u{ad}7′\u{2060} ‘n ʼn»";
    let db = new.empty().await;
    load_former(&db).await;
    let connection = Database::connect(&db.url).await.unwrap();
    let columns = [
        ("event", "title_key"),
        ("event", "search_text"),
        ("event_translation", "title_key"),
        ("event_translation", "search_text"),
        ("venue", "title_key"),
        ("venue_text", "folded"),
        ("organizer", "title_key"),
        ("organizer_text", "folded"),
        ("category", "name_key"),
        ("tag", "name_key"),
    ];
    for table in ["venue_text", "organizer_text"] {
        let insert = format!("INSERT INTO {table} (place_id, position, folded) VALUES (1, 0, '')");
        connection.execute_unprepared(&insert).await.unwrap();
    }
    for (table, column) in columns {
        let change = format!("UPDATE {table} SET {column} = '{FORMERLY}'");
        connection.execute_unprepared(&change).await.unwrap();
    }
    db.store.migrate().await.unwrap();
    for (table, column) in columns {
        let folded = texts(&db, &format!("SELECT DISTINCT {column} FROM {table}")).await;
        assert_eq!(folded, [fold(TEXT)], "{table}.{column}");
    }
    let store = db.another(|_| {}).await;
    for (search, total) in [("l'opera", 2), ("“L’Opéra”", 2), ("saint-denis", 2), ("l-opera", 0)]
    {
        let filter = EventFilter { search: Search::parse(search), ..EventFilter::default() };
        assert_eq!(first_of(&store, Language::English, filter).await.1, total, "{search}");
    }
}

/// A former database with changes of its records, migrated.
async fn migrated_after(new: &TestDb, changes: &[&str]) -> TestDb {
    let db = new.empty().await;
    load_former(&db).await;
    let connection = Database::connect(&db.url).await.unwrap();
    for change in changes {
        connection.execute_unprepared(change).await.unwrap();
    }
    db.store.migrate().await.unwrap();
    db
}

/// Former tokens keep their rights.
#[both_stores]
async fn former_tokens_keep_their_rights(new: TestDb) {
    let add = |scope: &str| {
        format!(
            "INSERT INTO account_token (account_id, label, hash, scope, created_utc) \
             VALUES (1, 'x', '{scope}', '{scope}', 0)"
        )
    };
    let db = migrated_after(&new, &[&add("write"), &add("read")]).await;
    let store = db.another(|_| {}).await;
    for (hash, scope) in [("write", TokenScope::Admin), ("read", TokenScope::Read)] {
        let (token, _) = store.users().find_token(hash).await.unwrap().unwrap();
        assert_eq!(token.details.rights, scope.into());
    }
}

/// Former venues are found by their cities, folded, in the language of the reader.
#[both_stores]
async fn former_venues_have_cities(new: TestDb) {
    let db = migrated_after(
        &new,
        &[
            "UPDATE event SET password_hash = NULL",
            "UPDATE venue SET city = 'Genève'",
            "INSERT INTO venue_translation (record_id, language, title_key, city) \
             VALUES (1, 'ar', 'x', 'Lyon')",
        ],
    )
    .await;
    let rows = "SELECT language || ' ' || city_key FROM venue_city ORDER BY language";
    assert_eq!(texts(&db, rows).await, ["ar lyon", "en geneve", "fr geneve"]);
    let store = db.another(|_| {}).await;
    for (language, city, total) in [
        (Language::English, "geneve", 2),
        (Language::Arabic, "geneve", 0),
        (Language::Arabic, "lyon", 2),
    ] {
        let cities = Some(vec![city.to_owned()]);
        let filter = EventFilter { cities, ..EventFilter::default() };
        assert_eq!(first_of(&store, language, filter).await.1, total, "{language:?}: {city}");
    }
}

/// Former events are free by the rules of the domain.
#[both_stores]
async fn former_events_are_free_or_not(new: TestDb) {
    const OPEN: &str = "UPDATE event SET password_hash = NULL, cost = ''";
    const TICKET: &str = "INSERT INTO event_ticket (event_id, position, name, price, currency) \
        VALUES (1, 0, 'Seat', '0.00', 'EUR')";
    let cost = |cost: &str| format!("UPDATE event SET cost = '{cost}' WHERE id = 1");
    for (change, free) in [
        (TICKET.to_owned(), 1),
        (TICKET.replace("0.00", "0.50"), 0),
        (cost("0"), 1),
        (cost("2 for $0"), 1),
        (cost("0\n5"), 0),
        (cost("donation"), 0),
    ] {
        let db = migrated_after(&new, &[OPEN, &change]).await;
        let store = db.another(|_| {}).await;
        for (wanted, total) in [(true, free), (false, 2 - free)] {
            let filter = EventFilter { free: Some(wanted), ..EventFilter::default() };
            assert_eq!(first_of(&store, Language::English, filter).await.1, total, "{change}");
        }
    }
}

/// A database with other migrations is refused, and left as it is.
#[both_stores]
async fn other_databases_are_refused(new: TestDb) {
    const NEWER: &str = "m20991231_000001_more";
    let db = new.empty().await;
    load_former(&db).await;
    let former = Database::connect(&db.url).await.unwrap();
    let present = Database::connect(&new.url).await.unwrap();
    let insert = |name: &str| {
        format!("INSERT INTO seaql_migrations (version, applied_at) VALUES ('{name}', 0)")
    };
    let delete = |name: &str| format!("DELETE FROM seaql_migrations WHERE version = '{name}'");
    let schema = Migrator::migrations()[0].name().to_owned();
    let last = FORMER_MIGRATIONS[14];
    for (db, connection, change, undo, unknown) in [
        (&db, &former, delete(last), insert(last), None),
        (&db, &former, insert(&schema), delete(&schema), None),
        (&db, &former, insert(NEWER), delete(NEWER), Some(NEWER)),
        (&new, &present, insert(last), delete(last), None),
        (&new, &present, insert(NEWER), delete(NEWER), Some(NEWER)),
    ] {
        connection.execute_unprepared(&change).await.unwrap();
        let before = recorded(db).await;
        for outcome in [db.store.migrate().await, db.store.pending().await] {
            let error = outcome.unwrap_err();
            match &error {
                SchemaError::Newer { migration } => assert_eq!(Some(migration.as_str()), unknown),
                SchemaError::Incomplete => assert_eq!(None, unknown, "{change}"),
                _ => panic!("{change}: {error}"),
            }
        }
        assert_eq!(recorded(db).await, before);
        connection.execute_unprepared(&undo).await.unwrap();
    }
}

/// A read-only database, such as a replica, is reported whatever its schema.
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
