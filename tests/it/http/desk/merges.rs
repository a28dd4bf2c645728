//! Records that look alike, on the desk.

use domain::Role;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::Browser;

/// Two events that look alike, the address of their pair on the desk, and an editor.
async fn two(app: &TestApp) -> ([Value; 2], String, Browser<'_>) {
    let jazz = |title: &str, website: &str| {
        json!({
            "title": title, "website": website,
            "start_date": "2027-03-09 19:00:00", "end_date": "2027-03-09 21:00:00",
            "venue": {"venue": "Old Mill", "city": "Lyon"},
        })
    };
    let events = [
        app.admin().event(jazz("Jazz night", "")).await,
        app.author().event(jazz("Night of jazz in Lyon", "https://club.example/")).await,
    ];
    app.calendar.find_duplicates().await.unwrap();
    let editor = Browser::of(app, "grace", Role::Editor).await;
    let list = editor.get("//desk/duplicates").await.text();
    let id = list.split("/desk/duplicates/").nth(1).unwrap_or_else(|| panic!("{list}"));
    let path = format!("//desk/duplicates/{}", id.split('"').next().unwrap());
    (events, path, editor)
}

/// An editor sees two records side by side, merges them, and parts them again, as by the interface.
#[both_stores]
async fn an_editor_merges_and_parts(app: &TestApp) {
    let ([first, second], path, mut editor) = two(app).await;
    let html = editor.get(&path).await.text();
    for part in ["Jazz night", "Night of jazz in Lyon", "https://club.example/", "same venue"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let event = async || app.anonymous().get(&format!("/events/{}", first["id"])).await.json();
    let before = event().await;
    let (keep, other) = (first["id"].to_string(), second["id"].to_string());
    let fields = [
        ("action", "merge"),
        ("keep", keep.as_str()),
        ("field-title", other.as_str()),
        ("field-website", other.as_str()),
    ];
    let answer = editor.post(&path, &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let merged = event().await;
    assert_eq!(
        (&merged["title"], &merged["website"], &merged["slug"]),
        (&second["title"], &json!("https://club.example/"), &before["slug"])
    );
    // The pair is closed: a second decision comes too late.
    let late = editor.post(&path, &fields).await;
    assert_eq!((late.status, late.text().contains("id=\"faults\"")), (409, true));
    let list = editor.get("//desk/duplicates").await.text();
    assert!(!list.contains("Jazz night"), "{list}");
    let list = editor.get("//desk/duplicates?state=merged").await.text();
    assert!(list.contains(path.trim_start_matches('/')), "{list}");

    let undone = editor.post(&path, &[("action", "undo")]).await;
    assert_eq!(undone.status, 303, "{}", undone.text());
    assert_eq!(event().await["title"], before["title"]);
    let second = app.anonymous().get(&format!("/events/{}", second["id"])).await;
    assert_eq!(second.status, 200);
}

/// The page of a pair offers each field in which the two differ, flags in words, and no other field.
#[both_stores]
async fn every_field_that_differs_is_offered(app: &TestApp) {
    let ([_, second], path, editor) = two(app).await;
    let tickets = json!([{"name": "Balcony", "price": "12.50", "currency": "EUR"}]);
    let change = json!({"featured": true, "currency": "EUR", "tickets": tickets});
    app.admin().change(&format!("/events/{}", second["id"]), change).await;
    let html = editor.get(&path).await.text();
    for field in ["title", "website", "featured", "currency", "tickets"] {
        assert!(html.contains(&format!("\"field-{field}\"")), "{field}: {html}");
    }
    for field in ["sticky", "cancelled", "show_map", "cost", "venue"] {
        assert!(!html.contains(&format!("\"field-{field}\"")), "{field}: {html}");
    }
    assert!(html.contains("Balcony") && html.contains("yes"), "{html}");
}

/// An editor says that two records are two things. Others than editors see no pair.
#[both_stores]
async fn two_things_are_told_apart(app: &TestApp) {
    let (_, path, mut editor) = two(app).await;
    let mut author = Browser::of(app, "linus", Role::Author).await;
    for page in ["//desk/duplicates", path.as_str()] {
        let refused = author.get(page).await;
        assert_eq!((refused.status, refused.text().contains("Jazz")), (403, false), "{page}");
    }
    let refused = author.post(&path, &[("action", "dismiss")]).await;
    assert_eq!(refused.status, 403);
    // A record that stays must be one of the two.
    let bad = editor.post(&path, &[("action", "merge"), ("keep", "77")]).await;
    assert_eq!(bad.status, 400, "{}", bad.text());
    assert_eq!(editor.post(&path, &[("action", "dismiss")]).await.status, 303);
    assert!(!editor.get("//desk/duplicates").await.text().contains("Jazz"));
    assert!(editor.get("//desk/duplicates?state=dismissed").await.text().contains("Jazz"));
    assert_eq!(editor.get("//desk/duplicates/999").await.status, 404);
}
