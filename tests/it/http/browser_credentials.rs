//! Credentials that a browser stores, and requests from pages of other sites.

use axum::http::Method;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields},
};

/// The credentials of an editor whose browser stores the password.
fn kept(app: &TestApp) -> String {
    let login = format!("editor:{}", app.token(2));
    format!("Basic {}", BASE64_STANDARD.encode(login))
}

/// Sends an event as a form of this type, or as JSON.
async fn send(client: &Client, headers: &[(&str, &str)], kind: Option<&str>) -> Answer {
    let fields = event_fields(json!({"title": "Sent"}));
    let body = match kind {
        Some("application/json") => fields.to_string().into_bytes(),
        _ => b"title=Sent&start_date=2027-03-10&end_date=2027-03-10".to_vec(),
    };
    let headers = headers.to_vec();
    match kind {
        Some(kind) => client.send_with(Method::POST, "/events", &headers, Some((kind, body))).await,
        None => client.send_with(Method::POST, "/events", &headers, None).await,
    }
}

const FORM: Option<&str> = Some("application/x-www-form-urlencoded");

/// D-32: A browser is not offered an authentication scheme whose password it would store.
#[both_stores]
async fn browsers_are_offered_tokens_alone(app: &TestApp) {
    let fetch = [
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-site", "none"),
        ("sec-fetch-dest", "document"),
    ];
    for header in fetch {
        for client in [app.anonymous(), app.authorized("Bearer x")] {
            let answer = client.send_with(Method::POST, "/events", &[header], None).await;
            let status = if answer.text().contains("missing") { 400 } else { answer.status };
            assert!(matches!(status, 400 | 401), "{}", answer.text());
        }
        let answer = app.anonymous().send_with(Method::DELETE, "/events/1", &[header], None).await;
        answer.assert_error(401, "rest_forbidden");
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"calendar\"");
        let answer =
            app.authorized("Basic x").send_with(Method::GET, "/events", &[header], None).await;
        answer.assert_error(401, "incorrect_password");
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"calendar\"");
    }
    let answer = app.anonymous().delete("/events/1").await;
    assert!(answer.header("www-authenticate").starts_with("Basic "));
    assert!(answer.header("www-authenticate").contains("Bearer "));
}

/// D-32: A request that a page of another site can cause is refused with a stored password.
#[both_stores]
async fn pages_of_other_sites_write_nothing(app: &TestApp) {
    let client = app.authorized(&kept(app));
    let elsewhere: [&[(&str, &str)]; 5] = [
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://cal.example")],
        &[("origin", "https://cal.example.evil.example")],
        &[("sec-fetch-site", "cross-site")],
    ];
    for headers in elsewhere {
        for kind in [
            FORM,
            Some("text/plain"),
            Some("multipart/form-data; boundary=x"),
            None,
            Some("Application/X-WWW-Form-Urlencoded; charset=utf-8"),
        ] {
            send(&client, headers, kind).await.assert_error(403, "rest_forbidden");
        }
        // A method override is a request of the same kind.
        let disguised =
            client.send_with(Method::POST, "/events/1?_method=DELETE", headers, None).await;
        disguised.assert_error(403, "rest_forbidden");
        // Other types need a preflight request, and browsers store no tokens.
        assert_eq!(send(&client, headers, Some("application/json")).await.status, 201);
        assert_eq!(send(&app.editor(), headers, FORM).await.status, 201);
        // Reading changes nothing.
        assert_eq!(client.send_with(Method::GET, "/events", headers, None).await.status, 200);
    }
}

/// D-32: Forms of this site, and of programs, are accepted with a password.
#[both_stores]
async fn own_forms_are_taken(app: &TestApp) {
    let client = app.authorized(&kept(app));
    let own: [&[(&str, &str)]; 4] = [
        &[],
        &[("origin", "https://cal.example")],
        &[("origin", "https://cal.example"), ("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
    ];
    for headers in own {
        assert_eq!(send(&client, headers, FORM).await.status, 201);
    }
}

/// D-32: A trusted origin may send forms with a stored password.
#[both_stores]
async fn named_origins_are_trusted(app: &TestApp) {
    let origin = "https://pages.example";
    let service = app
        .variant()
        .build_with(|state| state.with_trusted_origins([origin.to_owned()]))
        .await
        .anonymous();
    let client = service.with_authorization(&kept(app));
    let trusted = [("origin", origin), ("sec-fetch-site", "cross-site")];
    assert_eq!(send(&client, &trusted, FORM).await.status, 201);
    let other = [("origin", "https://evil.example")];
    send(&client, &other, FORM).await.assert_error(403, "rest_forbidden");
}
