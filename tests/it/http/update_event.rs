//! Changing the fields of an event.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields},
    for_each_row,
};

use super::records::{differences, event_path, read, record};

/// An event with a value in every field.
async fn full_event(app: &TestApp) -> Value {
    let fields = json!({
        "title": "Fair",
        "description": "Bring gloves.",
        "excerpt": "Gloves",
        "date": "2026-12-01 10:00:00",
        "timezone": "Europe/Paris",
        "cost": "€4",
        "currency": "EUR",
        "website": "https://rivers.example/fair",
        "show_map": true,
        "show_map_link": true,
        "hide_from_listings": true,
        "sticky": true,
        "featured": true,
        "categories": ["Outdoor"],
        "tags": ["river"],
        "venue": {"venue": "Old Mill", "city": "Lyon"},
        "organizer": [{"organizer": "Green Hands"}, {"organizer": "Blue Hands"}],
    });
    let event = app.admin().event(fields).await;
    for field in ["show_map", "show_map_link", "hide_from_listings", "sticky", "featured"] {
        assert_eq!(event[field], true, "{field}");
    }
    assert_eq!(event["cost"], "€4");
    assert_eq!(event["venue"]["city"], "Lyon");
    assert_eq!(event["organizer"][1]["organizer"], "Blue Hands");
    event
}

/// EU-01: `PUT`, `PATCH` and `POST` of a title all do the same.
#[both_stores]
async fn the_three_verbs_do_the_same(app: &TestApp) {
    let path = event_path(&full_event(app).await);
    let mut changed = Vec::new();
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        app.admin().change(&path, json!({"title": "Old"})).await;
        app.clock.advance_seconds(60);
        let before = read(&app.admin(), &path).await;
        let answer = app.admin().send_json(method.clone(), &path, &json!({"title": "New"})).await;
        let after = record(&answer);
        assert_eq!(differences(&before, &after), ["modified", "modified_utc", "title"], "{method}");
        assert_eq!(after["title"], "New", "{method}");
        assert_eq!(after, read(&app.admin(), &path).await, "{method}");
        changed.push(after["slug"].clone());
    }
    assert_eq!(changed, ["fair", "fair", "fair"]);
}

/// EU-02: An update without a field changes nothing, not even the time of the last change.
#[both_stores]
async fn an_empty_update_changes_nothing(app: &TestApp) {
    let event = full_event(app).await;
    app.clock.advance_seconds(86_400);
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        let answer = app.admin().send_json(method, &event_path(&event), &json!({})).await;
        assert_eq!(record(&answer), event);
    }
    assert_eq!(read(&app.admin(), &event_path(&event)).await, event);
}

/// EU-03: A draft that gets a new title stays a draft.
/// EU-04: A private event that gets a new title stays private.
/// EU-05: A scheduled event that gets a new title stays scheduled for its date.
/// EU-06: A contributor's own pending event stays pending when its title changes.
/// EU-39: An editor may change any user's event, whose author stays.
#[both_stores]
async fn a_new_title_keeps_status_and_author(app: &TestApp) {
    let rows = [
        (1, json!({"status": "draft"}), "draft", 1),
        (1, json!({"status": "private"}), "private", 1),
        (1, json!({"date": "2027-06-01 08:00:00"}), "future", 1),
        (4, json!({"status": "publish"}), "pending", 4),
        (3, json!({"status": "draft"}), "draft", 2),
        (3, json!({"status": "publish"}), "publish", 2),
        (3, json!({"status": "private"}), "private", 2),
    ];
    for_each_row(rows, async |(author, fields, status, user)| {
        let before = app.user(author).event(fields).await;
        has_fields(&before, json!({"status": status, "author": author}));
        app.clock.advance_seconds(60);
        let after = app.user(user).change(&event_path(&before), json!({"title": "New"})).await;
        assert_eq!(differences(&before, &after), ["modified", "modified_utc", "title"]);
        assert_eq!(after["title"], "New");
        assert_eq!(read(&app.admin(), &event_path(&before)).await, after);
    })
    .await;
}

/// EU-07: A new title leaves cost, organizers, flags and everything else as they are.
#[both_stores]
async fn a_new_title_keeps_all_else(app: &TestApp) {
    let before = full_event(app).await;
    app.clock.advance_seconds(60);
    let after = app.admin().change(&event_path(&before), json!({"title": "New"})).await;
    assert_eq!(differences(&before, &after), ["modified", "modified_utc", "title"]);
    has_fields(&after, json!({"modified": "2027-01-01 12:01:00", "date": "2026-12-01 10:00:00"}));
}

/// EU-17: An empty title is refused.
/// EU-32: An empty slug is refused.
/// EU-33: A status that does not exist is refused.
#[both_stores]
async fn a_bad_value_changes_nothing(app: &TestApp) {
    let event = full_event(app).await;
    app.clock.advance_seconds(60);
    let rows = [
        ("title", ""),
        ("title", " \t"),
        ("title", "<b></b>"),
        ("slug", ""),
        ("status", "zzz"),
        ("status", "PUBLISH"),
        ("status", "auto-draft"),
        ("status", ""),
    ];
    for_each_row(rows, async |(field, value)| {
        let fields = json!({"description": "Other", field: value});
        app.admin().put(&event_path(&event), fields).await.assert_invalid(&[field]);
    })
    .await;
    assert_eq!(read(&app.admin(), &event_path(&event)).await, event);
}

/// EU-18: A title of `null` was not sent.
/// EU-25: Categories of `null` were not sent.
/// EU-29: Organizers of `null` were not sent.
#[both_stores]
async fn null_keeps(app: &TestApp) {
    let event = full_event(app).await;
    app.clock.advance_seconds(60);
    let rows = [
        "title",
        "categories",
        "organizer",
        "tags",
        "venue",
        "cost",
        "website",
        "image",
        "description",
        "featured",
        "all_day",
        "slug",
        "status",
        "start_date",
        "timezone",
        "author",
        "date",
    ];
    for_each_row(rows, async |field| {
        assert_eq!(app.admin().change(&event_path(&event), json!({field: null})).await, event);
    })
    .await;
}

/// EU-19: An empty description removes it.
/// EU-21: An empty cost removes it.
/// EU-24: An empty list, or an empty text, takes the event out of all categories.
/// EU-26: An empty list takes all tags off.
/// EU-27: An empty list, an empty text and 0 unlink the venue.
/// EU-28: An empty list and an empty text unlink all organizers.
#[both_stores]
async fn empty_values_clear(app: &TestApp) {
    let rows = [
        ("description", json!(""), json!("")),
        ("excerpt", json!(""), json!("")),
        ("cost", json!(""), json!("")),
        ("categories", json!([]), json!([])),
        ("categories", json!(""), json!([])),
        ("tags", json!([]), json!([])),
        ("tags", json!(""), json!([])),
        ("venue", json!([]), json!([])),
        ("venue", json!(""), json!([])),
        ("venue", json!(0), json!([])),
        ("organizer", json!([]), json!([])),
        ("organizer", json!(""), json!([])),
    ];
    for_each_row(rows, async |(field, empty, left)| {
        let before = full_event(app).await;
        app.clock.advance_seconds(60);
        let after = app.admin().change(&event_path(&before), json!({field: empty})).await;
        let mut wanted = vec![field, "modified", "modified_utc"];
        if field == "cost" {
            wanted.push("cost_details");
        }
        wanted.sort_unstable();
        assert_eq!(differences(&before, &after), wanted, "{field}");
        assert_eq!(after[field], left, "{field}");
        assert_eq!(read(&app.admin(), &event_path(&before)).await, after, "{field}");
    })
    .await;
}

/// EU-20: Without a web site of its own, the event has the address of its page.
#[both_stores]
async fn an_empty_website_gives_way_to_the_page(app: &TestApp) {
    let before = full_event(app).await;
    app.clock.advance_seconds(60);
    let after = app.admin().change(&event_path(&before), json!({"website": ""})).await;
    assert_eq!(differences(&before, &after), ["modified", "modified_utc", "website"]);
    assert_eq!(after["website"], "https://cal.example/event/fair/");
    assert_eq!(after["website"], after["url"]);
}

/// EU-22: A number as cost gets the symbol of the event's currency.
#[both_stores]
async fn a_cost_may_be_a_number(app: &TestApp) {
    let event = full_event(app).await;
    let after = app.admin().change(&event_path(&event), json!({"cost": 30})).await;
    // The event has a currency.
    assert_eq!(after["cost"], "€30");
    assert_eq!(after["cost_details"]["values"], json!(["30"]));
    assert_eq!(after["cost_details"]["currency_symbol"], "");
}

/// EU-30: A new slug is normalised, and finds the event from then on.
/// EU-31: A slug that another event has gets a number.
#[both_stores]
async fn a_slug_can_be_changed(app: &TestApp) {
    let event = full_event(app).await;
    let taken = app.admin().event(json!({"slug": "taken"})).await;
    let after = app.admin().change(&event_path(&event), json!({"slug": "new name"})).await;
    let url = "https://cal.example/event/new-name/";
    has_fields(&after, json!({"slug": "new-name", "url": url}));
    assert_eq!(read(&app.anonymous(), "/events/by-slug/new-name").await["id"], event["id"]);
    app.anonymous().get("/events/by-slug/fair").await.assert_error(404, "rest-event-not-found");

    let after = app.admin().change(&event_path(&event), json!({"slug": "taken"})).await;
    assert_eq!(after["slug"], "taken-2");
    assert_eq!(read(&app.anonymous(), "/events/by-slug/taken").await["id"], taken["id"]);
    assert_eq!(read(&app.anonymous(), "/events/by-slug/taken-2").await["id"], event["id"]);
}

/// EU-44: An ID in the body or in the query does not select the event.
#[both_stores]
async fn the_path_selects_the_event(app: &TestApp) {
    let meant = app.admin().event(json!({"title": "Meant"})).await;
    let other = app.admin().event(json!({"title": "Other"})).await;
    let fields = json!({"id": other["id"], "title": "Changed"});
    let after = record(&app.admin().post(&event_path(&meant), fields).await);
    assert_eq!((&after["id"], &after["title"]), (&meant["id"], &json!("Changed")));
    let path = format!("{}?id={}", event_path(&meant), other["id"]);
    let after = app.admin().change(&path, json!({"title": "Again"})).await;
    assert_eq!((&after["id"], &after["title"]), (&meant["id"], &json!("Again")));
    assert_eq!(read(&app.admin(), &event_path(&other)).await, other);
}

/// EU-47: The path finds an event by its slug, and a slug in the body renames it.
#[both_stores]
async fn a_slug_in_the_body_renames(app: &TestApp) {
    let event = app.admin().event(json!({"slug": "a"})).await;
    let other = app.admin().event(json!({"slug": "c"})).await;
    let after = app.admin().change("/events/by-slug/a", json!({"slug": "b"})).await;
    assert_eq!((&after["id"], &after["slug"]), (&event["id"], &json!("b")));
    assert_eq!(read(&app.anonymous(), "/events/by-slug/b").await["id"], event["id"]);
    app.anonymous().get("/events/by-slug/a").await.assert_error(404, "rest-event-not-found");

    // The slug of another event in the body does not select that event.
    let after = app.admin().change("/events/by-slug/b", json!({"slug": "c"})).await;
    assert_eq!((&after["id"], &after["slug"]), (&event["id"], &json!("c-2")));
    assert_eq!(read(&app.admin(), &event_path(&other)).await, other);
}

/// EU-48: An update by a slug that no event has is refused, and creates nothing.
#[both_stores]
async fn an_absent_slug_is_not_created(app: &TestApp) {
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        let fields = event_fields(json!({}));
        let answer = app.admin().send_json(method, "/events/by-slug/absent", &fields).await;
        answer.assert_error(404, "rest-event-not-found");
    }
    assert!(app.admin().get("/events").await.ids().is_empty());
}
