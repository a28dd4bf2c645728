//! Fields and rules of organizers only.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::has_fields};

use super::records::{differences, read, record};

/// Creates an organizer with these fields besides a name.
async fn organizer(app: &TestApp, mut fields: Value) -> Value {
    fields["organizer"] = json!("Green Hands");
    app.admin().make("/organizers", fields).await
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
    has_fields(&organizer, json!({"phone": "+1 (2)", "description": "<p>x<br />\ny</p>"}));
}

/// O-08: A single organizer has `json_ld` for search engines.
#[both_stores]
async fn json_ld_is_a_person(app: &TestApp) {
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
        let after = app.admin().change("/organizers/1", fields).await;
        assert_eq!(differences(&before, &after), wanted);
        assert_eq!(read(&app.admin(), "/organizers/1").await, after);
        before = after;
    }
    has_fields(&before, json!({"email": null, "organizer": "N", "slug": "green-hands"}));
}
