//! Time zones of new events.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

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
        let start = format!("2027-{start}");
        let fields = json!({"timezone": sent, "start_date": start, "end_date": "2027-12-01"});
        let shown = json!({
            "timezone": zone, "start_date": format!("2027-{shown}:00"),
            "utc_start_date": format!("2027-{utc}:00"), "timezone_abbr": abbreviation,
        });
        has_fields(&app.admin().event(fields).await, shown);
    })
    .await;
}

/// EC-42: An offset of 99 hours is refused.
/// EC-43: UTC with letters behind it is refused.
/// EC-44: The name of a zone that does not exist is refused.
/// EC-45: A number is no zone.
#[both_stores]
async fn unknown_zones_are_refused(app: &TestApp) {
    let zones = [json!("UTC+99"), json!("UTCfoo"), json!("Mars/X"), json!(5)];
    app.admin().refuses_event("timezone", zones).await;
    assert!(app.admin().get("/events").await.ids().is_empty());
}

/// EC-46: Without a zone, or with an empty one, the event has the zone of the site.
#[both_stores]
async fn an_empty_zone_is_that_of_the_site(app: &TestApp) {
    let event = app.admin().event(json!({"timezone": ""})).await;
    assert_eq!(event["timezone"], "UTC");

    let paris = app.variant().zone("Europe/Paris").build().await.admin();
    for fields in [json!({"timezone": ""}), json!({})] {
        let shown = json!({
            "timezone": "Europe/Paris", "start_date": "2027-03-10 09:00:00",
            "utc_start_date": "2027-03-10 08:00:00",
        });
        has_fields(&paris.event(fields).await, shown);
    }
}

/// EC-109: A publication date in UTC alone is shown by the clocks of the site, too.
/// EC-110: A publication date without an offset is of the site's zone, not of the event's.
#[both_stores]
async fn publication_dates_are_of_the_site(app: &TestApp) {
    let paris = app.variant().zone("Europe/Paris").build().await.admin();
    let zone = "America/New_York";
    let rows = [
        (json!({"date_utc": "2026-07-01 10:00:00"}), "12:00", "10:00"),
        (json!({"date": "2026-07-01 10:00:00"}), "10:00", "08:00"),
        (json!({"date": "2026-07-01 10:00:00", "timezone": zone}), "10:00", "08:00"),
        (json!({"date": "2026-07-01T10:00:00-04:00", "timezone": zone}), "16:00", "14:00"),
    ];
    for_each_row(rows, async |(fields, date, date_utc)| {
        let [date, date_utc] = [date, date_utc].map(|time| format!("2026-07-01 {time}:00"));
        let shown = json!({"date": date, "date_utc": date_utc, "status": "publish"});
        has_fields(&paris.event(fields).await, shown);
    })
    .await;
}
