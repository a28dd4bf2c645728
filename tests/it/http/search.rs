//! Searches of clients find each write at once, also while answers are cached.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, id},
};

/// Queries of which each write changes the answer of one or more.
const QUERIES: [&str; 9] = [
    "search=alpha",
    "search=bravo",
    "search=%22charlie+delta%22",
    "search=event+-alpha",
    "search=-event&start_date=2027-01-01&end_date=2027-03-31",
    "search=ravo&start_date=2027-04-01",
    "search=a&page=1&per_page=2&orderby=title",
    "search=bravo&password=sesame",
    "search=bravo&ml_language=fr",
];

/// Writes of event 1, in this order.
fn writes() -> Vec<(Method, &'static str, Value)> {
    let put = |fields| (Method::PUT, "/events/1", fields);
    vec![
        put(json!({"title": "Event bravo"})),
        put(json!({"title": "Event alpha"})),
        put(json!({"description": "Charlie\n\nbravo"})),
        put(json!({"description": "Charlie delta"})),
        put(json!({"excerpt": "bravo"})),
        put(json!({"password": "sesame"})),
        put(json!({"title": "Event delta"})),
        put(json!({"password": ""})),
        put(json!({"start_date": "2027-04-10 09:00:00", "end_date": "2027-04-10 11:00:00"})),
        put(json!({"start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"})),
        put(json!({"hide_from_listings": true})),
        put(json!({"hide_from_listings": false})),
        put(json!({"status": "draft"})),
        put(json!({"status": "publish"})),
        put(json!({"excerpt": ""})),
        (Method::PUT, "/events/1?ml_language=fr", json!({"title": "Bravo"})),
        (Method::PUT, "/events/1?ml_language=fr", json!({"title": ""})),
        put(json!({"description": "bravo"})),
        (Method::POST, "/events", event_fields(json!({"title": "Bravo"}))),
        (Method::DELETE, "/events/1", json!({})),
        put(json!({"status": "publish"})),
        (Method::DELETE, "/events/1?force=true", json!({})),
    ]
}

/// Each write changes what the searches find, through this service and another one.
#[both_stores]
async fn searches_find_each_write(app: &TestApp) {
    for title in ["Event alpha", "Event bravo", "Alpha"] {
        app.admin().event(json!({"title": title})).await;
    }
    let other = app.variant().store(app.db.another(|_| ()).await).build().await;
    let uncached = app.uncached().await;
    let read = async |app: &TestApp| {
        let mut all = Vec::new();
        for query in QUERIES {
            let path = format!("/events?{query}");
            all.push(app.anonymous().get(&path).await.json());
        }
        all
    };
    let mut before = read(app).await;
    for (method, path, fields) in writes() {
        let what = format!("{method} {path} {fields}");
        let answer = app.admin().send_json(method, path, &fields).await;
        assert!(answer.status < 300, "{what}: {}", answer.text());
        let after = read(app).await;
        assert_ne!(before, after, "{what}");
        assert_eq!(read(&other).await, after, "{what}");
        assert_eq!(read(&uncached).await, after, "{what}");
        before = after;
    }
}

/// The text of a locked event is searched only for clients that may read it.
#[both_stores]
async fn a_locked_text_is_searched_for_its_readers(app: &TestApp) {
    let fields = json!({"title": "Open", "description": "Hidden words", "password": "sesame"});
    let event = id(&app.author().event(fields).await);
    let path = format!("/events/{event}");
    for search in ["hidden", "%22dden+wor%22", "open+hidden", "open+-nothing", "open"] {
        let query = format!("search={search}");
        let all: &[i64] = &[event];
        let some = if search.contains("dden") { &[] } else { all };
        for client in [app.anonymous(), app.subscriber(), app.contributor(), app.user(6)] {
            assert_eq!(client.list(&query).await, some, "{search}");
        }
        for client in [app.author(), app.editor(), app.admin()] {
            assert_eq!(client.list(&query).await, all, "{search}");
        }
        for (password, found) in [("sesame", all), ("wrong", some)] {
            let query = format!("{query}&password={password}");
            assert_eq!(app.anonymous().list(&query).await, found, "{query}");
        }
    }
    assert_eq!(app.list("search=open+-hidden").await, [event]);
    assert_eq!(app.author().list("search=open+-hidden").await, [0; 0]);
    app.author().change(&path, json!({"password": ""})).await;
    assert_eq!(app.list("search=hidden").await, [event]);
    app.author().change(&path, json!({"password": "sesame", "description": "Other"})).await;
    for query in ["search=hidden", "search=other"] {
        assert_eq!(app.list(query).await, [0; 0]);
    }
    assert_eq!(app.list("search=other&password=sesame").await, [event]);
}

/// D-39: The shapes of quotes, apostrophes, dashes and blanks do not matter, in texts and searches.
#[both_stores]
async fn shapes_of_punctuation_do_not_matter(app: &TestApp) {
    let typed = json!({"title": "L’Été à Saint‑Denis", "description": "Dès 20\u{a0}h – «\u{a0}Kon\u{ad}zert\u{202f}»"});
    let plain = json!({"title": "L'été à Saint-Denis", "description": "Dès 20 h - \" Konzert \""});
    let all = [id(&app.admin().event(typed).await), id(&app.admin().event(plain).await)];
    let venue = app.admin().make("/venues", json!({"venue": "Café de l’Île"})).await;
    app.admin().make("/categories", json!({"name": "Rock ’n’ Roll"})).await;
    let list = async |search: &str| {
        let search: String = form_urlencoded::byte_serialize(search.as_bytes()).collect();
        app.list(&format!("search={search}")).await
    };
    for search in [
        "l'été",
        "l’ete",
        "l‘ete",
        "saint-denis",
        "Saint–Denis",
        "saint‐denis",
        "“ete à saint-denis”",
        "«20 h»",
        "„ konzert“",
        "\"h – \"",
    ] {
        assert_eq!(list(search).await, all, "{search}");
        for excluded in [format!("ete -{search}"), format!("ete –{search}")] {
            assert_eq!(list(&excluded).await, [0; 0], "{excluded}");
        }
    }
    assert_eq!(list("“denis saint”").await, [0; 0]);
    assert_eq!(list("denis saint").await, all);
    let venues = app.anonymous().get("/venues?search=l'ile").await.ids();
    assert_eq!(venues, [id(&venue)]);
    assert_eq!(app.anonymous().get("/categories?search='n'&hide_empty=false").await.ids().len(), 1);
}
