//! Venues and organizers of new events.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields, has_fields},
    for_each_row,
};

use super::languages::{KINDS, make, write};

/// The IDs of the organizers of an event.
fn organizers(event: &Value) -> Vec<Value> {
    event["organizer"].as_array().into_iter().flatten().map(|one| one["id"].clone()).collect()
}

/// Creates the venues 1, 2 and 3, and as many organizers.
async fn make_three(client: &Client) {
    for name in ["Hall", "Mill", "Yard"] {
        client.make("/venues", json!({"venue": name})).await;
        client.make("/organizers", json!({"organizer": name})).await;
    }
}

/// The totals of venues and organizers of any status.
async fn totals(client: &Client) -> [Value; 2] {
    let venues = client.get("/venues?status=any").await.json();
    let organizers = client.get("/organizers?status=any").await.json();
    [venues["total"].clone(), organizers["total"].clone()]
}

/// EC-137: A venue is linked by its number, as text or within an object, too.
/// EC-138: A venue is linked by a list of one of these; of several, the first counts.
#[both_stores]
async fn a_venue_is_linked_by_its_number(app: &TestApp) {
    make_three(&app.admin()).await;
    let rows = [
        json!(2),
        json!("2"),
        json!({"id": 2}),
        json!({"id": "2"}),
        json!([2]),
        json!(["2"]),
        json!([{"id": 2}]),
        json!([2, 3]),
    ];
    for_each_row(rows, async |venue| {
        let event = app.admin().event(json!({"venue": venue})).await;
        has_fields(&event["venue"], json!({"id": 2, "venue": "Mill"}));
    })
    .await;
    assert_eq!(totals(&app.admin()).await, [3, 3]);
}

/// EC-139: A venue given in full is created and linked.
#[both_stores]
async fn a_venue_given_in_full_is_made(app: &TestApp) {
    let fields = json!({"venue": "Hall", "city": "Oslo"});
    for venue in [fields.clone(), json!([fields])] {
        let event = app.admin().event(json!({"venue": venue})).await;
        let linked = json!({"id": 1, "venue": "Hall", "city": "Oslo", "status": "publish"});
        has_fields(&event["venue"], linked);
    }
    let venue = app.anonymous().get("/venues/1").await.json();
    has_fields(&venue, json!({"city": "Oslo", "slug": "hall", "author": 1}));
}

/// EC-140: A venue given without a name is refused, and none is created.
/// EC-141: A venue that does not exist is refused, and so is a name alone.
#[both_stores]
async fn a_venue_that_cannot_be_found_or_made_is_refused(app: &TestApp) {
    make_three(&app.admin()).await;
    let rows = [
        json!({"city": "Oslo"}),
        json!({"venue": "", "city": "Oslo"}),
        json!({"venue": "Hall", "website": "example.org"}),
        json!([{"city": "Oslo"}]),
        json!(99999),
        json!([99999]),
        json!({"id": 99999}),
        json!("Hall"),
        json!(-1),
    ];
    for_each_row(rows, async |venue| {
        // The service would create the organizer if it created the event.
        let fields = json!({"venue": venue, "organizer": {"organizer": "New"}});
        app.admin().try_event(fields).await.assert_invalid(&["venue"]);
    })
    .await;
    assert_eq!(totals(&app.admin()).await, [3, 3]);
    assert!(app.admin().get("/events").await.ids().is_empty());
}

/// EC-142: An empty list, an empty text, null and zero are no venue.
#[both_stores]
async fn nothing_is_no_venue(app: &TestApp) {
    for nothing in [json!([]), json!(""), json!(null), json!(0)] {
        let event = app.admin().event(json!({"venue": nothing, "organizer": nothing})).await;
        has_fields(&event, json!({"venue": [], "organizer": []}));
    }
}

/// EC-143: An organizer is linked by its number, as number, text or list.
/// EC-144: Several organizers may be one text with commas.
/// EC-145: Organizers keep the order in which they were sent, each of them once.
#[both_stores]
async fn organizers_are_linked_by_their_numbers(app: &TestApp) {
    make_three(&app.admin()).await;
    let rows = [
        (json!(2), vec![2]),
        (json!("2"), vec![2]),
        (json!([2]), vec![2]),
        (json!({"id": 2}), vec![2]),
        (json!("2,3"), vec![2, 3]),
        (json!("3, 2"), vec![3, 2]),
        (json!([3, 2, 3]), vec![3, 2]),
        (json!(["3", {"id": 2}, 1]), vec![3, 2, 1]),
    ];
    for_each_row(rows, async |(sent, linked)| {
        let event = app.admin().event(json!({"organizer": sent})).await;
        assert_eq!(organizers(&event), linked, "{sent}");
        let read = app.anonymous().get(&format!("/events/{}", event["id"])).await.json();
        assert_eq!(organizers(&read), linked, "{sent}");
    })
    .await;
    assert_eq!(totals(&app.admin()).await, [3, 3]);
}

/// EC-146: An organizer given in full is created and linked.
/// EC-147: Organizers given in full and by number stand side by side, in their order.
#[both_stores]
async fn organizers_given_in_full_are_made(app: &TestApp) {
    let event = app.admin().event(json!({"organizer": {"organizer": "A", "phone": "1"}})).await;
    assert_eq!(organizers(&event), [1]);
    let made = json!({"organizer": "A", "phone": "1", "status": "publish"});
    has_fields(&event["organizer"][0], made);

    let event = app.admin().event(json!({"organizer": [{"organizer": "B"}, 1]})).await;
    assert_eq!(organizers(&event), [2, 1]);
    has_fields(&event, json!({"organizer.0.organizer": "B", "organizer.1.organizer": "A"}));
    assert_eq!(totals(&app.admin()).await, [0, 2]);
}

/// EC-148: An organizer given without a name is refused, and none is created.
/// EC-149: The name of an organizer alone is refused, even if there is one of it.
#[both_stores]
async fn an_organizer_that_cannot_be_found_or_made_is_refused(app: &TestApp) {
    app.admin().make("/organizers", json!({"organizer": "Some Name"})).await;
    let rows = [
        json!([{"email": "q@q.q"}]),
        json!([{"organizer": "New"}, {"email": "q@q.q"}]),
        json!([{"organizer": "New"}, 99999]),
        json!("Some Name"),
        json!(["Some Name"]),
        json!("1,Some Name"),
    ];
    for_each_row(rows, async |organizer| {
        let fields = json!({"organizer": organizer, "venue": {"venue": "New"}});
        app.admin().try_event(fields).await.assert_invalid(&["organizer"]);
    })
    .await;
    assert_eq!(totals(&app.admin()).await, [0, 1]);
}

/// EC-150: A venue that a contributor gives in full and publishes waits for review.
/// EC-151: A venue that an author gives in full is published, though the event is a draft.
#[both_stores]
async fn records_given_in_full_have_their_own_status(app: &TestApp) {
    let published = json!({"venue": "Barn", "status": "publish"});
    let event = app.contributor().event(json!({"venue": published})).await;
    has_fields(&event, json!({"status": "draft", "venue.status": "pending", "venue.slug": null}));
    app.anonymous().get("/venues/1").await.assert_error(403, "venue-not-accessible");

    let fields = json!({"venue": {"venue": "Shed"}, "organizer": {"organizer": "Shed"}});
    let event = app.contributor().event(fields).await;
    has_fields(&event, json!({"venue.status": "draft", "organizer.0.status": "draft"}));

    let fields = json!({"status": "draft", "venue": {"venue": "Farm"}});
    let event = app.author().event(fields).await;
    let farm = json!({"status": "draft", "venue.status": "publish", "venue.slug": "farm"});
    has_fields(&event, farm);
    assert_eq!(app.anonymous().get("/venues").await.ids(), [3]);
}

/// EC-152: A venue or an organizer in the trash cannot be linked.
#[both_stores]
async fn records_in_the_trash_cannot_be_linked(app: &TestApp) {
    make_three(&app.admin()).await;
    for path in ["/venues/2", "/organizers/2"] {
        assert_eq!(app.admin().delete(path).await.status, 200);
    }
    for value in [json!(2), json!([2]), json!({"id": 2})] {
        let fields = json!({"venue": value, "organizer": value});
        app.admin().try_event(fields).await.assert_invalid(&["venue", "organizer"]);
    }
    assert!(app.admin().get("/events").await.ids().is_empty());
}

/// D-19: A venue or an organizer given in full is an existing one if it has the name in some
/// language; a record with that original name takes precedence.
#[both_stores]
async fn places_are_found_by_their_names_in_all_languages(app: &TestApp) {
    const NAMES: [(&str, &str); 3] =
        [("en", "Old Mill"), ("fr", "Vieux moulin"), ("ar", "الطاحونة القديمة")];
    for (kind, field) in [(KINDS[1], "venue"), (KINDS[2], "organizer")] {
        let linked = |event: &Value| match &event[field] {
            Value::Array(organizers) => organizers[0]["id"].clone(),
            venue => venue["id"].clone(),
        };
        for original in ["en", "fr"] {
            let name_in = |language| NAMES.iter().find(|(one, _)| *one == language).unwrap().1;
            let (place, path) = make(app, kind, original, name_in(original)).await;
            for (language, name) in NAMES.into_iter().filter(|(one, _)| *one != original) {
                write(app, &path, language, json!({kind.1: name, "phone": "1"})).await;
            }
            for (_, name) in NAMES {
                for language in ["en", "fr", "ar"] {
                    let given = json!({kind.1: name.to_uppercase(), "phone": "1"});
                    let event = event_fields(json!({field: given}));
                    let event =
                        app.admin().make(&format!("/events?ml_language={language}"), event).await;
                    assert_eq!(linked(&event), place["id"], "{name} in {language}");
                }
            }
            // A different telephone number contradicts the record.
            let event =
                app.admin().event(json!({field: {kind.1: name_in("fr"), "phone": "2"}})).await;
            let other = &linked(&event);
            assert_ne!(other, &place["id"]);
            // This record has the name in its original.
            let event = app.admin().event(json!({field: {kind.1: name_in("fr")}})).await;
            assert_eq!(&linked(&event), if original == "fr" { &place["id"] } else { other });
            for id in [other, &place["id"]] {
                let path = format!("{}/{id}?force=true", kind.0);
                assert_eq!(app.admin().delete(&path).await.status, 200);
            }
        }
    }
}
