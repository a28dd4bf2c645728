//! Records as linked data in terms of schema.org.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, for_each_row};

/// The `json_ld` of a new event with these fields.
async fn event(app: &TestApp, fields: Value) -> Value {
    let made = app.admin().event(fields).await;
    let path = format!("/events/{}", made["id"]);
    app.anonymous().get(&path).await.json()["json_ld"].clone()
}

/// ES-01: `json_ld` describes an event in terms of schema.org, with all its fields.
#[both_stores]
async fn a_whole_event(app: &TestApp) {
    let ld = event(app, json!({
        "title": "Tea & <i>cake</i>", "description": "Bring <b>cups</b> & plates.",
        "timezone": "America/New_York", "cost": "12,50 €", "website": "https://tea.example/",
        "venue": {
            "venue": "Old Mill", "address": "3 Quai Vert", "city": "Lyon", "province": "ARA", "country": "France",
            "zip": "69002", "phone": "+33 4", "website": "https://mill.example/", "geo_lat": 45.75, "geo_lng": 4.85,
        },
        "organizer": [
            {"organizer": "Green Hands", "email": "hello@green.example", "website": "https://green.example/"},
            {"organizer": "Others"},
        ],
    })).await;
    assert_eq!(
        ld,
        json!({
            "@context": "http://schema.org",
            "@type": "Event",
            "name": "Tea & cake",
            "description": "Bring cups & plates.",
            "url": "https://cal.example/event/tea-cake/",
            "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
            "eventStatus": "https://schema.org/EventScheduled",
            "startDate": "2027-03-10T09:00:00-05:00",
            "endDate": "2027-03-10T11:00:00-05:00",
            "location": {
                "@type": "Place",
                "name": "Old Mill",
                "url": "https://cal.example/venue/old-mill/",
                "address": {
                    "@type": "PostalAddress",
                    "streetAddress": "3 Quai Vert",
                    "addressLocality": "Lyon",
                    "addressRegion": "ARA",
                    "postalCode": "69002",
                    "addressCountry": "France",
                },
                "geo": {"@type": "GeoCoordinates", "latitude": 45.75, "longitude": 4.85},
                "telephone": "+33 4",
                "sameAs": "https://mill.example/",
            },
            "organizer": {
                "@type": "Person",
                "name": "Green Hands",
                "url": "https://green.example/",
                "email": "hello@green.example",
                "sameAs": "https://green.example/",
            },
            "offers": {
                "@type": "Offer",
                "price": "12.50",
                "priceCurrency": "EUR",
                "url": "https://cal.example/event/tea-cake/",
                "category": "primary",
                "availability": "inStock",
                "validFrom": "2027-01-01T12:00:00Z",
            },
        })
    );
}

/// ES-18: The currency of an offer is the event's, else that of unambiguous symbols.
#[both_stores]
async fn the_currency_of_an_offer(app: &TestApp) {
    let rows = [
        (json!({"cost": "20"}), json!("20"), Value::Null),
        (json!({"cost": "$20"}), json!("20"), Value::Null),
        (json!({"cost": "£20"}), json!("20"), Value::Null),
        (json!({"cost": "20", "currency": "GBP"}), json!("20"), json!("GBP")),
        (json!({"cost": "20 €", "currency": "CHF"}), json!("20"), json!("CHF")),
        (json!({"cost": "USD 30-20"}), json!("20"), json!("USD")),
        (json!({"cost": ["€5", "$7"]}), json!("5"), Value::Null),
        (json!({"cost": ["€7", "5 €"]}), json!("5"), json!("EUR")),
        (json!({"cost": 0}), json!("0"), Value::Null),
        (json!({"cost": "Free"}), json!("0"), Value::Null),
        (json!({"cost": "donation"}), Value::Null, Value::Null),
    ];
    for_each_row(rows, async |(fields, price, currency)| {
        let ld = event(app, fields.clone()).await;
        let offer = &ld["offers"];
        assert_eq!(offer["@type"], "Offer", "{fields}");
        assert_eq!((&offer["price"], &offer["priceCurrency"]), (&price, &currency), "{fields}");
        assert_eq!(offer.get("priceCurrency").is_some(), !currency.is_null(), "{fields}");
    })
    .await;
    assert_eq!(event(app, json!({"currency": "EUR"})).await.get("offers"), None);
}

/// ES-18: Tickets are offers, each with its own price, address and time.
#[both_stores]
async fn tickets_are_offers(app: &TestApp) {
    let ld = event(app, json!({
        "cost": "5", "timezone": "Europe/Paris",
        "tickets": [
            {
                "name": "Seat & table", "price": "12.50", "currency": "EUR", "url": "https://tickets.example/",
                "available_from": "2027-01-10 08:00", "available_until": "2027-04-01 08:00",
            },
            {"name": "Child", "price": "0", "currency": "EUR"},
        ],
    })).await;
    assert_eq!(
        ld["offers"],
        json!([
            {
                "@type": "Offer",
                "name": "Seat & table",
                "price": "12.50",
                "priceCurrency": "EUR",
                "url": "https://tickets.example/",
                "category": "primary",
                "availability": "https://schema.org/InStock",
                "validFrom": "2027-01-10T08:00:00+01:00",
                "validThrough": "2027-04-01T08:00:00+02:00",
            },
            {
                "@type": "Offer",
                "name": "Child",
                "price": "0",
                "priceCurrency": "EUR",
                "url": "https://cal.example/event/event/",
                "category": "primary",
                "availability": "https://schema.org/InStock",
            },
        ])
    );
}

/// V-15: A venue is a place.
/// O-08: An organizer is a person whose mail address can be read.
#[both_stores]
async fn venues_and_organizers(app: &TestApp) {
    app.admin().make("/venues", json!({"venue": "A", "city": "Oslo"})).await;
    let made = json!({"organizer": "B", "email": "b@b.example"});
    app.admin().make("/organizers", made).await;
    for (path, ld) in [
        (
            "/venues/1",
            json!({
                "@type": "Place", "name": "A", "url": "https://cal.example/venue/a/",
                "address": {"@type": "PostalAddress", "addressLocality": "Oslo"},
            }),
        ),
        ("/organizers/1", json!({"@type": "Person", "name": "B", "email": "b@b.example"})),
    ] {
        assert_eq!(app.anonymous().get(path).await.json()["json_ld"], ld, "{path}");
    }
}
