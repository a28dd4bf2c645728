//! Changes of a whole series.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields, id},
    for_each_row,
};

use super::{
    WEEKLY, all_of, deleted, hourly_fields, jazz, jazz_with, patch, patched, recurrence, starts,
    tuesdays,
};
use crate::http::records::{read, record};

/// The start and end of S at an hour of its first day.
fn at(hour: u32) -> Value {
    json!({"start_date": format!("2027-03-02 {hour}:00"), "end_date": format!("2027-03-02 {}:00", hour + 2)})
}

/// A series that is moved by an hour keeps its occurrences and the end of its rule.
#[both_stores]
async fn a_series_moved_by_an_hour(app: &TestApp) {
    let series = jazz(app).await;
    let moved = patched(&app.admin(), &series.path(), at(20)).await;
    has_fields(&moved, json!({"start_date": "2027-03-02 20:00:00", "recurrence_changes.kept": 6}));
    assert_eq!(starts(&app.anonymous(), series.id).await, tuesdays(20, &[]));
    assert_eq!(app.list("").await, series.ids(1..=6));
    let fifth = read(&app.anonymous(), &series.of(5)).await;
    assert_eq!(fifth["utc_start_date"], "2027-03-30 18:00:00");
    assert_eq!(fifth["series"]["recurrence_id"], "2027-03-30T20:00:00");
    let until = json!({"title": "Until", "recurrence": "FREQ=WEEKLY;UNTIL=20270406T170000Z"});
    let until = jazz_with(&app.admin(), until).await;
    patched(&app.admin(), &until.path(), at(20)).await;
    let shown = recurrence(&app.anonymous(), until.id).await;
    has_fields(&shown, json!({"rrule": "FREQ=WEEKLY;UNTIL=20270406T180000Z", "total": 6}));
}

/// Dates of an occurrence move all by as much; weekdays of the rule turn.
#[both_stores]
async fn a_series_moved_by_a_day(app: &TestApp) {
    for (rule, turned) in
        [(WEEKLY, WEEKLY), ("FREQ=WEEKLY;COUNT=6;BYDAY=TU", "FREQ=WEEKLY;COUNT=6;BYDAY=WE")]
    {
        let series = jazz_with(&app.admin(), json!({"recurrence": rule})).await;
        let times = json!({"start_date": "2027-03-17 19:00", "end_date": "2027-03-17 21:00"});
        let path = format!("{}?scope=all", series.of(3));
        let moved = patched(&app.admin(), &path, times).await;
        has_fields(&moved, json!({"id": series.id_of(3), "start_date": "2027-03-17 19:00:00"}));
        let days = ["03-03", "03-10", "03-17", "03-24", "03-31", "04-07"];
        assert_eq!(
            starts(&app.anonymous(), series.id).await,
            days.map(|day| format!("{day} 19:00"))
        );
        assert_eq!(all_of(&app.anonymous(), series.id, "id").await, series.ids(1..=6));
        assert_eq!(recurrence(&app.anonymous(), series.id).await["rrule"], turned);
    }
}

/// Other rules with days do not follow a new day, unless a new rule is sent.
#[both_stores]
async fn a_rule_that_does_not_follow(app: &TestApp) {
    let rule = "FREQ=MONTHLY;BYDAY=-1FR;COUNT=4";
    app.admin().event(hourly_fields("2027-01-29 18:00:00", rule)).await;
    let times = json!({"start_date": "2027-01-30 18:00", "end_date": "2027-01-30 19:00"});
    let refused = patch(&app.admin(), "/events/1", times.clone()).await;
    refused.assert_invalid(&["start_date"]);
    let text = refused.json()["data"]["params"]["start_date"].clone();
    assert!(text.as_str().unwrap().contains("BYDAY"), "{text}");
    let mut with_rule = times;
    with_rule["recurrence"] = json!("FREQ=MONTHLY;BYDAY=-1SA;COUNT=4");
    patched(&app.admin(), "/events/1", with_rule).await;
    let days = ["01-30 18:00", "02-27 18:00", "03-27 18:00", "04-24 18:00"];
    assert_eq!(starts(&app.anonymous(), 1).await, days);
}

/// A deleted occurrence stays deleted when the series is moved.
#[both_stores]
async fn deletions_move_along(app: &TestApp) {
    let series = jazz(app).await;
    deleted(&app.admin(), &series.of(3)).await;
    patched(&app.admin(), &series.path(), at(20)).await;
    assert_eq!(starts(&app.anonymous(), series.id).await, tuesdays(20, &[3]));
    let shown = recurrence(&app.anonymous(), series.id).await;
    assert_eq!(shown["exdate"], json!(["2027-03-16T20:00:00"]));
    assert_eq!(app.anonymous().get(&series.of(3)).await.status, 403);
}

/// An occurrence with a time of its own stays there when the series is moved.
#[both_stores]
async fn own_times_stay(app: &TestApp) {
    let series = jazz(app).await;
    let times = json!({"start_date": "2027-03-17 18:00", "end_date": "2027-03-17 20:00"});
    patched(&app.admin(), &series.of(3), times).await;
    patched(&app.admin(), &series.path(), at(20)).await;
    let wanted = json!({
        "start_date": "2027-03-17 18:00:00", "end_date": "2027-03-17 20:00:00",
        "series.recurrence_id": "2027-03-16T20:00:00",
    });
    has_fields(&read(&app.anonymous(), &series.of(3)).await, wanted);
}

/// A new rule keeps the occurrences whose slots remain.
#[both_stores]
async fn a_new_rule(app: &TestApp) {
    let series = jazz(app).await;
    let rule = json!({"recurrence": "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6"});
    let after = patched(&app.admin(), &series.path(), rule).await;
    let changes = json!({"kept": 3, "added": 3, "removed": 3, "trashed": []});
    assert_eq!(after["recurrence_changes"], changes);
    let days = ["03-02", "03-04", "03-09", "03-11", "03-16", "03-18"];
    assert_eq!(starts(&app.anonymous(), series.id).await, days.map(|day| format!("{day} 19:00")));
    let ids = all_of(&app.anonymous(), series.id, "id").await;
    for (index, number) in [(0, 1), (2, 2), (4, 3)] {
        assert_eq!(ids[index], series.id_of(number));
    }
    for number in 4..=6 {
        app.anonymous().get(&series.of(number)).await.assert_error(404, "rest-event-not-found");
    }
    assert_eq!(app.list("").await.len(), 6);
    assert_eq!(read(&app.admin(), &series.path()).await.get("recurrence_changes"), None);
}

/// An occurrence with own fields that loses its slot is in the trash, or becomes an extra date.
#[both_stores]
async fn own_fields_without_a_slot(app: &TestApp) {
    let rule = json!({"recurrence": "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6"});
    let series = jazz(app).await;
    patched(&app.admin(), &series.of(5), json!({"title": "Trio"})).await;
    let changed = patched(&app.admin(), &series.path(), rule.clone()).await;
    assert_eq!(changed["recurrence_changes"]["trashed"], json!([series.id_of(5)]));
    assert_eq!(app.anonymous().get(&series.of(5)).await.status, 403);
    // Reviving it makes its slot an extra date.
    let revived = patched(&app.admin(), &series.of(5), json!({"status": "publish"})).await;
    assert_eq!(revived["title"], "Trio");
    let extra = json!(["2027-03-30T19:00:00"]);
    assert_eq!(recurrence(&app.anonymous(), series.id).await["rdate"], extra);

    let series = jazz(app).await;
    patched(&app.admin(), &series.of(5), json!({"title": "Trio"})).await;
    let changed = patched(&app.admin(), &format!("{}?orphans=keep", series.path()), rule).await;
    assert_eq!(changed["recurrence_changes"]["trashed"], json!([]));
    assert_eq!(changed["recurrence"]["rdate"], extra);
    let kept = read(&app.anonymous(), &series.of(5)).await;
    has_fields(&kept, json!({"title": "Trio", "start_date": "2027-03-30 19:00:00"}));
}

/// Deleted dates stay with a new rule, unless all of the recurrence is sent.
#[both_stores]
async fn deleted_dates_with_a_new_rule(app: &TestApp) {
    let series = jazz(app).await;
    deleted(&app.admin(), &series.of(3)).await;
    patched(&app.admin(), &series.path(), json!({"recurrence": "FREQ=WEEKLY;COUNT=8"})).await;
    let seven = starts(&app.anonymous(), series.id).await;
    assert_eq!((seven.len(), seven.contains(&"03-16 19:00".to_owned())), (7, false));
    let whole = json!({"recurrence": ["RRULE:FREQ=WEEKLY;COUNT=8"]});
    patched(&app.admin(), &series.path(), whole).await;
    let eight = starts(&app.anonymous(), series.id).await;
    assert_eq!((eight.len(), eight.contains(&"03-16 19:00".to_owned())), (8, true));
    assert_eq!(recurrence(&app.anonymous(), series.id).await["exdate"], json!([]));
}

/// No ID is used again.
#[both_stores]
async fn no_id_is_used_again(app: &TestApp) {
    let series = jazz(app).await;
    for rule in ["FREQ=WEEKLY;COUNT=2", WEEKLY] {
        patched(&app.admin(), &series.path(), json!({"recurrence": rule})).await;
    }
    let ids = app.list("").await;
    assert_eq!((ids.len(), &ids[..2]), (6, &series.occurrences[..2]));
    assert!(ids[2..].iter().all(|id| *id > series.id_of(6)), "{ids:?}");
}

/// Another zone keeps wall clocks, slots and IDs.
#[both_stores]
async fn a_series_in_another_zone(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.path(), json!({"timezone": "America/New_York"})).await;
    assert_eq!(starts(&app.anonymous(), series.id).await, tuesdays(19, &[]));
    assert_eq!(app.list("").await, series.ids(1..=6));
    let wanted =
        |utc: &str, slot: &str| json!({"utc_start_date": utc, "series.recurrence_id": slot});
    let first = read(&app.anonymous(), &series.of(1)).await;
    has_fields(&first, wanted("2027-03-03 00:00:00", "2027-03-02T19:00:00"));
    let third = read(&app.anonymous(), &series.of(3)).await;
    has_fields(&third, wanted("2027-03-16 23:00:00", "2027-03-16T19:00:00"));
}

/// The slots of whole days are days; back again, they have times.
#[both_stores]
async fn a_series_of_whole_days(app: &TestApp) {
    let series = jazz(app).await;
    let shown = patched(&app.admin(), &series.path(), json!({"all_day": true})).await;
    assert_eq!((&shown["all_day"], &shown["recurrence"]["total"]), (&json!(true), &json!(6)));
    let third = read(&app.anonymous(), &series.of(3)).await;
    has_fields(
        &third,
        json!({
            "series.recurrence_id": "2027-03-16", "slug": "jazz-night~2027-03-16",
            "start_date": "2027-03-16 00:00:00", "end_date": "2027-03-16 23:59:59",
        }),
    );
    patched(&app.admin(), &series.path(), json!({"all_day": false})).await;
    let third = read(&app.anonymous(), &series.of(3)).await;
    has_fields(
        &third,
        json!({
            "series.recurrence_id": "2027-03-16T00:00:00", "all_day": false,
            "start_date": "2027-03-16 00:00:00", "end_date": "2027-03-16 23:59:59",
        }),
    );
    assert_eq!(app.list("").await, series.ids(1..=6));
}

/// Of several occurrences of a day, one that is not deleted is that of the day.
#[both_stores]
async fn a_day_with_a_deleted_occurrence(app: &TestApp) {
    let dates = json!({"rdate": ["2027-03-03 10:00", "2027-03-03 20:00"]});
    let series = jazz_with(&app.admin(), json!({"recurrence": dates})).await;
    deleted(&app.admin(), &series.of(2)).await;
    let shown = patched(&app.admin(), &series.path(), json!({"all_day": true})).await;
    let changes = json!({"kept": 2, "added": 0, "removed": 0, "trashed": []});
    assert_eq!(shown["recurrence_changes"], changes);
    assert_eq!(app.list("").await, series.ids([1, 3]));
    let day = read(&app.anonymous(), &format!("{}/2027-03-03", series.list())).await;
    assert_eq!(day["id"], series.id_of(3));
}

/// All move by as much as one of them, also if the first lies in a gap of the clocks.
#[both_stores]
async fn a_move_over_a_gap(app: &TestApp) {
    let fields = json!({
        "start_date": "2027-03-27 02:30", "end_date": "2027-03-27 03:00",
        "recurrence": "FREQ=DAILY;COUNT=4",
    });
    let series = jazz_with(&app.admin(), fields).await;
    let second = format!("{}?scope=following", series.of(2));
    let second = patched(&app.admin(), &second, json!({"title": "Late jazz"})).await;
    assert_eq!(second["start_date"], "2027-03-28 03:30:00");
    let times = json!({"start_date": "2027-03-29 03:30", "end_date": "2027-03-29 04:00"});
    let third = patched(&app.admin(), &format!("{}?scope=all", series.of(3)), times).await;
    has_fields(
        &third,
        json!({
            "start_date": "2027-03-29 03:30:00", "series.recurrence_id": "2027-03-29T03:30:00",
            "recurrence_changes.kept": 3,
        }),
    );
    let next = id(&third["series"]);
    let wanted = ["03-28 03:30", "03-29 03:30", "03-30 03:30"];
    assert_eq!(starts(&app.anonymous(), next).await, wanted);
    assert_eq!(all_of(&app.anonymous(), next, "id").await, series.ids(2..=4));
}

/// A slot at another time of the same day is the same one, beyond the horizon, too.
#[both_stores]
async fn another_time_of_the_day(app: &TestApp) {
    let series = jazz_with(&app.admin(), json!({"recurrence": "FREQ=WEEKLY"})).await;
    let far = format!("{}/2044-03-01", series.list());
    let far = id(&patched(&app.admin(), &far, json!({"title": "Final"})).await);
    let later = json!({"recurrence": "FREQ=WEEKLY;BYHOUR=20"});
    let changed = patched(&app.admin(), &series.path(), later).await;
    assert_eq!(changed["recurrence_changes"]["trashed"], json!([]));
    let shown = read(&app.anonymous(), &format!("/events/{far}")).await;
    has_fields(
        &shown,
        json!({"title": "Final", "series.recurrence_id": "2044-03-01T20:00:00", "status": "publish"}),
    );
}

/// A series stops repeating, and an event begins to.
#[both_stores]
async fn a_series_stops_and_begins(app: &TestApp) {
    for none in [json!(""), json!([])] {
        let series = jazz(app).await;
        let plain = patched(&app.admin(), &series.path(), json!({"recurrence": none})).await;
        has_fields(
            &plain,
            json!({"id": series.id, "start_date": "2027-03-02 19:00:00", "recurrence": null}),
        );
        for number in 1..=6 {
            app.anonymous().get(&series.of(number)).await.assert_error(404, "rest-event-not-found");
        }
        assert_eq!(app.list("").await, [series.id]);
        let again = patched(&app.admin(), &series.path(), json!({"recurrence": WEEKLY})).await;
        has_fields(&again, json!({"id": series.id, "recurrence.rrule": WEEKLY}));
        assert_eq!(app.list("").await.len(), 6);
        deleted(&app.admin(), &format!("{}?force=true", series.path())).await;
    }
    let event = id(&app.admin().event(event_fields(json!({}))).await);
    let series = patched(
        &app.admin(),
        &format!("/events/{event}"),
        json!({"recurrence": "FREQ=DAILY;COUNT=3"}),
    )
    .await;
    assert_eq!((id(&series), &series["recurrence"]["total"]), (event, &json!(3)));
    assert_eq!(
        starts(&app.anonymous(), event).await,
        ["03-10 09:00", "03-11 09:00", "03-12 09:00"]
    );
}

/// A series is trashed and revived with everything; a permanent deletion removes all.
#[both_stores]
async fn a_deleted_series(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.of(3), json!({"title": "Trio"})).await;
    let gone = deleted(&app.admin(), &series.path()).await;
    assert_eq!((&gone["status"], &gone["slug"]), (&json!("trash"), &json!("jazz-night__trashed")));
    for number in 1..=6 {
        assert_eq!(app.anonymous().get(&series.of(number)).await.status, 403, "{number}");
    }
    assert_eq!(app.list("").await, [0; 0]);
    patched(&app.admin(), &series.path(), json!({"status": "publish"})).await;
    assert_eq!(app.list("").await, series.ids(1..=6));
    let third = read(&app.anonymous(), &series.of(3)).await;
    has_fields(
        &third,
        json!({"title": "Trio", "slug": "jazz-night~2027-03-16", "series.own": ["title"]}),
    );
    deleted(&app.admin(), &format!("{}?force=true", series.path())).await;
    for path in [series.path(), series.of(1), series.of(3), series.list()] {
        app.anonymous().get(&path).await.assert_error(404, "rest-event-not-found");
    }
    assert_eq!(app.list("").await, [0; 0]);
}

/// A series whose occurrences were deleted one by one can be written back as it was read.
#[both_stores]
async fn a_series_without_occurrences(app: &TestApp) {
    let series = jazz(app).await;
    for number in 1..=6 {
        deleted(&app.admin(), &series.of(number)).await;
    }
    let before = read(&app.admin(), &series.path()).await;
    let shown = &before["recurrence"];
    assert_eq!(
        ["total", "first", "last"].map(|name| &shown[name]),
        [&json!(0), &json!(null), &json!(null)]
    );
    app.clock.advance_seconds(60);
    let sent = json!({"title": before["title"], "recurrence": before["recurrence"]});
    app.admin().change(&series.path(), sent).await;
    assert_eq!(read(&app.admin(), &series.path()).await, before);
}

/// A change without effect changes nothing.
#[both_stores]
async fn a_change_without_effect(app: &TestApp) {
    let series = jazz_with(&app.admin(), json!({"recurrence": {"rrule": WEEKLY, "rdate": ["2027-05-01 15:00"], "exdate": ["2027-03-09"]}})).await;
    let before = record(&app.admin().get(&series.path()).await);
    app.clock.advance_seconds(60);
    let rows = [
        json!({}),
        json!({"recurrence": before["recurrence"]}),
        json!({"recurrence": {"exdate": before["recurrence"]["exdate"]}}),
        json!({"recurrence": "FREQ=WEEKLY;COUNT=6"}),
        json!({"start_date": before["start_date"], "end_date": before["end_date"]}),
    ];
    for_each_row(rows, async |fields| {
        app.admin().change(&series.path(), fields).await;
        assert_eq!(record(&app.admin().get(&series.path()).await), before);
        assert_eq!(app.list("").await, series.occurrences);
    })
    .await;
}
