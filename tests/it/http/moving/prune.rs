//! Records that vanish from a site.

use domain::source::UpdatePolicy;

use super::*;

fn prune() -> SiteImport {
    SiteImport { prune: true, ..SiteImport::default() }
}

/// The site with five events, of which one is over.
fn fill(site: &OldSite) {
    site.fill(5);
    site.add(
        "events",
        json!({"id": 50, "title": "Past", "start_date": "2020-03-01 19:00:00", "end_date": "2020-03-01 20:00:00"}),
    );
}

/// The statuses of records, as an editor sees them.
async fn statuses<const N: usize>(app: &TestApp, paths: [&str; N]) -> Vec<Value> {
    let mut all = Vec::new();
    for path in paths {
        let answer = app.editor().get(path).await.json();
        // Events in the trash are not shown.
        let is_gone = answer["code"] == "event-no-longer-available";
        all.push(if is_gone { "trash".into() } else { answer["status"].clone() });
    }
    all
}

/// Records that the site lost go to the trash, and come back under their IDs and slugs. A term stays.
#[both_stores]
async fn records_go_with_those_of_the_site(app: &TestApp) {
    let site = OldSite::start().await;
    fill(&site);
    import(app, &site).await;
    let before = everything(app).await;
    for (list, id) in [("events", 100), ("events", 50), ("venues", 7), ("tags", 8)] {
        site.remove(list, id);
    }
    site.add("tags", json!({"id": 18, "name": "Another", "slug": "another"}));

    let (kept, remarks) = import(app, &site).await;
    assert_eq!((kept.gone, kept.pruned, kept.is_prune_refused), (4, 0, false));
    assert!(remarks.iter().all(|one| one.ends_with("any more: it stays here")), "{remarks:?}");
    let between = everything(app).await;
    let dry = SiteImport { dry_run: true, ..prune() };
    let (rehearsed, said) = import_by(app, &site, &dry).await;
    assert_eq!(everything(app).await, between);
    let (report, remarks) = import_by(app, &site, &prune()).await;
    assert_eq!((&rehearsed, &said), (&report, &remarks));
    assert_eq!((report.gone, report.pruned, report.is_unchanged()), (4, 3, false));
    for remark in [
        "event 100, Concert 0 & more: the site does not show it any more: it goes to the trash",
        "event 50, Past: the site does not show it any more: it goes to the trash",
        "venue 7, Small Room: the site does not show it any more: it goes to the trash",
        "tag 8, 5: the site does not show it any more: it stays here, as terms have no trash",
    ] {
        assert!(remarks.iter().any(|one| one == remark), "{remark}: {remarks:?}");
    }
    let paths = ["/events/100", "/events/50", "/venues/7", "/events/101"];
    assert_eq!(statuses(app, paths).await, ["trash", "trash", "trash", "publish"]);
    assert_eq!(app.editor().get("/tags/8").await.status, 200);
    let (again, _) = import_by(app, &site, &prune()).await;
    assert_eq!((again.pruned, again.gone, again.is_unchanged()), (0, 1, true));

    // The records are in the site again, one of them changed. `keep` takes no field but the status.
    fill(&site);
    site.change("events", 50, json!({"title": "Past and changed"}));
    site.remove("tags", 18);
    for (policy, updated) in [(UpdatePolicy::Keep, [2, 1]), (UpdatePolicy::Overwrite, [0, 0])] {
        let (report, _) = import_by(app, &site, &SiteImport { policy, ..prune() }).await;
        let counted = [Kind::Event, Kind::Venue].map(|kind| counts(&report, kind)[1]);
        assert_eq!(counted, updated, "{policy}");
        assert_eq!(statuses(app, paths).await, ["publish"; 4]);
    }
    app.editor().delete("/tags/18?force=1").await;
    assert_eq!(everything(app).await, before);
}

/// Nothing goes if half of the coming events would, or if a list was not complete.
#[both_stores]
async fn doubtful_sites_are_not_followed(app: &TestApp) {
    let site = OldSite::start().await;
    fill(&site);
    import(app, &site).await;
    site.remove("venues", 7);
    site.remove("events", 100);
    site.remove("events", 101);
    site.remove("events", 102);
    let (refused, remarks) = import_by(app, &site, &prune()).await;
    assert_eq!((refused.gone, refused.pruned, refused.is_prune_refused), (4, 0, true));
    let reason = "prune: half of the coming events or more are gone: nothing goes to the trash";
    assert_eq!(remarks[0], reason);
    assert!(remarks[1..].iter().all(|one| one.ends_with("it stays here")), "{remarks:?}");

    site.add("events", json!({"id": 102, "title": "Concert 2 & more"}));
    site.add("organizers", json!({"id": "none", "organizer": "Nobody"}));
    let (partial, remarks) = import_by(app, &site, &prune()).await;
    assert_eq!((partial.gone, partial.pruned, partial.is_prune_refused), (3, 0, true));
    let reason = "prune: a list was not complete: nothing goes to the trash";
    assert!(remarks.iter().any(|one| one == reason), "{remarks:?}");
    site.remove("organizers", "none");

    site.add("events", json!({"id": 9, "title": "Hidden", "unlisted": true, "unreadable": true}));
    let (partial, _) = import_by(app, &site, &prune()).await;
    assert_eq!((partial.pruned, partial.is_prune_refused), (0, true));
    site.remove("events", 9);

    let paths = ["/events/100", "/events/101", "/venues/7"];
    assert_eq!(statuses(app, paths).await, ["publish"; 3]);
    assert_eq!(import_by(app, &site, &prune()).await.0.pruned, 3);
    assert_eq!(statuses(app, paths).await, ["trash"; 3]);
}

/// A record that a person here put into the trash, and one of this calendar alone, stay as they are.
#[both_stores]
async fn other_records_stay(app: &TestApp) {
    let site = OldSite::start().await;
    fill(&site);
    import(app, &site).await;
    let editor = app.editor();
    let ours = editor.event(json!({"title": "Ours"})).await["id"].clone();
    editor.delete("/events/100").await;
    site.remove("events", 100);
    let (report, _) = import_by(app, &site, &prune()).await;
    assert_eq!((report.gone, report.pruned), (0, 0));
    site.fill(1);
    import_by(app, &site, &prune()).await;
    let ours = format!("/events/{ours}");
    assert_eq!(statuses(app, ["/events/100", &ours]).await, ["trash", "publish"]);
}

/// The copies of a series that are gone leave it, and come back to it; without any, it goes itself.
#[both_stores]
async fn copies_leave_their_series(app: &TestApp) {
    let site = OldSite::start().await;
    site.fill(12);
    let days = ["2027-03-02", "2027-03-09", "2027-03-16"];
    let yoga = |site: &OldSite, numbers: &[usize]| {
        for &number in numbers {
            let day = days[number];
            site.add(
                "events",
                json!({
                    "id": number + 1, "title": "Yoga", "timezone": "UTC",
                    "start_date": format!("{day} 19:00:00"), "end_date": format!("{day} 20:00:00"),
                    "utc_start_date": format!("{day} 19:00:00"),
                    "utc_end_date": format!("{day} 20:00:00"),
                }),
            );
        }
    };
    yoga(&site, &[0, 1, 2]);
    import_by(app, &site, &SiteImport { join_copies: true, ..SiteImport::default() }).await;
    let shown = || async {
        let list = app.anonymous().get(&format!("/events?{ALL}&search=yoga")).await.json();
        let events = list["events"].as_array().unwrap().clone();
        let day = |one: &Value| one["start_date"].as_str().unwrap()[..10].to_owned();
        (events.iter().map(day).collect::<Vec<_>>(), events)
    };
    let before = shown().await.1;
    assert_eq!(before.len(), 3);

    site.remove("events", 2);
    let dry = SiteImport { dry_run: true, ..prune() };
    let (rehearsed, said) = import_by(app, &site, &dry).await;
    let (report, remarks) = import_by(app, &site, &prune()).await;
    assert_eq!((&rehearsed, &said), (&report, &remarks));
    assert_eq!((report.gone, report.pruned), (1, 1));
    let gone =
        "event 1, Yoga on 2027-03-09: the site does not show it any more: it goes to the trash";
    assert_eq!(remarks, [gone]);
    assert_eq!(shown().await.0, ["2027-03-02", "2027-03-16"]);
    yoga(&site, &[1]);
    let (rehearsed, said) = import_by(app, &site, &dry).await;
    let (back, remarks) = import_by(app, &site, &prune()).await;
    assert_eq!((&rehearsed, &said), (&back, &remarks));
    assert_eq!((counts(&back, Kind::Event), remarks), ([0, 1, 12, 0], vec![]));
    assert_eq!(shown().await.0, days);

    for id in 1..=3 {
        site.remove("events", id);
    }
    let (report, _) = import_by(app, &site, &prune()).await;
    assert_eq!((report.gone, report.pruned), (3, 3));
    assert_eq!(statuses(app, ["/events/1"]).await, ["trash"]);
    yoga(&site, &[2]);
    let (rehearsed, _) = import_by(app, &site, &dry).await;
    let (back, remarks) = import_by(app, &site, &prune()).await;
    assert_eq!(rehearsed, back);
    assert_eq!((counts(&back, Kind::Event), remarks), ([0, 1, 12, 0], vec![]));
    assert_eq!(shown().await.0, ["2027-03-16"]);
    yoga(&site, &[0, 1]);
    import_by(app, &site, &prune()).await;
    assert_eq!(shown().await.0, days);
    let ids = |events: &[Value]| events.iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&shown().await.1), ids(&before));
    assert!(import_by(app, &site, &prune()).await.0.is_unchanged());
}
