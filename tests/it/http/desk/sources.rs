//! Sources on the desk.

use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{
    super::sources::{ADDRESS, Servers, add, file, run_due},
    Browser,
};

/// An administrator adds, changes, pauses and removes a source, as by the interface. An editor reads it and asks for a run, and
/// learns no path.
#[both_stores]
async fn administrators_keep_sources(app: &TestApp) {
    let mut admin = Browser::of(app, "grace", Role::Administrator).await;
    let mut editor = Browser::of(app, "linus", Role::Editor).await;
    let form = admin.get("//desk/sources/new").await.text();
    assert!(
        form.contains("value=\"keep-local\" selected") && form.contains("value=\"1h\""),
        "{form}"
    );
    let club = [
        ("name", "Club"),
        ("url", ADDRESS),
        ("format", "ics"),
        ("every", "90m"),
        ("status", "draft"),
        ("category", "Sport"),
        ("policy", "overwrite"),
        ("prune", "1"),
    ];
    let answer = admin.post("//desk/sources/new", &club).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let id = answer.header("location").split('?').next().unwrap().rsplit('/').next().unwrap();
    let (page, path) = (format!("//desk/sources/{id}"), format!("/sources/{id}"));
    let stored = async || app.admin().get(&path).await.json();
    let source = stored().await;
    tests::client::has_fields(
        &source,
        json!({"name": "Club", "url": ADDRESS, "every": "90m", "status": "draft", "category": "Sport",
            "policy": "overwrite", "prune": true}),
    );
    assert!(admin.get(&page).await.text().contains(ADDRESS));
    for path in [&*page, "//desk/sources"] {
        let shown = editor.get(path).await;
        let html = shown.text();
        assert_eq!(shown.status, 200);
        assert!(html.contains("https://club.example") && !html.contains("5f2a"), "{html}");
        assert!(
            !html.contains("/desk/sources/new") && !html.contains("value=\"remove\""),
            "{html}"
        );
    }

    let changed = [("url", ADDRESS), ("every", "6h"), ("category", ""), ("policy", "keep-local")];
    assert_eq!(admin.post(&page, &changed).await.status, 303);
    tests::client::has_fields(
        &stored().await,
        json!({"every": "6h", "category": "", "policy": "keep-local", "prune": false, "status": "draft"}),
    );
    // The typed values stay in the form.
    let bad = [("url", "ftp://club.example/"), ("every", "1m")];
    let answer = admin.post(&page, &bad).await;
    let html = answer.text();
    assert_eq!(answer.status, 400);
    for part in ["href=\"#url\"", "href=\"#every\"", "value=\"ftp://club.example/\""] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let missing = admin.post("//desk/sources/new", &[("url", "")]).await;
    assert_eq!((missing.status, missing.text().contains("href=\"#name\"")), (400, true));
    let taken = admin.post("//desk/sources/new", &club).await;
    assert_eq!((taken.status, taken.text().contains("href=\"#name\"")), (400, true));

    for action in ["pause", "resume", "remove", "save"] {
        let answer = editor.post(&page, &[("action", action), ("url", ADDRESS)]).await;
        assert_eq!(answer.status, 403, "{action}");
    }
    assert_eq!(admin.post(&page, &[("action", "pause")]).await.status, 303);
    assert_eq!(stored().await["state"], "paused");
    assert!(editor.get(&page).await.text().contains("paused"));
    assert_eq!(admin.post(&page, &[("action", "resume")]).await.status, 303);
    assert_eq!(stored().await["state"], "ok");

    assert_eq!(admin.post(&page, &[("action", "remove")]).await.status, 303);
    assert_eq!(app.admin().get(&path).await.status, 404);
    assert_eq!(admin.get(&page).await.status, 404);
}

/// The page of a source tells its last run: counts, findings in words, and why it failed.
#[both_stores]
async fn runs_are_told(app: &TestApp) {
    let id = add(&app.admin(), json!({})).await;
    let (page, mut editor) =
        (format!("//desk/sources/{id}"), Browser::of(app, "linus", Role::Editor).await);
    let servers =
        Servers::of(ADDRESS, file(&[("a", "SUMMARY:Regatta"), ("b", "URL:https://club.example/")]));
    run_due(app, &servers).await;
    let html = editor.get(&page).await.text();
    for part in ["<dt>Events</dt><dd>2</dd>", "it has no title", "b@club.example"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    servers.fail(ADDRESS, domain::source::SourceFailure::Status(503));
    assert_eq!(editor.post(&page, &[("action", "run")]).await.status, 303);
    run_due(app, &servers).await;
    let html = editor.get(&page).await.text();
    assert!(html.contains("failing: the server answered with status 503"), "{html}");
    assert!(editor.get("//desk/sources").await.text().contains("status 503"));
    let events = app.anonymous().get("/events").await.json();
    assert_eq!(events["events"][0]["title"], "Regatta");
    // With its events, the source goes to the trash.
    let mut admin = Browser::of(app, "grace", Role::Administrator).await;
    let remove = [("action", "remove"), ("events", "trash")];
    assert_eq!(admin.post(&page, &remove).await.status, 303);
    assert_eq!(app.anonymous().get("/events").await.json()["total"], 0);
}
