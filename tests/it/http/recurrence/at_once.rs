//! Preconditions, repetitions and concurrent changes of series.

use std::collections::BTreeSet;

use axum::http::Method;
use port_tests::{Dice, rounds};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields},
};

use super::{Series, events, jazz, jazz_fields, jazz_with, patch, patched, recurrence};
use crate::http::{
    races::{at_once, statuses},
    records::{read, record},
};

/// Changes a title if the tag still holds; returns the status.
async fn change_if(client: &Client, path: &str, tag: &str) -> u16 {
    let headers = [("if-match", tag)];
    let title = json!({"title": "Changed"});
    client.send_json_with(Method::PATCH, path, &headers, &title).await.status
}

/// The tag of an occurrence holds until it or its series changes.
#[both_stores]
async fn preconditions_of_occurrences(app: &TestApp) {
    let series = jazz(app).await;
    let admin = &app.admin();
    let tag = async |path: &str| admin.get(path).await.header("etag").to_owned();
    let (path, slot) = (series.of(3), format!("{}/2027-03-16", series.list()));
    let first = tag(&path).await;
    assert_eq!(tag(&slot).await, first);
    for (number, changed) in [series.path(), series.of(3)].iter().enumerate() {
        let old = tag(&path).await;
        patched(admin, changed, json!({"cost": format!("{}", number + 1)})).await;
        let before = read(admin, &path).await;
        for way in [&path, &slot] {
            assert_eq!(change_if(admin, way, &old).await, 412, "{way} {changed}");
        }
        assert_eq!(read(admin, &path).await, before);
    }
    let present = tag(&path).await;
    patched(admin, &series.of(4), json!({"title": "Trio"})).await;
    assert_eq!(change_if(admin, &path, &present).await, 200);
    // Own fields of an occurrence do not count for the series.
    let of_series = tag(&series.path()).await;
    patched(admin, &series.of(5), json!({"title": "Duo"})).await;
    assert_eq!(change_if(admin, &series.path(), &of_series).await, 200);
    assert_eq!(change_if(admin, &series.path(), &of_series).await, 412);
}

/// An idempotency key covers a series with its occurrences.
#[both_stores]
async fn a_series_created_once(app: &TestApp) {
    let headers = [("idempotency-key", "once")];
    let fields = jazz_fields(json!({}));
    let mut bodies = Vec::new();
    for _ in 0..2 {
        let answer = app.admin().send_json_with(Method::POST, "/events", &headers, &fields).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        bodies.push(answer.bytes);
    }
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(app.list("").await.len(), 6);
    assert_eq!(app.list("expand=false").await.len(), 1);
}

/// Sixteen changes at once of a series and its occurrences all take effect.
#[both_stores(threads = 4)]
async fn changes_at_once_all_hold(app: &TestApp) {
    let series = jazz(app).await;
    let mut changes: Vec<(String, Value)> = (1..=6)
        .flat_map(|number| {
            [
                (series.of(number), json!({"title": format!("Title {number}")})),
                (series.of(number), json!({"cost": format!("€{number}")})),
            ]
        })
        .collect();
    changes.extend([
        (series.path(), json!({"website": "https://jazz.example/"})),
        (series.path(), json!({"description": "Loud."})),
        (series.path(), json!({"featured": true})),
        (series.path(), json!({"start_date": "2027-03-02 20:00", "end_date": "2027-03-02 22:00"})),
    ]);
    let answers = at_once(&app.admin(), changes, |client, (path, fields)| async move {
        patch(&client, &path, fields).await
    })
    .await;
    assert_eq!(statuses(&answers), [200; 16]);
    for number in 1..=6 {
        let shown = read(&app.anonymous(), &series.of(number)).await;
        has_fields(
            &shown,
            json!({
                "title": format!("Title {number}"), "cost": format!("€{number}"),
                "website": "https://jazz.example/", "description": "<p>Loud.</p>",
                "featured": true, "series.own": ["title", "cost"],
            }),
        );
        assert_eq!(shown["start_date"].as_str().unwrap()[11..], *"20:00:00");
    }
    let list = record(&app.anonymous().get("/events").await);
    assert_eq!((&list["total"], list["events"].as_array().unwrap().len()), (&json!(6), 6));
}

/// Sixteen splits at the same occurrence at once split once.
#[both_stores(threads = 4)]
async fn splits_at_once(app: &TestApp) {
    let series = jazz(app).await;
    let path = &format!("{}?scope=following", series.of(4));
    let answers = at_once(&app.admin(), 0..16, |client, _| {
        let path = path.clone();
        async move { patch(&client, &path, json!({"title": "Late jazz"})).await }
    })
    .await;
    assert_eq!(statuses(&answers), [200; 16]);
    let next = recurrence(&app.admin(), series.id).await["next"].as_i64().unwrap();
    assert_eq!(recurrence(&app.admin(), next).await.get("next"), None);
    assert_eq!(app.list("expand=false").await, [series.id, next]);
    assert_eq!(app.list("").await, series.ids(1..=6));
}

/// One random write on a series; whether it was accepted.
async fn write(client: &Client, series: &Series, dice: &mut Dice) -> bool {
    let scope = dice.pick(&["this", "following", "all"]);
    let rule = dice.pick(&["FREQ=WEEKLY;COUNT=4", "FREQ=DAILY;COUNT=7", "FREQ=WEEKLY;COUNT=6"]);
    let one = series.of(1 + dice.roll(series.occurrences.len()));
    let fields = match dice.roll(9) {
        0 => json!({"title": dice.pick(&["Trio", "Jazz night"])}),
        1 => json!({"categories": [dice.pick(&["Music", "Own"])]}),
        2 => json!({"start_date": "2027-03-20 18:00", "end_date": "2027-03-20 20:00"}),
        3 => json!({"hide_from_listings": dice.once_in(2)}),
        4 => json!({"status": dice.pick(&["publish", "trash"])}),
        5 => json!({"reset": true}),
        6 => {
            let answer = client.delete(&format!("{one}?scope={scope}")).await;
            assert!(answer.status < 500, "{one} {scope}: {}", answer.text());
            return answer.status == 200;
        }
        7 => {
            let fields = json!({"recurrence": rule, "status": "publish"});
            return patch(client, &series.path(), fields).await.status == 200;
        }
        _ => json!({"cancelled": dice.once_in(2)}),
    };
    let answer = patch(client, &format!("{one}?scope={scope}"), fields.clone()).await;
    assert!(answer.status < 500, "{one} {scope} {fields}: {}", answer.text());
    answer.status == 200
}

/// The totals of lists are the numbers of their records after random writes of all scopes.
#[both_stores]
async fn totals_after_random_writes(app: &TestApp) {
    let mut dice = Dice(7);
    let mut all = vec![jazz(app).await];
    for _ in 0..rounds(4) {
        let mut accepted = 0;
        while accepted < 50 {
            let index = dice.roll(all.len());
            accepted += usize::from(write(&app.admin(), &all[index], &mut dice).await);
        }
        // New series, as all others may be in the trash.
        for title in ["Jazz night", "Late jazz"] {
            all.push(
                jazz_with(&app.admin(), json!({"title": title, "categories": ["Music"]})).await,
            );
        }
        for (query, least) in [
            ("", 12),
            ("categories=music", 12),
            ("categories=own", 0),
            ("search=jazz", 12),
            ("status=any", 12),
        ] {
            let listed = all_pages(app, query).await;
            assert!(listed.len() >= least, "{query}: {}", listed.len());
        }
        let public = all_pages(app, "").await;
        for series in
            app.admin().list("expand=false&start_date=2026-01-01&end_date=2030-01-01").await
        {
            let path = format!("/events/{series}/occurrences?per_page=100");
            let held = record(&app.admin().get(&path).await);
            let held = held["events"].as_array().unwrap();
            assert_eq!(recurrence(&app.admin(), series).await["total"], held.len());
            let of_list = public.iter().filter(|one| one["series"]["id"] == series).count();
            let is_hidden = |one: &&Value| one["hide_from_listings"] == true;
            assert_eq!(of_list, held.len() - held.iter().filter(is_hidden).count(), "{series}");
        }
    }
}

/// The records of all pages of a list, as many as its total says, each once.
async fn all_pages(app: &TestApp, query: &str) -> Vec<Value> {
    let path = format!("/events?{query}&start_date=2026-01-01&end_date=2030-01-01&per_page=5");
    let first = record(&app.admin().get(&path).await);
    let mut seen = Vec::new();
    for page in 1..=first["total_pages"].as_u64().unwrap() {
        seen.extend(events(&app.admin(), &format!("{path}&page={page}")).await);
    }
    assert_eq!(first["total"], seen.len(), "{query}");
    let ids: BTreeSet<_> = seen.iter().map(|one| one["id"].as_i64()).collect();
    assert_eq!(ids.len(), seen.len(), "{query}");
    seen
}
