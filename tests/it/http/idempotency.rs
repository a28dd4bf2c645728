//! Repeated creations.

use super::images::files;
use axum::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields},
    pictures::{form, png},
};

async fn create(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    let headers = [("idempotency-key", key)];
    client.send_json_with(Method::POST, path, &headers, body).await
}

/// Fails unless a key is refused because it belongs to another request.
#[track_caller]
fn is_reused(answer: &Answer) {
    answer.assert_error(422, "idempotency_key_reused");
}

/// Fails unless two answers to a creation are the same.
#[track_caller]
fn is_replayed(answer: &Answer, first: &Answer) {
    assert_eq!((first.status, answer.status), (201, 201), "{}", first.text());
    assert_eq!(answer.bytes, first.bytes);
    assert_ne!(first.header("location"), "");
    for header in ["location", "content-type", "content-language"] {
        assert_eq!(answer.header(header), first.header(header), "{header}");
    }
}

async fn total(client: &Client, path: &str) -> Value {
    client.get(path).await.json()["total"].clone()
}

/// The path and fields that create a record of each kind.
fn kinds() -> [(&'static str, Value); 5] {
    [
        ("/events", event_fields(json!({"venue": {"venue": "Inline"}, "tags": ["inline"]}))),
        ("/venues", json!({"venue": "Mill"})),
        ("/organizers", json!({"organizer": "Hands"})),
        ("/categories", json!({"name": "Outdoor"})),
        ("/tags", json!({"name": "water"})),
    ]
}

/// G-50c: A creation that is sent again is answered again and creates nothing; another one under
/// the same key is refused.
#[both_stores]
async fn a_creation_is_done_once(app: &TestApp) {
    let admin = app.admin();
    for (path, body) in kinds() {
        let list = format!("{path}?hide_empty=0&status=any");
        let first = create(&admin, path, "key-1", &body).await;
        let made = total(&admin, &list).await;
        app.clock.advance_seconds(60);
        is_replayed(&create(&admin, path, "key-1", &body).await, &first);
        let mut other = body.clone();
        other["description"] = json!("Other.");
        is_reused(&create(&admin, path, "key-1", &other).await);
        assert_eq!(total(&admin, &list).await, made, "{path}");
        // Another key, or none, is another creation.
        let name = body.as_object().unwrap().keys().next().unwrap().clone();
        other[name] = json!("Another");
        let second = create(&admin, path, "key-2", &other).await;
        assert_eq!(second.status, 201, "{}", second.text());
        assert_ne!(second.header("location"), first.header("location"));
    }
    // The event brought one venue and one tag.
    assert_eq!(total(&admin, "/venues?search=Inline").await, 1);
}

/// D-28: The fields of a creation may come in any order, also those of what is nested, in JSON and in
/// a form; the values of a list may not.
#[both_stores]
async fn fields_may_come_in_any_order(app: &TestApp) {
    let admin = app.admin();
    let send = async |key: &str, kind: &'static str, body: &str| {
        let headers = [("idempotency-key", key)];
        let body = Some((kind, body.as_bytes().to_vec()));
        admin.send_with(Method::POST, "/events", &headers, body).await
    };
    let when = r#""start_date": "2027-03-10 09:00", "end_date": "2027-03-10 11:00""#;
    let first = format!(
        r#"{{"title": "Fair", {when}, "tags": ["a", "b"], "venue": {{"venue": "Mill", "city": "Lyon"}}, "organizer": [{{"organizer": "A", "phone": "1"}}]}}"#
    );
    let again = format!(
        r#"{{"organizer": [{{"phone": "1", "organizer": "A"}}], "venue": {{"city": "Lyon", "venue": "Mill"}}, "tags": ["a", "b"], {when}, "title": "Fair"}}"#
    );
    let other = first.replace(r#"["a", "b"]"#, r#"["b", "a"]"#);
    let json = "application/json";
    let made = send("json", json, &first).await;
    is_replayed(&send("json", json, &again).await, &made);
    is_reused(&send("json", json, &other).await);
    is_reused(&send("json", json, &first.replace("Lyon", "Metz")).await);

    let form = "application/x-www-form-urlencoded";
    let fields = [
        "title=Fair",
        "start_date=2027-03-10",
        "end_date=2027-03-10",
        "venue[venue]=Mill",
        "venue[city]=Lyon",
        "tags[]=a",
        "tags[]=b",
    ];
    let mut turned = fields;
    turned[..5].reverse();
    let made = send("form", form, &fields.join("&")).await;
    is_replayed(&send("form", form, &turned.join("&")).await, &made);
    turned.swap(5, 6);
    is_reused(&send("form", form, &turned.join("&")).await);
    assert_eq!(total(&admin, "/events").await, 2);
}

/// G-50c: An image is stored once, as a body or in a form; another file under the same key is
/// refused, and leaves nothing.
#[both_stores]
async fn an_upload_is_done_once(app: &TestApp) {
    let headers = [("idempotency-key", "photo")];
    let author = app.author();
    let send = async |kind: &str, content: Vec<u8>| {
        author.send_with(Method::POST, "/images", &headers, Some((kind, content))).await
    };
    let first = send("image/png", png(400, 200)).await;
    let kept = files(app).await;
    is_replayed(&send("image/png", png(400, 200)).await, &first);
    assert_eq!(files(app).await, kept);
    is_reused(&send("image/png", png(200, 400)).await);
    assert_eq!(files(app).await, kept);
    author.get("/images/2").await.assert_error(404, "image-not-found");
    let headers = [("idempotency-key", "form")];
    let (kind, body) = form("bank.png", Some("image/png"), &png(40, 20));
    let send = || {
        let body = Some((kind.as_str(), body.clone()));
        author.send_with(Method::POST, "/images", &headers, body)
    };
    let first = send().await;
    is_replayed(&send().await, &first);
}

/// Keys are separate for each user, path and language.
#[both_stores]
async fn keys_have_their_place(app: &TestApp) {
    let body = json!({"venue": "Mill"});
    let mut seen = Vec::new();
    for client in [app.admin(), app.editor(), app.author()] {
        let answer = create(&client, "/venues", "same", &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        assert!(!seen.contains(&answer.json()["id"]));
        seen.push(answer.json()["id"].clone());
    }
    let organizer = create(&app.admin(), "/organizers", "same", &json!({"organizer": "A"})).await;
    assert_eq!(organizer.status, 201);
    is_reused(&create(&app.admin(), "/venues?status=draft", "same", &body).await);
    let other_case = create(&app.admin(), "/venues", "Same", &body).await;
    assert_eq!(other_case.status, 201);
    // Updates and reads have no idempotency key.
    for _ in 0..2 {
        let answer = create(&app.admin(), "/venues/1", "same", &json!({"city": "Oslo"})).await;
        assert_eq!((answer.status, &answer.json()["city"]), (200, &json!("Oslo")));
    }
}

/// A refusal is not stored: a corrected request under the same key succeeds.
#[both_stores]
async fn refusals_are_not_kept(app: &TestApp) {
    let body = event_fields(json!({"venue": 7}));
    create(&app.admin(), "/events", "key", &body).await.assert_invalid(&["venue"]);
    create(&app.anonymous(), "/events", "key", &body).await.assert_error(401, "rest_forbidden");
    create(&app.subscriber(), "/events", "key", &body).await.assert_error(403, "rest_forbidden");
    let missing = create(&app.admin(), "/events", "key", &json!({})).await;
    missing.assert_error(400, "rest_missing_callback_param");
    let answer = create(&app.admin(), "/events", "key", &event_fields(json!({}))).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let duplicate = json!({"name": "water"});
    assert_eq!(create(&app.admin(), "/tags", "one", &duplicate).await.status, 201);
    create(&app.admin(), "/tags", "two", &duplicate).await.assert_error(400, "term_exists");
    assert_eq!(create(&app.admin(), "/tags", "one", &duplicate).await.status, 201);
    assert_eq!(create(&app.admin(), "/tags", "two", &json!({"name": "air"})).await.status, 201);
}

/// A key is valid for 24 hours, even if its record was deleted.
#[both_stores]
async fn keys_expire(app: &TestApp) {
    let body = json!({"venue": "Mill"});
    let first = create(&app.admin(), "/venues", "key", &body).await;
    assert_eq!(app.admin().delete("/venues/1?force=true").await.status, 200);
    app.clock.advance_seconds(24 * 60 * 60 - 1);
    is_replayed(&create(&app.admin(), "/venues", "key", &body).await, &first);
    app.clock.advance_seconds(1);
    let new = create(&app.admin(), "/venues", "key", &body).await;
    assert_eq!((new.status, &new.json()["id"]), (201, &json!(2)));
    is_reused(&create(&app.admin(), "/venues", "key", &json!({"venue": "Other"})).await);
}

/// A key has visible characters up to a maximum length; the error for an invalid key names it.
#[both_stores]
async fn odd_keys(app: &TestApp) {
    let body = json!({"venue": "Mill"});
    let long = "k".repeat(256);
    for key in ["", "two words", "tab\there", "accentué", &long] {
        create(&app.admin(), "/venues", key, &body).await.assert_invalid(&["Idempotency-Key"]);
    }
    for key in ["\"8e03978e-40d5-43e8-bc93-6894a57f9324\"", &long[1..], "~!"] {
        assert_eq!(create(&app.admin(), "/venues", key, &body).await.status, 201, "{key}");
    }
}

/// The replayed answer can have another form.
#[both_stores]
async fn the_form_is_that_of_the_request(app: &TestApp) {
    let body = json!({"venue": "Mill"});
    let path = "/venues?_envelope=1";
    let first = create(&app.admin(), path, "key", &body).await.json();
    let again = create(&app.admin(), path, "key", &body).await.json();
    assert_eq!((&first, &first["status"]), (&again, &json!(201)));
}

/// G-50c: Two requests at the same moment create one record, and get the same answer.
#[both_stores(threads = 4)]
async fn twins_wait_for_the_first(app: &TestApp) {
    for (path, body) in kinds() {
        let list = format!("{path}?hide_empty=0&status=any");
        let before = total(&app.admin(), &list).await.as_i64().unwrap();
        let twins: Vec<_> = (0..6)
            .map(|_| {
                let (client, body) = (app.admin(), body.clone());
                tokio::spawn(async move { create(&client, path, "twin", &body).await })
            })
            .collect();
        let answers = join_all(twins).await.into_iter().map(Result::unwrap).collect::<Vec<_>>();
        for answer in &answers {
            is_replayed(answer, &answers[0]);
        }
        let after = total(&app.admin(), &list).await.as_i64().unwrap();
        // The event brought a venue and a tag along.
        assert_eq!(after - before, 1, "{path}");
    }
}
