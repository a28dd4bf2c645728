//! The limit of wrong passwords and tokens.

use tests::{app::TestApp, both_stores};

/// After ten wrong tokens in a minute for one account, the service looks up none until the minute
/// is over. Another account is not affected.
#[both_stores]
async fn wrong_tokens_are_limited_by_account(app: &TestApp) {
    for _ in 0..10 {
        app.basic("editor", "guess").get("/events").await.assert_error(401, "incorrect_password");
    }
    let answer = app.basic("Editor", app.token(2)).get("/events").await;
    answer.assert_error(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "60");
    assert_eq!(app.basic("admin", app.token(1)).get("/events").await.status, 200);
    assert_eq!(app.anonymous().get("/events").await.status, 200);
    app.clock.advance_seconds(60);
    assert_eq!(app.basic("editor", app.token(2)).get("/events").await.status, 200);
}

/// D-33: A flood of other names does not reset the counters.
#[both_stores]
async fn a_flood_of_names_clears_nothing(app: &TestApp) {
    for _ in 0..10 {
        app.basic("editor", "guess").get("/events").await.assert_error(401, "incorrect_password");
    }
    // Beyond the names with counters of their own, all names share one counter.
    for n in 0..200 {
        app.basic(&format!("nobody{n}"), "guess").get("/events").await;
    }
    for login in ["editor", "new name"] {
        let answer = app.basic(login, "guess").get("/events").await;
        answer.assert_error(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "60");
    }
    assert_eq!(app.editor().get("/events").await.status, 200);
}
