//! The texts of an event in all languages.

use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{super::images::upload, Browser};

/// A form writes the texts of one language, as the interface does, and removes them.
#[both_stores]
async fn texts_are_translated_side_by_side(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let fields = [
        ("language", "fr"),
        ("title", "Fête du printemps"),
        ("description", "<p>Bottes</p>"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T18:00"),
        ("status", "publish"),
    ];
    let answer = browser.post("//desk/event/new", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let event = app.anonymous().get("/events/1").await.json();
    assert_eq!((&event["language"], &event["translations"]), (&"fr".into(), &json!(["fr"])));

    let path = "//desk/event/1/translations";
    let html = browser.get(path).await.text();
    for part in
        ["lang=\"ar\" dir=\"rtl\"", "lang=\"en\" dir=\"ltr\"", "Fête du printemps", "Bottes"]
    {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("value=\"fr\""), "{html}");
    // Title, description and slug in two languages.
    assert_eq!(html.matches("(not translated)").count(), 6, "{html}");

    let arabic = [
        ("language", "ar"),
        ("revision", "1"),
        ("title", "مهرجان الربيع"),
        ("description", "أحذية"),
        ("excerpt", ""),
        ("slug", ""),
    ];
    assert_eq!(browser.post(path, &arabic).await.status, 303);
    let event = app.anonymous().get("/events/1?ml_language=ar").await.json();
    assert_eq!(event["title"], "مهرجان الربيع");
    assert_eq!(event["translations"], json!(["fr", "ar"]));
    let event = app.anonymous().get("/events/1?ml_language=fr").await.json();
    assert_eq!(event["title"], "Fête du printemps");
    let list = browser.get("//desk/events/mine").await.text();
    assert!(list.contains(" fr ar</a>"), "{list}");
    let html = browser.get(path).await.text();
    assert_eq!(html.matches("(not translated)").count(), 3, "{html}");
    assert!(html.contains("value=\"مهرجان الربيع\""), "{html}");

    // The form of the event has the texts of the original, and changes these.
    let html = browser.get("//desk/event/1").await.text();
    let changed = super::form_of(&html, &[("title", "Fête de l’été")]);
    assert_eq!(browser.post("//desk/event/1", &changed).await.status, 303);
    let event = app.anonymous().get("/events/1?ml_language=fr").await.json();
    assert_eq!(
        (&event["title"], &event["translations"]),
        (&"Fête de l’été".into(), &json!(["fr", "ar"]))
    );

    // Meanwhile the event is at its third revision: nothing is lost.
    let late = [&arabic[..3], &[("title", "مهرجان الصيف")]].concat();
    let answer = browser.post(path, &late).await;
    let html = answer.text();
    assert_eq!(answer.status, 409, "{html}");
    assert!(html.contains("value=\"مهرجان الصيف\""), "{html}");
    assert!(html.contains("<dd lang=\"ar\" dir=\"rtl\">مهرجان الربيع</dd>"), "{html}");
    assert!(html.contains("name=\"revision\" value=\"3\""), "{html}");

    let title = "x".repeat(1001);
    let long = [("language", "en"), ("revision", "3"), ("title", title.as_str())];
    let answer = browser.post(path, &long).await;
    let html = answer.text();
    assert_eq!(answer.status, 400, "{html}");
    assert!(html.contains("href=\"#title-en\"") && html.contains(&title), "{html}");

    let remove = [("language", "ar"), ("revision", "3"), ("title", "مهرجان"), ("remove", "1")];
    assert_eq!(browser.post(path, &remove).await.status, 303);
    let event = app.anonymous().get("/events/1?ml_language=ar").await.json();
    assert_eq!(
        (&event["title"], &event["translations"]),
        (&"Fête de l’été".into(), &json!(["fr"]))
    );

    // The original is no translation of itself.
    assert_eq!(browser.post(path, &[("language", "fr"), ("title", "Taken")]).await.status, 404);
    let mut other = Browser::of(app, "linus", Role::Author).await;
    assert!(matches!(other.get(path).await.status, 403 | 404));
    let answer = other.post(path, &arabic).await;
    assert!(matches!(answer.status, 403 | 404), "{}", answer.status);
}

/// The alternative text of the picture is translated beside the texts of the event.
#[both_stores]
async fn the_picture_is_described_in_all_languages(app: &TestApp) {
    let image = upload(&app.author()).await["id"].clone();
    let path = format!("/images/{image}");
    app.editor().put(&path, json!({"alt": "A bench"})).await;
    let event = json!({"title": "Fair", "start_date": "2027-03-09", "end_date": "2027-03-09", "image": image});
    let id = app.editor().event(event).await["id"].clone();
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let page = format!("//desk/event/{id}/translations");
    let html = browser.get(&page).await.text();
    assert!(html.contains("image_alt-fr") && html.contains("A bench"), "{html}");

    let french = [("language", "fr"), ("title", "Foire"), ("image_alt", "Un banc")];
    assert_eq!(browser.post(&page, &french).await.status, 303);
    let alt = async |language: &str| {
        let image = app.editor().get(&format!("{path}?ml_language={language}")).await.json();
        image["alt"].as_str().unwrap().to_owned()
    };
    assert_eq!((alt("fr").await, alt("en").await), ("Un banc".to_owned(), "A bench".to_owned()));
    let html = browser.get(&page).await.text();
    assert!(html.contains("value=\"Un banc\""), "{html}");

    let long = "x".repeat(501);
    let bad = [("language", "fr"), ("title", "Marché"), ("image_alt", &*long)];
    let answer = browser.post(&page, &bad).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("href=\"#image_alt-fr\""), "{}", answer.text());
    let event = app.anonymous().get(&format!("/events/{id}?ml_language=fr")).await.json();
    assert_eq!(event["title"], "Foire");

    let remove = [("language", "fr"), ("image_alt", "Un banc"), ("remove", "1")];
    assert_eq!(browser.post(&page, &remove).await.status, 303);
    assert_eq!(alt("fr").await, "A bench");
}
