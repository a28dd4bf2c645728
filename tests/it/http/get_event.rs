//! Reading a single event.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

use super::records::{event_path, read, record};

/// An event whose content a password locks.
async fn locked_event(app: &TestApp) -> Value {
    let fields = json!({
        "title": "Wedding", "description": "At the mill.", "cost": "€9", "password": "open sesame",
        "venue": {"venue": "Old Mill"},
    });
    app.author().event(fields).await
}

/// ES-01: A published event is public, with `json_ld` for search engines.
#[both_stores]
async fn a_published_event_is_public(app: &TestApp) {
    let fields = json!({
        "title": "Fair",
        "venue": {"venue": "Old Mill"},
        "organizer": {"organizer": "Hands"},
    });
    let created = app.admin().event(fields).await;
    assert_eq!(created.get("json_ld"), None);
    for path in [event_path(&created).as_str(), "/events/by-slug/fair"] {
        for client in [app.anonymous(), app.subscriber(), app.admin()] {
            assert_eq!(read(&client, path).await, created);
            let ld = json!({
                "@context": "http://schema.org", "@type": "Event", "name": "Fair",
                "url": created["url"], "location.name": "Old Mill", "organizer.name": "Hands",
            });
            has_fields(&client.get(path).await.json()["json_ld"], ld);
        }
    }
}

/// ES-02: No event has the ID 0, or one that was not assigned.
#[both_stores]
async fn there_is_no_such_event(app: &TestApp) {
    app.admin().event(json!({})).await;
    for path in ["/events/0", "/events/999999", "/events/99999999999999999999"] {
        for client in [app.anonymous(), app.admin()] {
            client.get(path).await.assert_error(404, "rest-event-not-found");
        }
    }
}

/// ES-03: Zeros before an ID do not matter.
#[both_stores]
async fn zeros_before_an_id(app: &TestApp) {
    app.admin().event(json!({})).await;
    let plain = record(&app.anonymous().get("/events/1").await);
    assert_eq!(plain["id"], 1);
    assert_eq!(record(&app.anonymous().get("/events/001").await), plain);
}

/// ES-05: Unpublished events of others are hidden.
/// ES-06: Editors read every draft, authors and contributors their own.
#[both_stores]
async fn drafts_are_for_their_authors_and_editors(app: &TestApp) {
    let rows = [
        (4, "draft", vec![1, 2, 4]),
        (4, "pending", vec![1, 2, 4]),
        (3, "draft", vec![1, 2, 3]),
        (3, "pending", vec![1, 2, 3]),
        (3, "private", vec![1, 2, 3]),
        (3, "future", vec![1, 2, 3]),
    ];
    for_each_row(rows, async |(owner, status, readers)| {
        let mut fields = json!({"status": status, "slug": format!("{owner}-{status}")});
        if status == "future" {
            fields["date"] = json!("2027-06-01 08:00:00");
        }
        let event = app.user(owner).event(fields).await;
        assert_eq!(event["status"], status);
        let slug = event["slug"].as_str().filter(|slug| !slug.is_empty());
        let by_slug = slug.map(|slug| format!("/events/by-slug/{slug}"));
        for path in by_slug.into_iter().chain([event_path(&event)]) {
            app.anonymous().get(&path).await.assert_error(403, "event-not-accessible");
            for user in 1..=7 {
                if readers.contains(&user) {
                    assert_eq!(read(&app.user(user), &path).await, event, "{user} {status}");
                } else {
                    app.user(user).get(&path).await.assert_error(403, "event-not-accessible");
                }
            }
        }
    })
    .await;
}

/// ES-07: No user reads an event in the trash.
#[both_stores]
async fn the_trash_is_not_read(app: &TestApp) {
    for status in ["publish", "draft"] {
        let event = app.author().event(json!({"status": status})).await;
        record(&app.author().delete(&event_path(&event)).await);
        for client in [app.anonymous(), app.author(), app.editor(), app.admin()] {
            client.get(&event_path(&event)).await.assert_error(403, "event-no-longer-available");
        }
    }
}

/// ES-08: An event that lists do not show can be read.
#[both_stores]
async fn a_hidden_event_can_be_read(app: &TestApp) {
    let event = app.admin().event(json!({"hide_from_listings": true, "slug": "hidden"})).await;
    assert!(app.anonymous().get("/events").await.ids().is_empty());
    for path in [event_path(&event).as_str(), "/events/by-slug/hidden"] {
        assert_eq!(read(&app.anonymous(), path).await, event);
    }
}

/// ES-09: A locked event opens with its password alone, and then shows everything but that.
/// ES-11: By slug a locked event opens with its password, too.
#[both_stores]
async fn a_password_opens(app: &TestApp) {
    let event = locked_event(app).await;
    has_fields(&event, json!({"description": "<p>At the mill.</p>", "cost": "€9"}));
    for path in [event_path(&event).as_str(), "/events/by-slug/wedding"] {
        for client in [app.anonymous(), app.subscriber(), app.contributor(), app.user(6)] {
            client.get(path).await.assert_error(403, "event-password-protected");
            for wrong in ["wrong", "Open%20Sesame", "open%20sesame%20"] {
                let answer = client.get(&format!("{path}?password={wrong}")).await;
                answer.assert_error(403, "event-password-protected");
            }
            let open = format!("{path}?password=open%20sesame");
            assert_eq!(read(&client, &open).await, event);
            let text = client.get(&open).await.text();
            assert!(!text.contains("sesame"), "{text}");
        }
    }
}

/// ES-10: An empty password is no password.
#[both_stores]
async fn an_empty_password_is_refused(app: &TestApp) {
    let event = locked_event(app).await;
    for path in [event_path(&event).as_str(), "/events/by-slug/wedding"] {
        app.anonymous().get(&format!("{path}?password=")).await.assert_invalid(&["password"]);
    }
}

/// ES-12: A user who may change a locked event reads it without the password.
/// ES-13: A user who may change a locked event does so without the password, and it stays locked.
#[both_stores]
async fn editors_of_an_event_need_no_password(app: &TestApp) {
    let event = locked_event(app).await;
    let path = event_path(&event);
    for (client, title) in [(app.editor(), "E"), (app.admin(), "Ad"), (app.author(), "Au")] {
        record(&client.get(&path).await);
        let after = record(&client.put(&path, json!({"title": title})).await);
        has_fields(&after, json!({"title": title, "description": event["description"]}));
        assert_eq!(read(&client, &path).await, after);
        app.anonymous().get(&path).await.assert_error(403, "event-password-protected");
        assert_eq!(read(&app.anonymous(), &format!("{path}?password=open+sesame")).await, after);
    }
}

/// ES-14: A linked venue that the reader may not read is left out.
#[both_stores]
async fn a_draft_venue_is_left_out(app: &TestApp) {
    let fields = json!({
        "venue": {"venue": "Old Mill", "status": "draft"},
        "organizer": {"organizer": "Hands", "status": "private"},
    });
    let event = app.admin().event(fields).await;
    has_fields(&event, json!({"venue.status": "draft", "organizer.0.status": "private"}));
    for client in [app.anonymous(), app.subscriber(), app.contributor(), app.author()] {
        let seen = record(&client.get(&event_path(&event)).await);
        let absent = json!({"json_ld.location": null, "json_ld.organizer": null});
        has_fields(&seen, absent);
        has_fields(&seen, json!({"venue": [], "organizer": []}));
    }
    assert_eq!(read(&app.editor(), &event_path(&event)).await, event);
}

/// ES-15: A linked venue in the trash is left out for every caller.
#[both_stores]
async fn a_trashed_venue_is_left_out(app: &TestApp) {
    let event = app.admin().event(json!({"venue": {"venue": "Old Mill"}})).await;
    record(&app.admin().delete(&format!("/venues/{}", event["venue"]["id"])).await);
    for client in [app.anonymous(), app.editor(), app.admin()] {
        assert_eq!(read(&client, &event_path(&event)).await["venue"], json!([]));
        assert_eq!(record(&client.get("/events").await)["events"][0]["venue"], json!([]));
    }
}

/// ES-16: Only organizers in the trash are left out.
#[both_stores]
async fn other_organizers_remain(app: &TestApp) {
    let organizers = json!([{"organizer": "C"}, {"organizer": "A"}, {"organizer": "B"}]);
    let event = app.admin().event(json!({"organizer": organizers})).await;
    record(&app.admin().delete(&format!("/organizers/{}", event["organizer"][1]["id"])).await);
    for client in [app.anonymous(), app.admin()] {
        let seen = read(&client, &event_path(&event)).await;
        assert_eq!(seen["organizer"], json!([event["organizer"][0], event["organizer"][2]]));
    }
}

/// ES-17: Letter case and blanks do not matter in a slug; one that no event has is an error.
#[both_stores]
async fn slugs_are_normalised_before_the_search(app: &TestApp) {
    let event = app.admin().event(json!({"slug": "river-cleanup"})).await;
    for slug in ["river-cleanup", "RIVER-Cleanup", "river%20cleanup", "River%20CLEANUP"] {
        let found = read(&app.anonymous(), &format!("/events/by-slug/{slug}")).await;
        assert_eq!(found, event, "{slug}");
    }
    for slug in ["absent", "river", "river-cleanup-2", "%3F"] {
        let answer = app.anonymous().get(&format!("/events/by-slug/{slug}")).await;
        answer.assert_error(404, "rest-event-not-found");
    }
}

/// ES-18: `startDate` in JSON-LD has its offset; `offers` is there only with a cost.
#[both_stores]
async fn json_ld_has_offsets_and_offers(app: &TestApp) {
    for (zone, start, end) in [
        ("Europe/Paris", "2027-03-10T09:00:00+01:00", "2027-03-10T11:00:00+01:00"),
        ("America/New_York", "2027-03-10T09:00:00-05:00", "2027-03-10T11:00:00-05:00"),
        ("Asia/Kolkata", "2027-03-10T09:00:00+05:30", "2027-03-10T11:00:00+05:30"),
        ("UTC-3:30", "2027-03-10T09:00:00-03:30", "2027-03-10T11:00:00-03:30"),
        ("UTC", "2027-03-10T09:00:00+00:00", "2027-03-10T11:00:00+00:00"),
    ] {
        let event = app.admin().event(json!({"timezone": zone})).await;
        let read = app.anonymous().get(&event_path(&event)).await.json();
        let ld = json!({"startDate": start, "endDate": end, "offers": null});
        has_fields(&read["json_ld"], ld);
    }
    let event = app.admin().event(json!({"cost": "€9"})).await;
    let read = app.anonymous().get(&event_path(&event)).await.json();
    let offer =
        json!({"@type": "Offer", "price": "9", "priceCurrency": "EUR", "url": event["url"]});
    has_fields(&read["json_ld"]["offers"], offer);
}
