//! Events that are parts of others.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::{calendar, event, events, findings, import, import_with, numbers};

fn title(event: &Value) -> &str {
    event["title"].as_str().unwrap()
}

/// The titles of all events, each with that of its parent.
fn parents(events: &[Value]) -> Vec<(&str, &str)> {
    let parent = |id: &Value| events.iter().find(|one| one["id"] == *id).map_or("", title);
    events.iter().map(|event| (title(event), parent(&event["parent"]))).collect()
}

/// F-33: RELATED-TO names the parent, also one that comes later in the file; without the property, an
/// update removes it.
#[both_stores]
async fn parents_are_kept(app: &TestApp) {
    let parts = [
        event("talk", &["RELATED-TO:track"]),
        event("jazz", &["RRULE:FREQ=WEEKLY;COUNT=3", "RELATED-TO;RELTYPE=PARENT:fair"]),
        event("lunch", &["RELATED-TO;RELTYPE=SIBLING:fair"]),
        event("track", &["RELATED-TO;RELTYPE=\"PARENT\":fair"]),
        event("fair", &[]),
    ];
    let rehearsal = import_with(&app.editor(), "?dry_run=1", calendar(&parts)).await;
    let report = import(&app.editor(), calendar(&parts)).await;
    assert_eq!(rehearsal, report);
    assert_eq!((numbers(&report), &report["warnings"]), ([5, 0, 0, 0, 0], &json!([])));
    let all = events(&app.editor()).await;
    let mut found = parents(&all);
    found.dedup();
    assert_eq!(
        found,
        [
            ("Event fair", ""),
            ("Event jazz", "Event fair"),
            ("Event lunch", ""),
            ("Event talk", "Event track"),
            ("Event track", "Event fair"),
        ]
    );
    let again = import(&app.editor(), calendar(&parts)).await;
    assert_eq!(numbers(&again), [0, 0, 5, 0, 0]);

    let without = [event("talk", &[]), event("track", &["RELATED-TO:fair", "SEQUENCE:1"])];
    let report = import(&app.editor(), calendar(&without)).await;
    assert_eq!(numbers(&report), [0, 2, 0, 0, 0]);
    let all = events(&app.editor()).await;
    assert!(parents(&all).contains(&("Event talk", "")));
    assert!(parents(&all).contains(&("Event track", "Event fair")));
}

/// F-33: a parent that is unknown, in the trash, or below the event is a warning, and the event is taken; it
/// gets the parent with an import that finds it.
#[both_stores]
async fn bad_parents_are_warnings(app: &TestApp) {
    let own = app.editor().event(json!({"title": "Own"})).await;
    let feed = app.editor().get(&format!("/events/{}.ics", own["id"])).await.text();
    let feed = feed.replace("\r\n ", "");
    let uid = feed.lines().find_map(|line| line.strip_prefix("UID:")).unwrap().to_owned();
    app.editor().delete(&format!("/events/{}", own["id"])).await;
    let file = calendar(&[
        event("lost", &["RELATED-TO:nowhere"]),
        event("self", &["RELATED-TO:self"]),
        event("one", &["RELATED-TO:two"]),
        event("two", &["RELATED-TO:one"]),
        event("late", &[&format!("RELATED-TO:{uid}")]),
        event("blank", &["RELATED-TO:"]),
    ]);
    let report = import(&app.editor(), &*file).await;
    assert_eq!(numbers(&report), [6, 0, 0, 0, 0]);
    let unknown = |line| (line, "RELATED-TO", "unknown-parent");
    // In a circle, the event that the other one names is taken first.
    assert_eq!(findings(&report["warnings"]), [3, 10, 24, 31].map(unknown));
    let all = events(&app.editor()).await;
    let with_parent: Vec<_> =
        parents(&all).into_iter().filter(|(_, parent)| !parent.is_empty()).collect();
    assert_eq!(with_parent, [("Event one", "Event two")]);

    app.editor().change(&format!("/events/{}", own["id"]), json!({"status": "publish"})).await;
    let report = import(&app.editor(), &*file).await;
    assert_eq!(numbers(&report), [0, 1, 5, 0, 0]);
    let all = events(&app.editor()).await;
    assert!(parents(&all).contains(&("Event late", "Own")));
}
