//! Updates of the times of an event.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

use super::records::{differences, event_path, read};

/// EU-08: An all-day event that gets a new title stays all-day.
/// EU-09: A start alone moves the start; the end stays.
/// EU-11: An end alone moves the end; the start stays.
/// EU-12: Start and end are read in the stored zone, and UTC follows.
/// EU-13: A new zone alone leaves local times; UTC and the abbreviation change.
/// EU-14: Start and end sent with a zone are read in it.
/// EU-15: An event that becomes all-day takes its whole days, in its own zone.
/// EU-16: An all-day event that becomes an ordinary one has its former times.
#[both_stores]
async fn an_update_moves_dependent_times(app: &TestApp) {
    let zone = |zone: &str| json!({"timezone": zone});
    let on_two_days = json!({
        "all_day": true, "end_date": "2027-03-11 11:00:00", "timezone": "Asia/Tokyo",
    });
    let on_one_day = json!({"all_day": true, "timezone": "Asia/Tokyo"});
    let sent_with_zone = json!({
        "start_date": "2027-03-20 10:00:00", "end_date": "2027-03-20 12:30:00",
        "timezone": "America/New_York",
    });
    // The fields of the event, the fields of the update, the fields that change besides details,
    // one of them, and start and end by the clocks of the event and in UTC.
    let rows = [
        (
            on_two_days,
            json!({"title": "New"}),
            "title",
            json!({"all_day": true}),
            ["2027-03-10 00:00:00", "2027-03-11 23:59:59"],
            ["2027-03-09 15:00:00", "2027-03-11 14:59:59"],
        ),
        (
            zone("Europe/Paris"),
            json!({"start_date": "2027-03-10 07:30:00"}),
            "start_date utc_start_date",
            json!({"timezone_abbr": "CET"}),
            ["2027-03-10 07:30:00", "2027-03-10 11:00:00"],
            ["2027-03-10 06:30:00", "2027-03-10 10:00:00"],
        ),
        (
            zone("Europe/Paris"),
            json!({"end_date": "2027-03-11 01:00:00"}),
            "end_date utc_end_date",
            json!({"timezone_abbr": "CET"}),
            ["2027-03-10 09:00:00", "2027-03-11 01:00:00"],
            ["2027-03-10 08:00:00", "2027-03-11 00:00:00"],
        ),
        (
            zone("Europe/Paris"),
            json!({"start_date": "2027-07-10 09:00:00", "end_date": "2027-07-10 12:00:00"}),
            "end_date start_date timezone_abbr utc_end_date utc_start_date",
            json!({"timezone_abbr": "CEST"}),
            ["2027-07-10 09:00:00", "2027-07-10 12:00:00"],
            ["2027-07-10 07:00:00", "2027-07-10 10:00:00"],
        ),
        (
            zone("Europe/Paris"),
            zone("America/New_York"),
            "timezone timezone_abbr utc_end_date utc_start_date",
            json!({"timezone": "America/New_York", "timezone_abbr": "EST"}),
            ["2027-03-10 09:00:00", "2027-03-10 11:00:00"],
            ["2027-03-10 14:00:00", "2027-03-10 16:00:00"],
        ),
        (
            json!({}),
            sent_with_zone,
            "end_date start_date timezone timezone_abbr utc_end_date utc_start_date",
            json!({"timezone": "America/New_York", "timezone_abbr": "EDT"}),
            ["2027-03-20 10:00:00", "2027-03-20 12:30:00"],
            ["2027-03-20 14:00:00", "2027-03-20 16:30:00"],
        ),
        (
            zone("Asia/Tokyo"),
            json!({"all_day": true}),
            "all_day end_date start_date utc_end_date utc_start_date",
            json!({"all_day": true}),
            ["2027-03-10 00:00:00", "2027-03-10 23:59:59"],
            ["2027-03-09 15:00:00", "2027-03-10 14:59:59"],
        ),
        (
            on_one_day,
            json!({"all_day": false}),
            "all_day",
            json!({"all_day": false}),
            ["2027-03-10 00:00:00", "2027-03-10 23:59:59"],
            ["2027-03-09 15:00:00", "2027-03-10 14:59:59"],
        ),
    ];
    for_each_row(rows, async |(fields, update, changed, shown, local, utc)| {
        let before = app.admin().event(fields).await;
        app.clock.advance_seconds(60);
        let after = app.admin().change(&event_path(&before), update).await;
        let fields = differences_of_times(&before, &after);
        assert_eq!(fields.join(" "), changed);
        assert_eq!(read(&app.admin(), &event_path(&before)).await, after);
        has_fields(&after, shown);
        let names = ["start_date", "end_date", "utc_start_date", "utc_end_date"];
        for (name, time) in names.into_iter().zip([local, utc].concat()) {
            assert_eq!(after[name], time);
            assert_eq!(after[format!("{name}_details")]["hour"], time[11..13], "{name}");
        }
    })
    .await;
    let event = app.admin().event(zone("Asia/Tokyo")).await;
    let path = event_path(&event);
    let whole_day = app.admin().change(&path, json!({"all_day": true})).await;
    let ordinary = app.admin().change(&path, json!({"all_day": false})).await;
    let mut changed = differences(&whole_day, &ordinary);
    changed.retain(|name| !name.starts_with("modified"));
    assert_eq!(changed, ["all_day"]);
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
        app.admin().put(&event_path(&event), fields).await.assert_invalid(&["end_date"]);
    }
    assert_eq!(read(&app.admin(), &event_path(&event)).await, event);
}

/// The fields that differ, besides those of every update.
fn differences_of_times(before: &Value, after: &Value) -> Vec<String> {
    let mut fields = differences(before, after);
    fields.retain(|name| {
        !name.starts_with("modified")
            && !name.ends_with("_details")
            && name != "previous_start_date"
    });
    fields
}
