//! Copies of one event at regular dates.

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
