//! Events by their price and by the city of their venue.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, id},
    for_each_row,
};

/// Creates an event with these fields; returns its ID.
async fn event(app: &TestApp, fields: Value) -> i64 {
    id(&app.admin().event(fields).await)
}

/// Creates an event in a city; returns its ID.
async fn event_in(app: &TestApp, city: &str) -> i64 {
    event(app, json!({"venue": {"venue": format!("Hall of {city}"), "city": city}})).await
}

fn ticket(price: &str) -> Value {
    json!({"name": "Seat", "price": price, "currency": "EUR"})
}

/// D-51: An event is free if every amount of its cost is 0, or without cost if every ticket is for 0; an
/// event without either is not.
#[both_stores]
async fn free_events_and_others(app: &TestApp) {
    let mut ids = [Vec::new(), Vec::new()];
    for (fields, free) in [
        (json!({}), false),
        (json!({"cost": "0"}), true),
        (json!({"cost": 0}), true),
        (json!({"cost": "free"}), true),
        (json!({"cost": ["0", "0.00 €"]}), true),
        (json!({"cost": "0-10"}), false),
        (json!({"cost": "12.50"}), false),
        (json!({"cost": "donation"}), false),
        (json!({"cost": "0, donation"}), true),
        (json!({"tickets": [ticket("0"), ticket("0.00")]}), true),
        (json!({"tickets": [ticket("0"), ticket("5")]}), false),
        (json!({"cost": "5", "tickets": [ticket("0")]}), false),
        (json!({"cost": "0", "tickets": [ticket("5")]}), true),
    ] {
        ids[usize::from(free)].push(event(app, fields).await);
    }
    let [others, free] = ids;
    app.lists(["true", "1", "TRUE"].map(|word| (format!("free={word}"), free.clone()))).await;
    app.lists(["false", "0"].map(|word| (format!("free={word}"), others.clone()))).await;
    app.refuses("free", &["=foo", "=", "=2", "[]=1"]).await;

    // The price changes.
    let admin = app.admin();
    admin.change(&format!("/events/{}", free[0]), json!({"cost": "3"})).await;
    admin.change(&format!("/events/{}", others[0]), json!({"tickets": [ticket("0")]})).await;
    let expected = [&others[..1], &free[1..]].concat();
    assert_eq!(app.list("free=true").await, expected);
}

/// D-51: A city is compared without regard to case and accents; of several, one suffices.
#[both_stores]
async fn events_in_a_city(app: &TestApp) {
    let geneva = event_in(app, "Genève").await;
    let lyon = event_in(app, "Lyon").await;
    let island = event_in(app, "Île-de-Bréhat").await;
    event(app, json!({"venue": {"venue": "Somewhere"}})).await;
    event(app, json!({})).await;
    app.lists([
        ("city=geneve", vec![geneva]),
        ("city=GEN%C3%88VE", vec![geneva]),
        ("city=lyon", vec![lyon]),
        ("city=lyon,%20geneve", vec![geneva, lyon]),
        ("city[]=lyon&city[]=geneve", vec![geneva, lyon]),
        ("city=lyon&city=geneve", vec![geneva, lyon]),
        ("city=ile%E2%80%91de%E2%80%91brehat", vec![island]),
        ("city=gen", vec![]),
        ("city=lyon&free=true", vec![]),
        ("city=lyon&venue=2", vec![lyon]),
        ("city=lyon&venue=1", vec![]),
    ])
    .await;
    app.refuses("city", &["=", "=,%20,", "[]="]).await;
    let long = format!("={}", "x".repeat(201));
    app.refuses("city", &[&long]).await;
    let page = app.anonymous().get("/events?city=lyon,geneve&per_page=1").await.json();
    assert_eq!((&page["total"], &page["total_pages"]), (&json!(2), &json!(2)));

    // The venue moves.
    app.admin().change("/venues/2", json!({"city": "Genève"})).await;
    assert_eq!(app.list("city=lyon").await, [0; 0]);
    assert_eq!(app.list("city=geneve").await, [geneva, lyon]);
    app.admin().change("/venues/2", json!({"city": ""})).await;
    assert_eq!(app.list("city=geneve").await, [geneva]);
}

/// D-51: The city is that of the language shown.
#[both_stores]
async fn a_city_in_the_language_shown(app: &TestApp) {
    let event = event_in(app, "Geneva").await;
    let french = json!({"ml_language": "fr", "city": "Genève"});
    app.admin().change("/venues/1", french).await;
    app.lists([
        ("city=geneva", vec![event]),
        ("city=geneve", vec![]),
        ("city=geneve&ml_language=fr", vec![event]),
        ("city=geneva&ml_language=fr", vec![]),
        ("city=geneva&ml_language=ar", vec![event]),
    ])
    .await;
    // The original is shown again where the translation is cleared.
    let cleared = json!({"ml_language": "fr", "city": ""});
    app.admin().change("/venues/1", cleared).await;
    assert_eq!(app.list("city=geneva&ml_language=fr").await, [event]);
}

/// D-51: An event is in no city if the reader may not see its venue; a locked event is in no city and has
/// no price without its password.
#[both_stores]
async fn hidden_cities_and_prices(app: &TestApp) {
    let mut events = Vec::new();
    for status in ["draft", "private"] {
        let venue = json!({"venue": "Hall", "city": "Lyon", "status": status});
        let venue = id(&app.admin().make("/venues", venue).await);
        events.push(event(app, json!({"venue": venue})).await);
    }
    let venue = json!({"venue": "Open", "city": "Lyon"});
    let locked = json!({"venue": venue, "password": "pw", "cost": "0"});
    let locked = event(app, locked).await;
    let rows = ["city=lyon", "free=true", "city=lyon&free=true"];
    for_each_row(rows, async |query| {
        assert_eq!(app.list(query).await, [0; 0]);
        assert_eq!(app.list(&format!("{query}&password=wrong")).await, [0; 0]);
        assert_eq!(app.list(&format!("{query}&password=pw")).await, [locked]);
        assert_eq!(app.author().list(query).await, [0; 0]);
    })
    .await;
    assert_eq!(app.list("free=false").await, events);
    assert_eq!(app.editor().list("city=lyon").await, [events[0], events[1], locked]);
    assert_eq!(app.editor().list("free=true").await, [locked]);
}

/// D-51: Calendar files, tables, Atom feeds and secret feeds take the filters too.
#[both_stores]
async fn files_and_feeds_by_price_and_city(app: &TestApp) {
    let there = json!({"title": "There", "cost": "0", "venue": {"venue": "Hall", "city": "Lyon"}});
    app.admin().event(there).await;
    app.admin().event(json!({"title": "Elsewhere", "cost": "5"})).await;
    let anonymous = app.anonymous();
    let holds_one = async |client: &Client, path: &str| {
        let text = client.get(path).await.text();
        assert!(text.contains("There") && !text.contains("Elsewhere"), "{path}: {text}");
    };
    for filter in ["city=lyon", "free=true", "city=lyon&free=1"] {
        for file in ["events.ics", "events.csv", "events.atom"] {
            holds_one(&anonymous, &format!("/{file}?{filter}")).await;
        }
    }
    let feed = json!({"name": "Free in Lyon", "query": "city=lyon&free=true"});
    let feed = app.author().make("/feeds", feed).await;
    let url = feed["url"].as_str().expect("an address");
    let (_, path) = url.split_once("/cal/events/v1").expect("an address of the interface");
    holds_one(&anonymous, path).await;
    let bad = json!({"name": "Bad", "query": "free=maybe"});
    app.author().post("/feeds", bad).await.assert_invalid(&["free"]);
}
