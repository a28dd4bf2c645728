//! Triggers maintain the tree of categories, the events and series in it, the lists of occurrences and the
//! counters of all events after every statement, also after statements that the program never sends.

use port_tests::Dice;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use tests::{both_stores, db::TestDb};

const USER: &str = "INSERT INTO account (name, name_key, role, disabled) \
    VALUES ('ada', 'ada', 'editor', FALSE)";

/// The number of rounds of writes, each followed by a comparison.
const ROUNDS: u64 = 120;

/// The ancestors of each category, from the rows of `category`.
const PATHS: &str = "WITH RECURSIVE path (above_id, below_id) AS (SELECT id, id FROM category UNION \
    SELECT path.above_id, category.id FROM path JOIN category ON category.parent_id = path.below_id) ";

/// Each derived table as stored, and its expected content; counters of 0 are left out.
const COMPARED: [(&str, &str); 8] = [
    (
        "SELECT above_id || ' ' || below_id AS line FROM category_path",
        "SELECT above_id || ' ' || below_id AS line FROM path",
    ),
    (
        "SELECT event_id || ' ' || term_id || ' ' || start_utc || ' ' || end_utc || ' ' || \
         COALESCE(published_utc, 0) || ' ' || CASE WHEN listed THEN 1 ELSE 0 END AS line \
         FROM event_in_category",
        "SELECT DISTINCT event.id || ' ' || above_id || ' ' || start_utc || ' ' || end_utc || ' ' || \
         COALESCE(event.published_utc, 0) || ' ' || \
         CASE WHEN listed AND password_hash IS NULL THEN 1 ELSE 0 END AS line \
         FROM event JOIN event_category ON event_category.event_id = event.id \
         JOIN path ON path.below_id = term_id",
    ),
    (
        "SELECT scope_id || ' ' || bucket || ' ' || SUM(starts) AS line FROM event_starts \
         WHERE scope = 1 GROUP BY scope_id, bucket HAVING SUM(starts) <> 0",
        "SELECT term_id || ' ' || (start_utc >> 19) || ' ' || COUNT(*) AS line FROM \
         (SELECT DISTINCT event.id, above_id AS term_id, start_utc FROM event \
         JOIN event_category ON event_category.event_id = event.id \
         JOIN path ON path.below_id = event_category.term_id \
         WHERE listed AND password_hash IS NULL UNION ALL \
         SELECT occurrence.id, scope_id, start_utc FROM occurrence \
         JOIN series_in ON series_in.series_id = occurrence.series_id WHERE listed AND scope = 1) \
         AS listed GROUP BY term_id, start_utc >> 19",
    ),
    (
        "SELECT series_id || ' ' || scope_id AS line FROM series_in WHERE scope = 1",
        "SELECT DISTINCT event.id || ' ' || above_id AS line FROM event \
         JOIN event_category ON event_category.event_id = event.id \
         JOIN path ON path.below_id = term_id WHERE repetition IS NOT NULL",
    ),
    (
        "SELECT scope || ' ' || scope_id || ' ' || start_utc || ' ' || occurrence_id || ' ' || end_utc || \
         ' ' || COALESCE(published_utc, -1) AS line FROM occurrence_in",
        "SELECT scope || ' ' || scope_id || ' ' || start_utc || ' ' || occurrence.id || ' ' || end_utc || \
         ' ' || COALESCE(published_utc, -1) AS line FROM occurrence \
         JOIN series_in ON series_in.series_id = occurrence.series_id \
         LEFT JOIN tag ON tag.id = scope_id WHERE listed AND (scope = 1 OR tag.id IS NOT NULL)",
    ),
    (
        "SELECT scope_id || ' ' || bucket || ' ' || SUM(starts) AS line FROM event_starts \
         WHERE scope = 2 GROUP BY scope_id, bucket HAVING SUM(starts) <> 0",
        "SELECT scope_id || ' ' || (start_utc >> 19) || ' ' || COUNT(*) AS line FROM occurrence \
         JOIN series_in ON series_in.series_id = occurrence.series_id \
         WHERE listed AND scope = 2 GROUP BY scope_id, start_utc >> 19",
    ),
    (
        "SELECT scope || ' ' || bucket || ' ' || SUM(starts) AS line FROM event_starts \
         WHERE scope <= 0 GROUP BY scope, bucket HAVING SUM(starts) <> 0",
        ", listed (start_utc) AS (SELECT start_utc FROM event WHERE listed \
         UNION ALL SELECT start_utc FROM occurrence WHERE listed) \
         SELECT '-1 ' || (start_utc >> 21) || ' ' || COUNT(*) AS line FROM listed \
         GROUP BY start_utc >> 21 UNION ALL \
         SELECT '0 ' || (start_utc >> 16) || ' ' || COUNT(*) FROM listed GROUP BY start_utc >> 16",
    ),
    (
        "SELECT event_id || ' ' || COALESCE(published_utc, -1) AS line FROM event_category",
        "SELECT event_id || ' ' || CASE WHEN stage = 'published' AND password_hash IS NULL \
         THEN COALESCE(event.published_utc, -1) ELSE -1 END AS line \
         FROM event JOIN event_category ON event_category.event_id = event.id",
    ),
];

fn category(number: u64, parent: Option<u64>) -> String {
    let parent = parent.map_or_else(|| "NULL".to_owned(), |id| id.to_string());
    format!(
        "INSERT INTO category (revision, language, name, name_key, slug, description, parent_id) \
         SELECT 1, 'en', 'C', 'c', 'c{number}', '', {parent}"
    )
}

fn event(number: u64) -> String {
    format!(
        "INSERT INTO event (revision, author_id, stage, date_utc, date_is_chosen, published_utc, \
         modified_utc, language, title, title_key, description, excerpt, uid, sequence, listed, \
         start_local, end_local, start_utc, end_utc, time_zone, all_day, cost, show_map, \
         show_map_link, hide_from_listings, sticky, featured, search_text, translated) \
         VALUES (1, 1, 'published', 0, FALSE, {number}, 0, 'en', 'E', 'e', '', '', 'u{number}', 0, \
         TRUE, '', '', {start}, {start}, 'UTC', FALSE, '', TRUE, TRUE, FALSE, FALSE, FALSE, '', \
         FALSE)",
        start = number << 18
    )
}

fn tag(number: u64) -> String {
    format!(
        "INSERT INTO tag (revision, language, name, name_key, slug, description) \
         SELECT 1, 'en', 'T', 't', 't{number}', ''"
    )
}

/// A series.
fn series(number: u64) -> [String; 2] {
    let repeat =
        format!("UPDATE event SET repetition = '{{}}', listed = FALSE WHERE uid = 'u{number}'");
    [event(number), repeat]
}

/// The work of the program after a change of the categories of series.
const COPY_CATEGORIES: [&str; 2] = [
    "DELETE FROM series_in WHERE scope = 1 AND NOT EXISTS (SELECT 1 FROM event_in_category \
     WHERE event_id = series_id AND term_id = scope_id)",
    "INSERT INTO series_in (series_id, scope, scope_id) SELECT event.id, 1, term_id FROM event \
     JOIN event_in_category ON event_id = event.id WHERE repetition IS NOT NULL ON CONFLICT DO NOTHING",
];

/// One write of occurrences, or of what series name.
fn write_occurrences(dice: &mut Dice) -> String {
    let (some, moment, id) = (dice.roll(7), dice.roll(1 << 24), dice.roll(200) + 1000);
    match dice.roll(14) {
        0..5 => format!(
            "INSERT INTO occurrence (id, series_id, slot, start_utc, end_utc, published_utc, listed, \
             is_own, revision, span) SELECT {id}, MAX(id), {id}, {moment}, {moment}, id % 2, TRUE, FALSE, \
             0, 0 FROM event WHERE repetition IS NOT NULL AND id % 7 = {some} GROUP BY id % 2 \
             HAVING NOT EXISTS (SELECT 1 FROM occurrence WHERE id = {id}) LIMIT 1"
        ),
        5 => format!(
            "UPDATE occurrence SET start_utc = {moment}, end_utc = {moment} WHERE id % 7 = {some}"
        ),
        6 => format!("UPDATE occurrence SET end_utc = end_utc + 1 WHERE id % 7 = {some}"),
        7 => format!("UPDATE occurrence SET listed = NOT listed WHERE id % 7 = {some}"),
        8 => format!(
            "UPDATE occurrence SET published_utc = {moment}, series_id = \
             (SELECT MIN(id) FROM event WHERE repetition IS NOT NULL) WHERE id % 7 = {some}"
        ),
        9 => format!("DELETE FROM occurrence WHERE id % 70 < {some}"),
        10 => format!("DELETE FROM series_in WHERE scope = 2 AND series_id % 7 = {some}"),
        11 => format!("DELETE FROM tag WHERE id % 70 = {some}"),
        _ => format!(
            "INSERT INTO series_in (series_id, scope, scope_id) SELECT event.id, 2, tag.id FROM event \
             CROSS JOIN tag WHERE repetition IS NOT NULL AND event.id % 7 = {some} AND tag.id % 3 = 0 \
             ON CONFLICT DO NOTHING"
        ),
    }
}

/// One write; some have no effect, because they name absent rows.
fn write(dice: &mut Dice) -> String {
    let (category, other) = (dice.roll(14) + 1, dice.roll(14) + 1);
    let (event, moment) = (dice.roll(20) + 1, dice.roll(1 << 24));
    let some = dice.roll(7);
    match dice.roll(15) {
        0 => format!(
            "{PATHS} UPDATE category SET parent_id = {other} WHERE id = {category} \
             AND {other} IN (SELECT id FROM category) AND {other} NOT IN \
             (SELECT below_id FROM path WHERE above_id = {category})"
        ),
        1 => format!("UPDATE category SET parent_id = NULL WHERE id = {category}"),
        2 => format!(
            "UPDATE category SET parent_id = \
             (SELECT above.parent_id FROM category AS above WHERE above.id = {category}) \
             WHERE parent_id = {category}"
        ),
        3 => format!(
            "DELETE FROM category WHERE id = {category} AND NOT EXISTS \
             (SELECT 1 FROM category AS below WHERE below.parent_id = {category})"
        ),
        4 => format!("UPDATE event SET start_utc = {moment} WHERE id % 7 = {some}"),
        5 => format!("UPDATE event SET published_utc = {moment} WHERE id = {event}"),
        6 => format!("UPDATE event SET stage = 'draft', listed = FALSE WHERE id = {event}"),
        7 => format!("UPDATE event SET stage = 'published', listed = TRUE WHERE id % 7 = {some}"),
        8 => format!(
            "UPDATE event SET password_hash = CASE WHEN password_hash IS NULL THEN 'x' END \
             WHERE id = {event}"
        ),
        9 => format!("DELETE FROM event_category WHERE event_id % 7 = {some}"),
        10 => format!("DELETE FROM event WHERE id = {event}"),
        _ => format!(
            "INSERT INTO event_category (event_id, position, term_id) \
             SELECT event.id, {moment}, category.id FROM event CROSS JOIN category \
             WHERE event.id % 7 = {some} AND category.id IN ({category}, {other}) \
             ON CONFLICT DO NOTHING"
        ),
    }
}

async fn lines(connection: &DatabaseConnection, select: &str) -> Vec<String> {
    let backend = connection.get_database_backend();
    let rows = connection.query_all_raw(Statement::from_string(backend, select));
    let rows = rows.await.unwrap();
    let mut lines: Vec<String> = rows.iter().map(|row| row.try_get("", "line").unwrap()).collect();
    lines.sort();
    lines
}

#[both_stores]
async fn all_is_right_after_any_write(db: TestDb) {
    let connection = Database::connect(&db.url).await.unwrap();
    if connection.get_database_backend() == DbBackend::Sqlite {
        connection.execute_unprepared("PRAGMA foreign_keys = ON").await.unwrap();
    }
    let mut statements = vec![USER.to_owned()];
    for number in 1..=14 {
        statements.push(category(number, (number > 3).then_some(number / 3)));
    }
    statements.extend((1..=20).map(event));
    statements.extend((21..=26).flat_map(series));
    statements.extend((1..=9).map(tag));
    for statement in statements {
        connection.execute_unprepared(&statement).await.unwrap();
    }
    let mut dice = Dice(7);
    let mut linked = 0;
    for round in 0..ROUNDS {
        let mut written = Vec::new();
        for _ in 0..3 {
            written.push(write(&mut dice));
            if written.last().is_some_and(|last| last.contains("event_category")) {
                written.extend(COPY_CATEGORIES.map(str::to_owned));
            }
            written.push(write_occurrences(&mut dice));
        }
        if round % 8 == 7 {
            written.push(category(1000 + round, None));
            written.push(event(1000 + round));
            written.extend(series(2000 + round));
            written.push(tag(1000 + round));
            let gone = "DELETE FROM event WHERE id = (SELECT MIN(id) FROM event WHERE repetition IS NOT NULL)";
            written.push(gone.to_owned());
        }
        for statement in &written {
            connection.execute_unprepared(statement).await.unwrap();
        }
        for (kept, truth) in COMPARED {
            let kept = lines(&connection, kept).await;
            linked += kept.len();
            let truth = lines(&connection, &format!("{PATHS} {truth}")).await;
            assert_eq!(kept, truth, "after {written:#?}");
        }
    }
    assert!(linked > 10_000, "{linked}");
    connection.close().await.unwrap();
}
