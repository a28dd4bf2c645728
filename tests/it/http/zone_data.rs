//! A database whose instants an earlier release of the time zone database computed.

use adapters_db::{Recomputed, ZoneDataError};
use app::{
    ports::{OccurrenceFilter, Repositories},
    test_support::{at, event, in_unit},
};
use domain::time::{EventTime, Timestamp, Zone, ZoneData, parse_civil};
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{has_fields, id},
};

use super::records::{event_path, read};

/// The window of dates of these tests.
const WINDOW: &str = "start_date=2026-12-01&end_date=2026-12-31";

/// Executes statements on the database of the service.
async fn execute(app: &TestApp, statements: &[String]) {
    let connection = Database::connect(&app.db.url).await.unwrap();
    for statement in statements {
        connection.execute_unprepared(statement).await.unwrap();
    }
    connection.close().await.unwrap();
}

/// Turns the database into one of a program with the release 2025b, whose instants the statements
/// write.
async fn as_before(app: &TestApp, statements: &[String]) {
    let tables = ["setting WHERE name = 'zone_data_progress'", "zone_move"];
    execute(app, &tables.map(|table| format!("DELETE FROM {table}"))).await;
    execute(app, statements).await;
    record_version(app, "zone_data", "2025b").await;
}

/// A statement that sets the instants of an event, in UTC.
fn instants(event: &Value, start: &str, end: &str) -> String {
    let seconds = |text: &str| parse_civil(text).unwrap().and_utc().timestamp();
    let (start, end, id) = (seconds(start), seconds(end), &event["id"]);
    format!("UPDATE event SET start_utc = {start}, end_utc = {end} WHERE id = {id}")
}

/// The result of a start of another process with the present program.
async fn start(app: &TestApp) -> Result<Recomputed, ZoneDataError> {
    let store = app.db.another(|_| {}).await;
    store.migrate().await.unwrap();
    store.recompute_instants().await
}

/// Sets a recorded version.
async fn record_version(app: &TestApp, name: &str, value: &str) {
    let statements = [
        format!("DELETE FROM setting WHERE name = '{name}'"),
        format!("INSERT INTO setting (name, value) VALUES ('{name}', '{value}')"),
    ];
    execute(app, &statements).await;
}

/// Fails unless the counters of all events equal a fresh count.
async fn counters_are_right(app: &TestApp) {
    let connection = Database::connect(&app.db.url).await.unwrap();
    let backend = connection.get_database_backend();
    for (scope, shift) in [(0, 16), (-1, 21)] {
        let wrong = format!(
            "SELECT COUNT(*) AS wrong FROM (
                SELECT bucket, SUM(starts) AS starts FROM event_starts WHERE scope = {scope} GROUP BY bucket
            ) AS counted
            FULL JOIN (
                SELECT start_utc >> {shift} AS bucket, COUNT(*) AS starts FROM (
                    SELECT start_utc FROM event WHERE listed
                    UNION ALL SELECT start_utc FROM occurrence WHERE listed
                ) AS started GROUP BY 1
            ) AS real ON real.bucket = counted.bucket
            WHERE COALESCE(counted.starts, 0) <> COALESCE(real.starts, 0)"
        );
        let wrong = sea_orm::Statement::from_string(backend, wrong);
        let row = connection.query_one_raw(wrong).await.unwrap().unwrap();
        assert_eq!(row.try_get::<i64>("", "wrong").unwrap(), 0, "scope {scope}");
    }
    connection.close().await.unwrap();
}

/// Events in Casablanca and Vancouver, opened by the present program: their local times stay, their
/// instants follow the new rules, and lists, counters and searches use these instants.
#[both_stores]
async fn former_times_are_worked_out_anew(app: &TestApp) {
    let admin = app.admin();
    let made = async |title: &str, start: &str, end: &str, zone: &str| {
        let fields = json!({
            "title": title, "start_date": start, "end_date": end, "timezone": zone,
            "categories": ["Walks"], "tags": ["free"], "organizer": {"organizer": title},
            "venue": {"venue": format!("Hall of {title}")},
            "tickets": [{
                "name": "Seat", "price": "1", "currency": "EUR", "available_until": start,
            }],
        });
        admin.event(fields).await
    };
    let casablanca =
        made("Casablanca", "2026-12-10 09:00", "2026-12-10 11:00", "Africa/Casablanca").await;
    let between = made("Between", "2026-12-10 08:30", "2026-12-10 08:45", "UTC").await;
    // 20:00 and 19:00 UTC are in different counters.
    let vancouver =
        made("Vancouver", "2026-12-10 12:00", "2026-12-10 14:00", "America/Vancouver").await;
    let evening = made("Evening", "2026-12-10 19:30", "2026-12-10 20:00", "UTC").await;
    let days = json!({
        "title": "Days", "start_date": "2026-12-12", "end_date": "2026-12-13", "all_day": true,
        "timezone": "America/Havana",
    });
    let days = admin.event(days).await;
    let events = [&casablanca, &between, &vancouver, &evening, &days];
    let ids: Vec<_> = events.iter().map(|event| id(event)).collect();
    assert_eq!(vancouver["utc_start_date"], "2026-12-10 19:00:00");
    let mut before = Vec::new();
    for event in events {
        before.push(read(&admin, &event_path(event)).await);
    }

    as_before(
        app,
        &[
            instants(&casablanca, "2026-12-10 08:00:00", "2026-12-10 10:00:00"),
            instants(&vancouver, "2026-12-10 20:00:00", "2026-12-10 22:00:00"),
            instants(&days, "2026-12-12 05:00:00", "2026-12-14 04:59:59"),
        ],
    )
    .await;
    // As the former program had it.
    assert_eq!(app.list(WINDOW).await, [ids[0], ids[1], ids[3], ids[2], ids[4]]);
    let read_before = read(&admin, &event_path(&casablanca)).await;
    assert_eq!(read_before["utc_start_date"], "2026-12-10 08:00:00");

    assert_eq!(start(app).await.unwrap(), Recomputed { events: 5, moved: 3 });
    assert_eq!(app.list(WINDOW).await, [ids[1], ids[0], ids[2], ids[3], ids[4]]);
    for (event, before) in events.iter().zip(before) {
        // The whole record, including the dates of changes.
        assert_eq!(read(&admin, &event_path(event)).await, before);
    }
    counters_are_right(app).await;
    for filter in ["categories=walks", "tags=free", "search=vancouver", ""] {
        let at_seven =
            "strict_dates=1&start_date=2026-12-10%2019:00:00&starts_before=2026-12-10%2019:00:01";
        assert_eq!(app.list(&format!("{filter}&{at_seven}")).await, [ids[2]], "{filter}");
    }
    // A second start changes nothing.
    assert_eq!(start(app).await.unwrap(), Recomputed::default());

    let moves = app.db.store.zone_moves().await.unwrap();
    let listed: Vec<_> = moves.iter().map(|one| (one.event, one.ticket.as_deref())).collect();
    assert_eq!(
        listed,
        [
            (ids[0], None),
            (ids[0], Some("Seat")),
            (ids[2], None),
            (ids[2], Some("Seat")),
            (ids[4], None),
        ]
    );
    let of_vancouver = &moves[2];
    assert_eq!(of_vancouver.zone, "America/Vancouver");
    let program = ZoneData::bundled_version().to_string();
    assert_eq!(of_vancouver.versions, ["2025b", &program]);
    let shown = |times: [Option<Timestamp>; 2]| times.map(|time| time.unwrap().to_string());
    assert_eq!(shown(of_vancouver.before), ["2026-12-10 20:00:00", "2026-12-10 22:00:00"]);
    assert_eq!(shown(of_vancouver.after), ["2026-12-10 19:00:00", "2026-12-10 21:00:00"]);
    // Tickets were sold until the start, and are sold until the same instant.
    assert_eq!(moves[3].before, moves[3].after);
}

/// An instant that fits its local time stays, a local time in a gap moves, and the end stays after
/// the start.
#[both_stores]
async fn fitting_instants_stay_and_times_in_a_gap_move(app: &TestApp) {
    let fields = |start: &str, end: &str| json!({"start_date": start, "end_date": end, "timezone": "America/New_York"});
    let second = app.admin().event(fields("2027-11-07T06:30:00Z", "2027-11-07T06:45:00Z")).await;
    let gap = app.admin().event(fields("2027-03-14 01:30", "2027-03-14 03:15")).await;
    let id = &gap["id"];
    as_before(
        app,
        &[
            // As under rules without the clock change of that night.
            instants(&gap, "2027-03-14 06:30:00", "2027-03-14 07:15:00"),
            format!("UPDATE event SET start_local = '2027-03-14 02:30:00' WHERE id = {id}"),
        ],
    )
    .await;
    assert_eq!(start(app).await.unwrap(), Recomputed { events: 2, moved: 1 });
    let second = read(&app.admin(), &event_path(&second)).await;
    assert_eq!(second["utc_start_date"], "2027-11-07 06:30:00");
    let gap = read(&app.admin(), &event_path(&gap)).await;
    let (start, end) = ("2027-03-14 03:30:00", "2027-03-14 04:15:00");
    let utc_end = "2027-03-14 08:15:00";
    has_fields(&gap, json!({"start_date": start, "end_date": end, "utc_end_date": utc_end}));
}

/// Several programs that start at once process each event once, in transactions of bounded size; a
/// killed program's work is continued.
#[both_stores]
async fn the_work_is_done_once_and_in_parts(app: &TestApp) {
    const EVENTS: i64 = 1200;
    app.admin().event(json!({})).await;
    let zone = "Africa/Casablanca".parse::<Zone>().unwrap();
    let noon = parse_civil("2026-12-10 12:00:00").unwrap();
    let when = EventTime::new(zone, noon, noon, false).unwrap();
    let one = event("Walk").with(|event| event.details.when = when);
    let events: Vec<_> = (0..EVENTS)
        .map(|n| {
            let mut event = one.clone().build();
            event.details.uid = format!("{n}@test");
            event
        })
        .collect();
    let mut loader = app.db.store.loader().await.unwrap();
    let ids = loader.add(&events).await.unwrap();
    loader.commit().await.unwrap();
    as_before(
        app,
        &["UPDATE event SET start_utc = start_utc - 3600, end_utc = end_utc - 3600 \
         WHERE time_zone = 'Africa/Casablanca'"
            .to_owned()],
    )
    .await;
    app.db.store.migrate().await.unwrap();
    // One program stopped after the tenth event.
    let program = ZoneData::version_in_use();
    record_version(app, "zone_data_progress", &format!("{program} {}", ids[9].get())).await;

    let stores = [app.db.another(|_| {}).await, app.db.another(|_| {}).await];
    let (one, other) = tokio::join!(stores[0].recompute_instants(), stores[1].recompute_instants());
    let (one, other) = (one.unwrap(), other.unwrap());
    let moved = u64::try_from(EVENTS).unwrap() - 10;
    assert_eq!(one.moved + other.moved, moved);
    assert_eq!(one.events + other.events, moved);
    let found = app.db.store.zone_moves().await.unwrap();
    let moved: Vec<_> = found.iter().map(|one| one.event).collect();
    let expected: Vec<_> = ids[10..].iter().map(|id| id.get()).collect();
    assert_eq!(moved, expected);
    assert_eq!(app.db.store.zone_data().await.unwrap().as_ref(), Some(program));
    counters_are_right(app).await;

    // A later release begins anew the work of an earlier one.
    record_version(app, "zone_data", "2025b").await;
    record_version(app, "zone_data_progress", &format!("2025c {}", ids[500].get())).await;
    let again = app.db.store.recompute_instants().await.unwrap();
    assert_eq!(again, Recomputed { events: u64::try_from(EVENTS).unwrap() + 1, moved: 10 });
}

/// A program with an earlier release than the database refuses to start; a new database records the
/// program's release.
#[both_stores]
async fn earlier_rules_are_refused(app: &TestApp) {
    let store = &app.db.store;
    assert_eq!(store.zone_data().await.unwrap(), None);
    assert_eq!(store.recompute_instants().await.unwrap(), Recomputed::default());
    let program = ZoneData::version_in_use();
    assert_eq!(store.zone_data().await.unwrap().as_ref(), Some(program));
    for (name, value) in [("zone_data_progress", "2999a 7"), ("zone_data", "2999a")] {
        record_version(app, "zone_data", "2025b").await;
        record_version(app, name, value).await;
        let error = store.recompute_instants().await.unwrap_err();
        let ZoneDataError::Older { database, program: own } = &error else {
            panic!("{error}");
        };
        assert_eq!((database.to_string().as_str(), own), ("2999a", program));
    }
}

/// The index and the health of the service name the version of the time zone data.
#[both_stores]
async fn index_and_health_name_the_version(app: &TestApp) {
    let version = ZoneData::bundled_version().to_string();
    let anonymous = app.anonymous();
    assert_eq!(anonymous.get("").await.json()["zone_data"], version);
    let health = anonymous.get("//healthz").await.json();
    let program = env!("CARGO_PKG_VERSION");
    assert_eq!(health, json!({"status": "ok", "version": program, "zone_data": version}));
}

/// The occurrences of a series keep their slots, also if its first one did not move.
#[both_stores]
async fn occurrences_are_worked_out_anew(app: &TestApp) {
    let store = &app.db.store;
    let zone: Zone = "Africa/Casablanca".parse().unwrap();
    let [start, end] =
        ["2026-09-01 09:00:00", "2026-09-01 10:00:00"].map(|text| parse_civil(text).unwrap());
    let when = EventTime::new(zone, start, end, false).unwrap();
    let market = event("Market").with(|event| event.details.when = when);
    let market = market.repeating("FREQ=WEEKLY;COUNT=6", at("2026-01-01 00:00:00"));
    let (series, ids) = in_unit(store, async |unit| market.insert_series(unit).await).await;
    let before =
        store.occurrences().of_series(series.id, &OccurrenceFilter::default()).await.unwrap();
    let plain = store.events().find_many(&ids).await.unwrap();

    // The former rules had UTC+1 after 20 September, too.
    let moved = "UPDATE occurrence SET start_utc = start_utc - 3600, end_utc = end_utc - 3600
        WHERE start_utc > 1790000000";
    as_before(app, &[moved.to_owned()]).await;
    let former =
        store.occurrences().of_series(series.id, &OccurrenceFilter::default()).await.unwrap();
    assert_ne!(former, before);
    assert_eq!(self::start(app).await.unwrap(), Recomputed { events: 1, moved: 0 });
    let after =
        store.occurrences().of_series(series.id, &OccurrenceFilter::default()).await.unwrap();
    assert_eq!(after, before);
    assert_eq!(store.events().find_many(&ids).await.unwrap(), plain);
    counters_are_right(app).await;
}
