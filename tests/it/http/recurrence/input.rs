//! The field `recurrence` of a request.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields},
    for_each_row,
};

use super::{WEEKLY, hourly_fields, jazz_fields, starts};

/// Fails unless S is refused with each of these recurrences, and the message has the text beside it.
async fn refused(app: &TestApp, fields: &Value, rows: &[(Value, &str)]) {
    for (recurrence, named) in rows {
        let mut fields = jazz_fields(fields.clone());
        fields["recurrence"] = recurrence.clone();
        let answer = app.admin().post("/events", fields).await;
        answer.assert_invalid(&["recurrence"]);
        let text = answer.json()["data"]["params"]["recurrence"].clone();
        assert!(text.as_str().unwrap().contains(named), "{recurrence}: {text}");
    }
    assert_eq!(app.admin().get("/events?status=any").await.json()["total"], 0);
}

/// A rule as text with and without RRULE, as lines and as object gives the same series.
#[both_stores]
async fn a_rule_in_four_forms(app: &TestApp) {
    let rows = [
        json!(WEEKLY),
        json!(format!("RRULE:{WEEKLY}")),
        json!([format!("RRULE:{WEEKLY}")]),
        json!({"frequency": "weekly", "count": 6}),
        json!({"frequency": "weekly", "count": "6"}),
        json!({"rrule": WEEKLY}),
    ];
    for_each_row(rows, async |sent| {
        let made = app.admin().event(jazz_fields(json!({"recurrence": sent}))).await;
        let wanted = json!({
            "recurrence.rrule": WEEKLY,
            "recurrence.rule": {"frequency": "weekly", "count": 6},
            "recurrence.rdate": [], "recurrence.exdate": [],
            "recurrence.first": "2027-03-02 19:00:00",
            "recurrence.last": "2027-04-06 19:00:00", "recurrence.total": 6,
        });
        has_fields(&made, wanted);
    })
    .await;
}

/// The rule is answered in canonical form.
#[both_stores]
async fn a_rule_is_answered_in_canonical_form(app: &TestApp) {
    let sent = "freq=monthly;wkst=mo;interval=1;byday=-1fr,-1FR;count=4";
    let made = app.admin().event(hourly_fields("2027-01-29 18:00:00", sent)).await;
    assert_eq!(made["recurrence"]["rrule"], "FREQ=MONTHLY;COUNT=4;BYDAY=-1FR");
    let rule = json!({"frequency": "monthly", "count": 4, "days": ["-1fr"]});
    assert_eq!(made["recurrence"]["rule"], rule);
}

/// The last day of a month can stand for a day that the month does not have.
#[both_stores]
async fn the_last_day_for_a_missing_one(app: &TestApp) {
    let mut fields = hourly_fields("2027-01-31 20:00:00", "");
    fields["recurrence"] = json!({"frequency": "monthly", "missing_day": "last", "count": 5});
    let made = app.admin().event(fields).await;
    let days = ["01-31", "02-28", "03-31", "04-30", "05-31"].map(|day| format!("{day} 20:00"));
    assert_eq!(starts(&app.admin(), 1).await, days);
    let rule = "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=28,29,30,31;BYSETPOS=-1";
    assert_eq!(made["recurrence"]["rrule"], rule);
}

/// A form has an object in brackets, and so has a query.
#[both_stores]
async fn a_form_has_the_members_in_brackets(app: &TestApp) {
    let event = "title=Jazz+night&start_date=2027-03-02+19:00&end_date=2027-03-02+21:00";
    let rule = "recurrence[frequency]=weekly&recurrence[days][]=tu&recurrence[count]=6";
    let form = app.admin().post_form("/events", &format!("{event}&{rule}")).await;
    let query = app.admin().post(&format!("/events?{event}&{rule}"), json!({})).await;
    for answer in [form, query] {
        assert_eq!(answer.status, 201, "{}", answer.text());
        has_fields(
            &answer.json(),
            json!({"recurrence.rrule": "FREQ=WEEKLY;COUNT=6;BYDAY=TU", "recurrence.total": 6}),
        );
    }
}

/// Units below the day, unknown parts and other calendar systems are refused.
#[both_stores]
async fn parts_that_are_not_taken(app: &TestApp) {
    let rows = [
        ("FREQ=HOURLY", "FREQ"),
        ("FREQ=MINUTELY", "FREQ"),
        ("FREQ=SECONDLY", "FREQ"),
        ("COUNT=2", "FREQ"),
        ("FREQ=DAILY;FREQ=DAILY", "FREQ"),
        ("FREQ=DAILY;FOO=1", "FOO"),
        ("FREQ=DAILY;BYSECOND=30", "BYSECOND"),
        ("FREQ=DAILY;RSCALE=HEBREW", "RSCALE"),
        ("FREQ=DAILY;RSCALE=GREGORIAN;SKIP=BACKWARD", "SKIP"),
    ];
    refused(app, &json!({}), &rows.map(|(rule, part)| (json!(rule), part))).await;
    let rule = "FREQ=DAILY;BYSECOND=0;COUNT=2;RSCALE=GREGORIAN;SKIP=OMIT";
    let made = app.admin().event(jazz_fields(json!({"recurrence": rule}))).await;
    assert_eq!(made["recurrence"]["rrule"], "FREQ=DAILY;COUNT=2");
}

/// A value that a part does not take is refused.
#[both_stores]
async fn values_that_are_not_taken(app: &TestApp) {
    let rows = [
        ("FREQ=WEEKLY;INTERVAL=0", "INTERVAL"),
        ("FREQ=WEEKLY;COUNT=0", "COUNT"),
        ("FREQ=WEEKLY;COUNT=2;UNTIL=20280101", "UNTIL"),
        ("FREQ=WEEKLY;UNTIL=20270301", "UNTIL"),
        ("FREQ=WEEKLY;BYMONTH=13", "BYMONTH"),
        ("FREQ=WEEKLY;BYDAY=XX", "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=6MO", "BYDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"),
    ];
    refused(app, &json!({}), &rows.map(|(rule, part)| (json!(rule), part))).await;
}

/// Parts that exclude each other are refused.
#[both_stores]
async fn parts_that_exclude_each_other(app: &TestApp) {
    let rows = [
        ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"),
        ("FREQ=MONTHLY;BYWEEKNO=2", "BYWEEKNO"),
        ("FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY"),
        ("FREQ=DAILY;BYDAY=1MO", "BYDAY"),
        ("FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO", "BYDAY"),
        ("FREQ=YEARLY;INTERVAL=2;BYWEEKNO=2", "BYWEEKNO"),
        ("FREQ=WEEKLY;BYSETPOS=1", "BYSETPOS"),
    ];
    refused(app, &json!({}), &rows.map(|(rule, part)| (json!(rule), part))).await;
}

/// Whole days have no hours; of lines, there is one RRULE at most, and no DTSTART or EXRULE;
/// extra dates are no periods.
#[both_stores]
async fn lines_that_are_not_taken(app: &TestApp) {
    let hours = [(json!("FREQ=DAILY;BYHOUR=9;COUNT=2"), "BYHOUR")];
    refused(app, &json!({"all_day": true}), &hours).await;
    let rrule = format!("RRULE:{WEEKLY}");
    let rows = [
        (json!([rrule, rrule]), "RRULE"),
        (json!(["DTSTART:20270302T190000", rrule]), "DTSTART"),
        (json!([rrule, "EXRULE:FREQ=DAILY;COUNT=2"]), "EXRULE"),
        (json!([rrule, "RDATE;VALUE=PERIOD:20270401T170000Z/PT1H"]), "period"),
        (json!([5]), "recurrence"),
    ];
    refused(app, &json!({}), &rows).await;
}

/// A rule that never gives a date, or too many, is refused.
#[both_stores]
async fn rules_with_no_date_or_too_many(app: &TestApp) {
    let hours: Vec<_> = (0..24).map(|hour| hour.to_string()).collect();
    let rows = [
        (json!("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), "beside the start"),
        (json!(format!("FREQ=DAILY;BYHOUR={}", hours.join(","))), "5000"),
        (json!("FREQ=DAILY;COUNT=5001"), "COUNT"),
        (json!("FREQ=DAILY;UNTIL=20501231"), "5000"),
        (
            json!({"rrule": "FREQ=DAILY;COUNT=2", "exdate": ["2027-03-02", "2027-03-03"]}),
            "must remain",
        ),
    ];
    refused(app, &json!({}), &rows).await;
}

/// What is no recurrence is refused; null is not sent, and an empty one is none.
#[both_stores]
async fn values_that_are_no_recurrence(app: &TestApp) {
    let rows = [
        (json!(5), "rule"),
        (json!(true), "rule"),
        (json!({"foo": 1}), "foo"),
        (json!({"rrule": WEEKLY, "count": 2}), "rrule"),
        (json!({"frequency": "weekly", "missing_day": "never"}), "missing_day must be one of skip"),
        (json!({"rdate": ["x"]}), "rdate is not a date"),
        (json!({"exdate": [WEEKLY, 5, true]}), "exdate must be text"),
        (json!({"frequency": "weekly", "days": {"a": 1}}), "days must be text"),
        (json!({"frequency": "weekly", "count": [[1]]}), "count must be text"),
        (json!({"rrule": "COUNT=2"}), "FREQ is missing"),
        (json!("FREQ=WEEKLY;"), "a part of the rule is empty"),
        (json!("FREQ=WEEKLY;FOO=1"), "the rule has the unknown part FOO"),
    ];
    refused(app, &json!({}), &rows).await;
    for none in [json!(null), json!(""), json!([])] {
        let made = app.admin().event(event_fields(json!({"recurrence": none}))).await;
        assert_eq!((made.get("recurrence"), made.get("series")), (None, None));
    }
    assert_eq!(app.list("").await, [1, 2, 3]);
    // A recurrence that was read can be written back: members that answers alone have are ignored.
    let made = app.admin().event(jazz_fields(json!({}))).await;
    let again = jazz_fields(json!({"recurrence": made["recurrence"]}));
    let again = app.admin().event(again).await;
    assert_eq!(again["recurrence"]["rrule"], made["recurrence"]["rrule"]);
}

/// Faults of the rule are reported with those of other fields, in the language of the request.
#[both_stores]
async fn faults_are_reported_together(app: &TestApp) {
    let fields = jazz_fields(json!({"title": "", "recurrence": "FREQ=FOO"}));
    let answer = app.admin().post("/events", fields.clone()).await;
    answer.assert_invalid(&["title", "recurrence"]);
    for language in ["fr", "ar"] {
        let path = format!("/events?ml_language={language}");
        let answer = app.admin().post(&path, fields.clone()).await;
        let text = answer.json()["data"]["params"]["recurrence"].clone();
        let text = text.as_str().unwrap();
        assert!(text.contains("FREQ") && !text.contains("must"), "{text}");
    }
}

/// A contributor makes drafts, whose occurrences nobody else sees; others make none.
#[both_stores]
async fn who_may_make_a_series(app: &TestApp) {
    let made = app.contributor().event(jazz_fields(json!({}))).await;
    assert_eq!(made["status"], "draft");
    let occurrences = app.contributor().get("/events/1/occurrences").await.ids();
    assert_eq!(occurrences.len(), 6);
    assert_eq!(app.contributor().list("status=draft").await, occurrences);
    // The editors see it, as they may publish it.
    assert_eq!(app.editor().list("status=draft").await, occurrences);
    // Another contributor and another author.
    let others = [app.anonymous(), app.subscriber(), app.user(7), app.author()];
    let first = format!("/events/{}", occurrences[0]);
    for client in others {
        assert_eq!(client.list("").await, [0; 0]);
        for path in [&first, "/events/1", "/events/1/occurrences/2027-03-02"] {
            client.get(path).await.assert_error(403, "event-not-accessible");
        }
    }
    assert_eq!(app.contributor().get(&first).await.status, 200);
    for (client, status) in [(app.anonymous(), 401), (app.subscriber(), 403)] {
        assert_eq!(client.post("/events", jazz_fields(json!({}))).await.status, status);
    }
}
