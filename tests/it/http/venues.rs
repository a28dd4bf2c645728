//! Fields and rules of venues only.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{has_fields, id},
    for_each_row,
};

use super::records::{differences, read, record};

/// A venue with a value in every field.
fn full_fields() -> Value {
    json!({
        "venue": "Old Mill",
        "description": "At the river.",
        "address": "3 Quai Vert",
        "city": "Lyon",
        "country": "France",
        "province": "ARA",
        "state": "TX",
        "stateprovince": "Rhône",
        "zip": "69002",
        "phone": "+33 4 00",
        "website": "https://mill.example/",
        "geo_lat": 45.75,
        "geo_lng": 4.85,
        "show_map": "false",
        "show_map_link": "true",
    })
}

/// Creates a venue with these fields besides a name.
async fn venue(app: &TestApp, mut fields: Value) -> Value {
    fields["venue"] = json!("Old Mill");
    app.admin().make("/venues", fields).await
}

/// V-03: Everything sent is shown, one-line texts without markup.
#[both_stores]
async fn everything_is_shown(app: &TestApp) {
    let venue = app.admin().make("/venues", full_fields()).await;
    let mut wanted = full_fields();
    wanted["description"] = json!("<p>At the river.</p>");
    wanted["show_map"] = json!(false);
    wanted["show_map_link"] = json!(true);
    has_fields(&venue, wanted);
    let fields = json!({"address": "<b>3</b>  Quai <i class=\"x\">Vert</i><script>x</script>"});
    let venue = app.admin().change("/venues/1", fields).await;
    assert_eq!(venue["address"], "3 Quai Vert");
}

/// V-04: `stateprovince` is as sent, or else the state or province that the country has.
#[both_stores]
async fn state_or_province(app: &TestApp) {
    let rows = [
        (json!({"state": "TX"}), json!("TX")),
        (json!({"state": "TX", "country": "US", "province": "ARA"}), json!("TX")),
        (json!({"state": "TX", "country": "United States"}), json!("TX")),
        (json!({"province": "ARA", "country": "France"}), json!("ARA")),
        (json!({"province": "ARA", "country": "France", "stateprovince": "Rhône"}), json!("Rhône")),
        (json!({"stateprovince": "Rhône"}), json!("Rhône")),
        (json!({"province": "ARA"}), Value::Null),
        (json!({"state": "TX", "country": "France"}), Value::Null),
    ];
    for_each_row(rows, async |(fields, wanted)| {
        let venue = venue(app, fields.clone()).await;
        assert_eq!(venue["stateprovince"], wanted, "{fields}");
    })
    .await;
}

/// V-05: A map is shown by default; every value that does not mean true hides it.
#[both_stores]
async fn maps(app: &TestApp) {
    for no in json!(["false", "no", false, "0", 0, "", "foo"]).as_array().unwrap() {
        let venue = venue(app, json!({"show_map": no, "show_map_link": no})).await;
        has_fields(&venue, json!({"show_map": false, "show_map_link": false}));
    }
    for yes in json!(["true", "yes", true, "1", 1, "ON"]).as_array().unwrap() {
        let venue = venue(app, json!({"show_map": yes, "show_map_link": "no"})).await;
        has_fields(&venue, json!({"show_map": true, "show_map_link": false}));
    }
}

/// V-15: A single venue has `json_ld` for search engines.
#[both_stores]
async fn json_ld_is_a_place(app: &TestApp) {
    app.admin().make("/venues", full_fields()).await;
    for path in
        ["/venues/1", "/venues/by-slug/old-mill", "/venues/by-slug/OLD%20Mill", "/venues/01"]
    {
        let venue = record(&app.anonymous().get(path).await);
        assert_eq!(
            venue["json_ld"],
            json!({
                "@type": "Place",
                "name": "Old Mill",
                "description": "At the river.",
                "url": "https://cal.example/venue/old-mill/",
                "address": {
                    "@type": "PostalAddress",
                    "streetAddress": "3 Quai Vert",
                    "addressLocality": "Lyon",
                    "addressRegion": "Rhône",
                    "postalCode": "69002",
                    "addressCountry": "France",
                },
                "geo": {"@type": "GeoCoordinates", "latitude": 45.75, "longitude": 4.85},
                "telephone": "+33 4 00",
                "sameAs": "https://mill.example/",
            })
        );
    }
}

/// V-23: Changing whether a map is linked leaves everything else as it is.
#[both_stores]
async fn one_flag_changes_alone(app: &TestApp) {
    let before = app.admin().make("/venues", full_fields()).await;
    for (field, value) in [
        ("show_map_link", json!("false")),
        ("show_map", json!("yes")),
        ("city", json!("Metz")),
        ("zip", json!("57000")),
    ] {
        let before = read(&app.admin(), &format!("/venues/{}", before["id"])).await;
        app.clock.advance_seconds(60);
        let after = app.admin().change("/venues/1", json!({field: value})).await;
        let mut wanted = [field, "modified", "modified_utc"];
        wanted.sort_unstable();
        assert_eq!(differences(&before, &after), wanted);
    }
    // An empty field is not shown.
    let fields = json!({"country": "US", "stateprovince": ""});
    let after = app.admin().change("/venues/1", fields).await;
    assert_eq!(after.get("stateprovince"), None);
}

/// D-24: A state or province that is sent empty stays empty, in a new venue and in a changed one,
/// until another region is sent.
#[both_stores]
async fn an_empty_region_stays_empty(app: &TestApp) {
    let made = venue(app, json!({"state": "TX", "country": "US", "stateprovince": ""})).await;
    assert_eq!(made.get("stateprovince"), None);
    let path = format!("/venues/{}", made["id"]);
    let put = async |fields: Value| app.admin().change(&path, fields).await;
    assert_eq!(put(json!({"city": "Austin"})).await.get("stateprovince"), None);
    assert_eq!(put(json!({"state": "OK"})).await["stateprovince"], "OK");
    let fields = json!({"state": "TX", "province": "ARA", "stateprovince": ""});
    assert_eq!(put(fields).await.get("stateprovince"), None);
    let form = app.admin().post_form("/venues", "venue=Form&state=TX&stateprovince=").await;
    assert_eq!((form.status, form.json().get("stateprovince")), (201, None));
    // In a translation an empty text shows the original again.
    assert_eq!(put(json!({"stateprovince": "Texas"})).await["stateprovince"], "Texas");
    let french = format!("{path}?ml_language=fr");
    let fields = json!({"state": "Le Texas", "stateprovince": ""});
    assert_eq!(app.admin().change(&french, fields).await["stateprovince"], "Texas");
    // An event that repeats such a venue shares it.
    for _ in 0..2 {
        let given = json!({"venue": "Hall", "state": "TX", "stateprovince": ""});
        let event = app.admin().event(json!({"venue": given})).await;
        assert_eq!((&event["venue"]["id"], event["venue"].get("stateprovince")), (&json!(3), None));
    }
}

/// V-33: A search reads address, telephone number and web site too.
///
/// A search for organizers reads telephone number, e-mail address and web site.
#[both_stores]
async fn contact_is_searched(app: &TestApp) {
    let rows = [
        ("venue", json!({"zip": "223345"}), "223345"),
        ("venue", json!({"phone": "+33 4 78"}), "78"),
        ("venue", json!({"city": "Genève"}), "geneve"),
        ("venue", json!({"address": "Quai Vert"}), "QUAI"),
        ("venue", json!({"country": "Norway"}), "norway"),
        ("venue", json!({"state": "Texas"}), "texas"),
        ("venue", json!({"province": "Québec", "country": "Canada"}), "quebec"),
        ("venue", json!({"website": "https://mill.example/"}), "mill%20example"),
        ("organizer", json!({"phone": "+33 4 78"}), "78"),
        ("organizer", json!({"email": "hello@blue.example"}), "hello%40blue"),
        ("organizer", json!({"website": "https://red.example/"}), "red%20example"),
    ];
    let mut searches = Vec::new();
    for (kind, mut fields, search) in rows {
        fields[kind] = json!("Old Mill");
        let made = app.admin().make(&format!("/{kind}s"), fields).await;
        searches.push((format!("/{kind}s?search={search}"), id(&made)));
    }
    for_each_row(searches, async |(path, found)| {
        assert_eq!(app.anonymous().get(&path).await.ids(), [found]);
    })
    .await;
}
