//! Cached answers equal fresh ones.
//!
//! A [`Client`] without credentials compares each cached answer with a fresh one. These tests cover
//! the events after which the two might differ.

use std::{io::Read, time::Duration};

use axum::http::Method;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields, has_fields},
};

use super::{images::upload, validators};

/// Paths that show the records of a test.
const PATHS: [&str; 30] = [
    "/events",
    "/events?per_page=1",
    "/events?search=river",
    "/events?categories=1",
    "/events?tags=1&venue=1",
    "/events?_fields=title,venue.venue",
    "/events?_envelope=1",
    "/events/1",
    "/events/2",
    "/events/by-slug/river-cleanup",
    "/venues",
    "/venues?has_events=1",
    "/venues/1",
    "/venues/2",
    "/organizers",
    "/organizers/1",
    "/organizers/2",
    "/categories?hide_empty=0",
    "/categories",
    "/categories/1",
    "/categories/2",
    "/tags?hide_empty=0",
    "/tags/1",
    "/tags/2",
    "/images/1",
    "//",
    "//event/river-cleanup/",
    "//venue/old-mill",
    "//fr/cal/events/v1/events",
    "/events/1?ml_language=fr",
];

/// Creates a venue, an organizer, a category, a tag and an image, all number 1, and an event with
/// them.
async fn linked_event(client: &Client) {
    upload(client).await;
    validators::linked_event(client).await;
    client.change("/events/1", json!({"image": 1})).await;
}

/// Anonymous reads of all paths; the client sends each twice, so that answers are cached.
async fn read_all(app: &TestApp) -> Vec<(u16, Vec<u8>)> {
    let mut all = Vec::new();
    for path in PATHS {
        let answer = app.anonymous().get(path).await;
        all.push((answer.status, answer.bytes));
    }
    all
}

/// Every kind of write: a method, a path and fields.
fn writes() -> Vec<(Method, &'static str, Value)> {
    let put = |path, fields| (Method::PUT, path, fields);
    let post = |path, fields| (Method::POST, path, fields);
    let delete = |path| (Method::DELETE, path, json!({}));
    vec![
        post("/events", event_fields(json!({"title": "River fair", "venue": 1}))),
        put("/events/1", json!({"description": "Bring gloves."})),
        put("/events/1?ml_language=fr", json!({"title": "Nettoyage"})),
        put("/events/1", json!({"status": "draft"})),
        put("/events/1", json!({"status": "publish"})),
        put("/events/1", json!({"password": "sesame"})),
        put("/events/1", json!({"password": ""})),
        put("/events/1", json!({"hide_from_listings": true})),
        put("/events/1", json!({"hide_from_listings": false})),
        put("/events/1", json!({"start_date": "2027-03-09 08:00:00"})),
        delete("/events/1"),
        put("/events/1", json!({"status": "publish", "slug": "river-cleanup"})),
        delete("/events/2?force=true"),
        post("/venues", json!({"venue": "New Mill"})),
        put("/venues/1", json!({"city": "Lyon"})),
        put("/venues/1?ml_language=fr", json!({"venue": "Vieux Moulin"})),
        delete("/venues/1"),
        put("/venues/1", json!({"status": "publish", "slug": "old-mill"})),
        delete("/venues/2?force=true"),
        post("/organizers", json!({"organizer": "Blue Hands"})),
        put("/organizers/1", json!({"phone": "7"})),
        delete("/organizers/1"),
        put("/organizers/1", json!({"status": "publish"})),
        delete("/organizers/2?force=true"),
        post("/categories", json!({"name": "Indoor", "parent": 1})),
        put("/categories/1", json!({"name": "Open air", "slug": "open-air"})),
        put("/categories/1?ml_language=fr", json!({"name": "Plein air"})),
        delete("/categories/2"),
        post("/tags", json!({"name": "wood"})),
        put("/tags/1", json!({"description": "Rivers and lakes"})),
        delete("/tags/2"),
        put("/images/1", json!({"alt": "A bench"})),
        put("/images/1?ml_language=fr", json!({"alt": "Un banc"})),
        delete("/images/1"),
        delete("/tags/1"),
        delete("/categories/1"),
        delete("/organizers/1?force=true"),
        delete("/venues/1?force=true"),
        delete("/events/1?force=true"),
    ]
}

/// Fails if a cached answer hides a write by `writer`.
async fn every_write_is_seen(app: &TestApp, writer: &Client) {
    linked_event(writer).await;
    let mut before = read_all(app).await;
    for (method, path, fields) in writes() {
        let what = format!("{method} {path} {fields}");
        let answer = writer.send_json(method, path, &fields).await;
        assert!(answer.status < 300, "{what}: {}", answer.text());
        let after = read_all(app).await;
        assert_ne!(before, after, "{what}");
        before = after;
    }
}

/// The number of statements of a read.
async fn cost(app: &TestApp, client: &Client, path: &str) -> u64 {
    let before = app.db.statements();
    client.get_once(path).await;
    app.db.statements() - before
}

/// A cached answer is validated with at most one statement on PostgreSQL, and none on SQLite.
#[both_stores]
async fn a_cached_answer_is_validated_with_few_statements(app: &TestApp) {
    if !tests::db::caches() {
        return;
    }
    linked_event(&app.admin()).await;
    let most = u64::from(!app.db.url.starts_with("sqlite"));
    let client = app.anonymous();
    for path in PATHS {
        // An absent record is looked up each time.
        if client.get_once(path).await.status == 200 {
            // On PostgreSQL, a write to another database of the server invalidates the cache.
            let mut again = u64::MAX;
            for _ in 0..20 {
                again = again.min(cost(app, &client, path).await);
                if again <= most {
                    break;
                }
            }
            assert!(again <= most, "{path}: {again}");
        }
    }
    for path in ["/events?page=7", "//healthz", "/events?password=x"] {
        client.get_once(path).await;
        assert!(cost(app, &client, path).await > 0, "{path}");
    }
    let forgetful = app.variant().build_with(|state| state.with_cache_bytes(0)).await.anonymous();
    forgetful.get_once("/events").await;
    assert!(cost(app, &forgetful, "/events").await > 0);
}

/// A write of any kind invalidates cached answers.
#[both_stores]
async fn no_write_is_missed(app: &TestApp) {
    every_write_is_seen(app, &app.admin()).await;
}

/// A write of another process on the same database invalidates cached answers.
#[both_stores]
async fn no_write_of_another_process_is_missed(app: &TestApp) {
    let store = app.db.hurried(Duration::from_mins(1)).await;
    let other = app.variant().store(store).build().await;
    every_write_is_seen(app, &other.admin()).await;
}

/// The clock invalidates cached answers: an event is published, one leaves the default window of
/// lists, one enters it.
#[both_stores]
async fn the_clock_is_not_missed(app: &TestApp) {
    let admin = app.admin();
    let on = |start: &str| json!({"title": "Fair", "start_date": start, "end_date": start});
    admin.event(on("2027-01-01 08:00:00")).await;
    admin.event(json!({"title": "Soon", "date": "2027-01-02 23:59:57"})).await;
    admin.event(on("2029-01-03 00:00:00")).await;
    app.clock.set("2027-01-02 23:59:55");
    let mut seen = Vec::new();
    for _ in 0..8 {
        let ids = app.anonymous().get("/events").await.ids();
        let single = app.anonymous().get("/events/2").await.status;
        let page = app.anonymous().get("//event/soon/").await.status;
        assert_eq!((single == 200, page == 200), (ids.contains(&2), ids.contains(&2)), "{ids:?}");
        if seen.last() != Some(&ids) {
            seen.push(ids);
        }
        app.clock.advance_seconds(1);
    }
    assert_eq!(seen, [vec![1], vec![1, 2], vec![2, 3]]);
}

/// Callers do not share answers.
#[both_stores]
async fn callers_do_not_share(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    admin.event(json!({"title": "Draft", "status": "draft"})).await;
    admin.event(json!({"title": "Locked", "password": "sesame", "description": "Secret."})).await;
    for first in [true, false] {
        let path = format!("/events?foo={first}");
        let locked = format!("/events/3?foo={first}");
        let opened = format!("{locked}&password=sesame");
        let as_nobody = async || {
            for _ in 0..2 {
                assert_eq!(app.anonymous().get(&path).await.ids(), [1, 3]);
                app.anonymous().get("/events/2").await.assert_error(403, "event-not-accessible");
                app.anonymous().get(&locked).await.assert_error(403, "event-password-protected");
                let answer = app.anonymous().get(&path).await;
                assert_eq!(answer.header("allow"), "GET");
                assert!(answer.header("cache-control").starts_with("public"));
                assert!(!answer.text().contains("Secret."));
            }
        };
        if first {
            as_nobody().await;
        }
        let answer = admin.get(&path).await;
        assert_eq!(answer.ids(), [1, 2, 3]);
        assert!(answer.header("allow").contains("POST"));
        assert!(answer.header("cache-control").contains("private"));
        assert_eq!(app.subscriber().get(&path).await.ids(), [1, 3]);
        app.authorized("Bearer nonsense").get(&path).await.assert_error(401, "invalid_token");
        app.authorized("").get(&path).await.assert_error(401, "incorrect_password");
        let answer = app.anonymous().get(&opened).await;
        assert!(answer.text().contains("Secret."), "{}", answer.text());
        assert!(answer.header("cache-control").contains("private"));
        as_nobody().await;
    }
}

/// Each address has its own answer, in its language and with addresses in that language.
#[both_stores]
async fn addresses_do_not_share(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    admin.put("/events/1?ml_language=fr", json!({"title": "Nettoyage"})).await;
    let url = "https://cal.example";
    for _ in 0..2 {
        for (path, language, title, own) in [
            ("//cal/events/v1/events/1", "en", "River cleanup", "/cal/events/v1/events/1"),
            ("//fr/cal/events/v1/events/1", "fr", "Nettoyage", "/fr/cal/events/v1/events/1"),
            ("//CAL/events/v1/events/1/", "en", "River cleanup", "/cal/events/v1/events/1"),
            (
                "/events/1?ml_language=fr",
                "fr",
                "Nettoyage",
                "/cal/events/v1/events/1?ml_language=fr",
            ),
            ("//ar/cal/events/v1/events/1", "ar", "River cleanup", "/ar/cal/events/v1/events/1"),
        ] {
            let answer = app.anonymous().get(path).await;
            assert_eq!(answer.header("content-language"), language, "{path}");
            let wanted = json!({"title": title, "rest_url": format!("{url}{own}")});
            has_fields(&answer.json(), wanted);
        }
    }
    // Another service over the same data has its own answers.
    let variant = app.variant();
    let elsewhere =
        variant.build_with(|state| state.with_site_url("https://www.example")).await.anonymous();
    for _ in 0..2 {
        let answer = elsewhere.get("/events/1").await.json();
        assert_eq!(answer["url"], "https://www.example/event/river-cleanup/");
        let answer = app.anonymous().get("/events/1").await.json();
        assert_eq!(answer["url"], format!("{url}/event/river-cleanup/"));
    }
}

/// A cached answer is sent in every form, with the headers of its own request.
#[both_stores]
async fn forms_of_a_cached_answer(app: &TestApp) {
    linked_event(&app.admin()).await;
    app.clock.advance_seconds(1);
    let client = app.anonymous();
    let plain = client.get("/events/1").await;
    for _ in 0..2 {
        let packed = client.get_with("/events/1", &[("accept-encoding", "gzip")]).await;
        assert_eq!(packed.header("content-encoding"), "gzip");
        let mut bytes = Vec::new();
        GzDecoder::new(&packed.bytes[..]).read_to_end(&mut bytes).expect("gzip");
        assert_eq!(bytes, plain.bytes);
        let known = [("accept-encoding", "gzip"), ("if-none-match", packed.header("etag"))];
        let known = client.get_with("/events/1", &known).await;
        assert_eq!((known.status, known.bytes.len()), (304, 0));
        assert_eq!(known.header("vary"), plain.header("vary"));
        assert_eq!(client.get("/events/1").await.bytes, plain.bytes);

        let head = client.send(Method::HEAD, "/events/1", None).await;
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        assert_eq!(head.header("content-length"), plain.bytes.len().to_string());
        let dated = [("if-modified-since", plain.header("last-modified"))];
        assert_eq!(client.get_with("/venues/1", &dated).await.status, 304);

        let named = [("x-request-id", "mine"), ("origin", "https://a.example")];
        let answer = client.get_with("/events/1", &named).await;
        assert_eq!(answer.header("x-request-id"), "mine");
        assert_eq!(answer.header("access-control-allow-origin"), "https://a.example");
        let answer = client.get("/events/1").await;
        assert_eq!(answer.header("access-control-allow-origin"), "");
        assert_eq!(answer.header("x-request-id").len(), 32);
        assert_ne!(answer.header("x-request-id"), plain.header("x-request-id"));
    }
    // The document has two forms, by `Accept`.
    for _ in 0..2 {
        assert!(client.get("/doc").await.header("content-type").starts_with("application/json"));
        let page = client.get_with("/doc", &[("accept", "text/html")]).await;
        assert!(page.header("content-type").starts_with("text/html"));
    }
    // Errors have the accepted media type.
    for _ in 0..2 {
        let usual = client.get("/events/9").await;
        let problem = client.get_with("/events/9", &[("accept", "application/problem+json")]).await;
        assert!(usual.header("content-type").starts_with("application/json"));
        assert_eq!(problem.header("content-type"), "application/problem+json");
    }
}
