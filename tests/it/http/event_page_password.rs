//! The form for the password of a locked event.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
    client::{Answer, Client},
};

const PAGE: &str = "//event/wedding/";
const PASSWORD: &str = "open sesame";
const OWN: (&str, &str) = ("origin", PUBLIC_URL);

/// A locked event with content that the password opens.
async fn wedding(app: &TestApp) {
    let fields = json!({"title": "Wedding", "description": "Canary", "password": PASSWORD,
        "cost": "999", "venue": {"venue": "Canary"}, "start_date": "2027-03-10", "end_date": "2027-03-10"});
    app.admin().event(fields).await;
}

/// Sends the form.
async fn send(client: &Client, path: &str, password: &str, headers: &[(&str, &str)]) -> Answer {
    let form: String =
        form_urlencoded::Serializer::new(String::new()).append_pair("password", password).finish();
    let body = ("application/x-www-form-urlencoded", form.into_bytes());
    client.send_with(Method::POST, path, headers, Some(body)).await
}

/// The cookie of a right password, as a browser sends it back.
async fn cookie(app: &TestApp, path: &str) -> String {
    let answer = send(&app.anonymous(), path, PASSWORD, &[OWN]).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let cookie = answer.header("set-cookie");
    cookie.split_once(';').unwrap().0.to_owned()
}

/// Whether the page shows the content of the event to a browser with a cookie.
async fn opens(app: &TestApp, path: &str, cookie: &str) -> bool {
    let answer = app.anonymous().get_with(path, &[("cookie", cookie)]).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let (is_open, has_form) = (answer.text().contains("Canary"), answer.text().contains("<form"));
    assert!(is_open != has_form, "{}", answer.text());
    is_open
}

/// The right password opens the page for the browser that sent it, and for no other.
#[both_stores]
async fn a_password_opens_the_page(app: &TestApp) {
    wedding(app).await;
    let html = app.anonymous().get(PAGE).await.text();
    assert!(html.contains("<form class=\"unlock\" method=\"post\">"), "{html}");
    let answer =
        send(&app.anonymous(), PAGE, PASSWORD, &[OWN, ("sec-fetch-site", "same-origin")]).await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("location"), format!("{PUBLIC_URL}/event/wedding/"));
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let cookie = answer.header("set-cookie");
    let (cookie, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Lax; Secure");
    assert!(cookie.starts_with("event-1=") && !cookie.contains("sesame"), "{cookie}");
    for _ in 0..2 {
        assert!(opens(app, PAGE, cookie).await);
        assert!(!opens(app, PAGE, "").await);
    }
    assert!(opens(app, "//fr/event/wedding/", &format!("a=b; {cookie}; c=d")).await);
    let policy = app.anonymous().get(PAGE).await;
    assert!(policy.header("content-security-policy").contains("form-action 'self'"));
}

/// Only pages read the cookie.
#[both_stores]
async fn the_interface_does_not_read_the_cookie(app: &TestApp) {
    wedding(app).await;
    let cookie = cookie(app, PAGE).await;
    for path in ["/events/1", "/events", "//", "/events.ics", "/events/by-slug/wedding"] {
        let with = app.anonymous().get_with(path, &[("cookie", &cookie)]).await;
        let without = app.anonymous().get(path).await;
        assert_eq!((with.status, &with.bytes), (without.status, &without.bytes), "{path}");
        assert!(!with.text().contains("Canary"), "{path}");
    }
}

/// A cookie ends after twelve hours and with its password, and opens no other event.
#[both_stores]
async fn a_cookie_ends(app: &TestApp) {
    wedding(app).await;
    let other = json!({"title": "Other", "description": "Canary", "password": PASSWORD});
    app.admin().event(other).await;
    let kept = cookie(app, PAGE).await;
    let pass = kept.strip_prefix("event-1=").unwrap();
    let (hour, digest) = pass.split_once('.').unwrap();
    let later = hour.parse::<i64>().unwrap() + 1;
    for forged in [
        format!("event-2={pass}"),
        format!("event-1={later}.{digest}"),
        format!("event-1={hour}."),
        format!("event-1={}", &pass[..pass.len() - 1]),
        "event-1=".to_owned(),
        "event-1=9223372036854775807.x".to_owned(),
        "event-1=-9223372036854775808.x".to_owned(),
        "event-1".to_owned(),
    ] {
        for path in [PAGE, "//event/other/"] {
            assert!(!opens(app, path, &forged).await, "{forged} {path}");
        }
    }
    app.clock.advance_seconds(12 * 3600);
    assert!(opens(app, PAGE, &kept).await);
    app.clock.advance_seconds(3600);
    assert!(!opens(app, PAGE, &kept).await);
    let kept = cookie(app, PAGE).await;
    app.admin().change("/events/1", json!({"title": "Big wedding"})).await;
    assert!(opens(app, PAGE, &kept).await);
    app.admin().change("/events/1", json!({"password": "another"})).await;
    assert!(!opens(app, PAGE, &kept).await);
    app.admin().change("/events/1", json!({"password": PASSWORD})).await;
    assert!(opens(app, PAGE, &kept).await);
}

/// The cookie of a series opens its dates, and is given on their pages too.
#[both_stores]
async fn a_series_and_its_dates_have_one_password(app: &TestApp) {
    let series = json!({"title": "Wedding", "description": "Canary", "password": PASSWORD,
        "start_date": "2027-03-02 19:00", "end_date": "2027-03-02 20:00", "recurrence": "FREQ=DAILY;COUNT=3"});
    app.admin().event(series).await;
    let date = "//event/wedding~2027-03-03/";
    for from in [PAGE, date] {
        let cookie = cookie(app, from).await;
        assert!(cookie.starts_with("event-1="), "{cookie}");
        for path in [PAGE, date] {
            assert!(opens(app, path, &cookie).await, "{path}");
        }
    }
}

/// A wrong password shows the form again, without content.
#[both_stores]
async fn a_wrong_password_opens_nothing(app: &TestApp) {
    wedding(app).await;
    for (path, words) in [
        (PAGE, "The password is wrong."),
        ("//fr/event/wedding/", "Le mot de passe est incorrect."),
        ("//ar/event/wedding/", "كلمة المرور غير صحيحة."),
    ] {
        for password in ["", "Open Sesame", &"x".repeat(20_000)] {
            let answer = send(&app.anonymous(), path, password, &[OWN]).await;
            assert_eq!(answer.status, 403);
            assert_eq!(answer.header("cache-control"), "private, no-store");
            assert!(answer.headers.get("set-cookie").is_none());
            let html = answer.text();
            assert!(html.contains(words) && html.contains("<form"), "{html}");
            assert!(!html.contains("Canary") && !html.contains("Sesame"), "{html}");
        }
    }
    let body = Some(("multipart/form-data; boundary=x", b"--x".to_vec()));
    assert_eq!(app.anonymous().send_with(Method::POST, PAGE, &[OWN], body).await.status, 403);
    assert_eq!(app.anonymous().send_with(Method::POST, PAGE, &[OWN], None).await.status, 403);
}

/// The form is taken from a page of this origin alone.
#[both_stores]
async fn the_form_is_sent_from_its_own_page(app: &TestApp) {
    wedding(app).await;
    for headers in [
        &[][..],
        &[("origin", "https://elsewhere.example")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[OWN, ("sec-fetch-site", "cross-site")],
        &[("origin", "https://elsewhere.example"), ("sec-fetch-site", "same-origin")],
    ] {
        let answer = send(&app.anonymous(), PAGE, PASSWORD, headers).await;
        assert_eq!(answer.status, 403, "{headers:?}");
        assert!(answer.headers.get("set-cookie").is_none(), "{headers:?}");
        assert!(answer.text().contains("not sent from its page"), "{}", answer.text());
    }
    for headers in [&[OWN][..], &[("sec-fetch-site", "same-origin")]] {
        assert_eq!(send(&app.anonymous(), PAGE, PASSWORD, headers).await.status, 303);
    }
}

/// Ten wrong passwords a minute, then even the right one must wait.
#[both_stores]
async fn passwords_are_throttled(app: &TestApp) {
    wedding(app).await;
    for n in 0..10 {
        let answer = send(&app.anonymous(), PAGE, &n.to_string(), &[OWN]).await;
        assert_eq!(answer.status, 403);
    }
    let answer = send(&app.anonymous(), PAGE, PASSWORD, &[OWN]).await;
    assert_eq!(answer.status, 429, "{}", answer.text());
    assert_eq!(answer.header("retry-after"), "60");
    assert!(answer.text().contains("Too many attempts"), "{}", answer.text());
    let refused = app.anonymous().get(&format!("/events/1?password={}", "new")).await;
    assert_eq!(refused.status, 429, "the interface counts them too");
}

/// An event without a password leads to its page; one that is not public is as if absent.
#[both_stores]
async fn other_events_take_no_password(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    app.admin()
        .event(json!({"title": "Draft", "status": "draft", "slug": "draft", "password": PASSWORD}))
        .await;
    let answer = send(&app.anonymous(), "//event/fair/", PASSWORD, &[OWN]).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, "https://cal.example/event/fair/")
    );
    assert!(answer.headers.get("set-cookie").is_none());
    for path in ["//event/draft/", "//event/nothing/"] {
        for password in [PASSWORD, "wrong", ""] {
            let answer = send(&app.anonymous(), path, password, &[OWN]).await;
            assert_eq!(answer.status, 404, "{path}");
        }
    }
}
