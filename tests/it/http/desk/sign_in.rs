//! Invitations, passwords, sessions.

use axum::http::Method;
use domain::Role;
use tests::{app::TestApp, both_stores};

use super::{Browser, OWN, PASSWORD, cookie};

const WRONG: &str = "No user has this name and this password.";

/// An invitation sets a password once, and begins a session whose cookie no script and no other site can use.
#[both_stores]
async fn an_invitation_is_used_once(app: &TestApp) {
    let ada = app.accounts.add_user("grace", Role::Editor, None).await.unwrap();
    let sign_in = app.accounts.sign_in();
    let invitation = sign_in.invite(&ada, 3600).await.unwrap();
    let path = format!("//desk/invitation/{}", invitation.text.expose());
    let mut browser = Browser::new(app);
    let page = browser.get(&path).await;
    assert_eq!((page.status, page.header("cache-control")), (200, "private, no-store"));
    assert!(page.text().contains("grace"));
    for (password, again, fault) in [
        ("short", "short", "fewer than 8"),
        ("password123", "password123", "very common"),
        (PASSWORD, "correct house", "differ"),
    ] {
        let answer = browser.post(&path, &[("password", password), ("again", again)]).await;
        assert_eq!(answer.status, 400, "{password}");
        assert!(answer.text().contains(fault), "{}", answer.text());
    }
    let answer = browser.post(&path, &[("password", PASSWORD), ("again", PASSWORD)]).await;
    assert_eq!(answer.status, 303);
    let set = answer.header("set-cookie");
    for part in ["__Host-desk=", "; HttpOnly", "; Secure", "; SameSite=Lax", "; Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Domain"), "{set}");
    assert_eq!(browser.get("//desk").await.status, 200);
    assert_eq!(browser.get(&path).await.status, 404);
    let again = browser.post(&path, &[("password", "battery staple"), ("again", "battery staple")]);
    assert_eq!(again.await.status, 404);
    app.clock.advance_seconds(3600);
    let late = sign_in.invite(&ada, 0).await.unwrap();
    let late = format!("//desk/invitation/{}", late.text.expose());
    assert_eq!(Browser::new(app).get(&late).await.status, 404);
}

/// The answer does not say whether a user exists. The eleventh guess waits.
#[both_stores]
async fn guesses_are_limited(app: &TestApp) {
    Browser::of(app, "grace", Role::Author).await;
    let mut browser = Browser::new(app);
    for login in ["grace", "nobody"] {
        let fields = [("login", login), ("password", "wrong password")];
        let answer = browser.post("//desk/sign-in", &fields).await;
        assert_eq!(answer.status, 403, "{login}");
        assert!(answer.text().contains(WRONG), "{}", answer.text());
        assert!(cookie(&answer).is_none());
    }
    for _ in 0..9 {
        browser.post("//desk/sign-in", &[("login", "grace"), ("password", "wrong password")]).await;
    }
    let right = [("login", "grace"), ("password", PASSWORD)];
    let answer = browser.post("//desk/sign-in", &right).await;
    assert_eq!(answer.status, 429);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    app.clock.advance_seconds(61);
    assert_eq!(browser.post("//desk/sign-in", &right).await.status, 303);
}

/// A session has an ID that the service made, and another one after each sign-in.
#[both_stores]
async fn sessions_cannot_be_fixed(app: &TestApp) {
    let first = Browser::of(app, "grace", Role::Author).await;
    let mut browser = Browser { app, cookie: "__Host-desk=AAAAAAAAAAAAAAAAAAAAAA".to_owned() };
    assert_eq!(browser.get("//desk").await.status, 303);
    let planted = browser.cookie.clone();
    let right = [("login", "grace"), ("password", PASSWORD)];
    browser.post("//desk/sign-in", &right).await;
    assert_ne!(browser.cookie, planted);
    assert_eq!(Browser { app, cookie: planted }.get("//desk").await.status, 303);
    let before = browser.cookie.clone();
    browser.post("//desk/sign-in", &right).await;
    assert_ne!(browser.cookie, before);
    // The former session of this browser has ended, that of the other one has not.
    assert_eq!(Browser { app, cookie: before }.get("//desk").await.status, 303);
    assert_eq!(first.get("//desk").await.status, 200);
}

/// A form is read from a page of this site alone.
#[both_stores]
async fn forms_of_other_sites_are_refused(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    let fields = [
        ("title", "Planted"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T10:00"),
    ];
    let elsewhere = [("origin", "https://elsewhere.example")];
    let cross = [OWN, ("sec-fetch-site", "cross-site")];
    for headers in [&elsewhere[..], &cross, &[]] {
        for path in ["//desk/event/new", "//desk/sign-out", "//desk/account/sessions"] {
            let answer = browser.post_with(path, &fields, headers).await;
            assert_eq!(answer.status, 403, "{path} {headers:?}");
        }
    }
    assert_eq!(browser.get("//desk").await.status, 200);
    assert!(!browser.get("//desk/events/mine").await.text().contains("Planted"));
}

/// Sessions end by signing out, by another password, by 12 hours without use, when the user is disabled.
#[both_stores]
async fn sessions_end(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let right = [("login", "grace"), ("password", PASSWORD)];
    let mut other = Browser::new(app);
    other.post("//desk/sign-in", &right).await;
    let page = other.get("//desk/account").await.text();
    assert!(page.contains("this session"), "{page}");
    assert_eq!(page.matches("name=\"session\"").count(), 1, "{page}");

    let new = "battery staple";
    let wrong = [("present", "wrong password"), ("password", new), ("again", new)];
    assert_eq!(browser.post("//desk/account/password", &wrong).await.status, 400);
    let change = [("present", PASSWORD), ("password", new), ("again", new)];
    assert_eq!(browser.post("//desk/account/password", &change).await.status, 200);
    assert_eq!(other.get("//desk").await.status, 303);
    assert_eq!(browser.get("//desk").await.status, 200);
    assert_eq!(other.post("//desk/sign-in", &right).await.status, 403);

    let right = [("login", "grace"), ("password", new)];
    other.post("//desk/sign-in", &right).await;
    browser.post("//desk/account/sessions", &[]).await;
    assert_eq!(other.get("//desk").await.status, 303);
    let signed_in = Browser { app, cookie: browser.cookie.clone() };
    browser.post("//desk/sign-out", &[]).await;
    assert_eq!(signed_in.get("//desk").await.status, 303);

    other.post("//desk/sign-in", &right).await;
    app.clock.advance_seconds(12 * 3600 - 1);
    assert_eq!(other.get("//desk").await.status, 200);
    app.clock.advance_seconds(12 * 3600);
    assert_eq!(other.get("//desk").await.status, 303);

    other.post("//desk/sign-in", &right).await;
    assert_eq!(other.get("//desk").await.status, 200);
    app.accounts.set_disabled("grace", true).await.unwrap();
    assert_eq!(other.get("//desk").await.status, 303);
}

/// Another role has effect at once, and gives the session another ID.
#[both_stores]
async fn a_role_changes_during_a_session(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    assert_eq!(browser.get("//desk/events/all").await.status, 200);
    app.accounts.set_role("grace", Role::Author).await.unwrap();
    let former = browser.cookie.clone();
    assert_eq!(browser.post("//desk/events/all", &[]).await.status, 404);
    assert_ne!(browser.cookie, former);
    assert_eq!(Browser { app, cookie: former }.get("//desk").await.status, 303);
    assert_eq!(browser.get("//desk").await.status, 200);
    app.accounts.set_role("grace", Role::Subscriber).await.unwrap();
    assert_eq!(browser.post("//desk/events/mine", &[]).await.status, 403);
}

/// The interface knows neither the cookie nor the password, and pages of the calendar do not read the cookie.
#[both_stores]
async fn the_interface_does_not_know_the_session(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    for path in ["/events?status=draft", "/feeds", "/wp/v2/users/me"] {
        let with = browser.get(path).await;
        let without = app.anonymous().get(path).await;
        assert_eq!((with.status, &with.bytes), (without.status, &without.bytes), "{path}");
    }
    assert_eq!(app.basic("grace", PASSWORD).get("/feeds").await.status, 401);
    let send = app.anonymous();
    let headers = [("cookie", browser.cookie.as_str()), OWN];
    let answer = send.send_with(Method::POST, "/tags", &headers, None).await;
    assert_ne!(answer.status, 201);
}

/// The desk speaks the language of the browser, and then that of the person.
#[both_stores]
async fn the_desk_speaks_three_languages(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    for (accepted, language, direction) in
        [("fr-CA, en;q=0.5", "fr", "ltr"), ("ar", "ar", "rtl"), ("de", "en", "ltr")]
    {
        let headers = [("accept-language", accepted)];
        let page = app.anonymous().get_with("//desk/sign-in", &headers).await;
        let start = format!("<html lang=\"{language}\" dir=\"{direction}\">");
        assert!(page.text().contains(&start), "{accepted}");
        assert_eq!(page.header("content-language"), language);
    }
    browser.post("//desk/account/language", &[("language", "ar")]).await;
    assert!(browser.get("//desk").await.text().contains("dir=\"rtl\""));
}

/// People who look for the desk at the usual addresses find it.
#[both_stores]
async fn usual_addresses_lead_to_the_desk(app: &TestApp) {
    for path in ["//admin", "//login"] {
        let answer = Browser::new(app).get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        assert!(answer.header("location").ends_with("/desk"), "{path}");
    }
}
