//! `SeaOrmStore::examine` finds each kind of damage, and nothing in a sound database; `repair` mends what is
//! derived.

use adapters_db::{Check, Difference, SeaOrmStore};
use domain::time::Timestamp;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend};
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, id},
    for_each_row,
    pictures::png,
};

/// A damage: the statements that plant it, the check that finds it, and the statements that take back one that no
/// repair mends.
#[derive(Debug)]
struct Damage {
    plant: &'static str,
    check: Check,
    undo: Option<&'static str>,
}

const fn derived(plant: &'static str, check: Check) -> Damage {
    Damage { plant, check, undo: None }
}

const fn written(plant: &'static str, check: Check, undo: &'static str) -> Damage {
    Damage { plant, check, undo: Some(undo) }
}

const DAMAGES: [Damage; 45] = [
    derived("UPDATE event_starts SET starts = starts + 1 WHERE scope = 0", Check::Counters),
    derived("DELETE FROM event_starts WHERE scope = 1", Check::Counters),
    derived("UPDATE event_starts SET scope_id = scope_id + 999 WHERE scope = 4", Check::Counters),
    derived("UPDATE tag SET event_count = event_count + 2", Check::Terms),
    derived("DELETE FROM category_path WHERE above_id <> below_id", Check::Copies),
    derived("UPDATE event_in_category SET listed = NOT listed", Check::Copies),
    derived("DELETE FROM event_in_category", Check::Copies),
    derived("UPDATE event_tag SET start_utc = start_utc + 90000", Check::Copies),
    derived("UPDATE event_organizer SET end_utc = end_utc + 1", Check::Copies),
    derived("UPDATE event_category SET published_utc = 1", Check::Copies),
    derived("UPDATE event SET listed = NOT listed WHERE slug = 'plain'", Check::Records),
    derived("UPDATE venue SET title_key = 'other'", Check::Records),
    derived("UPDATE category SET name_key = 'other'", Check::Records),
    derived("UPDATE event SET search_text = 'other' WHERE slug = 'plain'", Check::Records),
    derived("UPDATE event_translation SET search_text = 'other'", Check::Records),
    derived("UPDATE event SET translated = NOT translated", Check::Records),
    derived("DELETE FROM venue_text", Check::Records),
    derived("UPDATE venue_city SET city_key = 'other'", Check::Records),
    derived("UPDATE venue SET direction_x = 0.5", Check::Records),
    derived("UPDATE event SET is_free = NOT is_free", Check::Records),
    derived("UPDATE event SET kept_until_utc = 7 WHERE slug = 'plain'", Check::Records),
    written(
        "UPDATE event SET start_local = 'soon' WHERE slug = 'private'",
        Check::Records,
        "UPDATE event SET start_local = end_local WHERE slug = 'private'",
    ),
    derived("DELETE FROM slug WHERE kind = 'event'", Check::Slugs),
    derived("INSERT INTO slug (kind, slug, record_id) VALUES ('venue', 'ghost', 1)", Check::Slugs),
    derived("UPDATE slug SET record_id = 2 WHERE kind = 'event' AND slug = 'plain'", Check::Slugs),
    derived(
        "INSERT INTO former_slug (kind, slug, record_id, language) VALUES ('event', 'gone', 9999, 'en')",
        Check::Slugs,
    ),
    derived(
        "UPDATE event SET start_utc = start_utc + 3600, end_utc = end_utc + 3600 WHERE slug = 'plain'",
        Check::Instants,
    ),
    derived(
        "DELETE FROM occurrence WHERE NOT is_own AND slot = (SELECT MIN(slot) FROM occurrence)",
        Check::Occurrences,
    ),
    derived("DELETE FROM occurrence WHERE is_own", Check::Occurrences),
    derived("UPDATE occurrence SET start_utc = start_utc + 60", Check::Occurrences),
    derived(
        "INSERT INTO occurrence (id, series_id, slot, start_utc, end_utc, listed, is_own, revision, span)
        SELECT 8888, MIN(series_id), 77, 77, 77, TRUE, FALSE, 0, 0 FROM occurrence",
        Check::Occurrences,
    ),
    derived("DELETE FROM series_in", Check::Lists),
    derived("UPDATE occurrence_in SET end_utc = end_utc + 1", Check::Lists),
    derived("DELETE FROM search_posting WHERE token = 'plain'", Check::Search),
    derived("DELETE FROM search_suffix WHERE suffix = 'lain'", Check::Search),
    derived(
        "INSERT INTO journal (n, nonce, at_utc, kind, record_id, was_hidden, is_stage, is_hidden, is_public)
        SELECT MAX(n) + 1, 1, 1, 'venue', 9999, FALSE, 'published', FALSE, TRUE FROM journal",
        Check::Journal,
    ),
    derived(
        "UPDATE journal SET is_stage = 'draft' WHERE kind = 'event' AND is_stage = 'published'",
        Check::Journal,
    ),
    derived(
        "INSERT INTO event_tombstone (uid, event_id, sequence, ended_utc, start_utc, end_utc, repeats,
        filter_categories, filter_tags, filter_organizers) SELECT uid, id, 0, published_utc, 0, 0, FALSE, '',
        '', '' FROM event WHERE slug = 'plain'",
        Check::Tombstones,
    ),
    derived(
        "INSERT INTO account_token (account_id, label, hash, scope, created_utc)
        VALUES (999, 'x', 'x', 'write', 0)",
        Check::Accounts,
    ),
    derived(
        "INSERT INTO browser_session (hash, account_id, data, created_utc, expires_utc)
        VALUES ('x', 999, '{}', 0, 0)",
        Check::Accounts,
    ),
    derived(
        "INSERT INTO idempotency_key (scope, digest, expires) VALUES ('k', 'd', 9999999999)",
        Check::Idempotency,
    ),
    derived(
        "INSERT INTO import_source (source, kind, uid, record_id, sequence, digest)
        VALUES ('s', 'event', 'u', 9999, 0, '')",
        Check::Links,
    ),
    derived(
        "INSERT INTO venue_text (place_id, position, folded) VALUES (9999, 0, 'x')",
        Check::Links,
    ),
    written(
        "UPDATE event SET image_id = 999 WHERE slug = 'plain'",
        Check::Links,
        "UPDATE event SET image_id = NULL WHERE slug = 'plain'",
    ),
    written(
        "INSERT INTO event_translation (record_id, language, title_key) VALUES (9999, 'fr', 'x')",
        Check::Links,
        "DELETE FROM event_translation WHERE record_id = 9999",
    ),
];

/// A calendar with records of all kinds and states, changes and deletions.
async fn fill(app: &TestApp) {
    let editor = app.editor();
    let upload = editor.send(axum::http::Method::POST, "/images", Some(("image/png", png(40, 40))));
    let image = upload.await.json()["id"].clone();
    let parent = editor.make("/categories", json!({"name": "Music"})).await;
    let child = json!({"name": "Jazz", "parent": id(&parent)});
    let child = editor.make("/categories", child).await;
    editor.make("/tags", json!({"name": "Open air"})).await;
    let venue = json!({"venue": "Théâtre", "city": "Lyon", "geo_lat": 45.75, "geo_lng": 4.85});
    let venue = editor.make("/venues", venue).await;
    let of_venue = format!("/venues/{}", id(&venue));
    editor.change(&format!("{of_venue}?ml_language=fr"), json!({"venue": "Le Théâtre"})).await;
    let names = json!({
        "title": "Plain", "venue": id(&venue), "organizer": [{"organizer": "Ada & Co"}],
        "categories": [id(&child)], "tags": ["Open air"], "cost": "0",
    });
    let plain = editor.event(names.clone()).await;
    let path = format!("/events/{}", id(&plain));
    editor.change(&format!("{path}?ml_language=fr"), json!({"title": "Simple"})).await;
    for (title, fields) in [
        ("Draft", json!({"status": "draft"})),
        (
            "Private",
            json!({"status": "private", "start_date": "2027-05-01 19:00:00",
            "end_date": "2027-05-01 19:00:00"}),
        ),
        ("Locked", json!({"password": "open sesame", "categories": [id(&child)]})),
        ("Hidden", json!({"hide_from_listings": true, "image": image, "tags": ["Open air"]})),
        (
            "Later",
            json!({"date": "2027-02-01 00:00:00", "status": "publish", "tags": ["Open air"]}),
        ),
        (
            "Weekly",
            json!({"recurrence": "FREQ=WEEKLY;COUNT=6", "venue": id(&venue),
            "categories": [id(&child)], "tags": ["Open air"]}),
        ),
        (
            "Monthly",
            json!({"recurrence": "FREQ=MONTHLY", "organizer": [{"organizer": "Ada & Co"}]}),
        ),
    ] {
        let mut all = fields;
        all["title"] = title.into();
        editor.event(all).await;
    }
    let week = editor.get("/events?search=Weekly&per_page=6").await.json();
    let dates: Vec<i64> = week["events"].as_array().expect("events").iter().map(id).collect();
    assert_eq!(dates.len(), 6);
    let own = format!("/events/{}", dates[2]);
    editor.change(&own, json!({"title": "Another title", "tags": ["Special"]})).await;
    editor.delete(&format!("/events/{}", dates[4])).await;
    // One event ends its publicity, one is deleted, and one gets another slug.
    let gone = editor.event(json!({"title": "Gone"})).await;
    editor.delete(&format!("/events/{}?force=true", id(&gone))).await;
    let trashed = editor.event(json!({"title": "Trashed"})).await;
    editor.delete(&format!("/events/{}", id(&trashed))).await;
    let renamed = editor.event(event_fields(json!({"title": "Renamed"}))).await;
    editor.change(&format!("/events/{}", id(&renamed)), json!({"slug": "new-name"})).await;
}

async fn examine(store: &SeaOrmStore, now: Timestamp) -> Vec<Difference> {
    store.examine(now).await.expect("the database answers").differences
}

/// A connection that damages: without foreign keys, on PostgreSQL also without triggers.
async fn vandal(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1);
    let connection = Database::connect(options).await.expect("a connection");
    let free = match connection.get_database_backend() {
        DbBackend::Postgres => "SET session_replication_role = replica",
        _ => "PRAGMA foreign_keys = OFF",
    };
    connection.execute_unprepared(free).await.expect("a right");
    connection
}

/// A sound database has no difference. Each of 46 kinds of damage is found. What is derived is mended; what a
/// person wrote stays.
#[both_stores]
async fn each_damage_is_found_and_what_is_derived_is_mended(app: &TestApp) {
    fill(app).await;
    let (store, now) = (&app.db.store, ::app::ports::Clock::now(&app.clock));
    store.prepare_instants().await.expect("the release is stored");
    assert_eq!(examine(store, now).await, [], "texts wait for the index");
    store.merge_search_index().await.expect("texts are merged");
    assert_eq!(examine(store, now).await, [], "a sound database");

    let connection = vandal(&app.db.url).await;
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    let execute = async |sql: &str| {
        let done = connection.execute_unprepared(sql).await;
        assert!(done.is_ok_and(|done| done.rows_affected() > 0 || sql.contains(';')), "{sql}");
    };
    let span = derived("UPDATE event SET span = 5", Check::Copies);
    let of_sqlite = is_sqlite.then_some(span);
    for_each_row(DAMAGES.into_iter().chain(of_sqlite), async |damage| {
        let Damage { plant, check, undo } = damage;
        execute(plant).await;
        let found = examine(store, now).await;
        let own: Vec<_> = found.iter().filter(|one| one.check == check).collect();
        assert!(!own.is_empty(), "{check} finds nothing, others {found:?}");
        assert_eq!(own.iter().any(|one| one.is_derived), undo.is_none(), "{own:?}");
        // A repair may bring to light what a later check finds.
        for check in Check::OF_DATABASE {
            let depends =
                matches!(check, Check::Copies | Check::Lists | Check::Counters | Check::Terms);
            if depends || found.iter().any(|one| one.check == check) {
                store.repair(check, now).await.expect("a repair");
            }
        }
        let left = examine(store, now).await;
        match undo {
            None => assert_eq!(left, []),
            Some(undo) => {
                assert!(left.iter().any(|one| one.check == check), "{left:?}");
                execute(undo).await;
                assert_eq!(examine(store, now).await, [], "after {undo}");
            }
        }
    })
    .await;

    // A gap in the journal cannot be filled.
    ::app::ports::Store::journal(store).end().await.expect("entries are numbered");
    let second = "SELECT MIN(n) FROM journal WHERE n > (SELECT MIN(n) FROM journal WHERE n > 0)";
    execute(&format!("DELETE FROM journal WHERE n = ({second})")).await;
    store.repair(Check::Journal, now).await.expect("a repair");
    let left = examine(store, now).await;
    assert!(left.iter().any(|one| one.check == Check::Journal && !one.is_derived), "{left:?}");
    connection.close().await.expect("an end");
}
