//! Updates of the times of an event.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::records::{differences, event_path, read, record};

/// Updates the times of an event; `wanted` are the fields that change besides those derived from
/// them.
async fn changed(app: &TestApp, before: &Value, fields: Value, wanted: &[&str]) -> Value {
    app.clock.advance_seconds(60);
    let after = record(&app.admin().put(&event_path(before), fields).await);
    let fields = differences(before, &after);
    let fields: Vec<_> = fields
        .iter()
        .filter(|name| !name.starts_with("modified") && !name.ends_with("_details"))
        .collect();
    assert_eq!(fields, wanted);
    assert_eq!(read(&app.admin(), &event_path(before)).await, after);
    after
}

/// Fails unless the event has these times, by its own clocks and in UTC.
#[track_caller]
fn happens(event: &Value, local: [&str; 2], utc: [&str; 2]) {
    let of =
        |names: [&str; 2]| names.map(|name| event[name].as_str().unwrap_or_default().to_owned());
    assert_eq!(of(["start_date", "end_date"]), local);
    assert_eq!(of(["utc_start_date", "utc_end_date"]), utc);
    let hour = |name: &str, text: &str| assert_eq!(event[name]["hour"], text[11..13], "{name}");
    hour("start_date_details", local[0]);
    hour("end_date_details", local[1]);
    hour("utc_start_date_details", utc[0]);
    hour("utc_end_date_details", utc[1]);
}

/// EU-08: An all-day event that gets a new title stays all-day.
#[both_stores]
async fn a_new_title_keeps_all_day(app: &TestApp) {
    let fields =
        json!({"all_day": true, "end_date": "2027-03-11 11:00:00", "timezone": "Asia/Tokyo"});
    let event = app.admin().event(fields).await;
    let after = changed(app, &event, json!({"title": "New"}), &["title"]).await;
    assert_eq!(after["all_day"], true);
    happens(
        &after,
        ["2027-03-10 00:00:00", "2027-03-11 23:59:59"],
        ["2027-03-09 15:00:00", "2027-03-11 14:59:59"],
    );
}

/// EU-09: A start alone moves the start; the end stays.
#[both_stores]
async fn the_start_can_move_alone(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": "Europe/Paris"})).await;
    let fields = json!({"start_date": "2027-03-10 07:30:00"});
    let after = changed(app, &event, fields, &["start_date", "utc_start_date"]).await;
    happens(
        &after,
        ["2027-03-10 07:30:00", "2027-03-10 11:00:00"],
        ["2027-03-10 06:30:00", "2027-03-10 10:00:00"],
    );
}

/// EU-10: A start after the stored end is refused, as is an end before the stored start.
#[both_stores]
async fn one_date_must_fit_the_other(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": "Europe/Paris"})).await;
    for fields in [
        json!({"start_date": "2027-03-10 11:00:01"}),
        json!({"end_date": "2027-03-10 08:59:59"}),
        json!({"start_date": "2027-03-12 09:00:00", "end_date": "2027-03-11 09:00:00"}),
    ] {
        app.admin().put(&event_path(&event), fields).await.is_invalid(&["end_date"]);
    }
    assert_eq!(read(&app.admin(), &event_path(&event)).await, event);
}

/// EU-11: An end alone moves the end; the start stays.
#[both_stores]
async fn the_end_can_move_alone(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": "Europe/Paris"})).await;
    let fields = json!({"end_date": "2027-03-11 01:00:00"});
    let after = changed(app, &event, fields, &["end_date", "utc_end_date"]).await;
    happens(
        &after,
        ["2027-03-10 09:00:00", "2027-03-11 01:00:00"],
        ["2027-03-10 08:00:00", "2027-03-11 00:00:00"],
    );
}

/// EU-12: Start and end are read in the stored zone, and UTC follows.
#[both_stores]
async fn both_dates_move_in_the_stored_zone(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": "Europe/Paris"})).await;
    let fields = json!({"start_date": "2027-07-10 09:00:00", "end_date": "2027-07-10 12:00:00"});
    let dates = ["end_date", "start_date", "timezone_abbr", "utc_end_date", "utc_start_date"];
    let after = changed(app, &event, fields, &dates).await;
    assert_eq!((&event["timezone_abbr"], &after["timezone_abbr"]), (&json!("CET"), &json!("CEST")));
    happens(
        &after,
        ["2027-07-10 09:00:00", "2027-07-10 12:00:00"],
        ["2027-07-10 07:00:00", "2027-07-10 10:00:00"],
    );
}

/// EU-13: A new zone alone leaves local times; UTC and the abbreviation change.
#[both_stores]
async fn a_new_zone_keeps_the_wall_clock(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": "Europe/Paris"})).await;
    let wanted = ["timezone", "timezone_abbr", "utc_end_date", "utc_start_date"];
    let after = changed(app, &event, json!({"timezone": "America/New_York"}), &wanted).await;
    assert_eq!(after["timezone"], "America/New_York");
    assert_eq!(after["timezone_abbr"], "EST");
    happens(
        &after,
        ["2027-03-10 09:00:00", "2027-03-10 11:00:00"],
        ["2027-03-10 14:00:00", "2027-03-10 16:00:00"],
    );
}

/// EU-14: Start and end sent with a zone are read in it.
#[both_stores]
async fn dates_are_read_in_the_zone_sent(app: &TestApp) {
    let event = app.admin().event(json!({})).await;
    let fields = json!({
        "start_date": "2027-03-20 10:00:00",
        "end_date": "2027-03-20 12:30:00",
        "timezone": "America/New_York",
    });
    let wanted =
        ["end_date", "start_date", "timezone", "timezone_abbr", "utc_end_date", "utc_start_date"];
    let after = changed(app, &event, fields, &wanted).await;
    assert_eq!(after["timezone"], "America/New_York");
    assert_eq!(after["timezone_abbr"], "EDT");
    happens(
        &after,
        ["2027-03-20 10:00:00", "2027-03-20 12:30:00"],
        ["2027-03-20 14:00:00", "2027-03-20 16:30:00"],
    );
}

/// EU-15: An event that becomes all-day takes its whole days, in its own zone.
/// EU-16: An all-day event that becomes an ordinary one has its former times.
#[both_stores]
async fn all_day_can_be_switched(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": "Asia/Tokyo"})).await;
    let whole_day = (
        ["2027-03-10 00:00:00", "2027-03-10 23:59:59"],
        ["2027-03-09 15:00:00", "2027-03-10 14:59:59"],
    );
    let wanted = ["all_day", "end_date", "start_date", "utc_end_date", "utc_start_date"];
    let on = changed(app, &event, json!({"all_day": true}), &wanted).await;
    assert_eq!(on["all_day"], true);
    happens(&on, whole_day.0, whole_day.1);

    let off = changed(app, &on, json!({"all_day": false}), &["all_day"]).await;
    assert_eq!(off["all_day"], false);
    happens(&off, whole_day.0, whole_day.1);
}
