//! Events in the lists of pages, the lists on the page of an event, and what others show of a link to it.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
    pictures::png,
};

use super::html::{contains, lacks, page};

/// The titles of the events in the lists of a page, in their order.
fn titles(html: &str) -> Vec<&str> {
    let items = html.split("<a class=\"title p-name u-url\"").skip(1);
    items.filter_map(|item| Some(item.split_once("<bdi>")?.1.split_once("</bdi>")?.0)).collect()
}

async fn image(app: &TestApp, width: u32, height: u32) -> Value {
    let body = Some(("image/png", png(width, height)));
    app.admin().send(Method::POST, "/images", body).await.json()
}

/// A link to an event is shown with its picture, its place and its time.
#[both_stores]
async fn a_shared_link_has_a_picture_and_a_text(app: &TestApp) {
    let image = image(app, 1200, 800).await;
    let venue = json!({"venue": "Old Mill", "city": "Lyon"});
    let fields = json!({"title": "Show", "image": image["id"].to_string(), "timezone": "UTC"});
    app.admin().event(fields).await;
    app.admin().event(json!({"title": "Fair", "venue": venue, "timezone": "Europe/Paris"})).await;
    app.admin().event(json!({"title": "Talk", "description": "<p>Of <b>rivers</b>.</p>"})).await;
    let html = page(&app.anonymous(), "//event/show/").await;
    contains(
        &html,
        &[
            "<meta property=\"og:title\" content=\"Show\">",
            "<meta property=\"og:type\" content=\"website\">",
            "<meta property=\"og:locale\" content=\"en_GB\">",
            &format!("<meta property=\"og:url\" content=\"{PUBLIC_URL}/event/show/\">"),
            &format!("<meta property=\"og:image\" content={}>", image["sizes"]["large"]["url"]),
            "<meta property=\"og:image:width\" content=\"1024\">",
            "<meta property=\"og:image:height\" content=\"683\">",
            "<meta property=\"og:image:alt\" content=\"Show\">",
            "<meta name=\"twitter:card\" content=\"summary_large_image\">",
            "<meta property=\"og:description\" content=\"Wednesday 10 March 2027, 09:00 (UTC)\">",
        ],
    );
    for (path, description) in [
        ("//event/fair/", "Wednesday 10 March 2027, 09:00 (CET) · Old Mill, Lyon"),
        ("//fr/event/fair/", "mercredi 10 mars 2027, 09:00 (CET) · Old Mill, Lyon"),
        ("//event/talk/", "Of rivers."),
    ] {
        let html = page(&app.anonymous(), path).await;
        contains(
            &html,
            &[
                &format!("<meta property=\"og:description\" content=\"{description}\">"),
                "<meta name=\"twitter:card\" content=\"summary\">",
            ],
        );
        lacks(&html, &["og:image"]);
    }
    app.admin().change("/events/2", json!({"password": "open sesame"})).await;
    lacks(&page(&app.anonymous(), "//event/fair/").await, &["Old Mill", "Lyon"]);
}

/// A list shows pictures in their size, the place with its city, and prices.
#[both_stores]
async fn lists_show_pictures_places_and_prices(app: &TestApp) {
    let image = image(app, 1200, 800).await;
    let ticket = |price: &str| json!({"name": price, "price": price, "currency": "EUR"});
    app.admin()
        .event(json!({"title": "Show", "image": image["id"].to_string(), "cost": "7.5 €",
            "venue": {"venue": "Old Mill", "city": "Lyon"}}))
        .await;
    app.admin().event(json!({"title": "Fair", "tickets": [ticket("12"), ticket("9")]})).await;
    app.admin().event(json!({"title": "Walk", "tickets": [ticket("0")]})).await;
    let medium = &image["sizes"]["medium"];
    let html = page(&app.anonymous(), "//fr/").await;
    contains(
        &html,
        &[
            &format!(
                "<img class=\"u-photo\" src={} width=\"{}\" height=\"{}\" alt=\"\" loading=\"lazy\">",
                medium["url"], medium["width"], medium["height"]
            ),
            "<p class=\"place\"><bdi class=\"p-location\">Old Mill, Lyon</bdi></p>",
            "<p class=\"price\"><bdi>7,50\u{a0}€</bdi></p>",
            "<p class=\"price\"><bdi>à partir de 9\u{a0}€</bdi></p>",
            "<p class=\"price\"><bdi>Gratuit</bdi></p>",
        ],
    );
    app.admin().change("/events/1", json!({"password": "open sesame"})).await;
    lacks(&page(&app.anonymous(), "//").await, &["<img", "Lyon", "7.50"]);
}

/// Sticky events are first on their day, and featured ones stand out; those of a locked event are not
/// told.
#[both_stores]
async fn sticky_and_featured_events(app: &TestApp) {
    for (title, day, fields) in [
        ("A", "10", json!({})),
        ("B", "10", json!({"sticky": true})),
        ("C", "11", json!({"featured": true})),
        ("D", "11", json!({"sticky": true, "featured": true, "password": "open sesame"})),
    ] {
        let mut event = json!({"title": title, "start_date": format!("2027-03-{day} 09:00"),
            "end_date": format!("2027-03-{day} 10:00")});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        app.admin().event(event).await;
    }
    let html = page(&app.anonymous(), "//").await;
    assert_eq!(titles(&html), ["B", "A", "C", "D"]);
    assert_eq!(html.matches("<li class=\"h-event featured\">").count(), 1);
    contains(&html, &["<p class=\"mark\">Featured</p>"]);
}

/// The page of an event shows up to four others at its venue, of its organizers and in its categories,
/// each once.
#[both_stores]
async fn an_event_leads_to_related_ones(app: &TestApp) {
    let linked = json!({"title": "Event", "venue": {"venue": "Old Mill"},
        "organizer": {"organizer": "Green Hands"}, "categories": ["Rivers"]});
    app.admin().event(linked).await;
    let days = |title: &str| {
        json!({"title": title, "start_date": "2027-03-02 09:00", "end_date": "2027-03-02 10:00",
            "recurrence": "FREQ=DAILY;COUNT=9", "venue": 1})
    };
    for (title, fields) in [
        ("Mill 1", json!({"venue": 1, "organizer": 1})),
        ("Mill 2", json!({"venue": 1, "password": "open sesame"})),
        ("Mill 3", json!({"venue": 1, "hide_from_listings": true})),
        ("Mill 4", json!({"venue": 1, "status": "draft"})),
        ("Hands 1", json!({"organizer": 1})),
        ("Hands 2", json!({"organizer": 1})),
        ("Hands 3", json!({"organizer": 1})),
        ("Hands 4", json!({"organizer": 1})),
        ("Hands 5", json!({"organizer": 1})),
        ("Rivers 1", json!({"categories": ["Rivers"]})),
        ("Other", json!({"venue": {"venue": "Hall"}})),
        ("Over", json!({"venue": 1, "start_date": "2026-12-30", "end_date": "2026-12-31"})),
    ] {
        let mut event = fields;
        event["title"] = json!(title);
        app.admin().event(event).await;
    }
    app.admin().event(days("Daily")).await;
    let html = page(&app.anonymous(), "//event/event/").await;
    assert_eq!(
        titles(&html),
        ["Daily", "Mill 1", "Hands 1", "Hands 2", "Hands 3", "Hands 4", "Rivers 1"]
    );
    contains(&html, &["More at this venue", "More from this organizer", "More in this category"]);
    let daily = page(&app.anonymous(), "//event/daily~2027-03-04/").await;
    assert_eq!(titles(&daily), ["Event", "Mill 1"]);
    let daily = page(&app.anonymous(), "//event/daily/").await;
    assert_eq!(titles(&daily).len(), 9 + 2);
    let alone = page(&app.anonymous(), "//event/other/").await;
    lacks(&alone, &["More at this venue"]);
}

/// A page takes as many statements for many related events as for few.
#[both_stores]
async fn related_events_take_a_fixed_number_of_statements(app: &TestApp) {
    let linked = json!({"title": "Event", "venue": {"venue": "Old Mill"},
        "organizer": {"organizer": "Green Hands"}, "categories": ["Rivers"]});
    app.admin().event(linked).await;
    let again = json!({"title": "Again", "venue": 1, "organizer": 1, "categories": ["Rivers"]});
    let reading = app.uncached().await;
    let mut counts = Vec::new();
    for _ in 0..3 {
        for _ in 0..4 {
            app.admin().event(again.clone()).await;
        }
        let before = app.db.statements();
        let html = page(&reading.anonymous(), "//event/event/").await;
        counts.push(app.db.statements() - before);
        assert!(titles(&html).len() >= 4);
    }
    assert!(counts[0] >= 4, "{counts:?}");
    assert_eq!(counts, [counts[0]; 3]);
}

/// A venue is found on a map, on the web and in the program of the reader, by coordinates or by address.
#[both_stores]
async fn venues_are_found_on_maps(app: &TestApp) {
    let address =
        json!({"venue": "Hall", "address": "3 Quai Vert", "zip": "69002", "city": "Lyon"});
    let position = json!({"venue": "Mill", "geo_lat": 45.75, "geo_lng": 4.85});
    app.admin().make("/venues", address).await;
    app.admin().make("/venues", position).await;
    app.admin().make("/venues", json!({"venue": "Nowhere", "country": "France"})).await;
    let html = page(&app.anonymous(), "//venue/hall/").await;
    contains(
        &html,
        &[
            "https://www.openstreetmap.org/search?query=3%20Quai%20Vert%2C%2069002%20Lyon\"",
            "\"geo:0,0?q=3%20Quai%20Vert%2C%2069002%20Lyon\"",
        ],
    );
    let html = page(&app.anonymous(), "//fr/venue/mill/").await;
    contains(
        &html,
        &[
            "https://www.openstreetmap.org/?mlat=45.75&#38;mlon=4.85#map=16/45.75/4.85\"",
            "<a href=\"geo:45.75,4.85\"><bdi>Ouvrir dans une appli de cartes</bdi></a>",
        ],
    );
    lacks(&page(&app.anonymous(), "//venue/nowhere/").await, &["openstreetmap", "geo:"]);
    app.admin().event(json!({"title": "Fair", "venue": 1})).await;
    lacks(&page(&app.anonymous(), "//event/fair/").await, &["openstreetmap", "geo:"]);
    app.admin().change("/events/1", json!({"show_map_link": true})).await;
    contains(&page(&app.anonymous(), "//event/fair/").await, &["openstreetmap", "geo:"]);
}
