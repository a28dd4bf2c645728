//! Dates around the nights in which clocks change, and the forms in which dates are sent.

use app::ports::Repositories;
use domain::{Event, Id};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{has_fields, id},
    for_each_row,
};

use super::records::{event_path, read, record};

const NEW_YORK: &str = "America/New_York";

/// An instant in the hour in which the clocks of New York show 01:30 for the second time.
const SECOND: &str = "2027-11-07T06:30:00Z";

/// An event of New York, of which start and end are that time.
async fn in_the_second_hour(app: &TestApp) -> Value {
    let fields = json!({"start_date": SECOND, "end_date": SECOND, "timezone": NEW_YORK});
    let event = app.admin().event(fields).await;
    assert_eq!(event["start_date"], "2027-11-07 01:30:00");
    event
}

/// Start and end in UTC.
#[track_caller]
fn happens(event: &Value, start: &str, end: &str) {
    has_fields(event, json!({"utc_start_date": start, "utc_end_date": end}));
}

/// D-18: A date may have slashes after a year, and parts of one digit.
#[both_stores]
async fn dates_in_further_forms(app: &TestApp) {
    let rows = [
        "2027/03/10 09:05:07",
        "2027/03/10T09:05:07",
        "2027/3/10 9:5:7",
        "2027-03-10 9:5:7",
        "2027-03-10T9:05:7",
        "3/10/2027 9:5:7",
    ];
    let shown = "2027-03-10 09:05:07";
    for_each_row(rows, async |date| {
        let event = app.admin().event(json!({"start_date": date, "end_date": date})).await;
        has_fields(&event, json!({"start_date": shown, "end_date": shown}));
    })
    .await;
    let event =
        app.admin().event(json!({"start_date": "2027/03/09", "end_date": "2027/03/09 9:5"})).await;
    let shown = json!({"start_date": "2027-03-09 00:00:00", "end_date": "2027-03-09 09:05:00"});
    has_fields(&event, shown);
    assert_eq!(app.list("start_date=2027/3/9&end_date=2027/3/9").await, [id(&event)]);
    let bad =
        ["2027/02/30", "2027/13/01 9:00", "2027/03/10 9:60", "2027/03-10", "2027/03/10 9:005"];
    app.admin().refuses_event("start_date", bad).await;
}

/// D-18: An event in an hour that the clocks show twice is written back without a change.
#[both_stores]
async fn an_hour_shown_twice_is_written_back(app: &TestApp) {
    let event = in_the_second_hour(app).await;
    happens(&event, "2027-11-07 06:30:00", "2027-11-07 06:30:00");
    let (start, end) = (&event["start_date"], &event["end_date"]);
    let rows = [
        json!({"start_date": start, "end_date": end, "timezone": NEW_YORK}),
        json!({"start_date": start, "end_date": end, "timezone": "america/new_york"}),
        json!({"start_date": start, "end_date": end}),
        json!({"start_date": start}),
        json!({"end_date": end}),
        json!({"start_date": "2027/11/7 1:30"}),
    ];
    for_each_row(rows, async |fields| {
        record(&app.admin().put(&event_path(&event), fields).await);
        let after = read(&app.admin(), &event_path(&event)).await;
        happens(&after, "2027-11-07 06:30:00", "2027-11-07 06:30:00");
    })
    .await;
}

/// D-18: Another wall clock, an instant, and another zone are read as they are sent.
#[both_stores]
async fn an_hour_shown_twice_is_read_anew_when_it_changes(app: &TestApp) {
    for (fields, start) in [
        (json!({"start_date": "2027-11-07 01:29:59"}), "2027-11-07 05:29:59"),
        (json!({"start_date": "2027-11-07T05:30:00Z"}), "2027-11-07 05:30:00"),
        (json!({"start_date": "2027-11-07 01:30:00-04:00"}), "2027-11-07 05:30:00"),
        (
            json!({"start_date": "2027-11-07 01:30:00", "timezone": "America/Toronto"}),
            "2027-11-07 05:30:00",
        ),
    ] {
        let event = in_the_second_hour(app).await;
        let after = record(&app.admin().put(&event_path(&event), fields.clone()).await);
        assert_eq!(after["utc_start_date"], start, "{fields}");
    }
}

/// D-18: The publication date is written back without a change, too, in the zone of the site.
#[both_stores]
async fn a_publication_date_shown_twice_is_written_back(app: &TestApp) {
    let admin = app.variant().zone(NEW_YORK).build().await.admin();
    let event = admin.event(json!({"date": SECOND})).await;
    let dates = json!({"date": "2027-11-07 01:30:00", "date_utc": "2027-11-07 06:30:00"});
    has_fields(&event, dates.clone());
    let sent = json!({"date": event["date"]});
    has_fields(&record(&admin.put(&event_path(&event), sent).await), dates);
    let sent = json!({"date": "2027-11-07 01:31:00"});
    let after = record(&admin.put(&event_path(&event), sent).await);
    assert_eq!(after["date_utc"], "2027-11-07 05:31:00");
}

/// D-18: Times of tickets are written back without a change, too.
#[both_stores]
async fn times_of_tickets_shown_twice_are_written_back(app: &TestApp) {
    let times = async || {
        let found = app.db.store.events().find(Id::<Event>::from_raw(1)).await;
        let tickets = found.unwrap().unwrap().content.details.tickets;
        let from = tickets.iter().filter_map(|ticket| ticket.on_sale.from());
        from.map(|utc| utc.to_string()).collect::<Vec<_>>()
    };
    let ticket = |name: &str, from: &str| json!({"name": name, "price": "1", "currency": "USD", "available_from": from});
    let tickets = [ticket("A", "2027-11-07T05:30:00Z"), ticket("B", SECOND)];
    let event = app.admin().event(json!({"timezone": NEW_YORK, "tickets": tickets})).await;
    let stored = ["2027-11-07 05:30:00", "2027-11-07 06:30:00"];
    assert_eq!(times().await, stored);
    assert_eq!(event["tickets"][0]["available_from"], event["tickets"][1]["available_from"]);
    record(&app.admin().put("/events/1", json!({"tickets": event["tickets"]})).await);
    assert_eq!(times().await, stored);
    // In another zone the times are read anew.
    let fields = json!({"tickets": event["tickets"], "timezone": "America/Toronto"});
    record(&app.admin().put("/events/1", fields).await);
    assert_eq!(times().await, [stored[0], stored[0]]);
}

/// D-18: A start that the clocks jump over takes the end along, if that would be before it.
#[both_stores]
async fn a_start_in_a_gap_keeps_the_duration(app: &TestApp) {
    let night = |start: &str, end: &str| {
        json!({
            "start_date": format!("2027-03-14 {start}"), "end_date": format!("2027-03-14 {end}"),
            "timezone": NEW_YORK,
        })
    };
    let event = app.admin().event(night("02:30", "03:15")).await;
    let local = json!({"start_date": "2027-03-14 03:30:00", "end_date": "2027-03-14 04:15:00"});
    has_fields(&event, local);
    happens(&event, "2027-03-14 07:30:00", "2027-03-14 08:15:00");
    // The same by an update of all, of the start alone, and of the zone alone.
    let fields = json!({"start_date": "2027-03-14 01:00", "end_date": "2027-03-14 03:15"});
    record(&app.admin().put(&event_path(&event), fields).await);
    let fields = json!({"start_date": "2027-03-14 02:30"});
    let after = record(&app.admin().put(&event_path(&event), fields).await);
    happens(&after, "2027-03-14 07:30:00", "2027-03-14 08:15:00");
    let mut fields = night("02:30", "03:15");
    let after = record(&app.admin().put(&event_path(&event), fields.clone()).await);
    happens(&after, "2027-03-14 07:30:00", "2027-03-14 08:15:00");
    fields["timezone"] = json!("UTC");
    let event = app.admin().event(fields).await;
    let after = record(&app.admin().put(&event_path(&event), json!({"timezone": NEW_YORK})).await);
    happens(&after, "2027-03-14 07:30:00", "2027-03-14 08:15:00");
}

/// D-18: An end that is late enough stays, and one that was sent before the start is refused.
#[both_stores]
async fn an_end_before_a_start_in_a_gap_is_refused(app: &TestApp) {
    let rows = [
        ("2027-03-14 02:45", Some("2027-03-14 07:45:00")),
        ("2027-03-14 05:00", Some("2027-03-14 09:00:00")),
        ("2027-03-14 02:29", None),
        ("2027-03-14 01:00", None),
        // An instant is what it is.
        ("2027-03-14T07:15:00Z", None),
    ];
    for_each_row(rows, async |(end, utc)| {
        let fields =
            json!({"start_date": "2027-03-14 02:30", "end_date": end, "timezone": NEW_YORK});
        if let Some(utc) = utc {
            happens(&app.admin().event(fields).await, "2027-03-14 07:30:00", utc);
        } else {
            app.admin().try_event(fields).await.assert_invalid(&["end_date"]);
        }
    })
    .await;
}
