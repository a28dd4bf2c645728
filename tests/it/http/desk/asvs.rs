//! Demands of OWASP ASVS 5.0.0, level 1, that no other test of the desk shows. `SECURITY.md` lists all of them.

use std::collections::HashSet;

use domain::Role;
use tests::{app::TestApp, both_stores};

use super::{Browser, PASSWORD, cookie};

/// v5.0.0-6.2.1, 6.2.4, 6.2.5 and 6.2.8: a password has at least 8 characters of any kind, is none of the common ones, and is
/// compared as it was sent.
#[both_stores]
async fn passwords_of_any_composition(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let mut present = PASSWORD.to_owned();
    for (new, is_taken) in [
        ("1234567", false),
        ("password1", false),
        ("qwertyuiop", false),
        ("aaaaaaab", true),
        ("كلمة سرية طويلة", true),
        ("  two blanks  ", true),
        ("MIXED case", true),
        (&"éa".repeat(64), true),
        (&"éa".repeat(65), false),
    ] {
        let fields = [("present", &*present), ("password", new), ("again", new)];
        let answer = browser.post("//desk/account/password", &fields).await;
        assert_eq!(answer.status == 200, is_taken, "{new}: {}", answer.status);
        if is_taken {
            new.clone_into(&mut present);
        }
    }
    let sent = [("present", &*present), ("password", "MIXED case"), ("again", "MIXED case")];
    browser.post("//desk/account/password", &sent).await;
    for (password, status) in [("mixed case", 403), ("MIXED case ", 403), ("MIXED case", 303)] {
        let fields = [("login", "grace"), ("password", password)];
        let answer = Browser::new(app).post("//desk/sign-in", &fields).await;
        assert_eq!(answer.status, status, "{password:?}");
    }
}

/// v5.0.0-6.2.6, 6.2.7 and 6.4.2: fields of passwords hide what is typed, and let programs fill them in; there are no hints.
#[both_stores]
async fn fields_of_passwords(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Author).await;
    let user = app.accounts.user("grace").await.unwrap();
    let invitation = app.accounts.sign_in().invite(&user, 3600).await.unwrap();
    let invitation = format!("//desk/invitation/{}", invitation.text.expose());
    for (page, fields) in [
        (Browser::new(app).get("//desk/sign-in").await, &["current-password"][..]),
        (Browser::new(app).get(&invitation).await, &["new-password", "new-password"]),
        (
            browser.get("//desk/account").await,
            &["current-password", "new-password", "new-password"],
        ),
    ] {
        let html = page.text();
        let inputs = html.split("<input ").skip(1).map(|rest| rest.split_once('>').unwrap().0);
        let secret: Vec<_> = inputs.filter(|input| input.contains("type=\"password\"")).collect();
        assert_eq!(secret.len(), fields.len(), "{html}");
        for (input, kind) in secret.iter().zip(fields) {
            assert!(input.contains(&format!("autocomplete=\"{kind}\"")), "{input}");
            assert!(!input.contains("onpaste") && !input.contains("readonly"), "{input}");
        }
        assert!(html.contains("autocomplete=\"username\""), "{html}");
    }
}

/// v5.0.0-7.2.2 and 7.2.3: the ID of a session is random, with 128 bits, and another one each time.
#[both_stores]
async fn sessions_have_random_ids(app: &TestApp) {
    Browser::of(app, "grace", Role::Author).await;
    let mut ids = HashSet::new();
    for _ in 0..8 {
        let mut browser = Browser::new(app);
        let fields = [("login", "grace"), ("password", PASSWORD)];
        let answer = browser.post("//desk/sign-in", &fields).await;
        let cookie = cookie(&answer).unwrap();
        let (_, id) = cookie.split_once('=').unwrap();
        // 22 characters of 6 bits each.
        assert!(id.len() >= 22, "{id}");
        assert!(ids.insert(id.to_owned()));
    }
}

/// v5.0.0-3.2.1, 3.4.1, 3.5.3: answers are of their type alone, ask for TLS, and a `GET` changes nothing.
#[both_stores]
async fn answers_are_what_they_say(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    for path in
        ["//desk", "//desk/account", "//desk/event/new", "//desk/events/all", "//desk/nowhere"]
    {
        let answer = browser.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        if answer.status == 200 {
            assert_eq!(answer.header("content-type"), "text/html; charset=UTF-8", "{path}");
            assert_eq!(answer.header("strict-transport-security"), "max-age=31536000", "{path}");
            let policy = answer.header("content-security-policy");
            assert!(policy.contains("default-src 'none'; script-src 'self'"), "{policy}");
        }
    }
    for path in ["//desk/sign-out", "//desk/account/sessions", "//desk/account/password"] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
    assert_eq!(browser.get("//desk").await.status, 200);
}

/// v5.0.0-3.2.2: texts are shown as texts.
#[both_stores]
async fn texts_are_escaped(app: &TestApp) {
    let nasty = "a <img src=x onerror=alert(1)>\"' & <b>";
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let event = [
        ("title", nasty),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T10:00"),
        ("venue", nasty),
        ("tags", nasty),
        ("description", "</textarea><script>alert(1)</script>"),
    ];
    let answer = browser.post("//desk/event/new", &event).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let form = answer.header("location").replace("https://cal.example", "/");
    let refused = [("title", nasty), ("start_date", nasty), ("end_date", nasty)];
    let refused = browser.post("//desk/event/new", &refused).await;
    assert_eq!(refused.status, 400);
    let signed_out = Browser::new(app);
    let wrong = [("login", nasty), ("password", "wrong password")];
    for answer in [
        browser.get(&form).await,
        browser.get("//desk/events/all").await,
        browser.get("//desk/events/all?search=%3Cimg%20src=x%3E").await,
        refused,
        signed_out.post_with("//desk/sign-in", &wrong, &[super::OWN]).await,
    ] {
        let html = answer.text();
        assert!(!html.contains("<img src=x") && !html.contains("<script>alert"), "{html}");
    }
}
