//! Signing in with a second factor.

use domain::{Role, time::Timestamp};
use tests::{app::TestApp, both_stores, client::Answer};
use totp_rs::{Builder, Secret};

use super::{Browser, PASSWORD, cookie};

/// The value of an attribute after a text.
#[track_caller]
fn after<'a>(html: &'a str, before: &str, end: &str) -> &'a str {
    let (_, rest) = html.split_once(before).unwrap_or_else(|| panic!("no {before} in {html}"));
    rest.split_once(end).unwrap().0
}

/// The code that an authenticator shows.
fn code(secret: &str, now: Timestamp) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let authenticator = Builder::new().with_secret(secret).with_account_name("x").build().unwrap();
    authenticator.generate(u64::try_from(now.seconds()).unwrap()).to_string()
}

/// Adds an authenticator. Returns its secret, and the page with the recovery codes.
async fn add(app: &TestApp, browser: &mut Browser<'_>) -> (String, Answer) {
    let page = browser.post("//desk/account/second-factor", &[]).await.text();
    let secret = after(&page, "<code dir=\"ltr\">", "</code>").to_owned();
    assert!(page.contains("href=\"otpauth://totp/"), "{page}");
    let right = code(&secret, app.accounts.sign_in().now());
    for (present, code) in [("wrong password", right.as_str()), (PASSWORD, "000000")] {
        let fields = [("secret", &*secret), ("code", code), ("present", present)];
        let answer = browser.post("//desk/account/second-factor/add", &fields).await;
        assert_eq!(answer.status, 400);
        assert!(answer.text().contains(&secret));
    }
    let fields = [("secret", &*secret), ("code", &*right), ("present", PASSWORD)];
    let answer = browser.post("//desk/account/second-factor/add", &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    (secret, answer)
}

/// Signs in with the password alone.
async fn with_password(app: &TestApp) -> Browser<'_> {
    let mut browser = Browser::new(app);
    let fields = [("login", "grace"), ("password", PASSWORD), ("next", "/desk/account")];
    let answer = browser.post("//desk/sign-in", &fields).await;
    assert_eq!(answer.status, 303);
    assert!(answer.header("location").contains("/desk/sign-in/code?next="), "{answer:?}");
    browser
}

/// The password alone signs nobody in; a code, once, does.
#[both_stores]
async fn a_code_is_asked_for(app: &TestApp) {
    let mut first = Browser::of(app, "grace", Role::Editor).await;
    let (secret, recovery) = add(app, &mut first).await;
    assert_eq!(recovery.text().matches("<li><code>").count(), 10);
    assert!(first.get("//desk/account").await.text().contains("a code of your authenticator"));

    app.clock.advance_seconds(60);
    let mut browser = with_password(app).await;
    assert_eq!(browser.get("//desk").await.status, 303);
    assert_eq!(browser.get("//desk/sign-in/code").await.status, 200);
    // Sessions that wait are no sessions.
    assert_eq!(first.get("//desk/account").await.text().matches("name=\"session\"").count(), 0);
    let waiting = browser.cookie.clone();
    let right = code(&secret, app.accounts.sign_in().now());
    let wrong = browser.post("//desk/sign-in/code", &[("code", "000000")]).await;
    assert_eq!((wrong.status, cookie(&wrong)), (403, None));
    let fields = [("code", &*right), ("next", "/desk/account")];
    let answer = browser.post("//desk/sign-in/code", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("location"), "https://cal.example/desk/account");
    assert_ne!(browser.cookie, waiting);
    assert_eq!(browser.get("//desk").await.status, 200);
    let stale = Browser { app, cookie: waiting };
    assert_eq!(stale.get("//desk/sign-in/code").await.status, 303);

    let mut again = with_password(app).await;
    assert_eq!(again.post("//desk/sign-in/code", &[("code", &*right)]).await.status, 403);
    let recovery = after(&recovery.text(), "<li><code>", "</code>").to_owned();
    assert_eq!(again.post("//desk/sign-in/code", &[("code", &*recovery)]).await.status, 303);
    let mut third = with_password(app).await;
    assert_eq!(third.post("//desk/sign-in/code", &[("code", &*recovery)]).await.status, 403);

    // The sign-in waits for ten minutes.
    app.clock.advance_seconds(601);
    assert_eq!(third.get("//desk/sign-in/code").await.status, 303);
}

/// The eleventh code in a minute waits, from whatever address. An invitation does not go around the second factor.
#[both_stores]
async fn codes_are_throttled(app: &TestApp) {
    let mut first = Browser::of(app, "grace", Role::Editor).await;
    let (secret, _) = add(app, &mut first).await;
    app.clock.advance_seconds(61);
    let user = app.accounts.user("grace").await.unwrap();
    let invitation = app.accounts.sign_in().invite(&user, 3600).await.unwrap();
    let path = format!("//desk/invitation/{}", invitation.text.expose());
    let mut browser = Browser::new(app);
    let answer = browser.post(&path, &[("password", PASSWORD), ("again", PASSWORD)]).await;
    assert!(answer.header("location").contains("/desk/sign-in/code"));
    for _ in 0..10 {
        let wrong = browser.post("//desk/sign-in/code", &[("code", "000000")]).await;
        assert_eq!(wrong.status, 403);
    }
    let right = code(&secret, app.accounts.sign_in().now());
    let answer = browser.post("//desk/sign-in/code", &[("code", &*right)]).await;
    assert_eq!(answer.status, 429);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);

    app.clock.advance_seconds(61);
    assert!(app.accounts.sign_in().remove_second_factor(user.id).await.unwrap());
    let mut browser = Browser::new(app);
    browser.post("//desk/sign-in", &[("login", "grace"), ("password", PASSWORD)]).await;
    assert_eq!(browser.get("//desk").await.status, 200);
    add(app, &mut browser).await;
    let wrong = browser.post("//desk/account/second-factor/end", &[("present", "guess")]).await;
    assert_eq!(wrong.status, 400);
    browser.post("//desk/account/second-factor/end", &[("present", PASSWORD)]).await;
    assert!(!app.accounts.sign_in().has_second_factor(user.id).await.unwrap());
}
