//! Throttling of wrong event passwords.

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client},
};

/// Creates a locked event of the administrator; returns its paths.
async fn locked(app: &TestApp, title: &str) -> [String; 2] {
    let event = app.admin().event(json!({"title": title, "password": "open sesame"})).await;
    let slug = event["slug"].as_str().expect("a slug");
    [format!("/events/{}", event["id"]), format!("/events/by-slug/{slug}")]
}

/// Sends a password.
async fn guess(client: &Client, path: &str, password: &str) -> Answer {
    client.get(&format!("{path}?password={password}")).await
}

/// Fails unless each of these wrong passwords is refused.
async fn wrong_passwords(client: &Client, path: &str, numbers: impl IntoIterator<Item = usize>) {
    for n in numbers {
        let answer = guess(client, path, &format!("wrong{n}")).await;
        answer.assert_error(403, "event-password-protected");
    }
}

/// Fails unless the answer is 429 with a wait of 60 seconds.
#[track_caller]
fn must_wait(answer: &Answer) {
    answer.assert_error(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "60");
}

/// D-33: A client may try ten different wrong passwords of an event in a minute, on all paths
/// together; then every other is refused, also the right one.
#[both_stores]
async fn ten_passwords_for_an_event(app: &TestApp) {
    let paths = locked(app, "Wedding").await;
    let client = app.anonymous();
    for n in 0..10 {
        wrong_passwords(&client, &paths[n % 2], [n]).await;
    }
    for path in &paths {
        must_wait(&guess(&client, path, "wrong10").await);
        must_wait(&guess(&client, path, "open+sesame").await);
        client.get(path).await.assert_error(403, "event-password-protected");
    }
    app.clock.advance_seconds(59);
    assert_eq!(guess(&client, &paths[0], "open+sesame").await.status, 429);
    app.clock.advance_seconds(1);
    assert_eq!(guess(&client, &paths[0], "open+sesame").await.status, 200);
}

/// D-33: The same password again within the minute is not counted, and passes.
#[both_stores]
async fn the_same_password_again_passes(app: &TestApp) {
    let [path, _] = locked(app, "Wedding").await;
    let client = app.anonymous();
    assert_eq!(guess(&client, &path, "open+sesame").await.status, 200);
    for _ in 0..20 {
        wrong_passwords(&client, &path, [0]).await;
    }
    wrong_passwords(&client, &path, 0..10).await;
    must_wait(&guess(&client, &path, "other").await);
    wrong_passwords(&client, &path, [3]).await;
    assert_eq!(guess(&client, &path, "open+sesame").await.status, 200);
}

/// D-33: For all events together, sixty wrong passwords may be tried in a minute.
#[both_stores]
async fn sixty_passwords_for_all_events(app: &TestApp) {
    let mut paths = Vec::new();
    for n in 0..8 {
        paths.extend(locked(app, &format!("Wedding {n}")).await.into_iter().take(1));
    }
    let client = app.anonymous();
    for n in 0..60 {
        wrong_passwords(&client, &paths[n % 7], [n]).await;
    }
    must_wait(&guess(&client, &paths[7], "wrong").await);
    // The limit does not affect an event without a password.
    let open = app.admin().event(json!({})).await;
    assert_eq!(guess(&client, &format!("/events/{}", open["id"]), "wrong").await.status, 200);
}

/// D-33: In a list a wrong password counts once for each locked event, at most ten times.
#[both_stores]
async fn lists_count_for_each_locked_event(app: &TestApp) {
    for n in 0..12 {
        locked(app, &format!("Wedding {n}")).await;
    }
    let client = app.anonymous();
    for n in 0..6 {
        assert_eq!(guess(&client, "/events", &format!("wrong{n}")).await.status, 200);
    }
    must_wait(&guess(&client, "/events", "wrong6").await);
    assert_eq!(guess(&client, "/events", "wrong5").await.status, 200);
    assert_eq!(client.get("/events").await.status, 200);
}

/// D-33: Lists, searches, images and writes count passwords like any read.
#[both_stores]
async fn every_way_to_try_a_password_counts(app: &TestApp) {
    let [path, _] = locked(app, "Wedding").await;
    let client = app.user(6);
    for n in 0..10 {
        let password = format!("password=wrong{n}");
        match n % 5 {
            0 => client.get(&format!("/events?{password}")).await.status,
            1 => client.get(&format!("/events?search=vows&{password}")).await.status,
            2 => client.get(&format!("/venues?event=1&{password}")).await.status,
            3 => client.get(&format!("/images/1?{password}")).await.status,
            _ => client.put(&format!("{path}?{password}"), json!({"title": "x"})).await.status,
        };
    }
    for path in ["/events", "/events/1", "/venues", "/tags", "/images/1"] {
        must_wait(&guess(&client, path, "open+sesame").await);
    }
    let put = client.put(&format!("{path}?password=other"), json!({"title": "x"})).await;
    put.assert_error(429, "rate_limited");
}

/// D-33: A caller who may edit an event never needs its password.
#[both_stores]
async fn editors_need_no_password(app: &TestApp) {
    let event = app.author().event(json!({"password": "open sesame"})).await;
    let path = format!("/events/{}", event["id"]);
    for client in [app.author(), app.editor(), app.admin()] {
        for n in 0..15 {
            assert_eq!(guess(&client, &path, &format!("wrong{n}")).await.status, 200);
            assert_eq!(guess(&client, "/events", &format!("wrong{n}")).await.status, 200);
        }
    }
}

/// D-33: Attempts are counted by a monotonic clock.
#[both_stores]
async fn the_time_of_day_does_not_matter(app: &TestApp) {
    let [path, _] = locked(app, "Wedding").await;
    let basic = app.basic("editor", "guess");
    wrong_passwords(&app.anonymous(), &path, 0..10).await;
    for _ in 0..10 {
        basic.get("/events").await.assert_error(401, "incorrect_password");
    }
    for time in ["2026-12-31 12:00:00", "2027-01-02 12:00:00"] {
        app.clock.set(time);
        must_wait(&basic.get("/events").await);
    }
    must_wait(&guess(&app.anonymous(), &path, "new").await);
}
