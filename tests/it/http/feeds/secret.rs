//! Secret feeds.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client, for_each_row};

use super::{file, file::Component};

/// A new feed of a user.
async fn feed(client: &Client, query: &str) -> Value {
    client.make("/feeds", json!({"name": "My feed", "query": query})).await
}

/// The path of the calendar file of a new feed, below the namespace.
fn path(feed: &Value) -> String {
    let url = feed["url"].as_str().unwrap();
    url.strip_prefix("https://cal.example/cal/events/v1").unwrap().to_owned()
}

/// A calendar file, which is read without credentials.
async fn opened(app: &TestApp, feed: &Value) -> Component {
    file(&app.anonymous(), &path(feed)).await
}

/// F-49: a user of any role adds a feed, and sees its key once; an anonymous client needs to log in; a query
/// that a list would refuse is refused, and so is the 21st feed of a user.
#[both_stores]
async fn a_feed_is_added(app: &TestApp) {
    let body = json!({"name": " My  drafts ", "query": "status=any&search=a%26b"});
    app.anonymous().post("/feeds", body.clone()).await.assert_error(401, "rest_forbidden");
    let answer = app.subscriber().post("/feeds", body.clone()).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(answer.header("location"), "https://cal.example/cal/events/v1/feeds/1");
    let made = answer.json();
    let url = made["url"].as_str().unwrap();
    let key = url.strip_prefix("https://cal.example/cal/events/v1/feeds/").unwrap();
    let key = key.strip_suffix(".ics").unwrap();
    assert_eq!(key.len(), 43);
    let mut expected = json!({"id": 1, "owner": 5, "name": "My drafts",
        "query": "status=any&search=a%26b", "created_utc": "2027-01-01 12:00:00", "last_used": "",
        "url": url, "webcal_url": url.replacen("https", "webcal", 1)});
    assert_eq!(made, expected);
    for name in ["url", "webcal_url"] {
        expected.as_object_mut().unwrap().remove(name);
    }
    assert_eq!(app.subscriber().get("/feeds/1").await.json(), expected);
    let list = app.subscriber().get("/feeds").await;
    assert_eq!(list.json(), json!({"feeds": [expected], "total": 1, "total_pages": 1}));
    assert_eq!(list.header("x-wp-total"), "1");

    let refuses = async |body: Value, name: &'static str| {
        app.author().post("/feeds", body).await.assert_invalid(&[name]);
    };
    refuses(json!({"name": "", "query": ""}), "name").await;
    refuses(json!({"name": "x", "query": 7}), "query").await;
    refuses(json!({"name": "x", "query": "categories=none"}), "categories").await;
    refuses(json!({"name": "x", "query": "status=nonsense"}), "status").await;
    refuses(json!({"name": "x", "query": "start_date=someday"}), "start_date").await;
    refuses(json!({"name": "x", "query": "include=3&password=open"}), "password").await;
    let draft = json!({"name": "x", "query": "status=draft"});
    app.subscriber().post("/feeds", draft).await.assert_invalid(&["status"]);
    let nameless = app.author().post("/feeds", json!({"query": ""})).await;
    nameless.assert_error(400, "rest_missing_callback_param");
    assert_eq!(app.author().get("/feeds").await.json()["total"], 0);

    for _ in 0..20 {
        feed(&app.author(), "").await;
    }
    let one_more = app.author().post("/feeds", json!({"name": "x"})).await;
    one_more.assert_error(400, "too-many-feeds");
    app.author().delete("/feeds/2").await;
    feed(&app.author(), "").await;
    feed(&app.user(6), "").await;
    let page = app.author().get("/feeds?per_page=15&page=2").await.json();
    assert_eq!((page["feeds"].as_array().unwrap().len(), &page["total"]), (5, &json!(20)));
}

/// A repeated creation with an idempotency key is answered without the key of the feed.
#[both_stores]
async fn a_repeated_creation_hides_the_key(app: &TestApp) {
    let create = async || {
        let body = json!({"name": "My feed"});
        let headers = [("idempotency-key", "one")];
        app.author().send_json_with(Method::POST, "/feeds", &headers, &body).await
    };
    let (first, second) = (create().await, create().await);
    assert_eq!((first.status, second.status), (201, 201));
    let mut without = first.json();
    assert!(without["url"].is_string());
    for name in ["url", "webcal_url"] {
        without.as_object_mut().unwrap().remove(name);
    }
    assert_eq!(second.json(), without);
    assert_eq!(app.author().get("/feeds").await.json()["total"], 1);
}

/// F-50: the feed of a contributor for all statuses holds own drafts, which are tentative and private, and
/// no drafts of others.
#[both_stores]
async fn a_feed_holds_what_its_owner_may_list(app: &TestApp) {
    app.contributor().event(json!({"title": "Own draft", "status": "draft"})).await;
    app.user(7).event(json!({"title": "Draft of another", "status": "draft"})).await;
    app.admin().event(json!({"title": "Private", "status": "private"})).await;
    app.admin().event(json!({"title": "Public"})).await;
    let made = feed(&app.contributor(), "status=any&orderby=title").await;
    let calendar = opened(app, &made).await;
    assert_eq!(calendar.titles(), ["Own draft", "Public"]);
    let draft = calendar.event("SUMMARY", "Own draft");
    assert_eq!((draft.get("STATUS"), draft.get("CLASS")), (Some("TENTATIVE"), Some("PRIVATE")));
    let public = calendar.event("SUMMARY", "Public");
    assert_eq!((public.get("STATUS"), public.get("CLASS")), (Some("CONFIRMED"), None));
    // The URL holds the key.
    assert_eq!(calendar.get("SOURCE"), None);
    assert_eq!(calendar.get("URL"), Some("https://cal.example/"));

    // The query is that of the feed, whatever the request has.
    let narrowed =
        file(&app.anonymous(), &format!("{}?search=public&format=json", path(&made))).await;
    assert_eq!(narrowed.titles(), ["Own draft", "Public"]);
    let arabic = feed(&app.editor(), "search=مسودة+كبيرة").await;
    app.admin().event(json!({"title": "مسودة كبيرة", "status": "draft"})).await;
    assert_eq!(opened(app, &arabic).await.titles(), ["مسودة كبيرة"]);
}

/// Responses are private, name no referrer, and have an entity tag that ends with what the owner sees.
#[both_stores]
async fn the_headers_of_a_feed(app: &TestApp) {
    app.contributor().event(json!({"title": "Draft", "status": "draft"})).await;
    let made = feed(&app.contributor(), "status=any").await;
    let path = path(&made);
    let answer = app.anonymous().get(&path).await;
    let check = |answer: &tests::client::Answer| {
        let caching = "private, max-age=0, must-revalidate";
        assert_eq!(answer.header("cache-control"), caching);
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
    };
    check(&answer);
    assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
    let tag = answer.header("etag").to_owned();
    let again = app.anonymous().get_with(&path, &[("if-none-match", &tag)]).await;
    assert_eq!((again.status, again.text()), (304, String::new()));
    check(&again);
    app.contributor().change("/events/1", json!({"title": "Changed"})).await;
    let changed = app.anonymous().get_with(&path, &[("if-none-match", &tag)]).await;
    assert_eq!(changed.status, 200);
    let head = app.anonymous().send(Method::HEAD, &path, None).await;
    assert_eq!((head.status, head.text()), (200, String::new()));
    // Also below a language, and named in the query.
    for other in
        [format!("//fr/cal/events/v1{path}"), format!("//?rest_route=/cal/events/v1{path}")]
    {
        assert_eq!(file(&app.anonymous(), &other).await.titles(), ["Changed"], "{other}");
    }
    // The day of the use is known.
    app.clock.set("2027-02-03 23:59:59");
    opened(app, &made).await;
    assert_eq!(app.contributor().get("/feeds/1").await.json()["last_used"], "2027-02-03");
}

/// F-51: the feed of an owner who gets another role shows what that role sees; that of a disabled owner is
/// gone.
#[both_stores]
async fn a_feed_follows_its_owner(app: &TestApp) {
    app.admin().event(json!({"title": "Draft", "status": "draft"})).await;
    app.admin().event(json!({"title": "Public"})).await;
    let made = feed(&app.editor(), "status=any").await;
    assert_eq!(opened(app, &made).await.events().len(), 2);
    app.accounts.set_role("editor", domain::Role::Subscriber).await.unwrap();
    assert_eq!(opened(app, &made).await.titles(), ["Public"]);
    app.accounts.set_disabled("editor", true).await.unwrap();
    let gone = app.anonymous().get_once(&path(&made)).await;
    gone.assert_error(404, "feed-not-found");
    app.accounts.set_disabled("editor", false).await.unwrap();
    assert_eq!(opened(app, &made).await.titles(), ["Public"]);
}

/// F-52: a deleted feed is gone, with the answer of a key that never was; nobody but administrators sees or
/// deletes feeds of others.
#[both_stores]
async fn a_feed_is_deleted(app: &TestApp) {
    let made = feed(&app.author(), "").await;
    for client in [app.editor(), app.user(6), app.subscriber()] {
        client.get("/feeds/1").await.assert_error(404, "feed-not-found");
        client.delete("/feeds/1").await.assert_error(404, "feed-not-found");
        assert_eq!(client.get("/feeds").await.json()["total"], 0);
        assert_eq!(client.get("/feeds/1").await.header("allow"), "");
    }
    for path in ["/feeds", "/feeds/1"] {
        app.anonymous().get(path).await.assert_error(401, "rest_forbidden");
    }
    app.anonymous().delete("/feeds/1").await.assert_error(401, "rest_forbidden");
    assert_eq!(app.author().get("/feeds/1").await.header("allow"), "GET, DELETE");
    let deleted = app.author().delete("/feeds/1").await.json();
    assert_eq!((&deleted["deleted"], &deleted["previous"]["id"]), (&json!(true), &json!(1)));
    let gone = app.anonymous().get_once(&path(&made)).await;
    gone.assert_error(404, "feed-not-found");
    let other = app.anonymous().get_once("/feeds/Zk3.ics").await;
    assert_eq!(other.json(), gone.json());
    app.author().delete("/feeds/1").await.assert_error(404, "feed-not-found");

    feed(&app.author(), "").await;
    assert_eq!(app.admin().get("/feeds").await.json()["feeds"][0]["owner"], 3);
    assert_eq!(app.admin().delete("/feeds/2").await.status, 200);
    let lost = app.author().get("/feeds/2").await;
    lost.assert_error(404, "feed-not-found");
}

/// F-53: the key of a feed is no token; after too many wrong keys a client waits, while a right key opens its
/// feed.
#[both_stores]
async fn keys_cannot_be_guessed(app: &TestApp) {
    let made = feed(&app.author(), "").await;
    let path = path(&made);
    let key = path.trim_start_matches("/feeds/").trim_end_matches(".ics");
    let bearer = app.anonymous().with_token(key).get_once("/events").await;
    bearer.assert_error(401, "invalid_token");
    app.basic("author", key).get_once("/events").await.assert_error(401, "incorrect_password");
    for token in [app.token(3), key] {
        // Neither a token nor another spelling of the key opens a feed.
        let other = if token == key { key.to_ascii_lowercase() } else { token.to_owned() };
        let answer = app.anonymous().get_once(&format!("/feeds/{other}.ics")).await;
        answer.assert_error(404, "feed-not-found");
    }
    app.clock.advance_seconds(60);
    let guess = async |number: u32| {
        app.anonymous().at([192, 0, 2, 1]).get_once(&format!("/feeds/guess{number}.ics")).await
    };
    for number in 0..20 {
        let answer = guess(number).await;
        assert!(matches!(answer.status, 404 | 429), "{}", answer.text());
    }
    let answer = guess(20).await;
    answer.assert_error(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "60");
    // Others are not locked out, nor is the owner of a key.
    let elsewhere = app.anonymous().at([192, 0, 2, 2]).get_once("/feeds/guess.ics").await;
    elsewhere.assert_error(404, "feed-not-found");
    let right = app.anonymous().at([192, 0, 2, 1]).get_once(&path).await;
    assert_eq!(right.status, 200);
    app.clock.advance_seconds(60);
    guess(21).await.assert_error(404, "feed-not-found");
}

/// G-30: wrong credentials are refused beside a right key, too.
#[both_stores]
async fn wrong_credentials_beside_a_key(app: &TestApp) {
    let path = path(&feed(&app.author(), "").await);
    let wrong = app.basic("author", "wrong").get_once(&path).await;
    wrong.assert_error(401, "incorrect_password");
    let unknown = app.anonymous().with_token("unknown").get_once(&path).await;
    unknown.assert_error(401, "invalid_token");
    assert_eq!(app.anonymous().get_once(&path).await.status, 200);
    assert_eq!(app.editor().get_once(&path).await.status, 200);
}

/// Paths below the collection that name no feed have no route.
#[both_stores]
async fn other_paths_are_no_feeds(app: &TestApp) {
    for_each_row(["/feeds/x", "/feeds/1.json", "/feeds/1/2", "/feeds/.."], async |path| {
        let answer = app.author().get(path).await;
        assert_eq!(answer.status, 404, "{path}");
    })
    .await;
    app.author().put("/feeds/1", json!({})).await.assert_error(404, "rest_no_route");
}
