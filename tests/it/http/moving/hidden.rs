//! Events that the list of a site leaves out, and the IDs of images.

use super::*;

/// An event that the list leaves out.
fn hidden(id: i64) -> Value {
    json!({"id": id, "title": "Hidden", "unlisted": true, "hide_from_listings": true})
}

/// Hidden events come along, once; those that go are reported.
#[both_stores]
async fn hidden_events_move(app: &TestApp) {
    let site = OldSite::start().await;
    site.add("events", json!({"id": 1, "title": "Shown"}));
    site.add("events", hidden(2));
    site.add("events", json!({"id": 3, "title": "A date", "unlisted": true, "slug": "event-1"}));
    let (report, remarks) = import(app, &site).await;
    assert_eq!((counts(&report, Kind::Event), remarks), ([2, 0, 0, 0], Vec::new()));
    let event = app.anonymous().get("/events/2").await.json();
    assert_eq!((&event["title"], &event["hide_from_listings"]), (&json!("Hidden"), &json!(true)));
    let (again, _) = import(app, &site).await;
    assert_eq!((counts(&again, Kind::Event), again.gone), ([0, 0, 2, 0], 0));
    site.change("events", 2, json!({"unreadable": true}));
    let (unread, remarks) = import(app, &site).await;
    assert_eq!(unread.gone, 0);
    assert_eq!(remarks, ["event 2: the site names it, and does not show it"]);
    site.remove("events", 2);
    assert_eq!(import(app, &site).await.0.gone, 1);
}

/// Images keep their IDs where these are free.
#[both_stores]
async fn images_keep_their_ids(app: &TestApp) {
    let site = OldSite::start().await;
    for (id, image, name) in [(1, 70, "a.png"), (2, 90, "b.png"), (3, 70, "c.png")] {
        let image = json!({"id": image, "url": format!("{}/pictures/{name}", site.url())});
        site.add("events", json!({"id": id, "title": "A", "image": image}));
    }
    let service = app.variant().fetches_private().build().await;
    import(&service, &site).await;
    for (id, image) in [(1, 70), (2, 90), (3, 91)] {
        let event = app.anonymous().get(&format!("/events/{id}")).await.json();
        assert_eq!(event["image"]["id"], image, "{id}");
    }
}
