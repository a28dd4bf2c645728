//! Runs: what they bring, and what they do about servers that fail.

use super::*;

async fn shown(app: &TestApp, id: i64) -> Value {
    app.admin().get(&format!("/sources/{id}")).await.json()
}

/// A new source is read at once, an unchanged file is not read again, and a change arrives.
#[both_stores]
async fn changes_arrive_by_the_schedule(app: &TestApp) {
    let servers = Servers::of(ADDRESS, file(&[("1", "SUMMARY:Fair"), ("2", "SUMMARY:Market")]));
    let id = add(&app.admin(), json!({"every": "1h", "category": "Sport"})).await;
    let runs = run_due(app, &servers).await;
    assert_eq!((runs.len(), runs[0].events), (1, 2));
    let source = shown(app, id).await;
    assert_eq!(source["report"]["created"], 2);
    assert_eq!((&source["state"], &source["events"]), (&json!("ok"), &json!(2)));
    let events = app.anonymous().get("/events?start_date=2027-01-01").await.json();
    assert_eq!(events["events"][0]["categories"][0]["name"], "Sport");

    assert!(run_due(app, &servers).await.is_empty(), "nothing is due");
    app.clock.advance_seconds(3600 + 360);
    assert_eq!(run_due(app, &servers).await.len(), 1);
    assert_eq!(servers.counts(), [2, 1]);
    assert_eq!(shown(app, id).await["report"]["created"], 2);

    servers.put(ADDRESS, file(&[("1", "SUMMARY:Fête\r\nSEQUENCE:1"), ("3", "CLASS:PUBLIC")]));
    app.clock.advance_seconds(3600 + 360);
    run_due(app, &servers).await;
    let source = shown(app, id).await;
    assert_eq!(
        (&source["report"]["updated"], &source["report"]["created"]),
        (&json!(1), &json!(1))
    );
    let expected = ["Fête publish", "Market publish", "Untitled publish"];
    assert_eq!(titles(&app.editor()).await, expected.map(str::to_owned).into());
}

/// With `prune`, events that are gone go to the trash, but not if half of them are, nor after a failure.
#[both_stores]
async fn events_that_are_gone_go_to_the_trash(app: &TestApp) {
    let all = [("1", "SUMMARY:A"), ("2", "SUMMARY:B"), ("3", "SUMMARY:C")];
    let servers = Servers::of(ADDRESS, file(&all));
    let id = add(&app.admin(), json!({"prune": true})).await;
    run_due(app, &servers).await;
    for (answer, error) in [
        (Some(file(&[])), "too-many-gone"),
        (Some("<!DOCTYPE html><title>Log in</title>".to_owned()), "no-calendar"),
        (Some(String::new()), "no-calendar"),
        (None, "status-404"),
    ] {
        match answer {
            Some(file) => servers.put(ADDRESS, file),
            None => servers.fail(ADDRESS, SourceFailure::Status(404)),
        }
        app.clock.advance_seconds(2 * 86_400);
        run_due(app, &servers).await;
        let source = shown(app, id).await;
        assert_eq!((&source["last_error"], &source["state"]), (&json!(error), &json!("failing")));
        assert_eq!(titles(&app.editor()).await.len(), 3, "{error}");
    }
    servers.put(ADDRESS, file(&all[1..]));
    app.clock.advance_seconds(2 * 86_400);
    run_due(app, &servers).await;
    let source = shown(app, id).await;
    assert_eq!((&source["report"]["pruned"], &source["last_error"]), (&json!(1), &json!("")));
    assert_eq!(source["events"], 2);
    assert_eq!(titles(&app.editor()).await.len(), 2);

    // It comes back with the file.
    servers.put(ADDRESS, file(&all));
    app.clock.advance_seconds(2 * 3600);
    run_due(app, &servers).await;
    assert_eq!(titles(&app.editor()).await.len(), 3);
}

/// Failures double the pause, and the pause that a server asks for is kept.
#[both_stores]
async fn failing_servers_are_asked_less_often(app: &TestApp) {
    let servers = Servers::default();
    add(&app.admin(), json!({"every": "1h"})).await;
    let mut hours = Vec::new();
    for hour in 0..72 {
        if !run_due(app, &servers).await.is_empty() {
            hours.push(hour);
        }
        app.clock.advance_seconds(3600);
    }
    // The jitter moves runs by a tenth.
    assert!((7..=9).contains(&hours.len()), "{hours:?}");

    servers.answers().insert(
        ADDRESS.to_owned(),
        Answered::Failure(SourceFailure::Status(429), Some(5 * 86_400)),
    );
    app.clock.advance_seconds(86_400);
    let runs = run_due(app, &servers).await;
    assert!(runs[0].next_run >= app.calendar.now().saturating_add(5 * 86_400));
}

/// Records get the rights that the user of the source has when it is read.
#[both_stores]
async fn the_user_of_the_source_decides(app: &TestApp) {
    let servers = Servers::of(ADDRESS, file(&[("1", "SUMMARY:Fair")]));
    let id = add(&app.admin(), json!({"user": 3, "status": "pending"})).await;
    run_due(app, &servers).await;
    let list = app.editor().get("/events?status=pending&start_date=2027-01-01").await.json();
    assert_eq!(list["events"][0]["author"], 3);

    // An editor publishes the event, and it stays published.
    let path = format!("/events/{}", list["events"][0]["id"]);
    app.editor().change(&path, json!({"status": "publish"})).await;
    servers.put(ADDRESS, file(&[("1", "SUMMARY:Fête\r\nSEQUENCE:1")]));
    app.clock.advance_seconds(2 * 3600);
    run_due(app, &servers).await;
    assert_eq!(titles(&app.editor()).await, ["Fête publish".to_owned()].into());

    // An event of an administrator with the identifier of the source is not touched by an author.
    app.admin().change(&path, json!({"author": 1})).await;
    servers.put(ADDRESS, file(&[("1", "SUMMARY:Planted\r\nSEQUENCE:2")]));
    app.clock.advance_seconds(2 * 3600);
    run_due(app, &servers).await;
    assert_eq!(shown(app, id).await["report"]["refused"][0]["code"], "forbidden");
    assert_eq!(titles(&app.editor()).await, ["Fête publish".to_owned()].into());

    app.accounts.set_disabled("author", true).await.unwrap();
    app.clock.advance_seconds(2 * 3600);
    run_due(app, &servers).await;
    assert_eq!(shown(app, id).await["last_error"], "no-user");
}

/// One of two servers reads a source; after a run that was killed, the next one goes on.
#[both_stores]
async fn one_server_reads_a_source(app: &TestApp) {
    let servers = Servers::of(ADDRESS, file(&[("1", "SUMMARY:Fair"), ("2", "SUMMARY:Market")]));
    let id = add(&app.admin(), json!({})).await;
    let other = app.uncached().await;
    let (one, two) =
        tokio::join!(app.calendar.lease_due_source(), other.calendar.lease_due_source());
    let leased: Vec<_> = [one.unwrap(), two.unwrap()].into_iter().flatten().collect();
    assert_eq!(leased.len(), 1);
    assert_eq!(shown(app, id).await["running"], true);
    let path = format!("/sources/{id}");
    for (method, path) in [
        (axum::http::Method::POST, format!("{path}/run")),
        (axum::http::Method::POST, format!("{path}/pause")),
        (axum::http::Method::DELETE, format!("{path}?events=keep")),
    ] {
        let refused = app.admin().send(method, &path, None).await;
        refused.assert_error(409, "source-running");
    }

    // The server dies. Its lease ends after two minutes.
    app.clock.advance_seconds(60);
    assert!(run_due(&other, &servers).await.is_empty());
    app.clock.advance_seconds(60);
    assert_eq!(run_due(&other, &servers).await.len(), 1);
    assert_eq!(titles(&app.editor()).await.len(), 2);

    // The dead server comes back, and what it says does not count.
    let late = run_source(&app.calendar, &ICalendar, &Servers::default(), &leased[0]).await;
    assert!(late.unwrap().runs.failure.is_some());
    let source = shown(app, id).await;
    assert_eq!((&source["state"], &source["events"]), (&json!("ok"), &json!(2)));
}
