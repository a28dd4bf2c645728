//! Validators: `ETag`, `Last-Modified` and conditional requests.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client},
    for_each_row,
};

use super::{images::upload, records::event_path};

/// The entity tag of an answer, which must be strong.
#[track_caller]
fn tag(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let tag = answer.header("etag");
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 12, "{tag}");
    tag.to_owned()
}

async fn tag_of(client: &Client, path: &str) -> String {
    tag(&client.get(path).await)
}

/// The tags of the public answers at these paths.
async fn tags_of(app: &TestApp, paths: &[&str]) -> Vec<String> {
    let mut tags = Vec::new();
    for path in paths {
        tags.push(tag_of(&app.anonymous(), path).await);
    }
    tags
}

/// Creates an event with a venue, an organizer, a category and a tag, all number 1.
pub(super) async fn linked_event(client: &Client) {
    let fields = json!({
        "title": "River cleanup",
        "venue": {"venue": "Old Mill"},
        "organizer": {"organizer": "Green Hands"},
        "categories": ["Outdoor"],
        "tags": ["water"],
    });
    client.event(fields).await;
}

/// G-50: The answer for a list that the client has is 304, until something in the list changes.
#[both_stores]
async fn an_answer_that_the_client_has_is_not_sent(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    app.clock.advance_seconds(1);
    let rows = [
        "/events",
        "/events/1",
        "/events/by-slug/river-cleanup",
        "/venues",
        "/venues/1",
        "/organizers/1",
        "/categories",
        "/categories/1",
        "/tags/1",
    ];
    for_each_row(rows, async |path| {
        let full = app.anonymous().get(path).await;
        let tag = tag(&full);
        let again = app.anonymous().get_with(path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
        assert!(again.headers.get("content-length").is_none(), "{path}");
        for header in ["etag", "cache-control", "vary", "last-modified", "x-tec-total"] {
            assert_eq!(again.header(header), full.header(header), "{path} {header}");
        }
        let head =
            app.anonymous().send_with(Method::HEAD, path, &[("if-none-match", &tag)], None).await;
        assert_eq!(head.status, 304, "{path}");
    })
    .await;
}

/// G-50: After any change of a listed event, its venue, its organizer or a term, lists and single
/// reads have another tag.
#[both_stores]
async fn every_shown_change_has_another_tag(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    let changes = [
        ("/events/1", json!({"description": "Bring gloves."})),
        ("/venues/1", json!({"city": "Lyon"})),
        ("/organizers/1", json!({"phone": "7"})),
        ("/categories/1", json!({"name": "Open air"})),
        ("/tags/1", json!({"description": "Rivers and lakes"})),
    ];
    let paths = ["/events", "/events/1", "/events/by-slug/river-cleanup"];
    for (path, change) in changes {
        let before = tags_of(app, &paths).await;
        admin.change(path, change).await;
        for (shown, before) in paths.iter().zip(&before) {
            let answer = app.anonymous().get_with(shown, &[("if-none-match", before)]).await;
            assert_ne!(&tag(&answer), before, "{shown} after {path}");
        }
    }
    let before = tag_of(&app.anonymous(), "/events/1").await;
    assert_eq!(admin.delete("/venues/1").await.status, 200);
    assert_ne!(tag_of(&app.anonymous(), "/events/1").await, before);
}

/// A private change does not change the tag of a public answer.
#[both_stores]
async fn private_activity_moves_no_public_tag(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    let paths =
        ["/events", "/events/1", "/venues", "/organizers", "/categories", "/tags", "/categories/1"];
    let before = tags_of(app, &paths).await;
    let draft = json!({
        "status": "draft", "title": "Surprise", "venue": 1, "organizer": 1,
        "categories": [1], "tags": [1],
    });
    let draft = event_path(&admin.event(draft).await);
    admin.make("/venues", json!({"venue": "Secret", "status": "private"})).await;
    admin.make("/organizers", json!({"organizer": "Secret", "status": "pending"})).await;
    admin.change(&draft, json!({"description": "Never told."})).await;
    assert_eq!(admin.delete(&draft).await.status, 200);
    assert_eq!(tags_of(app, &paths).await, before);
}

/// Tags are compared weakly, at any position of a list; a star matches any tag; without a match the
/// answer is sent.
#[both_stores]
async fn lists_of_tags(app: &TestApp) {
    linked_event(&app.admin()).await;
    let tag = tag_of(&app.anonymous(), "/events/1").await;
    let without_revision = tag.replacen("r1-", "", 1);
    let rows = [
        (format!("W/{tag}"), 304),
        (format!("\"x\", W/\"y\",{tag}"), 304),
        ("*".to_owned(), 304),
        ("\"x\"".to_owned(), 200),
        (tag.trim_matches('"').to_owned(), 200),
        (without_revision, 200),
        (String::new(), 200),
    ];
    for_each_row(rows, async |(sent, status)| {
        let answer = app.anonymous().get_with("/events/1", &[("if-none-match", &sent)]).await;
        assert_eq!(answer.status, status, "{sent}");
    })
    .await;
    let absent = app.anonymous().get_with("/events/9", &[("if-none-match", "*")]).await;
    absent.assert_error(404, "rest-event-not-found");
    assert_eq!(absent.header("etag"), "");
}

/// `Last-Modified` is the last change, and the condition for 304.
#[both_stores]
async fn dates_of_changes(app: &TestApp) {
    let admin = app.admin();
    admin.make("/venues", json!({"venue": "Old Mill"})).await;
    let get = async |since: &str| {
        app.anonymous().get_with("/venues/1", &[("if-modified-since", since)]).await
    };
    let modified = "Fri, 01 Jan 2027 12:00:00 GMT";
    app.clock.advance_seconds(1);
    assert_eq!(app.anonymous().get("/venues/1").await.header("last-modified"), modified);
    for (since, status) in [
        (modified, 304),
        ("Friday, 01-Jan-27 12:00:00 GMT", 304),
        ("Sat, 02 Jan 2027 00:00:00 GMT", 304),
        ("Fri, 01 Jan 2027 11:59:59 GMT", 200),
        ("yesterday", 200),
    ] {
        assert_eq!(get(since).await.status, status, "{since}");
    }
    // An entity tag takes precedence over a date.
    let both = [("if-modified-since", modified), ("if-none-match", "\"x\"")];
    assert_eq!(app.anonymous().get_with("/venues/1", &both).await.status, 200);
    app.clock.set("2027-01-01 12:00:05");
    admin.change("/venues/1", json!({"city": "Lyon"})).await;
    assert_eq!(get(modified).await.status, 200);
    app.clock.advance_seconds(1);
    let answer = get(modified).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("last-modified"), "Fri, 01 Jan 2027 12:00:05 GMT");
    // Terms have no dates, nor have lists.
    admin.make("/tags", json!({"name": "water"})).await;
    for path in ["/tags/1", "/events"] {
        assert_eq!(app.anonymous().get(path).await.header("last-modified"), "", "{path}");
    }
}

/// A date is omitted until its second is over: another change may come within it.
#[both_stores]
async fn a_second_change_in_a_second(app: &TestApp) {
    let admin = app.admin();
    admin.make("/venues", json!({"venue": "First"})).await;
    let early = app.anonymous().get("/venues/1").await;
    assert_eq!((early.status, early.header("last-modified")), (200, ""));
    assert_ne!(early.header("etag"), "");
    let date = [("if-modified-since", "Fri, 01 Jan 2027 12:00:00 GMT")];
    assert_eq!(app.anonymous().get_with("/venues/1", &date).await.status, 200);
    admin.change("/venues/1", json!({"venue": "Second"})).await;
    let answer = app.anonymous().get_with("/venues/1", &date).await;
    assert_eq!((answer.status, &answer.json()["venue"]), (200, &json!("Second")));
    app.clock.advance_seconds(1);
    let late = app.anonymous().get("/venues/1").await;
    assert_eq!(late.header("last-modified"), date[0].1);
    assert_eq!(late.json()["venue"], "Second");
    assert_eq!(app.anonymous().get_with("/venues/1", &date).await.status, 304);
}

/// The date of an event is no condition for 304, as a venue or a term in it may change.
#[both_stores]
async fn a_date_does_not_hide_other_changes(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    app.clock.advance_seconds(1);
    let since = app.anonymous().get("/events/1").await.header("last-modified").to_owned();
    assert_ne!(since, "");
    admin.change("/tags/1", json!({"name": "lakes"})).await;
    let answer = app.anonymous().get_with("/events/1", &[("if-modified-since", &since)]).await;
    assert_eq!((answer.status, &answer.json()["tags"][0]["name"]), (200, &json!("lakes")));
    // This holds after the last link was removed too, when no linked record shows the change.
    assert_eq!(admin.delete("/tags/1").await.status, 200);
    let answer = app.anonymous().get_with("/events/1", &[("if-modified-since", &since)]).await;
    assert_eq!((answer.status, &answer.json()["tags"]), (200, &json!([])));
    app.clock.set("2027-01-01 12:00:05");
    admin.change("/venues/1", json!({"city": "Lyon"})).await;
    app.clock.advance_seconds(1);
    let answer = app.anonymous().get("/events/1").await;
    assert_eq!(answer.header("last-modified"), "Fri, 01 Jan 2027 12:00:05 GMT");
}

/// D-27: `If-Modified-Since` has no effect for events and terms with any date; the document says so.
#[both_stores]
async fn dates_of_events_and_terms_have_no_effect(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    app.clock.advance_seconds(1);
    for path in
        ["/events/1", "/events/by-slug/river-cleanup", "/categories/1", "/tags/1", "/events"]
    {
        for date in ["Fri, 01 Jan 2027 12:00:00 GMT", "Sat, 01 Jan 2028 00:00:00 GMT"] {
            let answer = app.anonymous().get_with(path, &[("if-modified-since", date)]).await;
            assert_eq!(answer.status, 200, "{path} {date}");
        }
    }
    let document = app.anonymous().get("/doc").await.json();
    let about = &document["components"]["parameters"]["IfModifiedSince"]["description"];
    assert!(about.as_str().unwrap().contains("no effect for events and terms"), "{about}");
}

/// D-27: `If-Modified-Since` holds for venues and organizers without an image, and for images.
#[both_stores]
async fn dates_hold_where_nothing_else_is_shown(app: &TestApp) {
    let admin = app.admin();
    linked_event(&admin).await;
    upload(&admin).await;
    app.clock.advance_seconds(1);
    let date = "Fri, 01 Jan 2027 12:00:00 GMT";
    let since = async |path: &str, date: &str| {
        app.admin().get_with(path, &[("if-modified-since", date)]).await.status
    };
    for path in ["/venues/1", "/organizers/1", "/images/1"] {
        assert_eq!(app.admin().get(path).await.header("last-modified"), date, "{path}");
        assert_eq!(since(path, date).await, 304, "{path}");
        assert_eq!(since(path, "Fri, 01 Jan 2027 11:59:59 GMT").await, 200, "{path}");
    }
    for path in ["/venues/1", "/organizers/1"] {
        admin.change(path, json!({"image": 1})).await;
        assert_eq!(since(path, "Sat, 01 Jan 2028 00:00:00 GMT").await, 200, "{path}");
    }
}

/// Answers to writes of every method have no validator.
#[both_stores]
async fn writes_answer_no_validator(app: &TestApp) {
    let admin = app.admin();
    let created = admin.try_event(json!({})).await;
    let mut answers = vec![created];
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        answers.push(admin.send_json(method, "/events/1", &json!({"title": "New"})).await);
    }
    answers.push(admin.delete("/events/1").await);
    for answer in answers {
        assert!(answer.status < 300, "{}", answer.text());
        assert_eq!((answer.header("etag"), answer.header("last-modified")), ("", ""));
    }
}

/// G-49: An answer to a request with credentials must not be cached; a public one may be, after
/// validation. Both have a tag.
#[both_stores]
async fn answers_to_credentials_are_not_cached(app: &TestApp) {
    app.admin().event(json!({})).await;
    for path in ["/events", "/events/1", "/events/9"] {
        let answer = app.admin().get(path).await;
        let control = answer.header("cache-control");
        assert!(control.contains("no-store") && control.contains("private"), "{control}");
        let answer = app.anonymous().get(path).await;
        assert_eq!(answer.header("cache-control"), "public, max-age=0, must-revalidate");
    }
    let tag = tag_of(&app.admin(), "/events/1").await;
    let again = app.admin().get_with("/events/1", &[("if-none-match", &tag)]).await;
    assert_eq!(again.status, 304);
    let answer = app.anonymous().get("/events/1?password=x").await;
    assert!(answer.header("cache-control").contains("no-store"));
}

/// Public caching can be configured for public answers, not for errors or private ones.
#[both_stores]
async fn caching_is_configured(app: &TestApp) {
    app.admin().event(json!({})).await;
    let service =
        app.variant().build_with(|state| state.with_public_caching(60, 300)).await.anonymous();
    let control = "public, max-age=60, stale-while-revalidate=300";
    assert_eq!(service.get("/events").await.header("cache-control"), control);
    let answer = service.get("/events/9").await;
    assert_eq!(answer.header("cache-control"), "public, max-age=0, must-revalidate");
    // Health checks must not be cached.
    for probe in ["//healthz", "//livez", "//readyz"] {
        assert_eq!(service.get(probe).await.header("cache-control"), "no-store", "{probe}");
    }
    let answer = service.clone().with_token(app.token(1)).get("/events").await;
    assert!(answer.header("cache-control").contains("no-store"));
    for name in ["Origin", "Authorization", "Accept-Encoding"] {
        assert!(service.get("/events").await.header("vary").contains(name), "{name}");
    }
}
