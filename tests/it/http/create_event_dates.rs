//! Dates of new events.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

use super::records::event_path;

/// Fails unless an event in 2027 is shown with these times of start and end, in its zone and in UTC.
#[track_caller]
fn happens(event: &Value, local: [&str; 2], utc: [&str; 2]) {
    let [start, end] = local.map(|time| format!("2027-{time}:00"));
    let [utc_start, utc_end] = utc.map(|time| format!("2027-{time}:00"));
    let shown = json!({
        "start_date": start, "end_date": end, "utc_start_date": utc_start, "utc_end_date": utc_end,
    });
    has_fields(event, shown);
}

/// A start and an end, with a zone only.
fn between(start: &str, end: &str, timezone: &str) -> Value {
    json!({"start_date": start, "end_date": end, "timezone": timezone})
}

/// EC-16: A date without a time is midnight.
/// EC-17: Dates may be written the American and the German way.
/// EC-21: A time with fractions of a second and a Z is that instant.
/// EC-30: A text of ten digits is Unix time.
#[both_stores]
async fn dates_are_read_in_many_forms(app: &TestApp) {
    let rows = [
        ("2027-03-10", "2027-03-11", ["03-10 00:00", "03-11 00:00"]),
        ("3/10/2027 9:00", "10.03.2027 11:00", ["03-10 09:00", "03-10 11:00"]),
        ("2027-03-10T09:00:00.123Z", "2027-03-10T11:00", ["03-10 09:00", "03-10 11:00"]),
        ("1804669200", "1804676400", ["03-10 09:00", "03-10 11:00"]),
    ];
    for_each_row(rows, async |(start, end, shown)| {
        happens(&app.admin().event(between(start, end, "UTC")).await, shown, shown);
    })
    .await;
}

/// EC-31: A number of ten digits is Unix time, as the text of these digits.
#[both_stores]
async fn unix_time_may_be_a_number(app: &TestApp) {
    // Programs that know no integers write a point.
    for number in [json!(1_804_669_200_i64), json!(1_804_669_200.0)] {
        let event = app.admin().event(json!({"start_date": number})).await;
        has_fields(&event, json!({"start_date": "2027-03-10 09:00:00", "timezone": "UTC"}));
    }
    let fields = json!({"title": "Fair", "start_date": 1_804_669_200.5, "end_date": 1_804_669_201});
    app.admin().post("/events", fields).await.assert_invalid(&["start_date"]);
    let fields = json!({
        "start_date": 1_804_669_200_i64, "end_date": "1804669201", "timezone": "America/New_York",
    });
    let shown = json!({
        "start_date": "2027-03-10 04:00:00", "end_date": "2027-03-10 04:00:01",
        "utc_start_date": "2027-03-10 09:00:00", "utc_end_date": "2027-03-10 09:00:01",
    });
    has_fields(&app.admin().event(fields).await, shown);
}

/// EC-18: Tomorrow is the day after today in the zone of the event.
/// EC-19: Next friday is the friday after today, at the time said.
/// EC-20: A start now and an end in two hours lie two hours apart.
#[both_stores]
async fn dates_may_be_relative(app: &TestApp) {
    // In Tokyo it is 05:00 on Saturday, the second.
    app.clock.set("2027-01-01 20:00:00");
    let (utc, tokyo) = ("UTC", "Asia/Tokyo");
    let tomorrow = ["tomorrow 9am", "tomorrow 11am"];
    let rows = [
        (tomorrow, utc, ["01-02 09:00", "01-02 11:00"], ["01-02 09:00", "01-02 11:00"]),
        (tomorrow, tokyo, ["01-03 09:00", "01-03 11:00"], ["01-03 00:00", "01-03 02:00"]),
        (
            ["next friday 5pm", "next friday 6pm"],
            utc,
            ["01-08 17:00", "01-08 18:00"],
            ["01-08 17:00", "01-08 18:00"],
        ),
        (["now", "+2 hours"], utc, ["01-01 20:00", "01-01 22:00"], ["01-01 20:00", "01-01 22:00"]),
        (
            ["now", "+2 hours"],
            tokyo,
            ["01-02 05:00", "01-02 07:00"],
            ["01-01 20:00", "01-01 22:00"],
        ),
    ];
    for_each_row(rows, async |([start, end], zone, local, utc)| {
        happens(&app.admin().event(between(start, end, zone)).await, local, utc);
    })
    .await;
}

/// EC-22: A time with a Z is that instant in every zone of the event.
/// EC-23: A time with an offset is that instant, shown by the clocks of the event.
#[both_stores]
async fn times_with_an_offset_are_instants(app: &TestApp) {
    let fields = between("2027-03-10T09:00:00Z", "2027-03-10T11:00:00Z", "America/New_York");
    let event = app.admin().event(fields).await;
    happens(&event, ["03-10 04:00", "03-10 06:00"], ["03-10 09:00", "03-10 11:00"]);
    let fields = between("2027-03-10T09:00:00+05:00", "2027-03-10T09:00:00-05:00", "UTC");
    let event = app.admin().event(fields).await;
    happens(&event, ["03-10 04:00", "03-10 14:00"], ["03-10 04:00", "03-10 14:00"]);
}

/// EC-24: The 30th of February is refused.
/// EC-25: A thirteenth month is refused.
/// EC-26: Words that are no date are refused.
/// EC-27: An empty date is refused.
/// EC-28: A list is no date.
/// EC-29: Four digits are neither a date nor Unix time.
/// EC-32: A year of five digits is refused.
#[both_stores]
async fn invalid_dates_are_refused(app: &TestApp) {
    for field in ["start_date", "end_date"] {
        let dates = ["2027-02-30 09:00", "2027-13-01", "not a date", "", "2027", "10000-01-01"];
        app.admin().refuses_event(field, dates).await;
        app.admin().refuses_event(field, [json!(["2027-01-01"]), json!(2027)]).await;
    }
    assert!(app.admin().get("/events").await.ids().is_empty());
}

/// EC-33: An event may last from 1900 to the last second of the year 9999.
#[both_stores]
async fn an_event_may_last_for_ages(app: &TestApp) {
    let [start, end] = ["1900-01-01 00:00:00", "9999-12-31 23:59:59"];
    let event = app.admin().event(between("1900-01-01", end, "UTC")).await;
    for event in [event, app.anonymous().get("/events/1").await.json()] {
        let shown = json!({
            "start_date": start, "end_date": end, "utc_start_date": start, "utc_end_date": end,
            "start_date_details.year": "1900",
        });
        has_fields(&event, shown);
    }
}

/// EC-34: An end before the start is refused; the error names the end.
/// EC-35: An event may end when it starts.
#[both_stores]
async fn the_end_is_not_before_the_start(app: &TestApp) {
    let before = app.admin().try_event(json!({"end_date": "2027-03-10 08:59:59"})).await;
    before.assert_invalid(&["end_date"]);
    // The end is later by the clock, and earlier as an instant.
    let offsets = json!({
        "start_date": "2027-03-10T09:00:00Z", "end_date": "2027-03-10T10:00:00+05:00",
    });
    app.admin().try_event(offsets).await.assert_invalid(&["end_date"]);

    let event = app.admin().event(json!({"end_date": "2027-03-10 09:00:00"})).await;
    happens(&event, ["03-10 09:00"; 2], ["03-10 09:00"; 2]);
}

/// EC-51: An event of all day lasts from midnight to the last second of its day.
/// EC-52: One of several days does so by the clocks of its zone.
#[both_stores]
async fn all_day_is_whole_days(app: &TestApp) {
    let event = app.admin().event(json!({"all_day": true})).await;
    let shown = json!({
        "all_day": true,
        "start_date": "2027-03-10 00:00:00", "end_date": "2027-03-10 23:59:59",
        "utc_start_date": "2027-03-10 00:00:00", "utc_end_date": "2027-03-10 23:59:59",
    });
    has_fields(&event, shown);

    let days = json!({"all_day": "1", "end_date": "2027-03-12 11:00:00", "timezone": "Asia/Tokyo"});
    let shown = json!({
        "all_day": true,
        "start_date": "2027-03-10 00:00:00", "end_date": "2027-03-12 23:59:59",
        "utc_start_date": "2027-03-09 15:00:00", "utc_end_date": "2027-03-12 14:59:59",
    });
    has_fields(&app.admin().event(days).await, shown);

    // Clocks in this zone skip the last hour of this day.
    let day = json!({
        "all_day": true, "start_date": "2027-03-27 00:00:00", "end_date": "2027-03-27 23:59:59",
        "timezone": "America/Nuuk",
    });
    let event = app.admin().event(day).await;
    let shown = json!({
        "start_date": "2027-03-27 00:00:00", "end_date": "2027-03-27 22:59:59",
        "utc_start_date": "2027-03-27 02:00:00", "utc_end_date": "2027-03-28 00:59:59",
    });
    has_fields(&event, shown);
    let path = event_path(&event);
    assert_eq!(app.admin().get(&path).await.json()["end_date"], event["end_date"]);
    let moved = app.admin().put(&path, json!({"end_date": "2027-03-27 23:30"})).await;
    assert_eq!(moved.json()["end_date"], event["end_date"]);
}

/// EC-54: An event of all day that ends on a day before it starts is refused.
#[both_stores]
async fn all_day_compares_days(app: &TestApp) {
    let before = json!({"all_day": true, "end_date": "2027-03-09 23:00:00"});
    app.admin().try_event(before).await.assert_invalid(&["end_date"]);
    let earlier_hour = json!({"all_day": true, "end_date": "2027-03-10 08:00:00"});
    let event = app.admin().event(earlier_hour).await;
    assert_eq!(event["end_date"], "2027-03-10 23:59:59");
}

/// EC-14: A word that is neither true nor false is refused for all day, as one of a wrong type.
/// EC-53: Yes is no value for all day.
/// EC-15: A bad title and a bad all day are reported together.
#[both_stores]
async fn all_day_is_true_or_false(app: &TestApp) {
    let rows = [
        (json!({"all_day": "maybe"}), vec!["all_day"]),
        (json!({"all_day": "yes"}), vec!["all_day"]),
        (json!({"title": "", "all_day": "maybe"}), vec!["title", "all_day"]),
    ];
    for_each_row(rows, async |(fields, faults)| {
        let answer = app.admin().try_event(fields).await;
        answer.assert_invalid(&faults);
        let detail = &answer.json()["data"]["details"]["all_day"];
        has_fields(detail, json!({"code": "rest_invalid_type", "data.param": "all_day"}));
    })
    .await;
}
