//! Error messages in each language.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields},
};

const LANGUAGES: [&str; 3] = ["ar", "en", "fr"];

/// A refused request, and the code of its error.
struct Refusal {
    client: Client,
    method: Method,
    path: String,
    headers: Vec<(&'static str, &'static str)>,
    body: Option<(&'static str, Vec<u8>)>,
    code: &'static str,
}

impl Refusal {
    fn new(client: Client, method: Method, path: &str, code: &'static str) -> Self {
        Self { client, method, path: path.to_owned(), headers: Vec::new(), body: None, code }
    }

    fn with_body(mut self, content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some((content_type, body.into()));
        self
    }

    fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sends the request below a path.
    async fn send(&self, mount: &str) -> Answer {
        let client = self.client.clone().under(mount);
        let (method, path) = (self.method.clone(), &self.path);
        let answer = client.send_with(method, path, &self.headers, self.body.clone());
        let answer = answer.await;
        assert_eq!(answer.code(), self.code, "{path}: {}", answer.text());
        answer
    }
}

/// A request for each error code that a single request can cause.
async fn refusals(app: &TestApp) -> Vec<Refusal> {
    let admin = app.admin();
    for _ in 0..10 {
        app.basic("guesser", "x").get("/events").await;
    }
    let keyed = ("idempotency-key", "one");
    let tag = serde_json::to_vec(&json!({"name": "Water"})).unwrap();
    let tag = Some(("application/json", tag));
    let made = admin.send_with(Method::POST, "/tags", &[keyed], tag).await;
    assert_eq!(made.status, 201, "{}", made.text());
    admin.make("/tags", json!({"name": "Fire"})).await;
    admin.event(json!({"password": "key"})).await;

    let mut all = Vec::new();
    for (collection, name, codes) in [
        ("/events", "title", ["event-not-accessible", "event-is-in-trash"]),
        ("/venues", "venue", ["venue-not-accessible", "venue-is-in-trash"]),
        ("/organizers", "organizer", ["organizer-not-accessible", "organizer-is-in-trash"]),
    ] {
        let draft = event_fields(json!({name: "Draft", "status": "draft"}));
        let draft = admin.make(collection, draft).await;
        let trashed = event_fields(json!({name: "Old", "status": "trash"}));
        let trashed = admin.make(collection, trashed).await;
        let [draft, trashed] = [draft, trashed].map(|one| format!("{collection}/{}", one["id"]));
        all.extend([
            Refusal::new(app.anonymous(), Method::GET, &draft, codes[0]),
            Refusal::new(app.admin(), Method::DELETE, &trashed, codes[1]),
        ]);
    }
    let long = format!("/events?search={}", "x".repeat(8200));
    let reads = [
        ("/events/1/x", "rest_no_route"),
        ("/events/99", "rest-event-not-found"),
        ("/venues/99", "venue-not-found"),
        ("/organizers/99", "organizer-not-found"),
        ("/categories/99", "rest_term_invalid"),
        ("/tags/99", "rest_term_invalid"),
        ("/events?page=9", "event-archive-page-not-found"),
        ("/venues?page=9", "venue-archive-page-not-found"),
        ("/organizers?page=9", "organizer-archive-page-not-found"),
        ("/categories?page=9", "term-archive-page-not-found"),
        ("/tags?page=9", "term-archive-page-not-found"),
        ("/events/1?password=x", "event-password-protected"),
        ("/organizers?event=99", "rest-invalid-event-id"),
        ("/events?page=0&starts_after=x&status=y", "rest_invalid_param"),
        ("/?namespace=wp/v2", "rest_invalid_namespace"),
        (&long, "uri_too_long"),
    ];
    all.extend(reads.map(|(path, code)| Refusal::new(app.anonymous(), Method::GET, path, code)));
    let of_users = [
        (app.anonymous(), Method::PATCH, "/tags", "rest_no_route"),
        (app.anonymous(), Method::DELETE, "/tags/1", "rest_forbidden"),
        (app.subscriber(), Method::DELETE, "/tags/1", "rest_forbidden"),
        (app.admin(), Method::GET, "/events/3", "event-no-longer-available"),
        (app.basic("admin", "x"), Method::GET, "/events", "incorrect_password"),
        (app.basic("guesser", "x"), Method::GET, "/events", "rate_limited"),
        (app.authorized("Bearer x"), Method::GET, "/tags", "invalid_token"),
    ];
    all.extend(
        of_users.map(|(client, method, path, code)| Refusal::new(client, method, path, code)),
    );
    let nested = "[".repeat(100);
    let writes = [
        (Method::POST, "/events", "{}", "rest_missing_callback_param"),
        (Method::POST, "/events", "{\"title\":", "rest_invalid_json"),
        (Method::POST, "/events", &nested, "rest_invalid_json"),
        (Method::POST, "/tags", r#"{"name": "water"}"#, "term_exists"),
        (Method::PUT, "/tags/1", r#"{"slug": "fire"}"#, "duplicate_term_slug"),
        (Method::POST, "/tags", r#"{"name": " "}"#, "empty_term_name"),
        (Method::POST, "/tags", r#"{"name": "A", "parent": 1}"#, "rest_taxonomy_not_hierarchical"),
    ];
    all.extend(writes.map(|(method, path, body, code)| {
        Refusal::new(app.admin(), method, path, code).with_body("application/json", body)
    }));
    let write = |code| Refusal::new(app.admin(), Method::POST, "/tags", code);
    all.extend([
        write("payload_too_large").with_body("text/plain", vec![b' '; 1024 * 1024 + 1]),
        write("unsupported_media_type").with_body("multipart/form-data", ""),
        write("idempotency_key_reused")
            .with_header(keyed.0, keyed.1)
            .with_body("application/json", r#"{"name": "Air"}"#),
        write("rest_invalid_param")
            .with_header(keyed.0, "")
            .with_body("application/json", r#"{"name": "Air"}"#),
        Refusal::new(app.admin(), Method::DELETE, "/events/1", "precondition_failed")
            .with_header("if-match", "\"9\""),
    ]);
    all
}

/// The texts for people in an error: its message, and the message of each field.
fn texts(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let data = &json["data"];
    let mut texts = vec![json["message"].clone(), data["json_error_message"].clone()];
    texts.extend(data["params"].as_object().into_iter().flatten().map(|(_, text)| text.clone()));
    let details = data["details"].as_object().into_iter().flatten();
    texts.extend(details.map(|(_, detail)| detail["message"].clone()));
    texts.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Fails unless each text differs between the answers in Arabic, English and French.
#[track_caller]
fn are_translations(answers: &[Answer]) {
    let [arabic, english, french] = answers else {
        panic!("an answer for each language");
    };
    let all = [arabic, english, french].map(texts);
    assert!(!all[0].is_empty() && all[0].len() == all[1].len() && all[0].len() == all[2].len());
    for ((arabic, english), french) in all[0].iter().zip(&all[1]).zip(&all[2]) {
        let is_arabic = |c: char| ('\u{600}'..='\u{6ff}').contains(&c);
        assert!(arabic.starts_with(is_arabic), "{arabic}");
        assert!(!english.is_empty() && english.is_ascii(), "{english}");
        assert!(!french.is_empty() && !french.contains(is_arabic), "{french}");
        assert_ne!(english, french);
    }
}

/// Fails unless one field is invalid, with a message that contains these words.
#[track_caller]
fn refuses_with(answer: &Answer, field: &str, words: &str) {
    answer.assert_invalid(&[field]);
    let message = answer.json()["data"]["params"][field].to_string();
    assert!(message.contains(words), "{message}");
}

/// Every error has the language of the path, and names it.
#[both_stores]
async fn errors_speak_the_language_of_the_path(app: &TestApp) {
    let mut codes = BTreeSet::new();
    for refusal in refusals(app).await {
        let mut answers = Vec::new();
        for language in LANGUAGES {
            let answer = refusal.send(&format!("/{language}/cal/events/v1")).await;
            assert_eq!(answer.json()["data"]["status"], answer.status);
            assert_eq!(answer.header("content-language"), language, "{}", refusal.code);
            assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8");
            answers.push(answer);
        }
        are_translations(&answers);
        codes.insert(refusal.code);
    }
    assert_eq!(codes.len(), 35, "{codes:?}");
}

/// The same holds for the language parameter, in the query or in the body.
#[both_stores]
async fn errors_speak_the_language_of_the_parameter(app: &TestApp) {
    let faults = json!({
        "start_date": "2027-02-30",
        "end_date": "",
        "timezone": "Mars",
        "website": "x",
        "cost": -5,
        "all_day": "yes",
        "venue": {"venue": "", "website": "x"},
        "status": "done",
    });
    let names: Vec<_> = faults.as_object().unwrap().keys().map(String::as_str).collect();
    let bad = event_fields(faults.clone());
    let mut of_query = Vec::new();
    let mut of_absent = Vec::new();
    let mut of_wrong_credentials = Vec::new();
    for language in LANGUAGES {
        let path = format!("/events?ml_language={language}");
        let mut with_language = bad.clone();
        with_language["ml_language"] = language.into();
        let query = app.admin().post(&path, bad.clone()).await;
        let body = app.admin().post("/events", with_language).await;
        query.assert_invalid(&names);
        assert_eq!(query.json(), body.json());
        of_query.push(query);
        of_absent.push(app.anonymous().get(&format!("//nothing?ml_language={language}")).await);
        let wrong = app.authorized("Bearer x").get(&path).await;
        assert!(wrong.header("www-authenticate").contains("Bearer"));
        of_wrong_credentials.push(wrong);
    }
    for answers in [of_query, of_absent, of_wrong_credentials] {
        are_translations(&answers);
    }
}

/// D-31: The error for a status that needs a role names the roles to log in with, in a list and in
/// a write.
#[both_stores]
async fn a_refused_status_names_the_roles(app: &TestApp) {
    let contributors = [
        ("en", "log in as a contributor, an author, an editor or an administrator"),
        ("fr", "connectez en tant que contributeur, auteur, éditeur ou administrateur"),
        ("ar", "سجّلت الدخول بصفة مساهم أو كاتب أو محرر أو مدير"),
    ];
    for path in ["/events", "/venues", "/organizers"] {
        for (language, words) in contributors {
            for client in [app.anonymous(), app.subscriber()] {
                let answer =
                    client.get(&format!("{path}?status=draft&ml_language={language}")).await;
                refuses_with(&answer, "status", words);
            }
        }
        assert_eq!(app.contributor().get(&format!("{path}?status=draft")).await.status, 200);
    }
    let answer = app.contributor().try_event(json!({"status": "private"})).await;
    refuses_with(&answer, "status", "log in as an author, an editor or an administrator");
}

/// D-31: The error of missing credentials or rights is in the language of the request.
#[both_stores]
async fn refusals_say_to_log_in(app: &TestApp) {
    let draft = app.admin().event(json!({"status": "draft"})).await;
    let path = format!("/events/{}", draft["id"]);
    for (language, words) in [("en", "Log in"), ("fr", "Connectez-vous"), ("ar", "سجّل الدخول")]
    {
        let query = format!("?ml_language={language}");
        for answer in [
            app.anonymous().post(&format!("/events{query}"), event_fields(json!({}))).await,
            app.subscriber().post(&format!("/events{query}"), event_fields(json!({}))).await,
            app.anonymous().get(&format!("{path}{query}")).await,
        ] {
            assert!(matches!(answer.status, 401 | 403), "{}", answer.text());
            let message = answer.json()["message"].to_string();
            assert!(message.contains(words), "{message}");
        }
    }
}

/// D-31: A category under itself or one below it has one message, an absent parent another.
#[both_stores]
async fn a_circular_parent_has_a_message(app: &TestApp) {
    let top = app.admin().make("/categories", json!({"name": "Top"})).await;
    let below =
        app.admin().make("/categories", json!({"name": "Below", "parent": top["id"]})).await;
    let path = format!("/categories/{}", top["id"]);
    for (language, words) in [
        ("en", "must not be the category itself or a category below it"),
        ("fr", "ni la catégorie elle-même ni une catégorie au-dessous d’elle"),
        ("ar", "التصنيف نفسه ولا إلى تصنيف أدنى منه"),
    ] {
        for parent in [&top["id"], &below["id"]] {
            let path = format!("{path}?ml_language={language}");
            let answer = app.admin().put(&path, json!({"parent": parent})).await;
            refuses_with(&answer, "parent", words);
            let details = &answer.json()["data"]["details"];
            assert_eq!(details["parent"]["code"], "circular_parent");
        }
    }
    let answer = app.admin().put(&path, json!({"parent": 99})).await;
    answer.assert_invalid(&["parent"]);
    assert_eq!(answer.json()["data"]["details"], json!([]));
}
