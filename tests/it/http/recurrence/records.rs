//! The records of series and occurrences.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields, id},
};

use super::{WEEKLY, all_of, jazz, jazz_fields, jazz_with, patched};
use crate::http::{document::Document, records::record};

const EVENTS: &str = "https://cal.example/cal/events/v1/events";

async fn by_slug(client: &Client, slug: &str) -> Value {
    record(&client.get(&format!("/events/by-slug/{slug}")).await)
}

/// A creation answers the series; its occurrences have higher IDs, in the order of their slots.
#[both_stores]
async fn a_creation_answers_the_series(app: &TestApp) {
    app.admin().event(json!({})).await;
    let answer = app.admin().post("/events", jazz_fields(json!({}))).await;
    assert_eq!(answer.status, 201);
    let made = answer.json();
    let series = id(&made);
    assert_eq!(answer.header("location"), format!("{EVENTS}/{series}"));
    assert!(made["recurrence"].is_object() && made.get("series").is_none(), "{made}");
    let occurrences = all_of(&app.anonymous(), series, "id").await;
    let ids: Vec<_> = occurrences.iter().map(|id| id.as_i64().unwrap()).collect();
    assert!(ids.len() == 6 && series < ids[0] && ids.is_sorted(), "{ids:?}");
}

/// An event that does not repeat has no member of recurrence.
#[both_stores]
async fn nothing_shows_where_nothing_repeats(app: &TestApp) {
    let made = app.admin().event(json!({})).await;
    let changed = app.admin().change("/events/1", json!({"title": "Other"})).await;
    let listed = record(&app.anonymous().get("/events").await);
    for shown in [made, changed, listed["events"][0].clone()] {
        for member in ["recurrence", "series", "cancelled", "recurrence_changes"] {
            assert_eq!(shown.get(member), None, "{shown}");
        }
    }
    assert_eq!(listed.get("horizon"), None);
}

/// A series shows its first slot, its rule, and how many occurrences it has.
#[both_stores]
async fn a_series_shows_its_rule(app: &TestApp) {
    let series = jazz(app).await;
    let shown = record(&app.anonymous().get(&series.path()).await);
    let url = format!("{EVENTS}/{}", series.id);
    let wanted = json!({
        "start_date": "2027-03-02 19:00:00", "end_date": "2027-03-02 21:00:00",
        "slug": "jazz-night", "rest_url": url, "recurrence": {
            "rrule": WEEKLY, "rdate": [], "exdate": [],
            "rule": {"frequency": "weekly", "count": 6},
            "first": "2027-03-02 19:00:00", "last": "2027-04-06 19:00:00", "total": 6,
            "occurrences": format!("{url}/occurrences"),
        },
        "json_ld.@type": "EventSeries",
        "json_ld.startDate": "2027-03-02T19:00:00+01:00",
        "json_ld.endDate": "2027-04-06T21:00:00+02:00",
        "json_ld.eventSchedule": {
            "@type": "Schedule", "startDate": "2027-03-02", "endDate": "2027-04-06",
            "startTime": "19:00:00", "endTime": "21:00:00", "duration": "PT7200S",
            "scheduleTimezone": "Europe/Paris", "repeatFrequency": "P1W", "repeatCount": 6,
        },
    });
    has_fields(&shown, wanted);
    let french = record(&app.anonymous().get(&format!("{}?ml_language=fr", series.path())).await);
    let occurrences = format!("{url}/occurrences?ml_language=fr");
    assert_eq!(french["recurrence"]["occurrences"], occurrences);
}

/// An occurrence is an event with its own ID, slug, URL and times, and names its series.
#[both_stores]
async fn an_occurrence_names_its_series(app: &TestApp) {
    let series = jazz(app).await;
    let shown = record(&app.anonymous().get(&series.of(3)).await);
    let (s, o3) = (series.id, series.id_of(3));
    let wanted = json!({
        "id": o3, "rest_url": format!("{EVENTS}/{o3}"), "global_id": format!("cal.example?id={o3}"),
        "title": "Jazz night", "status": "publish", "parent": 0,
        "start_date": "2027-03-16 19:00:00", "end_date": "2027-03-16 21:00:00",
        "utc_start_date": "2027-03-16 18:00:00", "utc_end_date": "2027-03-16 20:00:00",
        "timezone": "Europe/Paris", "timezone_abbr": "CET",
        "slug": "jazz-night~2027-03-16",
        "url": "https://cal.example/event/jazz-night~2027-03-16/",
        "recurrence": null,
        "series": {
            "id": s, "rest_url": format!("{EVENTS}/{s}"), "slug": "jazz-night",
            "url": "https://cal.example/event/jazz-night/",
            "recurrence_id": "2027-03-16T19:00:00", "rrule": WEEKLY, "own": [],
        },
        "json_ld.@type": "Event", "json_ld.startDate": "2027-03-16T19:00:00+01:00",
        "json_ld.superEvent": {
            "@type": "EventSeries", "name": "Jazz night",
            "url": "https://cal.example/event/jazz-night/",
        },
    });
    has_fields(&shown, wanted);
    // Over the change of time.
    let last = record(&app.anonymous().get(&series.of(6)).await);
    has_fields(
        &last,
        json!({"start_date": "2027-04-06 19:00:00", "utc_start_date": "2027-04-06 17:00:00"}),
    );
}

/// Slugs of series and occurrences; two occurrences of a day have the hour in theirs.
#[both_stores]
async fn slugs_of_occurrences(app: &TestApp) {
    let series = jazz(app).await;
    let anonymous = app.anonymous();
    assert_eq!(by_slug(&anonymous, "jazz-night").await["id"], series.id);
    assert_eq!(by_slug(&anonymous, "jazz-night~2027-03-16").await["id"], series.id_of(3));
    assert_eq!(by_slug(&anonymous, "JAZZ-night%7E2027-03-16").await["id"], series.id_of(3));
    for none in ["jazz-night~2027-03-17", "jazz-night~", "jazz-night~x", "other~2027-03-16", "~"] {
        let answer = anonymous.get(&format!("/events/by-slug/{none}")).await;
        answer.assert_error(404, "rest-event-not-found");
    }
    let fields = json!({"title": "Two shows", "recurrence": {"rrule": WEEKLY, "rdate": ["2027-03-16 15:00"]}});
    let two = jazz_with(&app.admin(), fields).await;
    for (slug, number) in [("2027-03-16-1500", 3), ("2027-03-16-1900", 4), ("2027-03-23", 5)] {
        let slug = format!("two-shows~{slug}");
        let found = by_slug(&anonymous, &slug).await;
        assert_eq!((&found["slug"], &found["id"]), (&json!(slug), &json!(two.id_of(number))));
    }
}

/// An occurrence is found by the slug of each language, and answered in that language.
#[both_stores]
async fn slugs_of_occurrences_in_languages(app: &TestApp) {
    let series = jazz(app).await;
    let french = json!({"title": "Soirée jazz", "slug": "soiree-jazz"});
    patched(&app.admin(), &format!("{}?ml_language=fr", series.path()), french).await;
    let answer = app.anonymous().get("/events/by-slug/soiree-jazz~2027-03-16").await;
    assert_eq!(answer.header("content-language"), "fr");
    has_fields(
        &record(&answer),
        json!({
            "id": series.id_of(3), "title": "Soirée jazz", "slug": "soiree-jazz~2027-03-16",
            "series.slug": "soiree-jazz",
        }),
    );
    assert_eq!(by_slug(&app.anonymous(), "jazz-night~2027-03-16").await["title"], "Jazz night");
}

/// The answers fit the description of the interface.
#[both_stores]
async fn records_fit_the_document(app: &TestApp) {
    let series = jazz(app).await;
    let document = &Document::of(app).await;
    let event = &json!({"$ref": "#/components/schemas/Event"});
    let list = &json!({"$ref": "#/components/schemas/EventList"});
    let client = &app.admin();
    let rule = json!({"frequency": "monthly", "interval": 2, "days": ["-1mo"], "months": [3, 4], "until": "2029-01-01", "week_start": "su"});
    let changed = patched(client, &series.path(), json!({"recurrence": rule})).await;
    document.fits(event, &changed, "a new rule");
    let endless = json!({"title": "Endless", "recurrence": "FREQ=WEEKLY"});
    let endless = jazz_with(client, endless).await;
    let own = json!({"title": "Trio", "cancelled": true});
    document.fits(event, &patched(client, &endless.of(2), own).await, "own fields");
    let later = format!("{}?start_date=2044-03-01&end_date=2044-03-31", endless.list());
    for path in [&series.path(), &endless.path(), &endless.of(1)] {
        document.fits(event, &record(&client.get(path).await), path);
    }
    for path in [&endless.list(), &later, "/events?start_date=2031-11-01&end_date=2044-12-31"] {
        document.fits(list, &record(&client.get(path).await), path);
    }
}
