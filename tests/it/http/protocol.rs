//! Paths, bodies and credentials, for every kind of record.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields, has_fields},
    for_each_row,
};

use super::{records::record, repeated_names::linked};

/// The fields of an event in a query or a form.
const EVENT: &str =
    "title=River%20cleanup&start_date=2027-03-10+09:00&end_date=2027-03-10+11:00:00";

/// The boundary between the parts of a form.
const BOUNDARY: &str = "----calendar7d1";

/// Sends a form in parts.
async fn send_parts(
    client: &Client,
    method: Method,
    path: &str,
    fields: &[(&str, &str)],
) -> Answer {
    let part = |(name, value): &(&str, &str)| {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"");
        format!("--{BOUNDARY}\r\n{head}\r\n\r\n{value}\r\n")
    };
    let parts: Vec<_> = fields.iter().map(part).collect();
    let body = format!("{}--{BOUNDARY}--\r\n", parts.concat());
    let content_type = format!("multipart/form-data; boundary={BOUNDARY}");
    client.send(method, path, Some((&content_type, body.into_bytes()))).await
}

async fn count(app: &TestApp) -> usize {
    app.admin().get("/events?status=any&per_page=100").await.ids().len()
}

/// Fails unless the three required fields are reported as missing.
fn misses_all(answer: &Answer) {
    answer.assert_error(400, "rest_missing_callback_param");
    assert_eq!(answer.json()["data"]["params"], json!(["title", "start_date", "end_date"]));
}

/// G-07: An unknown path has no route.
/// G-10: The collection cannot be changed as a whole.
/// G-11: The collection cannot be deleted, not even by an administrator.
/// G-12: A path segment that is no number has no route.
/// G-13: A path that ends before the slug has no route.
#[both_stores]
async fn unknown_paths_have_no_route(app: &TestApp) {
    for client in [app.anonymous(), app.admin()] {
        for (method, path) in [
            (Method::GET, "/nothing"),
            (Method::GET, "//nothing"),
            (Method::GET, "/events/1/more"),
            (Method::PATCH, "/events"),
            (Method::PUT, "/tags"),
            (Method::DELETE, "/events"),
            (Method::DELETE, "/venues"),
            (Method::GET, "/events/abc"),
            (Method::GET, "/events/-1"),
            (Method::GET, "/events/1.0"),
            (Method::GET, "/categories/music"),
            (Method::PUT, "/events/abc"),
            (Method::DELETE, "/organizers/x1"),
            (Method::GET, "/events/by-slug/"),
            (Method::GET, "/events/by-slug"),
            (Method::GET, "/tags/by-slug/x"),
        ] {
            client.send(method.clone(), path, None).await.assert_error(404, "rest_no_route");
            let broken = Some(("application/json", b"{".to_vec()));
            client.send(method, path, broken).await.assert_error(404, "rest_no_route");
        }
    }
}

/// G-08: Letter case in a path does not matter.
/// G-09: A slash at the end of a path does not matter.
#[both_stores]
async fn spellings_of_a_path(app: &TestApp) {
    app.admin().event(json!({"title": "River Cleanup"})).await;
    let list = app.anonymous().get("/events").await;
    for path in ["/EVENTS", "/events/", "/Events//", "//CAL/Events/V1/events"] {
        let answer = app.anonymous().get(path).await;
        assert_eq!((answer.status, answer.json()), (200, list.json()), "{path}");
    }
    for path in ["/events/1/", "/EVENTS/1", "/events/001", "/events/BY-SLUG/River-Cleanup/"] {
        let answer = app.anonymous().get(path).await;
        assert_eq!((answer.status, &answer.json()["id"]), (200, &json!(1)), "{path}");
    }
}

/// G-26: Unknown parameters are ignored.
/// G-27: A request may select a language of the service.
/// G-28: A language that the service does not have is refused, and the parameter is named.
/// G-29: A write may name its language in the query.
#[both_stores]
async fn parameters_of_every_route(app: &TestApp) {
    assert_eq!(app.anonymous().get("/events?foo=bar").await.status, 200);
    for language in ["ar", "en", "fr"] {
        let answer = app.anonymous().get(&format!("/events?ml_language={language}")).await;
        assert_eq!(answer.status, 200, "{language}");
    }
    for path in ["/events", "/venues", "/tags", "/events/1"] {
        let answer = app.anonymous().get(&format!("{path}?ml_language=xx")).await;
        answer.assert_invalid(&["ml_language"]);
        let detail = &answer.json()["data"]["details"]["ml_language"];
        assert_eq!(detail["code"], "rest_not_in_enum");
    }
    let answer = app.admin().post("/events?ml_language=de", event_fields(json!({}))).await;
    answer.assert_invalid(&["ml_language"]);
    app.admin().make("/events?ml_language=fr", event_fields(json!({}))).await;
}

/// G-30: A wrong password is refused for public reads too.
/// G-31: An unknown user is refused as a wrong password is, after the same work.
/// G-32: An unknown token is refused.
/// G-33: Credentials that cannot be read are refused.
/// G-34: A write with a wrong password is refused for the password.
#[both_stores]
async fn wrong_credentials(app: &TestApp) {
    let mut answers = Vec::new();
    for login in ["admin", "nobody"] {
        let client = app.basic(login, "wrong");
        let before = app.db.statements();
        let answer = client.get("/events").await;
        let statements = app.db.statements() - before;
        answer.assert_error(401, "incorrect_password");
        assert!(answer.header("www-authenticate").contains("Basic"));
        answers.push((answer.bytes, statements));
        for path in ["/events/1", "/tags"] {
            client.get(path).await.assert_error(401, "incorrect_password");
        }
        client.try_event(json!({})).await.assert_error(401, "incorrect_password");
        client.post("/events", json!({})).await.assert_error(401, "incorrect_password");
    }
    assert_eq!(answers[0], answers[1]);
    let another = app.basic("editor", app.token(1)).get("/events").await;
    another.assert_error(401, "incorrect_password");
    app.authorized("Bearer x").get("/events").await.assert_error(401, "invalid_token");
    for unreadable in ["Basic !!!", "Basic", "Basic YQ==", "Digest x", "", "Basic //79"] {
        let answer = app.authorized(unreadable).get("/events").await;
        assert_eq!(answer.status, 401, "{unreadable}");
        assert_ne!(answer.header("www-authenticate"), "", "{unreadable}");
    }
    assert_eq!(count(app).await, 0);
    // The same ways with valid credentials.
    let spaced: String = app.token(1).chars().flat_map(|c| [c, ' ']).collect();
    for right in [
        app.basic("admin", app.token(1)),
        app.basic("ADMIN", &spaced),
        app.authorized(&format!("bearer {}", app.token(1))),
    ] {
        assert_eq!(right.get("/events").await.status, 200, "{right:?}");
    }
}

/// The body of a read is ignored.
#[both_stores]
async fn bodies_of_reads(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"password": "sesame"})).await;
    for client in [app.anonymous(), app.admin()] {
        for path in ["/events", "/events/1", "/tags"] {
            let plain = client.get(path).await;
            for (content_type, body) in [
                ("application/json", r#"{"per_page": 0, "search": "x", "ml_language": "fr"}"#),
                ("application/json", r#"{"password": "sesame"}"#),
                ("application/x-www-form-urlencoded", "page=0&password=sesame&ml_language=xx"),
            ] {
                for _ in 0..2 {
                    let body = Some((content_type, body.as_bytes().to_vec()));
                    let answer = client.send(Method::GET, path, body).await;
                    assert_eq!(answer.status, plain.status, "{path}");
                    assert_eq!(answer.bytes, plain.bytes, "{path}");
                    assert_eq!(answer.header("cache-control"), plain.header("cache-control"));
                }
            }
        }
    }
    app.anonymous().get("/events/1").await.assert_error(403, "event-password-protected");
}

/// G-35: Truncated JSON is refused before missing fields are reported.
/// G-36: A read with truncated JSON is refused too.
#[both_stores]
async fn broken_json(app: &TestApp) {
    for client in [app.anonymous(), app.admin()] {
        for method in [Method::POST, Method::GET] {
            for body in ["{\"title\":", "{", "nonsense", "{\"a\":1}}", "{'a':1}", "\u{feff}{}"] {
                for content_type in ["application/json", "application/json; charset=utf-8"] {
                    let body = Some((content_type, body.as_bytes().to_vec()));
                    let answer = client.send(method.clone(), "/events", body).await;
                    answer.assert_error(400, "rest_invalid_json");
                    let data = &answer.json()["data"];
                    assert!(data["json_error_code"].is_number(), "{data}");
                    assert!(data["json_error_message"].is_string(), "{data}");
                }
            }
            let latin = Some(("application/json", b"{\"title\":\"\xe9\"}".to_vec()));
            client.send(method, "/events", latin).await.assert_error(400, "rest_invalid_json");
        }
    }
}

/// G-37: JSON that is a list has no fields.
/// G-38: JSON that is a text has no fields.
/// G-39: An empty body has no fields.
/// G-40: A body of plain text has no fields.
#[both_stores]
async fn bodies_without_fields(app: &TestApp) {
    let valid = event_fields(json!({})).to_string();
    let rows = [
        ("application/json", "[1,2]"),
        ("application/json", "\"x\""),
        ("application/json", "7"),
        ("application/json", "null"),
        ("application/json", ""),
        ("application/json", " \n"),
        ("application/json", "{}"),
        ("application/json", "{\"title\":null,\"start_date\":null}"),
        ("application/x-www-form-urlencoded", ""),
        ("text/plain", &valid),
        ("application/jsonx", &valid),
        ("", &valid),
    ];
    for_each_row(rows, async |(content_type, body)| {
        let body = Some((content_type, body.as_bytes().to_vec()));
        misses_all(&app.admin().send(Method::POST, "/events", body).await);
    })
    .await;
    misses_all(&app.admin().send(Method::POST, "/events", None).await);
    assert_eq!(count(app).await, 0);
}

/// G-41: Dialects of JSON are JSON.
/// G-42: A form has lists and objects by brackets in its names.
/// G-43: A multipart form is read too.
/// G-46: All fields may stand in the query.
/// G-47: If body and query differ, the body counts.
#[both_stores]
async fn bodies_of_creations(app: &TestApp) {
    let admin = app.admin();
    let valid = event_fields(json!({"title": "River cleanup"})).to_string();
    for content_type in
        ["application/ld+json", "application/vnd.api+json;charset=UTF-8", "Application/JSON"]
    {
        let body = Some((content_type, valid.clone().into_bytes()));
        let answer = admin.send(Method::POST, "/events", body).await;
        assert_eq!(answer.status, 201, "{content_type}");
        assert_eq!(answer.json()["title"], "River cleanup");
    }
    for name in ["A", "B", "C"] {
        admin.make("/organizers", json!({"organizer": name})).await;
        admin.make("/categories", json!({"name": name})).await;
    }
    let form = format!(
        "{EVENT}&organizer[]=3&organizer[]=1&categories[]=2&venue[venue]=Hall&venue[city]=Oslo"
    );
    let answer = admin.post_form("/events", &form).await;
    let parts = send_parts(
        &admin,
        Method::POST,
        "/events",
        &[
            ("title", "River cleanup"),
            ("start_date", "2027-03-10 09:00"),
            ("end_date", "2027-03-10 11:00"),
            ("organizer[]", "3"),
            ("organizer[]", "1"),
            ("categories[]", "2"),
            ("venue[venue]", "Hall"),
            ("venue[city]", "Oslo"),
        ],
    )
    .await;
    let query = admin.send(Method::POST, &format!("/events?{form}"), None).await;
    for answer in [answer, parts, query] {
        assert_eq!(answer.status, 201, "{}", answer.text());
        let event = answer.json();
        let wanted = json!({
            "title": "River cleanup",
            "start_date": "2027-03-10 09:00:00",
            "end_date": "2027-03-10 11:00:00",
        });
        has_fields(&event, wanted);
        assert_eq!(linked(&event, "organizer"), [3, 1]);
        assert_eq!(linked(&event, "categories"), [2]);
        has_fields(&event["venue"], json!({"venue": "Hall", "city": "Oslo"}));
    }
    let both = format!("/events?{EVENT}");
    let event = admin.make(&both, json!({"title": "Body", "cost": "5", "end_date": null})).await;
    has_fields(&event, json!({"title": "Body", "end_date": "2027-03-10 11:00:00"}));
    let answer = admin.post_form(&both, "title=Form&title=Last").await;
    assert_eq!(answer.json()["title"], "Last");
}

/// G-44: A form can change a record.
/// G-45: A multipart form can change a record, with each of the methods.
#[both_stores]
async fn bodies_of_changes(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"cost": "5"})).await;
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        let form =
            ("application/x-www-form-urlencoded", format!("title=Form+{method}").into_bytes());
        let answer = admin.send(method.clone(), "/events/1", Some(form)).await;
        assert_eq!(record(&answer)["title"], format!("Form {method}"));
        let title = format!("Parts {method}");
        let answer = send_parts(&admin, method, "/events/1", &[("title", &title)]).await;
        assert_eq!(record(&answer)["title"], title);
        let kept = admin.get("/events/1").await.json();
        has_fields(&kept, json!({"title": title, "cost": "$5"}));
    }
    // An unreadable multipart form is refused, not taken for an empty one.
    for (content_type, body) in [
        ("multipart/form-data", "title=x"),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx",
        ),
    ] {
        let body = Some((content_type, body.as_bytes().to_vec()));
        let answer = admin.send(Method::PUT, "/events/1", body).await;
        answer.assert_error(415, "unsupported_media_type");
    }
}

/// G-51: Missing fields are reported before rights are checked.
/// G-52: A client without credentials may not create a record with correct fields.
/// G-53: A subscriber may not create a record with correct fields.
#[both_stores]
async fn fields_are_checked_before_rights(app: &TestApp) {
    misses_all(&app.anonymous().post("/events", json!({})).await);
    misses_all(&app.subscriber().post("/events", json!({})).await);
    app.anonymous().try_event(json!({"start_date": "x"})).await.assert_invalid(&["start_date"]);
    let answer = app.anonymous().try_event(json!({})).await;
    answer.assert_error(401, "rest_forbidden");
    assert_ne!(answer.header("www-authenticate"), "");
    app.subscriber().try_event(json!({})).await.assert_error(403, "rest_forbidden");
    assert_eq!(count(app).await, 0);
}
