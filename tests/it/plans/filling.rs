//! Rows of many events and their related records.

use app::test_support::{START, at};
use domain::geo::Position;

/// The numbers from 1 as `n`.
fn numbers(postgres: bool, count: u32) -> String {
    if postgres {
        format!("generate_series(1, {count}) AS numbers (n)")
    } else {
        format!(
            "(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers \
             WHERE n < {count}) SELECT n FROM numbers) AS numbers"
        )
    }
}

/// The number of occurrences of each series.
const OCCURRENCES: u32 = 50;

/// Statements that make each tenth event a weekly series.
pub(super) fn repeating(postgres: bool, events: u32) -> Vec<String> {
    let of = |table: &str, column: &str, scope: i64| {
        format!(
            "INSERT INTO series_in (series_id, scope, scope_id) SELECT event_id, {scope}, {column} \
             FROM {table} WHERE event_id % 10 = 0"
        )
    };
    vec![
        "UPDATE event SET repetition = '{}', listed = FALSE WHERE id % 10 = 0".to_owned(),
        format!(
            "INSERT INTO occurrence (id, series_id, slot, start_utc, end_utc, published_utc, listed, \
             is_own, revision, span) SELECT event.id * 1000 + n, event.id, n, \
             start_utc + n * 604800, end_utc + n * 604800, published_utc, TRUE, FALSE, 0, span \
             FROM {} CROSS JOIN event WHERE event.id % 10 = 0",
            numbers(postgres, OCCURRENCES)
        ),
        of("event_in_category", "term_id", 1),
        of("event_tag", "term_id", 2),
        of("event_organizer", "place_id", 3),
        format!(
            "INSERT INTO series_in (series_id, scope, scope_id) SELECT id, 4, venue_id FROM event \
             WHERE id % 10 = 0 AND venue_id IS NOT NULL AND id <= {events}"
        ),
    ]
}

/// Statements that fill a database. The database numbers the rows from 1.
pub(super) fn filling(postgres: bool, events: u32) -> Vec<String> {
    let numbers = |count: u32| numbers(postgres, count);
    let now = at(START).seconds();
    // The direction of 10° N 10° E, right for the venues that a test searches near.
    let [x, y, z] = Position::new(10.0, 10.0).unwrap().direction();
    let term = |table: &str, count| {
        format!(
            "INSERT INTO {table} (revision, language, name, name_key, slug, description, \
             event_count) SELECT 1, 'en', 'T' || n, 't' || n, 't' || n, '', 100 FROM {}",
            numbers(count)
        )
    };
    let link = |table: &str, column: &str, count| {
        format!(
            "INSERT INTO {table} (event_id, position, {column}) \
             SELECT n, 0, 1 + n % {count} FROM {}",
            numbers(events)
        )
    };
    vec![
        "INSERT INTO account (name, name_key, role, disabled) \
         VALUES ('ada', 'ada', 'editor', FALSE)"
            .to_owned(),
        format!(
            "INSERT INTO venue (revision, author_id, stage, date_utc, date_is_chosen, \
             published_utc, modified_utc, language, title, title_key, description, excerpt, \
             address, city, country, province, state, stateprovince, zip, phone, show_map, \
             show_map_link, latitude, longitude, direction_x, direction_y, direction_z) \
             SELECT 1, 1, 'published', n, FALSE, 0, 0, 'en', 'V', 'v', '', '', '', '', '', '', \
             '', '', '', '', TRUE, TRUE, n / 20 % 60, n / 20 % 170, {x}, {y}, {z} FROM {}",
            numbers(2_000)
        ),
        "INSERT INTO venue_city (venue_id, language, city_key) SELECT id, 'fr', \
         CASE WHEN id % 5 = 0 THEN 'big' ELSE 'c' || (id % 40) END FROM venue"
            .to_owned(),
        format!(
            "INSERT INTO organizer (revision, author_id, stage, date_utc, date_is_chosen, \
             published_utc, modified_utc, language, title, title_key, description, excerpt, \
             phone, email) SELECT 1, 1, 'published', n, FALSE, 0, 0, 'en', 'O', 'o', '', '', '', \
             '' FROM {}",
            numbers(500)
        ),
        term("category", 16),
        "INSERT INTO category (revision, language, name, name_key, slug, description, event_count, \
         parent_id) SELECT 1, 'en', 'T' || (16 + id), 't' || (16 + id), 't' || (16 + id), '', 100, \
         id % 2 + 1 FROM category WHERE id <= 4"
            .to_owned(),
        term("tag", 200),
        format!(
            "INSERT INTO event (revision, author_id, stage, date_utc, date_is_chosen, \
             published_utc, modified_utc, language, title, title_key, description, excerpt, uid, \
             sequence, listed, start_local, end_local, start_utc, end_utc, time_zone, all_day, \
             cost, is_free, show_map, show_map_link, hide_from_listings, sticky, featured, venue_id, \
             search_text, slug) \
             SELECT 1, 1, 'published', 0, FALSE, 0, 0, 'en', 'E', 'e', '', '', 'u' || n, 0, TRUE, \
             '2030-01-01 00:00:00', '2030-01-01 00:00:00', {now} + (n / 20 % 1000 - 300) * 86400, \
             {now} + (n / 20 % 1000 - 300) * 86400 + n % 100 * 3600, 'UTC', FALSE, '', \
             n % 7 = 0, TRUE, TRUE, FALSE, FALSE, FALSE, 1 + n % 2000, \
             CASE WHEN n % 4001 = 2199 THEN 'concert' ELSE 'walk' END || ' number ' || n, \
             'e' || n FROM {}",
            numbers(events)
        ),
        format!("INSERT INTO slug (kind, slug, record_id) SELECT 'event', 'e' || n, n FROM {}", numbers(events)),
        format!(
            "INSERT INTO former_slug (kind, slug, record_id, language) \
             SELECT 'event', 'old' || n, n, 'en' FROM {}",
            numbers(events)
        ),
        "INSERT INTO event_translation (record_id, language, title_key, search_text) \
         SELECT id, 'fr', 'e', 'e ' || id FROM event WHERE id % 10 = 3"
            .to_owned(),
        link("event_category", "term_id", 20),
        link("event_tag", "term_id", 200),
        link("event_organizer", "place_id", 500),
    ]
}
