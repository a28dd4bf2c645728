//! Imports that are repeated, interrupted, or write nothing.

use domain::source::UpdatePolicy;

use super::*;

/// A second run changes nothing; changes of the site arrive by the policy.
#[both_stores]
async fn a_second_run_takes_changes_alone(app: &TestApp) {
    let site = OldSite::start().await;
    site.fill(60);
    import(app, &site).await;
    let before = everything(app).await;
    let (again, _) = import(app, &site).await;
    assert!(again.is_unchanged());
    assert_eq!(counts(&again, Kind::Event), [0, 0, 60, 0]);
    assert_eq!(everything(app).await, before);

    let path = "/events/100";
    app.editor()
        .change(
            path,
            json!({"title": "Ours", "excerpt": "", "venue": 6, "organizer": 9, "categories": 4}),
        )
        .await;
    let website = "https://concert.example/";
    site.change("events", 100, json!({"title": "Theirs", "website": website}));
    let by = |policy| SiteImport { policy, ..SiteImport::default() };
    let (kept, _) = import_by(app, &site, &by(UpdatePolicy::Keep)).await;
    assert_eq!(counts(&kept, Kind::Event), [0, 0, 60, 0]);
    let shown = |answer: &Value| (answer["title"].clone(), answer["website"].clone());
    let event = app.anonymous().get(path).await.json();
    assert_eq!(event["title"], "Ours");
    let (filled, _) = import_by(app, &site, &by(UpdatePolicy::FillBlanks)).await;
    assert_eq!(counts(&filled, Kind::Event), [0, 1, 59, 0]);
    let event = app.anonymous().get(path).await.json();
    assert_eq!(shown(&event), (json!("Ours"), json!(website)));

    site.change("events", 100, json!({"excerpt": "New", "venue": []}));
    let (changed, _) = import(app, &site).await;
    assert_eq!(counts(&changed, Kind::Event), [0, 1, 59, 0]);
    let event = app.anonymous().get(path).await.json();
    assert_eq!(shown(&event), (json!("Theirs"), json!(website)));
    assert_eq!((&event["excerpt"], &event["venue"]), (&json!("<p>New</p>"), &json!([])));
    assert_eq!(event["categories"][0]["id"], 4);
}

/// Slugs that changed hands in the site do so here, in pairs and in circles, of new records too.
#[both_stores]
async fn slugs_change_hands(app: &TestApp) {
    let site = OldSite::start().await;
    let slugs = ["a", "b", "c", "d", "e"];
    for (id, slug) in (1..).zip(slugs) {
        site.add("events", json!({"id": id, "title": slug, "slug": slug}));
    }
    import(app, &site).await;
    for (id, slug) in (1..).zip(["b", "a", "d", "e", "c2"]) {
        site.change("events", id, json!({"slug": slug}));
    }
    site.add("events", json!({"id": 6, "title": "c", "slug": "c"}));
    let (report, remarks) = import(app, &site).await;
    assert_eq!(counts(&report, Kind::Event), [1, 5, 0, 0]);
    assert_eq!(remarks, Vec::<String>::new());
    for (id, slug) in (1..).zip(["b", "a", "d", "e", "c2", "c"]) {
        let event = app.anonymous().get(&format!("/events/{id}")).await.json();
        assert_eq!(event["slug"], slug, "{id}");
    }
    assert!(import(app, &site).await.0.is_unchanged());
}

/// New records keep the time of their last change; a change there is one of now here.
#[both_stores]
async fn the_last_change_is_kept(app: &TestApp) {
    let site = OldSite::start().await;
    let modified = json!({"id": 1, "title": "A", "modified_utc": "2025-05-06 07:08:09"});
    site.add("events", modified);
    site.add("venues", json!({"id": 2, "venue": "B", "modified_utc": "2025-05-06 07:08:10"}));
    site.add("events", json!({"id": 3, "title": "C", "modified_utc": "2999-05-06 07:08:09"}));
    import(app, &site).await;
    let first = app.anonymous().get("/events/1").await.json();
    assert_eq!(first["modified_utc"], "2025-05-06 07:08:09");
    assert_eq!(
        app.anonymous().get("/venues/2").await.json()["modified_utc"],
        "2025-05-06 07:08:10"
    );
    let third = app.anonymous().get("/events/3").await.json();
    assert!(third["modified_utc"].as_str().unwrap() < "2999", "{third}");
    site.change("events", 1, json!({"title": "D", "modified_utc": "2025-05-06 08:08:09"}));
    import(app, &site).await;
    let changed = app.anonymous().get("/events/1").await.json();
    assert_eq!(changed["title"], "D");
    assert_ne!(changed["modified_utc"], "2025-05-06 07:08:09");
}

/// A connection that breaks ends the run; another one ends with the same calendar as a run in one go.
#[both_stores]
async fn a_broken_run_is_continued(app: &TestApp) {
    let site = OldSite::start().await;
    site.fill(120);
    let reader = found(&site, false).await;
    let options = SiteImport::default();
    for requests in [3, 11] {
        site.break_after(Some(requests));
        let (broken, _) = try_import(app, &reader, &options).await;
        assert!(matches!(broken, Err(SiteImportError::Site(_))), "{broken:?}");
    }
    let partly = app.list(ALL).await.len();
    assert!((1..120).contains(&partly), "{partly}");
    site.break_after(None);
    let (report, _) = try_import(app, &reader, &options).await;
    let report = report.unwrap();
    assert_eq!((report.renumbered, counts(&report, Kind::Event)[0]), (0, 120 - partly as u64));
    assert_whole(app, &site).await;
}

/// A run that is killed in the middle of a page is continued, too.
#[both_stores]
async fn a_killed_run_is_continued(app: &TestApp) {
    let site = OldSite::start().await;
    site.fill(120);
    let reader = found(&site, false).await;
    let options = SiteImport::default();
    for events in [7, 63] {
        let seen = std::sync::atomic::AtomicU64::new(0);
        let enough = tokio::sync::Notify::new();
        let observer = |step: SiteProgress<'_>| {
            let is_event = step == SiteProgress::Record;
            let seen = seen.fetch_add(u64::from(is_event), std::sync::atomic::Ordering::SeqCst);
            if seen == events {
                enough.notify_one();
            }
        };
        tokio::select! {
            biased;
            () = enough.notified() => {}
            done = import_site(&app.calendar, editor(), &reader, &options, &observer) => {
                panic!("it was killed before its end: {done:?}");
            }
        }
    }
    let partly = app.list(ALL).await.len();
    assert!((1..120).contains(&partly), "{partly}");
    assert_whole(app, &site).await;
}

/// Imports the rest, and compares the calendar with the site.
async fn assert_whole(app: &TestApp, site: &OldSite) {
    import(app, site).await;
    let before = everything(app).await;
    let (last, _) = import(app, site).await;
    assert!(last.is_unchanged());
    assert_eq!(counts(&last, Kind::Event), [0, 0, 120, 0]);
    assert_eq!(everything(app).await, before);
    let mut ids = Vec::new();
    for page in &before[4..] {
        for event in page["events"].as_array().unwrap() {
            let is_whole = event["venue"]["id"] == 6 && event["categories"][0]["id"] == 4;
            assert!(is_whole && event["slug"] == format!("event-{}", event["id"]), "{event}");
            ids.push(event["id"].as_i64().unwrap());
        }
    }
    ids.sort_unstable();
    assert_eq!(ids, (100..220).collect::<Vec<_>>());
}

/// A dry run reports what a run would do, and writes nothing.
#[both_stores]
async fn a_dry_run_writes_nothing(app: &TestApp) {
    app.editor().make("/venues", json!({"venue": "Ours"})).await;
    let site = OldSite::start().await;
    site.fill(60);
    site.add("events", json!({"id": 1, "title": "A", "start_date": "soon", "image": {"url": format!("{}/pictures/a.png", site.url())}}));
    let before = everything(app).await;
    let dry = SiteImport { dry_run: true, ..SiteImport::default() };
    let (rehearsed, said) = import_by(app, &site, &dry).await;
    assert_eq!(everything(app).await, before);
    let (report, remarks) = import(app, &site).await;
    assert_eq!((rehearsed, said), (report, remarks));
    assert!(!site.requests().iter().any(|one| one.starts_with("pictures")));

    site.change("events", 100, json!({"title": "Theirs"}));
    let before = everything(app).await;
    let (rehearsed, _) = import_by(app, &site, &dry).await;
    assert_eq!(everything(app).await, before);
    assert_eq!(counts(&rehearsed, Kind::Event), [0, 1, 59, 1]);
}

/// Records that appear on two pages are taken once; a site that shows its first page for ever is
/// left, and missing records are reported.
#[both_stores]
async fn repeated_records_are_taken_once(app: &TestApp) {
    let site = OldSite::start().await;
    for _ in 0..2 {
        site.fill(40);
    }
    let (report, remarks) = import(app, &site).await;
    assert_eq!(counts(&report, Kind::Event), [40, 0, 0, 0]);
    assert_eq!(counts(&report, Kind::Venue), [2, 0, 0, 0]);
    let expected = "events: the lists had 40 of 80; run the import again";
    assert!(remarks.iter().any(|one| one == expected), "{remarks:?}");
}
