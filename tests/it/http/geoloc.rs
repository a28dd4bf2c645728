//! Events by the position of their venue.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{has_fields, id},
    for_each_row,
};

/// Creates a venue with these fields besides a name; returns its ID.
async fn venue(app: &TestApp, mut fields: Value) -> i64 {
    fields["venue"] = json!("Hall");
    id(&app.admin().make("/venues", fields).await)
}

/// Creates an event at this venue; returns its ID.
async fn event_at(app: &TestApp, latitude: f64, longitude: f64) -> i64 {
    let venue = venue(app, json!({"geo_lat": latitude, "geo_lng": longitude})).await;
    event(app, json!({"venue": venue})).await
}

async fn event(app: &TestApp, fields: Value) -> i64 {
    id(&app.admin().event(fields).await)
}

async fn near(app: &TestApp, latitude: f64, longitude: f64, more: &str) -> Vec<i64> {
    let query = format!("geoloc_lat={latitude}&geoloc_lng={longitude}{more}");
    app.list(&query).await
}

/// EL-57: Events at a venue with coordinates alone, or all others.
#[both_stores]
async fn with_and_without_coordinates(app: &TestApp) {
    let there = event_at(app, 48.85, 2.35).await;
    let nowhere = venue(app, json!({})).await;
    let unplaced = event(app, json!({"venue": nowhere})).await;
    let without = event(app, json!({})).await;
    app.lists(["true", "1", "TRUE"].map(|word| (format!("geoloc={word}"), vec![there]))).await;
    let others = vec![unplaced, without];
    app.lists(["false", "0"].map(|word| (format!("geoloc={word}"), others.clone()))).await;
    // The venue moves.
    let moved = json!({"geo_lat": "", "geo_lng": ""});
    assert_eq!(app.admin().put("/venues/1", moved).await.status, 200);
    assert_eq!(app.list("geoloc=true").await, [0; 0]);
    let moved = json!({"geo_lat": "-33.9", "geo_lng": 18.4});
    assert_eq!(app.admin().put("/venues/2", moved).await.status, 200);
    assert_eq!(app.list("geoloc=true").await, [unplaced]);
    assert_eq!(near(app, -33.9, 18.4, "").await, [unplaced]);
}

/// EL-57: A point holds events within 25 km on the great circle, or within the distance sent.
#[both_stores]
async fn within_a_distance(app: &TestApp) {
    let paris = event_at(app, 48.8566, 2.3522).await;
    let versailles = event_at(app, 48.8049, 2.1204).await;
    let reims = event_at(app, 49.2583, 4.0317).await;
    event(app, json!({})).await;
    assert_eq!(near(app, 48.8566, 2.3522, "").await, [paris, versailles]);
    let rows = [
        ("0.001", vec![paris]),
        ("17", vec![paris]),
        ("18.5", vec![paris, versailles]),
        ("129", vec![paris, versailles]),
        ("131", vec![paris, versailles, reims]),
        ("20000", vec![paris, versailles, reims]),
    ];
    for_each_row(rows, async |(distance, held)| {
        let more = format!("&geoloc_distance={distance}");
        assert_eq!(near(app, 48.8566, 2.3522, &more).await, held, "{distance}");
    })
    .await;
    assert_eq!(near(app, 48.8566, 2.3522, "&geoloc=true").await, [paris, versailles]);
    assert_eq!(near(app, 48.8566, 2.3522, "&geoloc=false").await, [0; 0]);
    assert_eq!(near(app, 48.8566, 2.3522, "&venue=2").await, [versailles]);
    assert_eq!(app.list("geoloc_distance=1").await.len(), 4);
    let page =
        app.anonymous().get("/events?geoloc_lat=48.8566&geoloc_lng=2.3522&per_page=1").await.json();
    has_fields(&page, json!({"total": 2, "total_pages": 2}));
    let next = page["next_rest_url"].as_str().unwrap();
    assert!(next.contains("geoloc_lat=48.8566&geoloc_lng=2.3522"), "{next}");
}

/// EL-57: Distances hold across the date line and the poles.
#[both_stores]
async fn across_the_date_line_and_the_poles(app: &TestApp) {
    let west = event_at(app, 10.0, 179.9).await;
    let east = event_at(app, 10.0, -179.9).await;
    let line = event_at(app, 10.0, 180.0).await;
    event_at(app, 10.0, 179.0).await;
    for longitude in [179.9, -179.9, 180.0, -180.0] {
        assert_eq!(near(app, 10.0, longitude, "").await, [west, east, line], "{longitude}");
    }
    let pole = event_at(app, 90.0, 10.0).await;
    let beside = event_at(app, 89.9, -100.0).await;
    for longitude in [-180.0, 0.0, 80.0] {
        assert_eq!(near(app, 89.9, longitude, "").await, [pole, beside], "{longitude}");
    }
    assert_eq!(near(app, -90.0, 0.0, "").await, [0; 0]);
}

/// EL-57: An incomplete point, coordinates off the earth, invalid distances and other words are
/// refused.
#[both_stores]
async fn bad_places(app: &TestApp) {
    let rows = [
        ("geoloc_lat=10", vec!["geoloc_lng"]),
        ("geoloc_lng=10", vec!["geoloc_lat"]),
        ("geoloc_lat=91&geoloc_lng=0", vec!["geoloc_lat"]),
        ("geoloc_lat=0&geoloc_lng=-180.5", vec!["geoloc_lng"]),
        ("geoloc_lat=x&geoloc_lng=y", vec!["geoloc_lat", "geoloc_lng"]),
        ("geoloc_lat=NaN&geoloc_lng=inf", vec!["geoloc_lat", "geoloc_lng"]),
        ("geoloc_lat=&geoloc_lng=", vec!["geoloc_lat", "geoloc_lng"]),
        ("geoloc_lat[]=1&geoloc_lng=1", vec!["geoloc_lat"]),
        ("geoloc_lat=1&geoloc_lng=1&geoloc_distance=0", vec!["geoloc_distance"]),
        ("geoloc_lat=1&geoloc_lng=1&geoloc_distance=-1", vec!["geoloc_distance"]),
        ("geoloc_lat=1&geoloc_lng=1&geoloc_distance=20000.1", vec!["geoloc_distance"]),
        ("geoloc_lat=1&geoloc_lng=1&geoloc_distance=far", vec!["geoloc_distance"]),
        ("geoloc_distance=0", vec!["geoloc_distance"]),
        ("geoloc=foo", vec!["geoloc"]),
        ("geoloc=", vec!["geoloc"]),
        (
            "geoloc=foo&geoloc_lat=91&geoloc_lng=181&geoloc_distance=x",
            vec!["geoloc", "geoloc_lat", "geoloc_lng", "geoloc_distance"],
        ),
    ];
    for_each_row(rows, async |(query, fields)| {
        app.anonymous().get(&format!("/events?{query}")).await.assert_invalid(&fields);
    })
    .await;
}

/// EL-57: An event is near no point if the reader may not see its venue, or without its password.
#[both_stores]
async fn hidden_venues_are_nowhere(app: &TestApp) {
    let here = |status: &str| json!({"geo_lat": 1, "geo_lng": 1, "status": status});
    let mut events = Vec::new();
    for status in ["draft", "private", "publish"] {
        let venue = venue(app, here(status)).await;
        events.push(event(app, json!({"venue": venue})).await);
    }
    assert_eq!(app.admin().delete("/venues/3").await.status, 200);
    let open = venue(app, here("publish")).await;
    let locked = event(app, json!({"venue": open, "password": "pw"})).await;
    let point = "geoloc_lat=1&geoloc_lng=1";
    for query in [point, "geoloc=true"] {
        assert_eq!(app.list(query).await, [0; 0]);
        assert_eq!(app.list(&format!("{query}&password=pw")).await, [locked]);
        assert_eq!(app.author().list(query).await, [0; 0]);
        assert_eq!(app.editor().list(query).await, [events[0], events[1], locked]);
    }
    assert_eq!(app.list("geoloc=false").await, events);
    assert_eq!(app.editor().list("geoloc=false").await, [events[2]]);
}

/// V-03: The coordinates of a venue come together, lie on the earth, and can be taken away.
#[both_stores]
async fn coordinates_of_a_venue(app: &TestApp) {
    let admin = app.admin();
    let made =
        admin.make("/venues", json!({"venue": "A", "geo_lat": "-89.5", "geo_lng": 180})).await;
    let coordinates = json!({"geo_lat": -89.5, "geo_lng": 180.0});
    has_fields(&made, coordinates.clone());
    let rows = [
        (json!({"geo_lat": 1}), vec!["geo_lng"]),
        (json!({"geo_lng": 1}), vec!["geo_lat"]),
        (json!({"geo_lat": 90.1, "geo_lng": 0}), vec!["geo_lat"]),
        (json!({"geo_lat": "north", "geo_lng": -181}), vec!["geo_lat", "geo_lng"]),
        (json!({"geo_lat": "", "geo_lng": 1}), vec!["geo_lat"]),
        (json!({"geo_lat": true, "geo_lng": 1}), vec!["geo_lat"]),
        (json!({"geo_lat": ""}), vec!["geo_lat"]),
    ];
    for_each_row(rows, async |(sent, fields)| {
        admin.put("/venues/1", sent.clone()).await.assert_invalid(&fields);
        let mut new = sent;
        new["venue"] = json!("B");
        admin.post("/venues", new).await.assert_invalid(&fields);
    })
    .await;
    has_fields(&admin.get("/venues/1").await.json(), coordinates);
    let cleared = admin.put("/venues/1", json!({"geo_lat": "", "geo_lng": ""})).await.json();
    assert!(cleared.get("geo_lat").is_none() && cleared.get("geo_lng").is_none(), "{cleared}");
}

/// Coordinates stay as they were sent, to the last digit: as numbers and as texts, and after a change of another field.
#[both_stores]
async fn coordinates_keep_all_digits(app: &TestApp) {
    // The first sum has a neighbour with fewer digits, to which a hasty reader of JSON rounds it.
    for latitude in [45.7_f64 + 0.021, 45.7 + 0.002, 1.0 / 3.0, -89.999_999_999_999_99] {
        let digits = latitude.to_string();
        for sent in [json!(latitude), json!(digits)] {
            let venue = app
                .admin()
                .make("/venues", json!({"venue": "A", "geo_lat": sent, "geo_lng": 5}))
                .await;
            let path = format!("/venues/{}", venue["id"]);
            app.admin().put(&path, json!({"city": "Lyon"})).await;
            let shown = app.anonymous().get(&path).await;
            let shown: f64 = shown.json()["geo_lat"].as_f64().unwrap();
            assert_eq!(shown.to_bits(), latitude.to_bits(), "{sent}: {shown}");
        }
    }
}
