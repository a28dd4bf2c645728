//! The review of events that wait for an editor.

use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{Browser, titles};

const FAIR: [(&str, &str); 4] = [
    ("title", "Spring fair"),
    ("start_date", "2027-03-10T09:00"),
    ("end_date", "2027-03-10T18:00"),
    ("status", "pending"),
];

/// An editor returns an event with a remark, which its author sees until the event is sent again.
#[both_stores]
async fn an_event_is_returned_with_a_remark(app: &TestApp) {
    let mut writer = Browser::of(app, "grace", Role::Contributor).await;
    assert_eq!(writer.post("//desk/event/new", &FAIR).await.status, 303);
    assert!(!writer.get("//desk/events/pending").await.text().contains("value=\"return\""));
    assert!(!writer.get("//desk/event/1").await.text().contains("value=\"return\""));

    let mut editor = Browser::of(app, "linus", Role::Editor).await;
    assert!(editor.get("//desk/event/1").await.text().contains("value=\"return\""));
    let chosen = [("event", "1"), ("action", "return")];
    let question = editor.post("//desk/events/pending", &chosen).await;
    assert!(question.text().contains("<textarea id=\"remark\""), "{}", question.text());
    let long = "x".repeat(2001);
    for (text, fault) in [(" ", "Write a remark"), (long.as_str(), "more than 2,000")] {
        let sent = [&chosen[..], &[("confirmed", "1"), ("remark", text)]].concat();
        let answer = editor.post("//desk/events/pending", &sent).await;
        assert_eq!(answer.status, 400);
        let html = answer.text();
        assert!(html.contains(fault) && html.contains("aria-invalid"), "{html}");
        assert!(html.contains("value=\"1\"") && html.contains(text), "{html}");
    }
    assert_eq!(titles(&editor.get("//desk/events/pending").await), ["Spring fair"]);
    let remark = "Which <b>hall</b>?\nAnd when?";
    let sent = [&chosen[..], &[("confirmed", "1"), ("remark", remark)]].concat();
    assert_eq!(editor.post("//desk/events/pending", &sent).await.status, 303);
    assert!(titles(&editor.get("//desk/events/pending").await).is_empty());

    let shown = "Which &#60;b&#62;hall&#60;/b&#62;?\nAnd when?";
    for list in ["mine", "drafts"] {
        let page = writer.get(&format!("//desk/events/{list}")).await.text();
        assert!(page.contains("<strong>returned</strong>"), "{page}");
    }
    let page = writer.get("//desk/event/1").await.text();
    assert!(page.contains(shown), "{page}");
    // A draft that is changed keeps the remark; sent again, it has none.
    let changed = [&FAIR[..3], &[("excerpt", "In hall 2"), ("status", "draft")]].concat();
    assert_eq!(writer.post("//desk/event/1", &changed).await.status, 303);
    assert!(writer.get("//desk/event/1").await.text().contains(shown));
    assert_eq!(writer.post("//desk/event/1", &FAIR).await.status, 303);
    assert!(!writer.get("//desk/event/1").await.text().contains(shown));
    assert!(!writer.get("//desk/events/mine").await.text().contains("<strong>returned"));
    assert_eq!(titles(&editor.get("//desk/events/pending").await), ["Spring fair"]);

    // The form publishes, too.
    let publish = [("event", "1"), ("confirmed", "1"), ("action", "publish"), ("remark", "")];
    assert_eq!(editor.post("//desk/events/pending", &publish).await.status, 303);
    assert_eq!(app.anonymous().get("/events/1").await.json()["status"], "publish");
}

/// A return is undone as other actions are, and fails for events that do not wait and for people who may not.
#[both_stores]
async fn events_that_do_not_wait_are_not_returned(app: &TestApp) {
    let mut editor = Browser::of(app, "linus", Role::Editor).await;
    let fair = json!({"title": "Fair", "start_date": "2027-03-10", "end_date": "2027-03-10"});
    app.editor().event(fair).await;
    let sent = [("event", "1"), ("action", "return"), ("confirmed", "1"), ("remark", "No")];
    editor.post("//desk/events/pending", &sent).await;
    assert!(editor.get("//desk/events/pending").await.text().contains("Not done:"));
    assert_eq!(app.anonymous().get("/events/1").await.json()["status"], "publish");

    app.editor().change("/events/1", json!({"status": "pending"})).await;
    let mut writer = Browser::of(app, "grace", Role::Author).await;
    writer.post("//desk/events/pending", &sent).await;
    assert_eq!(app.editor().get("/events/1").await.json()["status"], "pending");

    editor.post("//desk/events/pending", &sent).await;
    assert_eq!(app.editor().get("/events/1").await.json()["status"], "draft");
    editor.post("//desk/events/pending", &[("action", "undo")]).await;
    assert_eq!(app.editor().get("/events/1").await.json()["status"], "pending");
    assert!(!editor.get("//desk/event/1").await.text().contains("class=\"remark\""));
}
