//! Endless series and their horizon.

use app::{Calendar, calendar::ExtendedSeries};
use axum::http::Method;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::event_fields, for_each_row};

use super::{Series, events, patched, recurrence};
use crate::http::records::record;

/// Creates a weekly series without end from 2027-01-05 19:00 UTC, on 2026-11-22.
async fn endless(app: &TestApp) -> Series {
    app.clock.set("2026-11-22 12:00:00");
    let fields = json!({
        "title": "Chess", "start_date": "2027-01-05 19:00:00", "end_date": "2027-01-05 20:00:00",
        "timezone": "UTC", "recurrence": "FREQ=WEEKLY",
    });
    let made = app.admin().make("/events", event_fields(fields)).await;
    Series { id: made["id"].as_i64().unwrap(), occurrences: Vec::new() }
}

/// As time passes, the horizon moves on; the IDs of former occurrences stay.
#[both_stores]
async fn the_horizon_moves_on(app: &TestApp) {
    let series = endless(app).await;
    let path = "/events?start_date=2026-01-01&end_date=2033-12-31&per_page=100";
    let all = async || {
        let mut ids = Vec::new();
        for page in 1..=3 {
            ids.extend(app.anonymous().get(&format!("{path}&page={page}")).await.ids());
        }
        ids
    };
    let before = all().await;
    app.clock.set("2026-12-22 12:00:00");
    for _ in 0..2 {
        app.calendar.extend_series().await.unwrap();
        let kept_until = recurrence(&app.anonymous(), series.id).await["kept_until"].clone();
        assert_eq!(kept_until, "2032-01-01 00:00:00");
        let after = all().await;
        // Five Tuesdays of December 2031.
        assert_eq!((&after[..256], after.len()), (&before[..], 261));
        assert!(after[256..].iter().all(|id| *id > before[255]), "{after:?}");
    }
    let list = record(&app.anonymous().get(path).await);
    assert_eq!(list["horizon"], "2032-01-01 00:00:00");
}

fn starts(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["start_date"].as_str().unwrap()).collect()
}

/// The occurrences of an endless rule are kept up to the horizon.
#[both_stores]
async fn endless_rules_are_kept_up_to_the_horizon(app: &TestApp) {
    let series = endless(app).await;
    let shown = recurrence(&app.anonymous(), series.id).await;
    assert_eq!((&shown["last"], &shown["total"]), (&Value::Null, &Value::Null));
    assert!(shown.get("last").is_some() && shown.get("total").is_some());
    assert_eq!(shown["kept_until"], "2031-12-01 00:00:00");
    let last = format!("{}?order=desc&per_page=1", series.list());
    let last = record(&app.anonymous().get(&last).await);
    assert_eq!(last["total"], 256);
    assert_eq!(starts(last["events"].as_array().unwrap()), ["2031-11-25 19:00:00"]);
    let path = "/events?start_date=2026-01-01&end_date=2031-11-30&per_page=1";
    assert_eq!(app.anonymous().get(path).await.json()["total"], 256);
}

/// A list whose window reaches past the horizon names it.
#[both_stores]
async fn lists_name_the_horizon(app: &TestApp) {
    let beyond = "/events?start_date=2031-11-01&end_date=2032-12-31";
    app.clock.set("2026-11-22 12:00:00");
    let without = app.anonymous().get(beyond).await;
    assert_eq!((without.json().get("horizon"), without.header("x-calendar-horizon")), (None, ""));
    endless(app).await;
    let answer = app.anonymous().get(beyond).await;
    assert_eq!(record(&answer)["horizon"], "2031-12-01 00:00:00");
    assert_eq!(answer.header("x-calendar-horizon"), "2031-12-01T00:00:00Z");
    assert_eq!(answer.ids().len(), 4);
    let rows = ["", "?start_date=2031-11-01&end_date=2031-11-30", "?search=chess"];
    for_each_row(rows, async |query| {
        let answer = app.anonymous().get(&format!("/events{query}")).await;
        assert_eq!((answer.json().get("horizon"), answer.header("x-calendar-horizon")), (None, ""));
    })
    .await;
}

/// Beyond the horizon, the list of occurrences is computed; its records have no ID.
#[both_stores]
async fn occurrences_beyond_the_horizon(app: &TestApp) {
    let series = endless(app).await;
    let path = format!("{}?start_date=2044-03-01&end_date=2044-03-31", series.list());
    let listed = events(&app.anonymous(), &path).await;
    let days = ["01", "08", "15", "22", "29"].map(|day| format!("2044-03-{day} 19:00:00"));
    assert_eq!(starts(&listed), days);
    for record_of_list in listed {
        assert_eq!(record_of_list["id"], 0);
        let url = record_of_list["rest_url"].as_str().unwrap();
        let path = url.strip_prefix("https://cal.example/cal/events/v1").unwrap();
        let slot = record_of_list["series"]["recurrence_id"].as_str().unwrap();
        assert_eq!(path, format!("{}/{slot}", series.list()));
        let shown = record(&app.anonymous().get(path).await);
        assert_eq!(shown["start_date"], record_of_list["start_date"]);
        assert_eq!((&shown["id"], &shown["rest_url"]), (&json!(0), &json!(url)));
    }
    // Too many: the parameter that bounds the window is at fault.
    for (query, parameter) in [
        ("end_date=9999-12-31", "end_date"),
        ("starts_before=9999-12-31", "starts_before"),
        ("ends_before=9999-12-31", "ends_before"),
        ("ends_before=9999-12-31&starts_before=9000-01-01", "starts_before"),
    ] {
        let answer = app.anonymous().get(&format!("{}?{query}", series.list())).await;
        answer.assert_invalid(&[parameter]);
    }
    // A lower bound of the end alone bounds the starts, too.
    let far = format!("{}?ends_after=9999-12-01&end_date=9999-12-31", series.list());
    let far = events(&app.anonymous(), &far).await;
    let days = ["07", "14", "21", "28"].map(|day| format!("9999-12-{day} 19:00:00"));
    assert_eq!(starts(&far), days);
}

/// A write beyond the horizon gives the occurrence an ID.
#[both_stores]
async fn a_write_beyond_the_horizon(app: &TestApp) {
    let series = endless(app).await;
    let path = format!("{}/2044-03-08T19:00:00", series.list());
    let changed = patched(&app.admin(), &path, json!({"title": "Final"})).await;
    let id = changed["id"].as_i64().unwrap();
    assert!(id > 0, "{changed}");
    let shown = record(&app.anonymous().get(&format!("/events/{id}")).await);
    assert_eq!(
        (&shown["title"], &shown["start_date"]),
        (&json!("Final"), &json!("2044-03-08 19:00:00"))
    );
    assert_eq!(record(&app.anonymous().get(&path).await)["id"], id);
    assert_eq!(app.list("start_date=2044-03-01&end_date=2044-03-31").await, [id]);
    let march = format!("{}?start_date=2044-03-01&end_date=2044-03-31", series.list());
    assert_eq!(app.anonymous().get(&march).await.ids(), [0, id, 0, 0, 0]);
}

/// A month later, the occurrences are kept a month further, under the IDs that they have.
#[both_stores]
async fn the_horizon_moves_with_time(app: &TestApp) {
    let series = endless(app).await;
    let path = format!("/events/{}", series.id);
    let list = format!("{}?per_page=100&start_date=2031-01-01&end_date=2031-12-31", series.list());
    let all = async || app.anonymous().get(&list).await.ids();
    let kept = all().await;
    assert_eq!(kept.iter().filter(|id| **id > 0).count(), 47);
    let modified = record(&app.anonymous().get(&path).await)["modified"].clone();
    assert_eq!(app.calendar.extend_series().await.unwrap(), ExtendedSeries::default());

    app.clock.set("2026-12-22 12:00:00");
    let early = format!("{}/2031-12-16", series.list());
    let final_round = patched(&app.admin(), &early, json!({"title": "Final"})).await["id"].clone();
    let extended = app.calendar.extend_series().await.unwrap();
    assert_eq!((extended.series, extended.occurrences), (1, 4));
    let shown = record(&app.anonymous().get(&path).await);
    assert_eq!(shown["recurrence"]["kept_until"], "2032-01-01 00:00:00");
    assert_eq!(shown["modified"], modified);
    let after = all().await;
    assert_eq!(after.len(), 52);
    assert_eq!(after[..47], kept[..47]);
    assert_eq!(final_round, after[49]);
    assert!(after.iter().all(|id| *id > 0), "{after:?}");
    assert_eq!(app.calendar.extend_series().await.unwrap(), ExtendedSeries::default());
}

/// As the horizon moves on, of the answers those that name it alone change.
#[both_stores]
async fn tags_stay_when_the_horizon_moves_on(app: &TestApp) {
    let series = endless(app).await;
    let first = app.list("start_date=2027-01-01&end_date=2027-01-10").await[0];
    let tag = async |path: String| app.anonymous().get(&path).await.header("etag").to_owned();
    let paths = [format!("/events/{first}"), format!("/events/{}", series.id)];
    let mut before = Vec::new();
    for path in &paths {
        before.push(tag(path.clone()).await);
    }
    app.clock.set("2026-12-22 12:00:00");
    assert_eq!(app.calendar.extend_series().await.unwrap().occurrences, 5);
    assert_eq!(tag(paths[0].clone()).await, before[0]);
    assert_ne!(tag(paths[1].clone()).await, before[1], "it shows `kept_until`");
    for (path, tag) in paths.iter().zip(&before) {
        let (headers, body) = ([("if-match", tag.as_str())], json!({"featured": true}));
        let changed = app.admin().send_json_with(Method::PATCH, path, &headers, &body).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
    }
}

/// Two processes that extend series at once give no slot two occurrences.
#[both_stores(threads = 4)]
async fn two_processes_extend_series(app: &TestApp) {
    let mut all = Vec::new();
    for _ in 0..30 {
        all.push(endless(app).await);
    }
    let other = app.uncached().await;
    app.clock.set("2027-06-22 12:00:00");
    let run = |calendar: &Calendar| {
        let calendar = calendar.clone();
        tokio::spawn(async move { calendar.extend_series().await.unwrap() })
    };
    let (one, two) = tokio::join!(run(&app.calendar), run(&other.calendar));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.series + two.series, 30);
    // Tuesdays of December 2031 to June 2032.
    assert_eq!(one.occurrences + two.occurrences, 30 * 31);
    for series in all {
        let list = format!("{}?per_page=100&start_date=2031-11-01", series.list());
        let listed = events(&app.anonymous(), &list).await;
        let mut slots: Vec<_> =
            listed.iter().map(|one| one["series"]["recurrence_id"].to_string()).collect();
        slots.dedup();
        assert_eq!(slots.len(), 4 + 31);
        assert_eq!(listed.len(), slots.len());
    }
}
