//! Records that are written back as they were read.

use axum::http::Method;
use port_tests::Dice;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields},
    for_each_row,
};

use super::{
    images::upload,
    records::{read, record},
};

const STRICT: [(&str, &str); 1] = [("prefer", "handling=strict")];

/// Fields of a random event.
fn random_event(dice: &mut Dice, image: &Value) -> Value {
    let costs = [
        json!(""),
        json!("0"),
        json!(["$5", "$10", "$20"]),
        json!("15,50 €"),
        json!(["20", "donation"]),
        json!("free for members"),
        json!(["5 <b>kr.</b>", "7 kr."]),
        json!("10-20, A & B"),
    ];
    let statuses = ["publish", "draft", "pending", "private", "future"];
    let zones = ["UTC", "Europe/Paris", "Asia/Kolkata"];
    let mut fields = event_fields(json!({
        "title": dice.pick(&["Fair", "A &amp; B", "1 &lt; 2", "2027", "Fête « d’été »"]),
        "description": dice.pick(&["", "Two\n\nlines", "<p>A &amp; <b>b</b></p>", "&lt;div&gt;"]),
        "excerpt": dice.pick(&["", "Short & <i>sweet</i>"]),
        "status": dice.pick(&statuses),
        "timezone": dice.pick(&zones),
        "all_day": dice.once_in(3),
        "cost": dice.pick(&costs),
        "currency": dice.pick(&["", "EUR", "JPY"]),
        "website": dice.pick(&["", "https://fair.example/?a=1&b=2"]),
        "image": dice.pick(&[json!(""), image.clone()]),
        "categories": dice.some(&["Zeta", "Arts & crafts", "Music"], 3),
        "tags": dice.some(&["River", "big", "Late"], 3),
        "venue": dice.pick(&[json!(""), json!({"venue": "Mill & Co", "city": "Lyon"})]),
        "organizer": dice.some(&[json!({"organizer": "Ann"}), json!({"organizer": "Bob"})], 2),
        "tickets": dice.pick(&[json!([]), json!([{"name": "Seat", "price": "5", "currency": "EUR"}])]),
        "featured": dice.once_in(2), "sticky": dice.once_in(2), "cancelled": dice.once_in(3),
    }));
    if fields["status"] == "future" {
        fields["date"] = json!("2035-01-01 10:00:00");
    }
    fields
}

/// Writes a record back by each method, with strict handling, to each of its paths.
async fn write_back(client: &Client, paths: &[String], sent: &Value) {
    for path in paths {
        let before = read(client, path).await;
        for method in [Method::PUT, Method::PATCH, Method::POST] {
            let answer = client.send_json_with(method.clone(), path, &STRICT, sent).await;
            let mut after = record(&answer);
            super::records::remove_json_ld(&mut after);
            assert_eq!(after, before, "{method} {path} {sent}");
        }
    }
}

/// D-35: An event is written back as it was read, by ID, by slug and from a list, in each status
/// and language: nothing changes, not even the time of its last change.
#[both_stores]
async fn events_are_written_back(app: &TestApp) {
    let admin = app.admin();
    let image = upload(&admin).await["id"].clone();
    let mut dice = Dice(35);
    for _ in 0..25 {
        let event = admin.event(random_event(&mut dice, &image)).await;
        let id = event["id"].clone();
        if dice.once_in(2) {
            let texts = dice.pick(&[json!({"title": "Foire"}), json!({"description": "Loin."})]);
            admin.change(&format!("/events/{id}?ml_language=fr"), texts).await;
        }
        app.clock.advance_seconds(60);
        let mut paths = vec![format!("/events/{id}")];
        let slug = event["slug"].as_str().unwrap();
        if !slug.is_empty() {
            paths.push(format!("/events/by-slug/{slug}"));
        }
        let listed = admin.get(&format!("/events?include={id}&status=any&per_page=50")).await;
        let listed = listed.json()["events"].as_array().unwrap().clone();
        let listed = listed.into_iter().find(|one| one["id"] == id).unwrap();
        write_back(&admin, &paths, &listed).await;
        for language in ["en", "fr", "ar"] {
            let path = format!("/events/{id}?ml_language={language}");
            let single = record(&admin.get(&path).await);
            write_back(&admin, std::slice::from_ref(&path), &single).await;
        }
    }
}

/// D-35: So are venues, organizers and terms.
#[both_stores]
async fn other_kinds_are_written_back(app: &TestApp) {
    let admin = app.admin();
    let image = upload(&admin).await["id"].clone();
    for (collection, name) in
        [("venues", "venue"), ("organizers", "organizer"), ("categories", "name"), ("tags", "name")]
    {
        for (title, text) in [("A & B", "Two\n\nlines"), ("1 &lt; 2", "<p>&lt;b&gt; c</p>")] {
            let mut fields = json!({name: title, "description": text});
            if name != "name" {
                fields["image"] = image.clone();
                fields["status"] = json!("draft");
                fields["website"] = json!("https://a.example/?b=1&c=2");
                fields["phone"] = json!("+33 & 1");
            }
            if name == "venue" {
                let place = json!({
                    "city": "Lyon", "country": "France", "province": "Rhône", "geo_lat": 1.5,
                    "geo_lng": -2, "show_map": false, "show_map_link": true,
                });
                fields.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
            }
            let made = admin.make(&format!("/{collection}"), fields).await;
            let path = format!("/{collection}/{}", made["id"]);
            app.clock.advance_seconds(60);
            for language in ["en", "fr", "ar"] {
                let path = format!("{path}?ml_language={language}");
                let single = record(&admin.get(&path).await);
                write_back(&admin, std::slice::from_ref(&path), &single).await;
            }
        }
    }
}

/// D-35: A cost is kept by its shown text and by its parts; parts alone are a cost.
#[both_stores]
async fn costs_are_kept(app: &TestApp) {
    let admin = app.admin();
    let rows = [
        (json!({"cost": "$5 – $20"}), "$5 – $20", json!(["5", "10", "20"])),
        (
            json!({"cost_details": {"currency_symbol": "$", "values": ["5", "10", "20"]}}),
            "$5 – $20",
            json!(["5", "10", "20"]),
        ),
        (
            json!({"cost_details": {
                "currency_symbol": "€", "currency_position": "postfix", "values": ["7", 8],
            }}),
            "7€ – 8€",
            json!(["7", "8"]),
        ),
        (json!({"cost": "$5", "cost_details": {"values": ["9"]}}), "$5", json!(["5"])),
        (json!({"cost": ["$5", "$20"]}), "$5 – $20", json!(["5", "20"])),
    ];
    for_each_row(rows, async |(sent, shown, values)| {
        let event = admin.event(event_fields(json!({"cost": ["$5", "$10", "$20"]}))).await;
        let after = admin.change(&format!("/events/{}", event["id"]), sent).await;
        assert_eq!(after["cost"], shown);
        assert_eq!(after["cost_details"]["values"], values);
    })
    .await;
}

/// D-35: Links that the caller may not see stay when the record is sent back without them.
#[both_stores]
async fn hidden_links_stay(app: &TestApp) {
    let (admin, author) = (app.admin(), app.author());
    let event = author.event(event_fields(json!({}))).await;
    let path = format!("/events/{}", event["id"]);
    let links = json!({
        "venue": {"venue": "Secret", "status": "draft"},
        "organizer": [{"organizer": "Ann"}, {"organizer": "Hidden", "status": "draft"}],
    });
    let full = admin.change(&path, links).await;
    assert_eq!(full["organizer"].as_array().unwrap().len(), 2);
    let seen = read(&author, &path).await;
    assert_eq!((&seen["venue"], seen["organizer"].as_array().unwrap().len()), (&json!([]), 1));
    record(&author.put(&path, seen).await);
    let after = read(&admin, &path).await;
    assert_eq!((&after["venue"], &after["organizer"]), (&full["venue"], &full["organizer"]));
}
