//! A site in another zone than UTC: its days, its dates, and relative dates.

use domain::time::{Zone, parse_civil};
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields, id},
    for_each_row,
};

/// An administrator of a service in this zone.
async fn admin_in(app: &TestApp, zone: &str) -> Client {
    app.variant().zone(zone).build().await.admin()
}

/// Creates an event of one minute at an instant in UTC.
async fn minute(client: &Client, start: &str) -> i64 {
    let fields =
        json!({"start_date": format!("{start}Z"), "end_date": format!("{start}Z"), "title": start});
    id(&client.event(fields).await)
}

/// Creates events a second before a time, at it, at a later time, and a second after that.
async fn around(client: &Client, first: &str, last: &str) -> Vec<i64> {
    let mut events = Vec::new();
    for start in [&seconds_later(first, -1), first, last, &seconds_later(last, 1)] {
        events.push(minute(client, start).await);
    }
    events
}

/// Deletes events for good.
async fn delete(client: &Client, events: &[i64]) {
    for event in events {
        client.delete(&format!("/events/{event}?force=true")).await;
    }
}

/// Zones, each with an instant around 2027-01-01, the start of yesterday and the end of the day two
/// years ahead, all in UTC, and the instant by the clocks of the zone.
const ZONES: [(&str, &str, &str, &str, &str); 3] = [
    // UTC-5 in winter.
    (
        "America/New_York",
        "2027-01-01T02:30:00",
        "2026-12-30T05:00:00",
        "2029-01-01T04:59:59",
        "2026-12-31 21:30:00",
    ),
    // UTC+5:30.
    (
        "Asia/Kolkata",
        "2027-01-01T19:00:00",
        "2026-12-31T18:30:00",
        "2029-01-02T18:29:59",
        "2027-01-02 00:30:00",
    ),
    // UTC+2 in winter.
    (
        "Africa/Cairo",
        "2026-12-31T22:30:00",
        "2026-12-30T22:00:00",
        "2029-01-01T21:59:59",
        "2027-01-01 00:30:00",
    ),
];

fn seconds_later(time: &str, seconds: i64) -> String {
    let time = time.replace('T', " ");
    let moment = app::test_support::at(&time).saturating_add(seconds);
    moment.to_string().replace(' ', "T")
}

/// EL-02: Without bounds a list begins with yesterday and ends two years from now, by the days of
/// the site's zone.
#[both_stores]
async fn the_default_window_has_days_of_the_site(app: &TestApp) {
    for (zone, now, first, last, _) in ZONES {
        app.clock.set(&now.replace('T', " "));
        let client = admin_in(app, zone).await;
        let events = around(&client, first, last).await;
        assert_eq!(client.list("").await, events[1..3], "{zone}");
        delete(&client, &events).await;
    }
}

/// EL-04: A day without strictness is a day of the site's zone, also one of 23 or 25 hours.
#[both_stores]
async fn bounds_are_days_of_the_site(app: &TestApp) {
    let rows = [
        ("America/New_York", "2027-03-14", "2027-03-14T05:00:00", "2027-03-15T03:59:59"),
        ("America/New_York", "2027-11-07", "2027-11-07T04:00:00", "2027-11-08T04:59:59"),
        ("Asia/Kolkata", "2027-03-14", "2027-03-13T18:30:00", "2027-03-14T18:29:59"),
        // The clocks skip the first hour of this day, and repeat the last hour of that one.
        ("Africa/Cairo", "2027-04-30", "2027-04-29T22:00:00", "2027-04-30T20:59:59"),
        ("Africa/Cairo", "2027-10-28", "2027-10-27T21:00:00", "2027-10-28T21:59:59"),
    ];
    for_each_row(rows, async |(zone, day, first, last)| {
        let client = admin_in(app, zone).await;
        let events = around(&client, first, last).await;
        let (before, within, after) = (&events[..1], &events[1..3], &events[3..]);
        let held = client.list(&format!("start_date={day}&end_date={day}")).await;
        assert_eq!(held, within, "{zone} {day}");
        for (query, expected) in [
            (format!("starts_after={day}"), after),
            (format!("starts_before={day}&start_date={day}"), &within[..1]),
            (format!("ends_after={day}"), after),
            (format!("ends_before={day}&start_date={day}"), within),
            (
                format!("ends_before={day} 12:00&starts_before={day}"),
                &[before, within].concat()[..2],
            ),
        ] {
            let held = client.list(&query.replace(' ', "%20")).await;
            let held: Vec<_> = held.into_iter().filter(|id| events.contains(id)).collect();
            if query.contains("12:00") {
                // The time of day has no effect without `strict_dates`.
                assert!(held.starts_with(expected), "{zone} {query}: {held:?}");
            } else {
                assert_eq!(held, expected, "{zone} {query}");
            }
        }
        delete(&client, &events).await;
    })
    .await;
}

/// EL-20: A bound without an offset is of the site's zone, one with an offset is that instant.
#[both_stores]
async fn strict_bounds_are_by_clocks_of_the_site(app: &TestApp) {
    for (zone, local, utc) in [
        ("America/New_York", "2027-07-10 09:00:00", "2027-07-10T13:00:00"),
        ("Asia/Kolkata", "2027-07-10 09:00:00", "2027-07-10T03:30:00"),
        ("Africa/Cairo", "2027-07-10 09:00:00", "2027-07-10T06:00:00"),
        ("Africa/Cairo", "2027-02-20 09:00:00", "2027-02-20T07:00:00"),
    ] {
        let client = admin_in(app, zone).await;
        let event = minute(&client, utc).await;
        for bound in [local.to_owned(), format!("{utc}Z")] {
            let bound = bound.replace(' ', "%20");
            for (query, held) in [
                (format!("start_date={bound}&end_date={bound}"), true),
                (format!("starts_after={bound}&start_date=2027-01-01"), false),
                (format!("starts_before={bound}"), false),
                (format!("ends_before={bound}"), false),
            ] {
                let found = client.list(&format!("strict_dates=1&{query}")).await;
                assert_eq!(found.contains(&event), held, "{zone} {query}");
            }
        }
        delete(&client, &[event]).await;
    }
}

/// EC-109: Publication and last change are shown by the clocks of the site and in UTC.
/// EC-18: Relative dates mean days of the event's zone, which is the site's by default.
#[both_stores]
async fn dates_are_by_clocks_of_the_site(app: &TestApp) {
    for (zone, now, .., local) in ZONES {
        let now = now.replace('T', " ");
        app.clock.set(&now);
        let client = admin_in(app, zone).await;
        let today = &local[..10];
        let event = client.event(json!({"start_date": "today", "end_date": "tomorrow 9am"})).await;
        let wanted = json!({
            "timezone": zone, "date": local, "date_utc": now, "modified": local,
            "modified_utc": now, "start_date": format!("{today} 00:00:00"),
        });
        has_fields(&event, wanted);
        let moment = client.event(json!({"start_date": "now", "end_date": "+2 hours"})).await;
        has_fields(&moment, json!({"start_date": local, "utc_start_date": now}));

        let date = "2026-07-01 10:00:00";
        let dated = client.event(json!({"date": date, "timezone": "Asia/Tokyo"})).await;
        let utc = zone.parse::<Zone>().unwrap().at_local(parse_civil(date).unwrap()).unwrap().utc;
        has_fields(&dated, json!({"date": date, "date_utc": utc.to_string()}));

        // In filters they mean days of the site.
        let [event, moment, dated] = [event, moment, dated].map(|event| id(&event));
        let holds = async |query: &str, id: i64| client.list(query).await.contains(&id);
        assert!(holds("start_date=today&end_date=tomorrow", event).await, "{zone}");
        assert!(!holds("start_date=tomorrow", moment).await, "{zone}");
        assert!(holds("strict_dates=1&start_date=now", moment).await, "{zone}");
        delete(&client, &[event, moment, dated]).await;
    }
}
