//! Creation and change of venues and organizers.

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields};

use super::{
    places::KINDS,
    records::{differences, read, record},
};

/// V-01: A name is enough, and unknown fields are left out.
/// O-01: A name is enough, and unknown fields are left out.
#[both_stores]
async fn a_name_is_enough(app: &TestApp) {
    for kind in KINDS {
        let name = kind.name;
        let mut wanted = json!({
            "id": 1,
            "author": 1,
            "status": "publish",
            "date": "2027-01-01 12:00:00",
            "date_utc": "2027-01-01 12:00:00",
            "modified": "2027-01-01 12:00:00",
            "modified_utc": "2027-01-01 12:00:00",
            "url": format!("https://cal.example/{name}/old-mill/"),
            name: "Old Mill",
            "slug": "old-mill",
            "global_id": format!("cal.example?{name}=1"),
            "global_id_lineage": [format!("cal.example?{name}=1")],
            "language": "en",
            "translations": ["en"],
        });
        if name == "venue" {
            wanted["show_map"] = json!(true);
            wanted["show_map_link"] = json!(true);
        }
        assert_eq!(kind.make(&app.admin(), json!({})).await, wanted);
    }
}

/// V-02: A venue needs a name.
/// O-02: An organizer needs a name; `null` is none.
#[both_stores]
async fn a_name_is_required(app: &TestApp) {
    for kind in KINDS {
        for fields in [json!({}), json!({kind.name: null}), json!({"phone": "1"})] {
            let answer = app.admin().post(&kind.all(), fields).await;
            answer.assert_error(400, "rest_missing_callback_param");
            assert_eq!(answer.json()["data"]["params"], json!([kind.name]));
        }
        for empty in ["", "  ", "<b> </b>"] {
            kind.try_make(&app.admin(), json!({kind.name: empty}))
                .await
                .assert_invalid(&[kind.name]);
        }
        assert!(app.admin().get(&kind.all()).await.ids().is_empty());
    }
}

/// V-06: The web site of a venue is a web address or empty.
/// O-05: The web site of an organizer is a web address or empty.
#[both_stores]
async fn a_website_is_an_address(app: &TestApp) {
    for kind in KINDS {
        for bad in ["foo", "mill.example", "javascript://mill.example/", "https://mill example/"] {
            kind.try_make(&app.admin(), json!({"website": bad})).await.assert_invalid(&["website"]);
        }
        let place = kind.make(&app.admin(), json!({"website": ""})).await;
        assert_eq!(place.get("website"), None);
        let website = json!({"website": "https://mill.example/a?b=1&c=2"});
        has_fields(&kind.make(&app.admin(), website.clone()).await, website);
    }
}

/// V-07: A text field refuses other types; `null` is no value.
#[both_stores]
async fn texts_are_texts(app: &TestApp) {
    for kind in KINDS {
        for field in [kind.detail, "phone"] {
            for bad in [json!(5), json!([])] {
                kind.try_make(&app.admin(), json!({field: bad})).await.assert_invalid(&[field]);
            }
            let place = kind.make(&app.admin(), json!({field: null})).await;
            assert_eq!(place.get(field), None);
        }
    }
}

/// V-08: Venues take no slug and no excerpt.
#[both_stores]
async fn slug_and_excerpt_are_ignored(app: &TestApp) {
    for kind in KINDS {
        let fields = json!({"slug": "other", "excerpt": "Short"});
        let place = kind.make(&app.admin(), fields.clone()).await;
        has_fields(&place, json!({"slug": "old-mill", "excerpt": null}));
        assert_eq!(app.admin().change(&kind.path(&place), fields).await, place);
    }
}

/// V-09: A draft has a slug; a status that does not exist is refused.
#[both_stores]
async fn drafts_have_slugs(app: &TestApp) {
    for kind in KINDS {
        let place = kind.make(&app.admin(), json!({"status": "draft"})).await;
        has_fields(&place, json!({"status": "draft", "slug": "old-mill"}));
        for bad in ["zz", "Draft", ""] {
            kind.try_make(&app.admin(), json!({"status": bad})).await.assert_invalid(&["status"]);
        }
    }
}

/// V-10: The same name creates another venue, but not within an event, unless another field
/// differs.
/// O-06: The same name creates another organizer, and leaves the first unchanged.
#[both_stores]
async fn the_same_name_twice(app: &TestApp) {
    for kind in KINDS {
        let first = kind.make(&app.admin(), json!({kind.detail: "Lyon"})).await;
        let second = kind.make(&app.admin(), json!({kind.detail: "Metz"})).await;
        assert_eq!(first["slug"], "old-mill");
        has_fields(&second, json!({"id": 2, "slug": "old-mill-2", kind.detail: "Metz"}));
        assert_eq!(read(&app.admin(), &kind.path(&first)).await, first);

        let mut linked = Vec::new();
        for inline in [
            json!({kind.name: "New Mill", kind.detail: "Lyon", "phone": "1"}),
            json!({kind.name: "New Mill", kind.detail: "Lyon"}),
            json!({kind.name: "new mill"}),
            json!({kind.name: "New Mill", kind.detail: "Metz"}),
            json!({kind.name: "New Mill", kind.detail: "Metz"}),
        ] {
            let event = app.admin().event(json!({kind.name: inline})).await;
            linked.extend(kind.of_event(&event).iter().map(|place| place["id"].clone()));
        }
        assert_eq!(linked, [3, 3, 3, 4, 4]);
        let place = read(&app.admin(), &format!("{}/3", kind.all())).await;
        has_fields(&place, json!({kind.name: "New Mill", "phone": "1"}));
    }
}

/// V-11: A contributor's event creates a venue of its own, and does not change another user's.
#[both_stores]
async fn a_name_rewrites_nothing(app: &TestApp) {
    for kind in KINDS {
        let before = kind.make_full(&app.admin()).await;
        app.clock.advance_seconds(60);
        let inline = json!({kind.name: "Old Mill", "phone": "666", kind.detail: "Elsewhere"});
        let event = app.contributor().event(json!({kind.name: inline})).await;
        let linked = kind.of_event(&event);
        assert_eq!(linked.len(), 1);
        let wanted = json!({"id": 2, "author": 4, "phone": "666", "status": "draft"});
        has_fields(&linked[0], wanted);
        assert_eq!(read(&app.anonymous(), &kind.path(&before)).await, before);
    }
}

/// V-13: An empty image is none.
#[both_stores]
async fn an_image_may_be_empty(app: &TestApp) {
    for kind in KINDS {
        let place = kind.make(&app.admin(), json!({"image": ""})).await;
        assert_eq!(place.get("image"), None);
        for bad in [json!("foo"), json!("999"), json!(0)] {
            kind.try_make(&app.admin(), json!({"image": bad})).await.assert_invalid(&["image"]);
        }
    }
}

/// V-14: The publication date can be chosen, by the clocks of the site or of UTC.
#[both_stores]
async fn the_date_can_be_chosen(app: &TestApp) {
    for kind in KINDS {
        for field in ["date", "date_utc"] {
            let place = kind.make(&app.admin(), json!({field: "2020-01-01 10:00"})).await;
            let date = "2020-01-01 10:00:00";
            has_fields(&place, json!({"date": date, "date_utc": date, "status": "publish"}));
            assert_eq!(place["modified"], "2027-01-01 12:00:00");
            kind.try_make(&app.admin(), json!({field: "foo"})).await.assert_invalid(&[field]);
        }
    }
}

/// V-20: An update without a field changes nothing.
#[both_stores]
async fn an_empty_update_changes_nothing(app: &TestApp) {
    for kind in KINDS {
        let place = kind.make_full(&app.admin()).await;
        app.clock.advance_seconds(60);
        for method in [Method::POST, Method::PUT, Method::PATCH] {
            let answer = app.admin().send_json(method, &kind.path(&place), &json!({})).await;
            assert_eq!(record(&answer), place);
        }
        assert_eq!(read(&app.admin(), &kind.path(&place)).await, place);
    }
}

/// V-21: Only the text that was sent changes; an empty one is removed.
#[both_stores]
async fn a_text_changes_alone(app: &TestApp) {
    for kind in KINDS {
        let before = kind.make_full(&app.admin()).await;
        for field in [kind.detail, "phone"] {
            for value in ["Metz", ""] {
                let before = read(&app.admin(), &kind.path(&before)).await;
                app.clock.advance_seconds(60);
                let after = app.admin().change(&kind.path(&before), json!({field: value})).await;
                let mut wanted = [field, "modified", "modified_utc"];
                wanted.sort_unstable();
                assert_eq!(differences(&before, &after), wanted);
                let kept = after.get(field).and_then(|text| text.as_str());
                assert_eq!(kept, Some(value).filter(|value| !value.is_empty()));
            }
        }
    }
}

/// V-22: A description can be emptied, a name cannot; another name leaves the slug unchanged.
#[both_stores]
async fn names_and_descriptions_change(app: &TestApp) {
    for kind in KINDS {
        let before = kind.make_full(&app.admin()).await;
        let path = kind.path(&before);
        app.clock.advance_seconds(60);
        app.admin().put(&path, json!({kind.name: ""})).await.assert_invalid(&[kind.name]);
        let after = app.admin().change(&path, json!({"description": ""})).await;
        assert_eq!(differences(&before, &after), ["description", "modified", "modified_utc"]);
        assert_eq!(after.get("description"), None);
        app.clock.advance_seconds(60);
        let renamed = app.admin().change(&path, json!({kind.name: "N"})).await;
        let mut wanted = [kind.name, "modified", "modified_utc"];
        wanted.sort_unstable();
        assert_eq!(differences(&after, &renamed), wanted);
        has_fields(&renamed, json!({kind.name: "N", "slug": "old-mill"}));
    }
}

/// V-24: A venue that became a draft stays one when another field changes.
/// O-11: An organizer that became a draft stays one when another field changes.
#[both_stores]
async fn a_change_keeps_the_status(app: &TestApp) {
    for kind in KINDS {
        let path = kind.path(&kind.make_full(&app.admin()).await);
        let draft = app.admin().change(&path, json!({"status": "draft"})).await;
        assert_eq!(draft["status"], "draft");
        app.clock.advance_seconds(60);
        let after = app.admin().change(&path, json!({"phone": "2"})).await;
        assert_eq!(differences(&draft, &after), ["modified", "modified_utc", "phone"]);
    }
}
