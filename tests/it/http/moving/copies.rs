//! Copies of one event at regular dates.

use domain::source::UpdatePolicy;

use super::*;

/// Adds an event for each day, an hour in the evening.
fn add(site: &OldSite, first: i64, title: &str, days: &[&str]) {
    for (id, day) in (first..).zip(days) {
        site.add("events", json!({
            "id": id, "title": title, "timezone": "UTC", "description": "Every week",
            "start_date": format!("{day} 19:00:00"), "end_date": format!("{day} 20:00:00"),
            "utc_start_date": format!("{day} 19:00:00"), "utc_end_date": format!("{day} 20:00:00"),
        }));
    }
}

const TUESDAYS: [&str; 4] = ["2027-03-02", "2027-03-09", "2027-03-16", "2027-03-30"];

fn join() -> SiteImport {
    SiteImport { join_copies: true, ..SiteImport::default() }
}

/// Copies are reported, and stay separate without the option.
#[both_stores]
async fn copies_are_reported(app: &TestApp) {
    let site = OldSite::start().await;
    add(&site, 1, "Yoga", &TUESDAYS);
    add(&site, 11, "Fair", &["2027-03-02", "2027-03-09", "2027-08-16"]);
    let (report, remarks) = import(app, &site).await;
    assert_eq!((report.copies, report.joined, counts(&report, Kind::Event)), (1, 0, [7, 0, 0, 0]));
    let found = "4 events with this title and venue are regular (FREQ=WEEKLY;COUNT=5)";
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(remarks[0].contains(found) && remarks[0].contains("/events/1/: "), "{remarks:?}");
    // Events that are here one by one stay so.
    let (late, remarks) = import_by(app, &site, &join()).await;
    assert!(late.is_unchanged() && late.joined == 0);
    assert!(
        remarks[0].ends_with("they stay separate, as an earlier import brought them"),
        "{remarks:?}"
    );
}

/// With the option, they become a series on the same days, beside the other events.
#[both_stores]
async fn copies_become_a_series(app: &TestApp) {
    let site = OldSite::start().await;
    add(&site, 1, "Yoga", &TUESDAYS);
    add(&site, 5, "Fair", &["2027-03-02", "2027-03-09", "2027-08-16"]);
    let (report, remarks) = import_by(app, &site, &join()).await;
    assert_eq!((report.copies, report.joined), (1, 4), "{remarks:?}");
    assert_eq!((counts(&report, Kind::Event), report.renumbered), ([4, 0, 0, 0], 0));
    let series = app.anonymous().get("/events/1").await.json();
    assert_eq!(series["recurrence"]["rrule"], "FREQ=WEEKLY;COUNT=5");
    let list = app.anonymous().get(&format!("/events?{ALL}&search=yoga")).await.json();
    let days = list["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["start_date"].as_str().unwrap()[..10].to_owned());
    assert_eq!(days.collect::<Vec<_>>(), TUESDAYS);
    assert!(import_by(app, &site, &join()).await.0.is_unchanged());

    // A further copy makes the series longer.
    add(&site, 20, "Yoga", &["2027-04-06"]);
    let (longer, _) = import_by(app, &site, &join()).await;
    assert_eq!(counts(&longer, Kind::Event), [0, 1, 3, 0]);
    let series = app.anonymous().get("/events/1").await.json();
    assert_eq!(series["recurrence"]["rrule"], "FREQ=WEEKLY;COUNT=6");
}

/// Copies with other texts stay separate, so that no text is lost.
#[both_stores]
async fn copies_with_other_texts_stay_separate(app: &TestApp) {
    let site = OldSite::start().await;
    add(&site, 1, "Yoga", &TUESDAYS);
    site.change("events", 3, json!({"description": "With a guest"}));
    let (report, remarks) = import_by(app, &site, &join()).await;
    assert_eq!((report.joined, counts(&report, Kind::Event)), (0, [4, 0, 0, 0]));
    assert!(remarks[0].ends_with("they stay separate, as other fields differ"), "{remarks:?}");
}

/// Starts of the events of a title, in the order of time.
async fn starts(app: &TestApp, title: &str) -> Vec<String> {
    let list = app.anonymous().get(&format!("/events?{ALL}&search={title}")).await.json();
    let events = list["events"].as_array().unwrap();
    events.iter().map(|one| one["start_date"].as_str().unwrap()[..16].to_owned()).collect()
}

/// The occurrence of series 1 at a date.
async fn occurrence(app: &TestApp, day: &str) -> Value {
    app.editor().get(&format!("/events/1/occurrences/{day}")).await.json()
}

/// The starts of the copies as they were joined.
fn evenings() -> Vec<String> {
    TUESDAYS.map(|day| format!("{day} 19:00")).to_vec()
}

/// Four weekly copies that were joined; the second run changes nothing, with and without the option.
async fn joined(app: &TestApp) -> OldSite {
    let site = OldSite::start().await;
    add(&site, 1, "Yoga", &TUESDAYS);
    import_by(app, &site, &join()).await;
    site
}

fn by(policy: UpdatePolicy, join_copies: bool) -> SiteImport {
    SiteImport { policy, join_copies, ..SiteImport::default() }
}

/// A further run over an unchanged site moves no date of a series, whatever the option and the policy.
#[both_stores]
async fn joined_copies_stay(app: &TestApp) {
    let site = joined(app).await;
    let before = everything(app).await;
    for policy in UpdatePolicy::ALL {
        for join_copies in [false, true, false] {
            let (report, remarks) = import_by(app, &site, &by(policy, join_copies)).await;
            assert!(report.is_unchanged(), "{policy}");
            assert_eq!((counts(&report, Kind::Event), remarks), ([0, 0, 1, 0], Vec::new()));
            assert_eq!(everything(app).await, before);
        }
    }
    assert_eq!(starts(app, "yoga").await, evenings());

    // A change made here stays, as the copies did not change.
    app.editor()
        .change("/events/1", json!({"title": "Yoga here", "end_date": "2027-03-02 21:00"}))
        .await;
    let before = everything(app).await;
    import_by(app, &site, &join()).await;
    assert_eq!(everything(app).await, before);
}

/// Copies that are moved, renamed, edited, deleted and added over there, with and without the option.
/// Each changed copy changes its own occurrence, and nothing else.
async fn assert_each_has_its_slot(app: &TestApp, join_copies: bool) {
    let site = joined(app).await;
    site.change(
        "events",
        2,
        json!({
            "start_date": "2027-03-10 20:00:00", "end_date": "2027-03-10 21:00:00",
            "utc_start_date": "2027-03-10 20:00:00", "utc_end_date": "2027-03-10 21:00:00",
        }),
    );
    site.change(
        "events",
        3,
        json!({"title": "Yoga with a guest", "description": "A guest", "slug": "guest"}),
    );
    site.remove("events", 4);
    add(&site, 20, "Yoga", &["2027-04-06"]);
    let options = by(UpdatePolicy::Overwrite, join_copies);

    let dry = SiteImport { dry_run: true, ..options.clone() };
    let before = everything(app).await;
    let (rehearsed, said) = import_by(app, &site, &dry).await;
    assert_eq!(everything(app).await, before);
    let (report, remarks) = import_by(app, &site, &options).await;
    assert_eq!((&rehearsed, said), (&report, remarks.clone()));
    let created = u64::from(!join_copies);
    assert_eq!((counts(&report, Kind::Event), report.gone), ([created, 1, 0, 0], 1), "{remarks:?}");
    let gone = "event 1, Yoga on 2027-03-30: the site does not show it any more: it stays here";
    assert!(remarks.iter().any(|one| one == gone), "{remarks:?}");

    let days = [
        "2027-03-02 19:00",
        "2027-03-10 20:00",
        "2027-03-16 19:00",
        "2027-03-30 19:00",
        "2027-04-06 19:00",
    ];
    assert_eq!(starts(app, "yoga").await, days);
    let third = occurrence(app, "2027-03-16").await;
    assert_eq!(
        (&third["title"], &third["description"]),
        (&json!("Yoga with a guest"), &json!("<p>A guest</p>"))
    );
    assert_eq!(occurrence(app, "2027-03-09").await["start_date"], "2027-03-10 20:00:00");
    let series = app.editor().get("/events/1").await.json();
    assert_eq!(
        (&series["title"], &series["start_date"]),
        (&json!("Yoga"), &json!("2027-03-02 19:00:00"))
    );
    let is_one = app.editor().get("/events/20").await.status == 200;
    assert_eq!(is_one, !join_copies, "without the option, a new copy is an event");

    let before = everything(app).await;
    for join_copies in [join_copies, !join_copies, join_copies] {
        let (again, _) = import_by(app, &site, &by(UpdatePolicy::Overwrite, join_copies)).await;
        assert!(again.is_unchanged());
        assert_eq!(everything(app).await, before);
    }

    // The copy goes back.
    site.change(
        "events",
        2,
        json!({
            "start_date": "2027-03-09 19:00:00", "end_date": "2027-03-09 20:00:00",
            "utc_start_date": "2027-03-09 19:00:00", "utc_end_date": "2027-03-09 20:00:00",
        }),
    );
    import_by(app, &site, &options).await;
    assert_eq!(starts(app, "yoga").await[1], "2027-03-09 19:00");
}

#[both_stores]
async fn each_copy_has_its_slot(app: &TestApp) {
    assert_each_has_its_slot(app, true).await;
}

#[both_stores]
async fn each_copy_has_its_slot_without_the_option(app: &TestApp) {
    assert_each_has_its_slot(app, false).await;
}

/// `keep` takes no change of a copy, `fill-blanks` what is empty here; both take new copies.
#[both_stores]
async fn the_policy_decides_about_copies(app: &TestApp) {
    let site = joined(app).await;
    let moved = json!({
        "start_date": "2027-03-10 20:00:00", "end_date": "2027-03-10 21:00:00",
        "utc_start_date": "2027-03-10 20:00:00", "utc_end_date": "2027-03-10 21:00:00",
        "website": "https://yoga.example/",
    });
    site.change("events", 2, moved);
    add(&site, 20, "Yoga", &["2027-04-06"]);
    let (kept, _) = import_by(app, &site, &by(UpdatePolicy::Keep, true)).await;
    assert_eq!((kept.joined, counts(&kept, Kind::Event)), (1, [0, 1, 0, 0]));
    let mut days = evenings();
    days.push("2027-04-06 19:00".to_owned());
    assert_eq!(starts(app, "yoga").await, days);
    import_by(app, &site, &by(UpdatePolicy::FillBlanks, false)).await;
    assert_eq!(starts(app, "yoga").await, days);
    assert_eq!(occurrence(app, "2027-03-09").await["website"], "https://yoga.example/");
}

/// A copy that the series cannot hold becomes an event of its own; so does one whose date the series
/// lost. A date that was deleted here stays deleted.
#[both_stores]
async fn misfits_leave_their_series(app: &TestApp) {
    let site = joined(app).await;
    let editor = app.editor();
    site.change("events", 2, json!({"status": "draft", "always": true, "description": "Not yet"}));
    editor.delete("/events/1/occurrences/2027-03-30").await;
    site.change("events", 4, json!({"description": "Last"}));
    let (report, remarks) = import(app, &site).await;
    assert!(!report.is_unchanged());
    for remark in [
        "/events/2/: its series cannot have what it is now: an event of its own",
        "/events/4/: changed there, and deleted here: it stays deleted",
    ] {
        assert!(remarks.iter().any(|one| one.contains(remark)), "{remark}: {remarks:?}");
    }
    assert_eq!(starts(app, "yoga").await, ["2027-03-02 19:00", "2027-03-16 19:00"]);
    let drafts = editor.get(&format!("/events?{ALL}&status=draft")).await.json();
    assert_eq!(drafts["events"][0]["description"], "<p>Not yet</p>");
    assert!(import(app, &site).await.0.is_unchanged());

    // The event follows its record from then on, and the series loses a date.
    site.change("events", 2, json!({"status": "publish"}));
    editor.change("/events/1", json!({"recurrence": {"rrule": "FREQ=WEEKLY;COUNT=2", "rdate": [], "exdate": []}, "start_date": "2027-04-06 19:00", "end_date": "2027-04-06 20:00"})).await;
    site.change("events", 3, json!({"description": "Third"}));
    let (_, remarks) = import_by(app, &site, &join()).await;
    let lost = "/events/3/: its series has no 2027-03-16 any more: an event of its own";
    assert!(remarks.iter().any(|one| one.contains(lost)), "{remarks:?}");
    let all = ["2027-03-09 19:00", "2027-03-16 19:00", "2027-04-06 19:00", "2027-04-13 19:00"];
    assert_eq!(starts(app, "yoga").await, all);
    assert!(import_by(app, &site, &join()).await.0.is_unchanged());
}

/// A run that is killed while it joins and changes copies is continued.
#[both_stores]
async fn killed_runs_of_copies_are_continued(app: &TestApp) {
    let site = OldSite::start().await;
    for (first, title) in [(1, "Yoga"), (101, "Choir"), (201, "Chess")] {
        add(&site, first, title, &TUESDAYS);
    }
    let (reader, options) = (found(&site, false).await, join());
    for change in [false, true] {
        if change {
            for id in [2, 102, 202] {
                site.change("events", id, json!({"description": "Changed"}));
            }
        }
        for yields in 1..12 {
            let run = import_site(&app.calendar, editor(), &reader, &options, &|_| {});
            // The run is dropped at a point in the middle.
            let _ = tokio::time::timeout(Duration::from_millis(yields), run).await;
        }
        import_by(app, &site, &join()).await;
        for title in ["yoga", "choir", "chess"] {
            assert_eq!(starts(app, title).await, evenings(), "{title}");
        }
        assert!(import_by(app, &site, &join()).await.0.is_unchanged());
    }
    for id in [1, 101, 201] {
        let day = format!("/events/{id}/occurrences/2027-03-09");
        assert_eq!(app.editor().get(&day).await.json()["description"], "<p>Changed</p>");
        let series = app.editor().get(&format!("/events/{id}")).await.json();
        assert_eq!(series["description"], "<p>Every week</p>");
    }
}

/// A new copy at the date that a moved one left is an event of its own; one at a date that the series
/// already has here is this date.
#[both_stores]
async fn new_copies_take_free_dates(app: &TestApp) {
    let site = joined(app).await;
    site.change(
        "events",
        2,
        json!({
            "start_date": "2027-03-10 20:00:00", "end_date": "2027-03-10 21:00:00",
            "utc_start_date": "2027-03-10 20:00:00", "utc_end_date": "2027-03-10 21:00:00",
        }),
    );
    add(&site, 30, "Yoga", &["2027-03-09"]);
    app.editor()
        .change(
            "/events/1",
            json!({"recurrence": {"rrule": "FREQ=WEEKLY;COUNT=6", "exdate": ["2027-03-23"]}}),
        )
        .await;
    add(&site, 40, "Yoga", &["2027-04-06", "2027-03-23"]);
    let (report, remarks) = import_by(app, &site, &join()).await;
    assert_eq!((report.joined, counts(&report, Kind::Event)), (2, [1, 1, 0, 0]), "{remarks:?}");
    assert!(
        remarks
            .iter()
            .any(|one| one.ends_with("/events/30/: it stays separate: another copy has its date")),
        "{remarks:?}"
    );
    let days = [
        "2027-03-02 19:00",
        "2027-03-09 19:00",
        "2027-03-10 20:00",
        "2027-03-16 19:00",
        "2027-03-23 19:00",
        "2027-03-30 19:00",
        "2027-04-06 19:00",
    ];
    assert_eq!(starts(app, "yoga").await, days);
    assert!(import_by(app, &site, &join()).await.0.is_unchanged());
}
