//! The routes of sources.

use axum::http::Method;

use super::*;

/// A source has its fields as they were sent; only administrators see its whole address.
#[both_stores]
async fn addresses_are_for_administrators(app: &TestApp) {
    let fields = json!({"format": "csv", "every": "90m", "user": 3, "status": "draft", "category": "Sport",
        "policy": "overwrite", "prune": true});
    let id = add(&app.admin(), fields.clone()).await;
    let path = format!("/sources/{id}");
    let source = app.admin().get(&path).await.json();
    tests::client::has_fields(&source, fields);
    assert_eq!((&source["url"], &source["name"]), (&json!(ADDRESS), &json!("Club")));
    assert_eq!(source["state"], "ok");
    for path in [&*path, "/sources"] {
        let answer = app.editor().get(path).await;
        assert_eq!(answer.status, 200);
        let text = answer.text();
        assert!(!text.contains("5f2a") && text.contains("https://club.example"), "{text}");
    }
    let run = app.editor().post(&format!("{path}/run"), json!({})).await;
    assert_eq!(run.status, 202);
    assert!(!run.text().contains("5f2a"));
}

/// Bad fields are refused, and change nothing.
#[both_stores]
async fn bad_fields_are_refused(app: &TestApp) {
    let id = add(&app.admin(), json!({})).await;
    let path = format!("/sources/{id}");
    let before = app.admin().get(&path).await.json();
    for (name, value) in [
        ("url", json!("ftp://club.example/")),
        ("url", json!("https://ann:5f2a@club.example/")),
        ("every", json!("1m")),
        ("every", json!("8d")),
        ("format", json!("xml")),
        ("user", json!(4)),
        ("user", json!(77)),
        ("status", json!("private")),
        ("policy", json!("merge")),
        ("prune", json!("perhaps")),
        ("header_file", json!("/etc/passwd")),
        ("name", json!("Other")),
        ("name", json!("")),
    ] {
        let refused = app.admin().send_json(Method::PATCH, &path, &json!({name: value})).await;
        refused.assert_error(400, "rest_invalid_param");
        assert!(refused.json()["data"]["params"].get(name).is_some(), "{name}");
    }
    assert_eq!(app.admin().get(&path).await.json(), before);
    let taken = app.admin().post("/sources", json!({"name": "Club", "url": ADDRESS})).await;
    taken.assert_error(400, "rest_invalid_param");
    let missing = app.admin().post("/sources", json!({})).await;
    missing.assert_error(400, "rest_missing_callback_param");
    app.admin().get("/sources/99").await.assert_error(404, "source-not-found");
    app.admin().delete(&path).await.assert_error(400, "rest_missing_callback_param");
    app.admin().delete(&format!("{path}?events=all")).await.assert_error(400, "rest_invalid_param");
}

/// A paused source is read when somebody asks for a run.
#[both_stores]
async fn a_paused_source_waits(app: &TestApp) {
    let servers = Servers::of(ADDRESS, file(&[("1", "SUMMARY:Fair")]));
    let id = add(&app.admin(), json!({})).await;
    let order = async |name: &str| {
        let answer = app.admin().post(&format!("/sources/{id}/{name}"), json!({})).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()
    };
    assert_eq!(order("pause").await["state"], "paused");
    assert!(run_due(app, &servers).await.is_empty());
    order("run").await;
    assert_eq!(run_due(app, &servers).await.len(), 1);
    app.clock.advance_seconds(86_400);
    assert!(run_due(app, &servers).await.is_empty());
    assert_eq!(order("resume").await["state"], "ok");
    assert_eq!(run_due(app, &servers).await.len(), 1);
}

/// The removal of a source keeps its events, or puts them into the trash. One of the same name goes on.
#[both_stores]
async fn removals_say_what_becomes_of_events(app: &TestApp) {
    let servers = Servers::of(ADDRESS, file(&[("1", "SUMMARY:Fair"), ("2", "SUMMARY:Market")]));
    let id = add(&app.admin(), json!({})).await;
    run_due(app, &servers).await;
    let removed = app.admin().delete(&format!("/sources/{id}?events=keep")).await;
    assert_eq!(removed.json()["previous"]["id"], id);
    assert_eq!(titles(&app.editor()).await.len(), 2);

    let id = add(&app.admin(), json!({})).await;
    let runs = run_due(app, &servers).await;
    assert_eq!((runs[0].events, titles(&app.editor()).await.len()), (2, 2));
    let removed = app.admin().delete(&format!("/sources/{id}?events=trash")).await;
    assert_eq!(removed.status, 200, "{}", removed.text());
    assert_eq!(titles(&app.editor()).await.len(), 0);
    app.admin().get(&format!("/sources/{id}")).await.assert_error(404, "source-not-found");
}

/// A calendar has at most 100 sources.
#[both_stores]
async fn sources_are_limited(app: &TestApp) {
    for number in 0..100 {
        add(&app.admin(), json!({"name": number.to_string()})).await;
    }
    let refused = app.admin().post("/sources", json!({"name": "Club", "url": ADDRESS})).await;
    refused.assert_error(400, "too-many-sources");
}
