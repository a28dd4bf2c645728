//! Fields and rules of organizers only.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::records::{differences, read, record};

/// Creates an organizer with these fields besides a name.
async fn organizer(app: &TestApp, mut fields: Value) -> Value {
    fields["organizer"] = json!("Green Hands");
    app.admin().make("/organizers", fields).await
}

/// O-01: A name is enough, and unknown fields are left out.
#[both_stores]
async fn a_name_is_enough(app: &TestApp) {
    assert_eq!(
        organizer(app, json!({})).await,
        json!({
            "id": 1,
            "author": 1,
            "status": "publish",
            "date": "2027-01-01 12:00:00",
            "date_utc": "2027-01-01 12:00:00",
            "modified": "2027-01-01 12:00:00",
            "modified_utc": "2027-01-01 12:00:00",
            "url": "https://cal.example/organizer/green-hands/",
            "organizer": "Green Hands",
            "slug": "green-hands",
            "global_id": "cal.example?organizer=1",
            "global_id_lineage": ["cal.example?organizer=1"],
            "language": "en",
            "translations": ["en"],
        })
    );
}

/// O-03: An e-mail address is stored as it is sent, without markup.
#[both_stores]
async fn an_address_is_any_text(app: &TestApp) {
    for (sent, kept) in [("nope", "nope"), ("<b>a@b.c</b>", "a@b.c"), (" d@e.f ", "d@e.f")] {
        assert_eq!(organizer(app, json!({"email": sent})).await["email"], kept);
    }
}

/// O-04: A telephone number is one line; a description has paragraphs.
#[both_stores]
async fn lines_and_paragraphs(app: &TestApp) {
    let fields = json!({"phone": "  +1   (2) ", "description": "x\ny"});
    let organizer = organizer(app, fields).await;
    assert_eq!(organizer["phone"], "+1 (2)");
    assert_eq!(organizer["description"], "<p>x<br />\ny</p>");
}

/// O-08: A single organizer has `json_ld` for search engines.
#[both_stores]
async fn what_search_engines_are_told(app: &TestApp) {
    let fields = json!({
        "description": "Tom & Jerry.",
        "phone": "+1",
        "website": "https://green.example/",
        "email": "hello@green.example",
    });
    organizer(app, fields).await;
    for path in ["/1", "/by-slug/green-hands", "/by-slug/Green%20HANDS"] {
        let organizer = record(&app.anonymous().get(&format!("/organizers{path}")).await);
        assert_eq!(
            organizer["json_ld"],
            json!({
                "@type": "Person",
                "name": "Green Hands",
                "description": "Tom & Jerry.",
                "url": "https://green.example/",
                "telephone": "+1",
                "email": "hello@green.example",
                "sameAs": "https://green.example/",
            })
        );
    }
}

/// O-10: An e-mail address can be removed; another name leaves the slug unchanged; an empty update
/// changes nothing.
#[both_stores]
async fn one_field_changes_alone(app: &TestApp) {
    let fields = json!({
        "email": "hello@green.example",
        "phone": "+1",
        "website": "https://green.example/",
    });
    let mut before = organizer(app, fields).await;
    for (fields, wanted) in [
        (json!({}), vec![]),
        (json!({"email": ""}), vec!["email", "modified", "modified_utc"]),
        (json!({"organizer": "N"}), vec!["modified", "modified_utc", "organizer"]),
    ] {
        app.clock.advance_seconds(60);
        let after = record(&app.admin().put("/organizers/1", fields).await);
        assert_eq!(differences(&before, &after), wanted);
        assert_eq!(read(&app.admin(), "/organizers/1").await, after);
        before = after;
    }
    assert_eq!(before.get("email"), None);
    assert_eq!((&before["organizer"], &before["slug"]), (&json!("N"), &json!("green-hands")));
}

/// A search reads telephone number, e-mail address and web site too.
#[both_stores]
async fn contact_is_searched(app: &TestApp) {
    for fields in [
        json!({"phone": "+33 4 78"}),
        json!({"email": "hello@blue.example"}),
        json!({"website": "https://red.example/"}),
    ] {
        organizer(app, fields).await;
    }
    for (search, found) in [("78", 1), ("hello%40blue", 2), ("red%20example", 3)] {
        let list = app.anonymous().get(&format!("/organizers?search={search}")).await;
        assert_eq!(list.ids(), [found], "{search}");
    }
}
