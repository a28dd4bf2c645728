//! Time zones of new events.

use serde_json::json;
use tests::{app::TestApp, both_stores, for_each_row};

/// EC-36: In March before the change of clocks, New York is five hours behind.
/// EC-37: In July, Paris is two hours ahead and on summer time.
/// EC-38: A zone may be an offset of hours.
/// EC-39: A zone may be an offset of hours and minutes.
/// EC-40: A zone may be an offset with a fraction of an hour.
/// EC-41: A zone may be an offset without UTC before it.
/// EC-47: The letter case of a zone does not matter; it comes back as it is usually written.
/// EC-48: A zone without letters of its own is abbreviated by its offset.
/// EC-49: A time that the clocks skip is moved forward by what they skip.
/// EC-50: A time that comes twice is the first of the two.
#[both_stores]
async fn wall_clocks_follow_the_zone(app: &TestApp) {
    const NEW_YORK: &str = "America/New_York";
    const SAO_PAULO: &str = "America/Sao_Paulo";
    let rows = [
        (NEW_YORK, "03-10 09:00", NEW_YORK, "03-10 09:00", "03-10 14:00", "EST"),
        ("Europe/Paris", "07-10 09:00", "Europe/Paris", "07-10 09:00", "07-10 07:00", "CEST"),
        ("UTC", "03-10 09:00", "UTC", "03-10 09:00", "03-10 09:00", "UTC"),
        ("UTC+2", "03-10 09:00", "UTC+2", "03-10 09:00", "03-10 07:00", "UTC+2"),
        ("UTC+5:30", "03-10 09:00", "UTC+5:30", "03-10 09:00", "03-10 03:30", "UTC+5:30"),
        ("UTC-5.5", "03-10 09:00", "UTC-5.5", "03-10 09:00", "03-10 14:30", "UTC-5.5"),
        ("+02:00", "03-10 09:00", "+02:00", "03-10 09:00", "03-10 07:00", "+02:00"),
        ("america/new_york", "03-10 09:00", NEW_YORK, "03-10 09:00", "03-10 14:00", "EST"),
        (SAO_PAULO, "03-10 09:00", SAO_PAULO, "03-10 09:00", "03-10 12:00", "-03"),
        (NEW_YORK, "03-14 02:30", NEW_YORK, "03-14 03:30", "03-14 07:30", "EDT"),
        (NEW_YORK, "11-07 01:30", NEW_YORK, "11-07 01:30", "11-07 05:30", "EDT"),
    ];
    for_each_row(rows, async |(sent, start, zone, shown, utc, abbreviation)| {
        let event = app
            .admin()
            .event(json!({
                "timezone": sent, "start_date": format!("2027-{start}"), "end_date": "2027-12-01",
            }))
            .await;
        assert_eq!(event["timezone"], zone, "{sent}");
        assert_eq!(event["start_date"], format!("2027-{shown}:00"), "{sent} {start}");
        assert_eq!(event["utc_start_date"], format!("2027-{utc}:00"), "{sent} {start}");
        assert_eq!(event["timezone_abbr"], abbreviation, "{sent} {start}");
    })
    .await;
}

/// EC-42: An offset of 99 hours is refused.
/// EC-43: UTC with letters behind it is refused.
/// EC-44: The name of a zone that does not exist is refused.
/// EC-45: A number is no zone.
#[both_stores]
async fn unknown_zones_are_refused(app: &TestApp) {
    for zone in [json!("UTC+99"), json!("UTCfoo"), json!("Mars/X"), json!(5)] {
        let answer = app.admin().try_event(json!({"timezone": zone})).await;
        answer.is_invalid(&["timezone"]);
    }
    assert!(app.admin().get("/events").await.ids().is_empty());
}

/// EC-46: Without a zone, or with an empty one, the event has the zone of the site.
#[both_stores]
async fn an_empty_zone_is_that_of_the_site(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": ""})).await;
    assert_eq!(event["timezone"], "UTC");

    let paris = app.variant().zone("Europe/Paris").build().await.admin();
    for fields in [json!({"timezone": ""}), json!({})] {
        let event = paris.event(fields.clone()).await;
        assert_eq!(event["timezone"], "Europe/Paris", "{fields}");
        assert_eq!(event["start_date"], "2027-03-10 09:00:00", "{fields}");
        assert_eq!(event["utc_start_date"], "2027-03-10 08:00:00", "{fields}");
    }
}

/// EC-109: A publication date in UTC alone is shown by the clocks of the site, too.
/// EC-110: A publication date without an offset is of the site's zone, not of the event's.
#[both_stores]
async fn publication_dates_are_of_the_site(app: &TestApp) {
    let paris = app.variant().zone("Europe/Paris").build().await.admin();
    for (fields, date, date_utc) in [
        (json!({"date_utc": "2026-07-01 10:00:00"}), "2026-07-01 12:00:00", "2026-07-01 10:00:00"),
        (json!({"date": "2026-07-01 10:00:00"}), "2026-07-01 10:00:00", "2026-07-01 08:00:00"),
        (
            json!({"date": "2026-07-01 10:00:00", "timezone": "America/New_York"}),
            "2026-07-01 10:00:00",
            "2026-07-01 08:00:00",
        ),
        (
            json!({"date": "2026-07-01T10:00:00-04:00", "timezone": "America/New_York"}),
            "2026-07-01 16:00:00",
            "2026-07-01 14:00:00",
        ),
    ] {
        let event = paris.event(fields.clone()).await;
        assert_eq!(event["date"], date, "{fields}");
        assert_eq!(event["date_utc"], date_utc, "{fields}");
        assert_eq!(event["status"], "publish", "{fields}");
    }
}
