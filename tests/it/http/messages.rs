//! What clients are told when something is wrong, in each language.

use std::collections::BTreeSet;

use axum::http::Method;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    client::{Answer, Client, event_fields},
    on_both_stores,
};

const LANGUAGES: [&str; 3] = ["ar", "en", "fr"];

/// A request that is refused, and the code.
type Refusal = (
    Client,
    Method,
    String,
    Option<(String, Vec<u8>)>,
    &'static str,
);

fn refusal(client: Client, method: Method, path: &str, code: &'static str) -> Refusal {
    (client, method, path.to_owned(), None, code)
}

fn refused_json(
    client: Client,
    method: Method,
    path: &str,
    body: &Value,
    code: &'static str,
) -> Refusal {
    let body = ("application/json".to_owned(), body.to_string().into_bytes());
    (client, method, path.to_owned(), Some(body), code)
}

/// A request for each code that a request alone can lead to.
async fn refusals(app: &TestApp) -> Vec<Refusal> {
    let admin = app.admin();
    let mut all = Vec::new();
    for (collection, name, codes) in [
        (
            "/events",
            "title",
            [
                "event-not-accessible",
                "event-is-in-trash",
                "rest-event-not-found",
                "event-archive-page-not-found",
            ],
        ),
        (
            "/venues",
            "venue",
            [
                "venue-not-accessible",
                "venue-is-in-trash",
                "venue-not-found",
                "venue-archive-page-not-found",
            ],
        ),
        (
            "/organizers",
            "organizer",
            [
                "organizer-not-accessible",
                "organizer-is-in-trash",
                "organizer-not-found",
                "organizer-archive-page-not-found",
            ],
        ),
    ] {
        let draft = admin
            .make(
                collection,
                event_fields(json!({name: "Draft", "status": "draft"})),
            )
            .await;
        let trashed = admin
            .make(
                collection,
                event_fields(json!({name: "Old", "status": "trash"})),
            )
            .await;
        let [draft, trashed] = [draft, trashed].map(|one| format!("{collection}/{}", one["id"]));
        all.extend([
            refusal(app.anonymous(), Method::GET, &draft, codes[0]),
            refusal(app.admin(), Method::DELETE, &trashed, codes[1]),
            refusal(
                app.anonymous(),
                Method::GET,
                &format!("{collection}/99"),
                codes[2],
            ),
            refusal(
                app.anonymous(),
                Method::GET,
                &format!("{collection}?page=9"),
                codes[3],
            ),
        ]);
        if name == "title" {
            all.push(refusal(
                app.admin(),
                Method::GET,
                &trashed,
                "event-no-longer-available",
            ));
        }
    }
    let locked = admin.event(json!({"password": "key"})).await;
    let tag = admin.make("/tags", json!({"name": "Water"})).await;
    admin.make("/tags", json!({"name": "Fire"})).await;
    let category = admin.make("/categories", json!({"name": "Nature"})).await;
    let basic = |login: &str| {
        app.authorized(&format!(
            "Basic {}",
            BASE64_STANDARD.encode(format!("{login}:x"))
        ))
    };
    for _ in 0..10 {
        basic("guesser").get("/events").await;
    }
    let tag = format!("/tags/{}", tag["id"]);
    let json_of = |body: &str| Some(("application/json".to_owned(), body.as_bytes().to_vec()));
    let long = vec![b' '; 1024 * 1024 + 1];
    all.extend([
        refusal(
            app.anonymous(),
            Method::GET,
            &format!("/events/{}/x", locked["id"]),
            "rest_no_route",
        ),
        refusal(app.anonymous(), Method::PATCH, "/tags", "rest_no_route"),
        refusal(
            app.anonymous(),
            Method::GET,
            "/tags/99",
            "rest_term_invalid",
        ),
        refusal(
            app.anonymous(),
            Method::GET,
            "/tags?page=9",
            "term-archive-page-not-found",
        ),
        refusal(
            app.anonymous(),
            Method::GET,
            &format!("/categories/{}9", category["id"]),
            "rest_term_invalid",
        ),
        refusal(
            app.anonymous(),
            Method::GET,
            "/categories?page=9",
            "term-archive-page-not-found",
        ),
        refusal(app.anonymous(), Method::DELETE, &tag, "rest_forbidden"),
        refusal(app.subscriber(), Method::DELETE, &tag, "rest_forbidden"),
        refusal(basic("admin"), Method::GET, "/events", "incorrect_password"),
        refusal(basic("guesser"), Method::GET, "/events", "rate_limited"),
        refusal(
            app.authorized("Bearer x"),
            Method::GET,
            "/events",
            "invalid_token",
        ),
        refusal(
            app.anonymous(),
            Method::GET,
            &format!("/events?search={}", "x".repeat(8200)),
            "uri_too_long",
        ),
        refusal(
            app.anonymous(),
            Method::GET,
            "/organizers?event=99",
            "rest-invalid-event-id",
        ),
        refusal(
            app.anonymous(),
            Method::GET,
            "/events?page=0&starts_after=x&status=y",
            "rest_invalid_param",
        ),
        refused_json(
            app.admin(),
            Method::POST,
            "/events",
            &json!({}),
            "rest_missing_callback_param",
        ),
        refused_json(
            app.admin(),
            Method::POST,
            "/tags",
            &json!({"name": "water"}),
            "term_exists",
        ),
        refused_json(
            app.admin(),
            Method::PUT,
            &tag,
            &json!({"slug": "fire"}),
            "duplicate_term_slug",
        ),
        refused_json(
            app.admin(),
            Method::POST,
            "/tags",
            &json!({"name": " "}),
            "empty_term_name",
        ),
        refused_json(
            app.admin(),
            Method::POST,
            "/tags",
            &json!({"name": "A", "parent": 1}),
            "rest_taxonomy_not_hierarchical",
        ),
        (
            app.admin(),
            Method::POST,
            "/events".to_owned(),
            json_of("{\"title\":"),
            "rest_invalid_json",
        ),
        (
            app.admin(),
            Method::POST,
            "/events".to_owned(),
            json_of(&"[".repeat(100)),
            "rest_invalid_json",
        ),
        (
            app.admin(),
            Method::POST,
            "/tags".to_owned(),
            Some(("text/plain".to_owned(), long)),
            "payload_too_large",
        ),
        (
            app.admin(),
            Method::POST,
            "/tags".to_owned(),
            Some(("multipart/form-data".to_owned(), vec![])),
            "unsupported_media_type",
        ),
    ]);
    let path = format!("/events/{}?password=x", locked["id"]);
    all.push(refused_json(
        app.anonymous(),
        Method::GET,
        &path,
        &json!({}),
        "event-password-protected",
    ));
    all
}

/// The texts for people in an error: its message, and what is told of each field.
fn texts(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let data = &json["data"];
    let mut texts = vec![json["message"].clone(), data["json_error_message"].clone()];
    texts.extend(
        data["params"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(_, text)| text.clone()),
    );
    let details = data["details"].as_object().into_iter().flatten();
    texts.extend(details.map(|(_, detail)| detail["message"].clone()));
    texts
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// Fails unless answers in Arabic, English and French say each text in their own words.
#[track_caller]
fn are_translations(answers: &[Answer]) {
    let [arabic, english, french] = answers else {
        panic!("an answer for each language");
    };
    let told = [arabic, english, french].map(texts);
    assert!(
        !told[0].is_empty() && told[0].len() == told[1].len() && told[0].len() == told[2].len()
    );
    for ((arabic, english), french) in told[0].iter().zip(&told[1]).zip(&told[2]) {
        let is_arabic = |c: char| ('\u{600}'..='\u{6ff}').contains(&c);
        assert!(arabic.starts_with(is_arabic), "{arabic}");
        assert!(!english.is_empty() && english.is_ascii(), "{english}");
        assert!(
            !french.is_empty() && !french.contains(is_arabic),
            "{french}"
        );
        assert_ne!(english, french);
    }
}

on_both_stores! {
    /// Every error is told in the language of the path, and says which one that is.
    async fn errors_speak_the_language_of_the_path(app) {
        let mut codes = BTreeSet::new();
        for (client, method, path, body, code) in refusals(app).await {
            let mut answers = Vec::new();
            for language in LANGUAGES {
                let client = client.clone().under(&format!("/{language}/cal/events/v1"));
                let body = body.as_ref().map(|(kind, bytes)| (kind.as_str(), bytes.clone()));
                let answer = client.send(method.clone(), &path, body).await;
                assert_eq!(answer.code(), code, "{method} {path}: {}", answer.text());
                assert_eq!(answer.json()["data"]["status"], answer.status);
                assert_eq!(answer.header("content-language"), language, "{code}");
                assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8");
                answers.push(answer);
            }
            are_translations(&answers);
            codes.insert(code);
        }
        assert_eq!(codes.len(), 32, "{codes:?}");
    }

    /// So it is with the language that a parameter asks for, in the query or in the body.
    async fn errors_speak_the_language_of_the_parameter(app) {
        let mut of_query = Vec::new();
        let mut of_body = Vec::new();
        let mut of_absent = Vec::new();
        let mut of_wrong_credentials = Vec::new();
        for language in LANGUAGES {
            let bad = json!({
                "start_date": "2027-02-30",
                "end_date": "",
                "timezone": "Mars",
                "website": "x",
                "cost": -5,
                "all_day": "yes",
                "venue": {"venue": "", "website": "x"},
                "status": "done",
            });
            let mut with_language = event_fields(bad.clone());
            with_language["ml_language"] = language.into();
            let path = format!("/events?ml_language={language}");
            of_query.push(app.admin().post(&path, event_fields(bad)).await);
            of_body.push(app.admin().post("/events", with_language).await);
            of_absent.push(app.anonymous().get(&format!("//nothing?ml_language={language}")).await);
            let client = app.authorized("Bearer x");
            of_wrong_credentials.push(client.get(&path).await);
        }
        for answers in [&of_query, &of_body, &of_absent, &of_wrong_credentials] {
            are_translations(answers);
        }
        for (query, body) in of_query.iter().zip(&of_body) {
            query.is_invalid(&[
                "start_date", "end_date", "timezone", "website", "cost", "all_day", "venue", "status",
            ]);
            assert_eq!(query.json(), body.json());
        }
        let header = |answer: &Answer| answer.header("www-authenticate").to_owned();
        assert!(of_wrong_credentials.iter().all(|answer| header(answer).contains("Bearer")));
    }
}
