//! The number of statements of a list.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::Client};

/// Creates this number of events, each with a venue, two organizers, a category below another, a
/// tag and a ticket of its own, and each but the first a part of the one before.
async fn add_events(client: &Client, count: usize) {
    let root = client.make("/categories", json!({"name": "Root"})).await["id"].clone();
    for n in 0..count {
        let category = json!({"name": format!("Category {n}"), "parent": root});
        let category = client.make("/categories", category).await["id"].clone();
        client.event(json!({
            "title": format!("Event {n}"),
            "venue": {"venue": format!("Venue {n}"), "city": "Oslo", "geo_lat": 59.9, "geo_lng": 10.7},
            "organizer": [{"organizer": format!("Club {n}")}, {"organizer": format!("Band {n}")}],
            "categories": [category],
            "tags": [format!("Tag {n}")],
            "tickets": [{"name": "Seat", "price": n, "currency": "NOK"}],
            "parent": n,
        })).await;
    }
}

/// The number of statements does not grow with the length of a page.
#[both_stores]
async fn long_pages_take_no_more_statements(app: &TestApp) {
    add_events(&app.admin(), 52).await;
    // A search of merged texts may take another number of statements.
    app.db.store.merge_search_index().await.unwrap();
    let filters = [
        "/events?",
        "/events?search=event&categories=root&",
        "/events?orderby=title&page=1&",
        "/events?geoloc=true&geoloc_lat=59.9&geoloc_lng=10.6&ticketed=true&",
        "/events?city=oslo&free=false&",
        "/venues?",
        "/venues?has_events=1&search=venue&",
        "/organizers?",
        "/organizers?only_with_upcoming=1&",
        "/categories?",
        "/categories?hide_empty=0&parent=1&orderby=count&",
        "/tags?",
        "/tags?search=tag&",
    ];
    let reading = app.uncached().await;
    for client in [reading.anonymous(), reading.user(2)] {
        // The first request of a day records the use of the token.
        client.get("/tags").await;
        for filter in filters {
            let mut counts = Vec::new();
            for per_page in [2, 50] {
                let before = app.db.statements();
                let answer = client.get(&format!("{filter}per_page={per_page}")).await;
                counts.push(app.db.statements() - before);
                assert_eq!(answer.ids().len(), per_page, "{filter}");
            }
            assert!(counts[0] >= 2, "{filter}: {counts:?}");
            assert_eq!(counts[0], counts[1], "{filter}");
        }
    }
    let events = app.anonymous().get("/events?per_page=50").await.json();
    for event in events["events"].as_array().expect("a list") {
        assert_eq!(event["venue"]["city"], "Oslo");
        for (field, length) in [("organizer", 2), ("categories", 1), ("tags", 1), ("tickets", 1)] {
            assert_eq!(event[field].as_array().map(Vec::len), Some(length), "{field}");
        }
    }
}

/// The creation of another event of one title takes few statements, however many events have the
/// title.
#[both_stores]
async fn many_of_one_title_take_few_statements(app: &TestApp) {
    let admin = app.admin();
    let mut counts = Vec::new();
    for number in 1..=150 {
        let before = app.db.statements();
        let event = admin.event(json!({"title": "Weekly"})).await;
        counts.push(app.db.statements() - before);
        let slug = if number == 1 { "weekly".to_owned() } else { format!("weekly-{number}") };
        assert_eq!(event["slug"], slug);
    }
    assert!(counts[149] <= counts[0] + 8, "{counts:?}");
}

/// The creation of an event takes as many statements whatever the number of records that it names,
/// by names or by IDs.
#[both_stores]
async fn more_links_take_no_more_statements(app: &TestApp) {
    let admin = app.admin();
    add_events(&admin, 4).await;
    let mut counts = Vec::new();
    for links in [1, 3] {
        let organizers: Vec<_> = (1..=links).collect();
        let names: Vec<_> = (0..links).map(|n| json!(format!("Tag {n}"))).collect();
        let ids: Vec<_> = (1..=links).map(|id| json!(id)).collect();
        for (category, tags) in [(json!("Root"), names), (json!(1), ids)] {
            let before = app.db.statements();
            let event = admin.event(json!({
                "title": format!("Linked {links} {category}"),
                "venue": 1,
                "organizer": organizers,
                "categories": [category],
                "tags": tags,
            }));
            let event = event.await;
            counts.push(app.db.statements() - before);
            assert_eq!(event["venue"]["venue"], "Venue 0");
            for field in ["organizer", "tags"] {
                assert_eq!(event[field].as_array().map(Vec::len), Some(links), "{field}");
            }
        }
    }
    assert_eq!(counts, [counts[0]; 4]);
}
