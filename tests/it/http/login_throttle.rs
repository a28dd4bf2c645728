//! The limit of wrong passwords and tokens.

use base64::{Engine, prelude::BASE64_STANDARD};
use tests::{app::TestApp, both_stores};

/// After ten wrong tokens in a minute for one account, the service looks up none until the minute
/// is over. Another account is not affected.
#[both_stores]
async fn who_guesses_must_wait(app: &TestApp) {
    let basic = |login: &str, token: &str| {
        app.authorized(&format!("Basic {}", BASE64_STANDARD.encode(format!("{login}:{token}"))))
    };
    for _ in 0..10 {
        basic("editor", "guess").get("/events").await.is_error(401, "incorrect_password");
    }
    let answer = basic("Editor", app.token(2)).get("/events").await;
    answer.is_error(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "60");
    assert_eq!(basic("admin", app.token(1)).get("/events").await.status, 200);
    assert_eq!(app.anonymous().get("/events").await.status, 200);
    app.clock.advance_seconds(60);
    assert_eq!(basic("editor", app.token(2)).get("/events").await.status, 200);
}

/// D-33: A flood of other names does not reset the counters.
#[both_stores]
async fn a_flood_of_names_clears_nothing(app: &TestApp) {
    let basic = |login: &str| {
        app.authorized(&format!("Basic {}", BASE64_STANDARD.encode(format!("{login}:guess"))))
    };
    for _ in 0..10 {
        basic("editor").get("/events").await.is_error(401, "incorrect_password");
    }
    // Beyond the names with counters of their own, all names share one counter.
    for n in 0..200 {
        basic(&format!("nobody{n}")).get("/events").await;
    }
    for login in ["editor", "somebody new"] {
        let answer = basic(login).get("/events").await;
        answer.is_error(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "60");
    }
    assert_eq!(app.editor().get("/events").await.status, 200);
}
