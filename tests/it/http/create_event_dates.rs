//! Dates of new events.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, for_each_row};

/// The four times of an event in an answer.
fn times(event: &Value) -> [&str; 4] {
    ["start_date", "end_date", "utc_start_date", "utc_end_date"]
        .map(|field| event[field].as_str().unwrap_or_default())
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
    for (start, end, shown_start, shown_end) in [
        ("2027-03-10", "2027-03-11", "2027-03-10 00:00:00", "2027-03-11 00:00:00"),
        ("3/10/2027 9:00", "10.03.2027 11:00", "2027-03-10 09:00:00", "2027-03-10 11:00:00"),
        (
            "2027-03-10T09:00:00.123Z",
            "2027-03-10T11:00",
            "2027-03-10 09:00:00",
            "2027-03-10 11:00:00",
        ),
        ("1804669200", "1804676400", "2027-03-10 09:00:00", "2027-03-10 11:00:00"),
    ] {
        let event = app.admin().event(between(start, end, "UTC")).await;
        assert_eq!(times(&event), [shown_start, shown_end, shown_start, shown_end], "{start}");
    }
}

/// EC-31: A number of ten digits is Unix time, as the text of these digits.
#[both_stores]
async fn unix_time_may_be_a_number(app: &TestApp) {
    let event = app.admin().event(json!({"start_date": 1_804_669_200_i64})).await;
    assert_eq!(event["start_date"], "2027-03-10 09:00:00");
    assert_eq!(event["timezone"], "UTC");
    let event = app
        .admin()
        .event(json!({
            "start_date": 1_804_669_200_i64,
            "end_date": "1804669201",
            "timezone": "America/New_York",
        }))
        .await;
    assert_eq!(
        times(&event),
        [
            "2027-03-10 04:00:00",
            "2027-03-10 04:00:01",
            "2027-03-10 09:00:00",
            "2027-03-10 09:00:01",
        ]
    );
}

/// EC-18: Tomorrow is the day after today in the zone of the event.
/// EC-19: Next friday is the friday after today, at the time said.
/// EC-20: A start now and an end in two hours lie two hours apart.
#[both_stores]
async fn dates_may_be_relative(app: &TestApp) {
    // In Tokyo it is 05:00 on Saturday, the second.
    app.clock.set("2027-01-01 20:00:00");
    for (start, end, zone, shown) in [
        (
            "tomorrow 9am",
            "tomorrow 11am",
            "UTC",
            [
                "2027-01-02 09:00:00",
                "2027-01-02 11:00:00",
                "2027-01-02 09:00:00",
                "2027-01-02 11:00:00",
            ],
        ),
        (
            "tomorrow 9am",
            "tomorrow 11am",
            "Asia/Tokyo",
            [
                "2027-01-03 09:00:00",
                "2027-01-03 11:00:00",
                "2027-01-03 00:00:00",
                "2027-01-03 02:00:00",
            ],
        ),
        (
            "next friday 5pm",
            "next friday 6pm",
            "UTC",
            [
                "2027-01-08 17:00:00",
                "2027-01-08 18:00:00",
                "2027-01-08 17:00:00",
                "2027-01-08 18:00:00",
            ],
        ),
        (
            "now",
            "+2 hours",
            "UTC",
            [
                "2027-01-01 20:00:00",
                "2027-01-01 22:00:00",
                "2027-01-01 20:00:00",
                "2027-01-01 22:00:00",
            ],
        ),
        (
            "now",
            "+2 hours",
            "Asia/Tokyo",
            [
                "2027-01-02 05:00:00",
                "2027-01-02 07:00:00",
                "2027-01-01 20:00:00",
                "2027-01-01 22:00:00",
            ],
        ),
    ] {
        let event = app.admin().event(between(start, end, zone)).await;
        assert_eq!(times(&event), shown, "{start} in {zone}");
    }
}

/// EC-22: A time with a Z is that instant in every zone of the event.
/// EC-23: A time with an offset is that instant, shown by the clocks of the event.
#[both_stores]
async fn times_with_an_offset_are_instants(app: &TestApp) {
    let event = app
        .admin()
        .event(between("2027-03-10T09:00:00Z", "2027-03-10T11:00:00Z", "America/New_York"))
        .await;
    assert_eq!(
        times(&event),
        [
            "2027-03-10 04:00:00",
            "2027-03-10 06:00:00",
            "2027-03-10 09:00:00",
            "2027-03-10 11:00:00",
        ]
    );
    let event = app
        .admin()
        .event(between("2027-03-10T09:00:00+05:00", "2027-03-10T09:00:00-05:00", "UTC"))
        .await;
    assert_eq!(
        times(&event),
        [
            "2027-03-10 04:00:00",
            "2027-03-10 14:00:00",
            "2027-03-10 04:00:00",
            "2027-03-10 14:00:00",
        ]
    );
}

/// EC-24: The 30th of February is refused.
/// EC-25: A thirteenth month is refused.
/// EC-26: Words that are no date are refused.
/// EC-27: An empty date is refused.
/// EC-28: A list is no date.
/// EC-29: Four digits are neither a date nor Unix time.
/// EC-32: A year of five digits is refused.
#[both_stores]
async fn what_is_no_date_is_refused(app: &TestApp) {
    let rows = [
        json!("2027-02-30 09:00"),
        json!("2027-13-01"),
        json!("not a date"),
        json!(""),
        json!(["2027-01-01"]),
        json!("2027"),
        json!(2027),
        json!("10000-01-01"),
    ];
    for_each_row(rows, async |date| {
        for field in ["start_date", "end_date"] {
            app.admin().try_event(json!({field: date})).await.is_invalid(&[field]);
        }
    })
    .await;
    assert!(app.admin().get("/events").await.ids().is_empty());
}

/// EC-33: An event may last from 1900 to the last second of the year 9999.
#[both_stores]
async fn an_event_may_last_for_ages(app: &TestApp) {
    let [start, end] = ["1900-01-01 00:00:00", "9999-12-31 23:59:59"];
    let event = app.admin().event(between("1900-01-01", end, "UTC")).await;
    assert_eq!(times(&event), [start, end, start, end]);
    let read = app.anonymous().get("/events/1").await.json();
    assert_eq!(times(&read), [start, end, start, end]);
    assert_eq!(read["start_date_details"]["year"], "1900");
}

/// EC-34: An end before the start is refused; the error names the end.
/// EC-35: An event may end when it starts.
#[both_stores]
async fn the_end_is_not_before_the_start(app: &TestApp) {
    let before = app.admin().try_event(json!({"end_date": "2027-03-10 08:59:59"})).await;
    before.is_invalid(&["end_date"]);
    // The end is later by the clock, and earlier as an instant.
    let offsets = json!({
        "start_date": "2027-03-10T09:00:00Z", "end_date": "2027-03-10T10:00:00+05:00",
    });
    app.admin().try_event(offsets).await.is_invalid(&["end_date"]);

    let event = app.admin().event(json!({"end_date": "2027-03-10 09:00:00"})).await;
    assert_eq!(event["start_date"], "2027-03-10 09:00:00");
    assert_eq!(event["end_date"], event["start_date"]);
    assert_eq!(event["utc_end_date"], event["utc_start_date"]);
}

/// EC-51: An event of all day lasts from midnight to the last second of its day.
/// EC-52: One of several days does so by the clocks of its zone.
#[both_stores]
async fn all_day_is_whole_days(app: &TestApp) {
    let event = app.admin().event(json!({"all_day": true})).await;
    assert_eq!(event["all_day"], true);
    assert_eq!(
        times(&event),
        [
            "2027-03-10 00:00:00",
            "2027-03-10 23:59:59",
            "2027-03-10 00:00:00",
            "2027-03-10 23:59:59",
        ]
    );

    let event = app
        .admin()
        .event(json!({
            "all_day": "1", "end_date": "2027-03-12 11:00:00", "timezone": "Asia/Tokyo",
        }))
        .await;
    assert_eq!(event["all_day"], true);
    assert_eq!(
        times(&event),
        [
            "2027-03-10 00:00:00",
            "2027-03-12 23:59:59",
            "2027-03-09 15:00:00",
            "2027-03-12 14:59:59",
        ]
    );

    // Clocks in this zone skip the last hour of this day.
    let day = json!({
        "all_day": true, "start_date": "2027-03-27 00:00:00", "end_date": "2027-03-27 23:59:59",
        "timezone": "America/Nuuk",
    });
    let event = app.admin().event(day).await;
    assert_eq!(
        times(&event),
        [
            "2027-03-27 00:00:00",
            "2027-03-27 22:59:59",
            "2027-03-27 02:00:00",
            "2027-03-28 00:59:59",
        ]
    );
    assert_eq!(
        app.admin().get(&format!("/events/{}", event["id"])).await.json()["end_date"],
        event["end_date"]
    );
    let moved = app
        .admin()
        .put(&format!("/events/{}", event["id"]), json!({"end_date": "2027-03-27 23:30"}))
        .await;
    assert_eq!(moved.json()["end_date"], event["end_date"]);
}

/// EC-54: An event of all day that ends on a day before it starts is refused.
#[both_stores]
async fn all_day_compares_days(app: &TestApp) {
    let before = json!({"all_day": true, "end_date": "2027-03-09 23:00:00"});
    app.admin().try_event(before).await.is_invalid(&["end_date"]);
    let earlier_hour = json!({"all_day": true, "end_date": "2027-03-10 08:00:00"});
    let event = app.admin().event(earlier_hour).await;
    assert_eq!(event["end_date"], "2027-03-10 23:59:59");
}

/// EC-14: A word that is neither true nor false is refused for all day, as one of a wrong type.
/// EC-53: Yes is no value for all day.
/// EC-15: A bad title and a bad all day are reported together.
#[both_stores]
async fn all_day_is_true_or_false(app: &TestApp) {
    for word in ["maybe", "yes"] {
        let answer = app.admin().try_event(json!({"all_day": word})).await;
        answer.is_invalid(&["all_day"]);
        let detail = answer.json()["data"]["details"]["all_day"].clone();
        assert_eq!(detail["code"], "rest_invalid_type", "{word}");
        assert_eq!(detail["data"]["param"], "all_day", "{word}");
    }
    let both = app.admin().try_event(json!({"title": "", "all_day": "maybe"})).await;
    both.is_invalid(&["title", "all_day"]);
    assert_eq!(both.json()["data"]["details"]["all_day"]["code"], "rest_invalid_type");
}
