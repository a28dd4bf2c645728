//! Files that are imported again.

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields, id},
};

use super::{calendar, event, events, findings, import, import_with, numbers, only, send};

/// F-63: the same file changes nothing; a higher SEQUENCE updates the event under its ID; a lower one does
/// not.
#[both_stores]
async fn newer_events_are_updates(app: &TestApp) {
    let file = |title: &str, sequence: u32| {
        let lines = [format!("SUMMARY:{title}"), format!("SEQUENCE:{sequence}")];
        calendar(&[event("1@x", &lines.each_ref().map(String::as_str))])
    };
    assert_eq!(numbers(&import(&app.editor(), file("First", 1)).await), [1, 0, 0, 0, 0]);
    let first = only(&app.anonymous()).await;
    assert_eq!(numbers(&import(&app.editor(), file("First", 1)).await), [0, 0, 1, 0, 0]);
    assert_eq!(only(&app.anonymous()).await, first);
    assert_eq!(numbers(&import(&app.editor(), file("Second", 2)).await), [0, 1, 0, 0, 0]);
    assert_eq!(numbers(&import(&app.editor(), file("Third", 1)).await), [0, 0, 1, 0, 0]);
    has_fields(&only(&app.anonymous()).await, json!({"title": "Second", "id": first["id"]}));
    // Without a higher number, the later change counts.
    let stamped = |title: &str, day: u32| {
        let lines = [
            format!("SUMMARY:{title}"),
            "SEQUENCE:2".to_owned(),
            format!("LAST-MODIFIED:203001{day:02}T000000Z"),
        ];
        calendar(&[event("1@x", &lines.each_ref().map(String::as_str))])
    };
    assert_eq!(numbers(&import(&app.editor(), stamped("Fourth", 5)).await), [0, 1, 0, 0, 0]);
    assert_eq!(numbers(&import(&app.editor(), stamped("Fifth", 4)).await), [0, 0, 1, 0, 0]);
    assert_eq!(only(&app.anonymous()).await["title"], "Fourth");
}

/// F-64: `keep` leaves a known event as it is, `fill-blanks` sets what is empty, and `overwrite` also
/// removes what the file has no longer.
#[both_stores]
async fn policies_say_which_fields_change(app: &TestApp) {
    let first = calendar(&[event("1", &["LOCATION:Old Mill"])]);
    import(&app.editor(), first).await;
    let path = format!("/events/{}", id(&only(&app.anonymous()).await));
    app.editor().change(&path, json!({"title": "Ours"})).await;
    let second = calendar(&[event(
        "1",
        &["SUMMARY:Theirs", "DESCRIPTION:Theirs", "LOCATION:New Mill", "SEQUENCE:1"],
    )]);
    let report = import_with(&app.editor(), "?policy=keep", &*second).await;
    assert_eq!(numbers(&report), [0, 0, 1, 0, 0]);
    has_fields(&only(&app.anonymous()).await, json!({"title": "Ours", "description": ""}));
    let report = import_with(&app.editor(), "?policy=fill-blanks", &*second).await;
    assert_eq!(numbers(&report), [0, 1, 0, 0, 0]);
    let filled = only(&app.anonymous()).await;
    has_fields(&filled, json!({"title": "Ours", "description": "<p>Theirs</p>"}));
    assert_eq!(filled["venue"]["venue"], "Old Mill");
    let third = calendar(&[event("1", &["SUMMARY:Theirs", "SEQUENCE:2"])]);
    assert_eq!(numbers(&import(&app.editor(), third).await), [0, 1, 0, 0, 0]);
    let overwritten = only(&app.anonymous()).await;
    has_fields(&overwritten, json!({"title": "Theirs", "description": "", "venue": []}));
}

/// F-65: an event that was created here, or that another source brought, is refused and stays as it is.
#[both_stores]
async fn other_sources_are_not_overwritten(app: &TestApp) {
    let local = app.editor().event(event_fields(json!({"title": "Local"}))).await;
    let feed = app.anonymous().get(&format!("/events/{}.ics", id(&local))).await.text();
    let renamed = feed.replace("Local", "Stolen");
    let report = import(&app.editor(), &*renamed).await;
    assert_eq!(numbers(&report), [0, 0, 0, 0, 1]);
    assert_eq!(findings(&report["refused"])[0].2, "foreign-uid");
    assert_eq!(only(&app.anonymous()).await["title"], "Local");
    let file = calendar(&[event("1", &[])]);
    import_with(&app.editor(), "?source=fair", &*file).await;
    let newer = calendar(&[event("1", &["SUMMARY:Newer", "SEQUENCE:5"])]);
    let report = import_with(&app.editor(), "?source=market", &*newer).await;
    assert_eq!(findings(&report["refused"])[0].2, "foreign-uid");
    let report = import_with(&app.editor(), "?source=fair", &*newer).await;
    assert_eq!(numbers(&report), [0, 1, 0, 0, 0]);
}

/// F-66: of two events with one UID the newer one counts; an event without a UID is known by its start,
/// title and place.
#[both_stores]
async fn doubtful_identifiers(app: &TestApp) {
    let twice = calendar(&[
        event("1", &["SUMMARY:Newer", "SEQUENCE:2"]),
        event("1", &["SUMMARY:Older", "SEQUENCE:1"]),
    ]);
    let report = import(&app.editor(), twice).await;
    assert_eq!((numbers(&report), findings(&report["warnings"])[0].2), ([1, 0, 0, 0, 0], "twice"));
    assert_eq!(only(&app.anonymous()).await["title"], "Newer");
    let without = || {
        let with = event("", &["SUMMARY:Without"]);
        calendar(&[with.replace("UID:\r\n", "")])
    };
    for expected in [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0]] {
        let report = import(&app.editor(), without()).await;
        assert_eq!((numbers(&report), findings(&report["warnings"])[0].2), (expected, "no-uid"));
    }
    assert_eq!(events(&app.anonymous()).await.len(), 2);
    let bad = calendar(&[event(&"u".repeat(1001), &[]), event("a\\nb", &[])]);
    assert_eq!(findings(&import(&app.editor(), bad).await["refused"]).len(), 2);
}

/// F-68: a known event that is called off goes to the trash, and comes back if it takes place again; an
/// unknown one is skipped.
#[both_stores]
async fn cancelled_events_go_to_the_trash(app: &TestApp) {
    let file = |lines: &[&str]| calendar(&[event("1", lines)]);
    let unknown = calendar(&[event("2", &["STATUS:CANCELLED"])]);
    assert_eq!(numbers(&import(&app.editor(), unknown).await), [0, 0, 1, 0, 0]);
    import(&app.editor(), file(&[])).await;
    let event = only(&app.anonymous()).await;
    // As tombstones of feeds are: without a title.
    let off = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20300310T080000Z\r\nSEQUENCE:1\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n";
    let report = import(&app.editor(), off).await;
    assert_eq!(numbers(&report), [0, 0, 0, 1, 0]);
    assert!(events(&app.anonymous()).await.is_empty());
    assert_eq!(numbers(&import(&app.editor(), off).await), [0, 0, 1, 0, 0]);
    let report = import(&app.editor(), file(&["SEQUENCE:2"])).await;
    assert_eq!(numbers(&report), [0, 1, 0, 0, 0]);
    has_fields(&only(&app.anonymous()).await, json!({"id": event["id"], "status": "publish"}));
    // An event that a person put into the trash stays there.
    app.editor().delete(&format!("/events/{}", event["id"])).await;
    let report = import(&app.editor(), file(&["SEQUENCE:3"])).await;
    assert_eq!(numbers(&report), [0, 0, 1, 0, 0]);
    assert!(events(&app.anonymous()).await.is_empty());
}

/// F-69: with `prune`, coming events of the source that the file has no longer go to the trash,
/// and come back with it; a file that lacks half of them, or is incomplete, is refused.
#[both_stores]
async fn pruning(app: &TestApp) {
    let past = ["DTSTART:20200310T090000Z", "DTEND:20200310T100000Z"];
    let all: Vec<String> = ["1", "2", "3", "4", "5"].map(|uid| event(uid, &[])).to_vec();
    let with_past = [&all[..], &[event("past", &past)]].concat();
    import(&app.editor(), calendar(&with_past)).await;
    import_with(&app.editor(), "?source=other", calendar(&[event("of another", &[])])).await;
    for file in
        [calendar(&[]), calendar(&all[..2]), calendar(&all[..4]).replace("END:VCALENDAR\r\n", "")]
    {
        send(&app.editor(), "?prune=1", file).await.assert_invalid(&["prune"]);
    }
    let before = events(&app.anonymous()).await;
    assert_eq!(before.len(), 7);
    let report = import_with(&app.editor(), "?prune=1&dry_run=1", calendar(&all[..3])).await;
    assert_eq!(report["pruned"], 2);
    assert_eq!(events(&app.anonymous()).await.len(), 7);
    let report = import_with(&app.editor(), "?prune=1", calendar(&all[..3])).await;
    assert_eq!((numbers(&report), report["pruned"].as_u64()), ([0, 0, 3, 0, 0], Some(2)));
    let titles: Vec<_> =
        events(&app.anonymous()).await.iter().map(|event| event["title"].clone()).collect();
    assert_eq!(titles, ["Event 1", "Event 2", "Event 3", "Event of another", "Event past"]);
    // An event that the file has again comes back under its ID, unless a person deleted it.
    assert_eq!(numbers(&import(&app.editor(), calendar(&all)).await), [0, 2, 3, 0, 0]);
    assert_eq!(events(&app.anonymous()).await, before);
    app.editor().delete(&format!("/events/{}", id(&before[0]))).await;
    assert_eq!(numbers(&import(&app.editor(), calendar(&all)).await), [0, 0, 5, 0, 0]);
    assert_eq!(events(&app.anonymous()).await.len(), 6);
}
