//! Alternative texts of images.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields},
    for_each_row,
    pictures::png,
};

use super::{
    images::upload,
    mounts::{TRIBE, mounted},
    records::event_path,
};

/// The alternative text of the first image, as a caller reads it.
async fn alt(client: &Client, query: &str) -> Value {
    client.get(&format!("/images/1{query}")).await.json()["alt"].clone()
}

/// A form with a file and its alternative text.
fn form(alt: &[u8], charset: &str) -> (String, Vec<u8>) {
    let (kind, file) = tests::pictures::form("bank.png", Some("image/png"), &png(5, 5));
    let head = format!(
        "--limit\r\nContent-Disposition: form-data; name=\"alt\"\r\n\
         Content-Type: text/plain{charset}\r\n\r\n"
    );
    (kind, [head.as_bytes(), alt, b"\r\n", &file].concat())
}

/// D-49: An image gets a text by each verb, and loses it by an empty one; other members that were read
/// are ignored.
#[both_stores]
async fn an_image_gets_a_text(app: &TestApp) {
    let image = upload(&app.author()).await;
    assert_eq!(image["alt"], "");
    for (method, text) in [(Method::PUT, "Put"), (Method::PATCH, "Patch"), (Method::POST, "Post")] {
        let answer = app.author().send_json(method, "/images/1", &json!({"alt": text})).await;
        let mut expected = image.clone();
        expected["alt"] = json!(text);
        assert_eq!((answer.status, answer.json()), (200, expected));
    }
    app.editor().change("/images/1", json!({"alt": " A <b>red</b>\n bench < tree "})).await;
    let written = json!("A red bench &lt; tree");
    assert_eq!(alt(&app.author(), "").await, written);
    let read = app.author().get("/images/1").await.json();
    let keys: Vec<_> = read.as_object().expect("an image").keys().take(3).collect();
    assert_eq!(keys, ["url", "id", "alt"]);
    for harmless in [read, json!({}), json!({"alt": null})] {
        app.author().change("/images/1", harmless).await;
        assert_eq!(alt(&app.author(), "").await, written);
    }
    app.author().change("/images/1", json!({"alt": ""})).await;
    assert_eq!(alt(&app.author(), "").await, "");
}

/// D-49: A text that is too long, or no text, is refused; unknown fields only on request.
#[both_stores]
async fn bad_texts_of_images(app: &TestApp) {
    upload(&app.author()).await;
    let longest = "é".repeat(500);
    app.author().change("/images/1", json!({"alt": longest})).await;
    let rows = [json!("é".repeat(501)), json!(5), json!(true), json!(["a"]), json!({"en": "a"})];
    for_each_row(rows, async |bad| {
        app.author().put("/images/1", json!({"alt": bad})).await.assert_invalid(&["alt"]);
    })
    .await;
    assert_eq!(alt(&app.author(), "").await, longest);
    let unknown = app.author().put("/images/1?ml_language=de", json!({"alt": "A"})).await;
    unknown.assert_invalid(&["ml_language"]);
    let strict = [("prefer", "handling=strict")];
    let send = async |fields: Value| {
        app.author().send_json_with(Method::PUT, "/images/1", &strict, &fields).await
    };
    send(json!({"alt_text": "A"})).await.assert_invalid(&["alt_text"]);
    let read = app.author().get("/images/1").await.json();
    assert_eq!(send(read).await.status, 200);
}

/// D-49: A text is of the language of the request; the first one stands in for those that are missing.
#[both_stores]
async fn texts_in_languages(app: &TestApp) {
    upload(&app.author()).await;
    let change = async |language: &str, text: &str| {
        let fields = json!({"ml_language": language, "alt": text});
        let shown = app.author().change("/images/1", fields).await;
        assert_eq!(shown["alt"], text);
    };
    let all = async || {
        let mut all = Vec::new();
        for language in ["ar", "en", "fr"] {
            all.push(alt(&app.author(), &format!("?ml_language={language}")).await);
        }
        all
    };
    change("fr", "Un banc").await;
    assert_eq!(all().await, ["Un banc", "Un banc", "Un banc"]);
    change("ar", "مقعد").await;
    assert_eq!(all().await, ["مقعد", "Un banc", "Un banc"]);
    // A text that was read makes no translation.
    change("en", "Un banc").await;
    change("fr", "Un banc rouge").await;
    assert_eq!(all().await, ["مقعد", "Un banc rouge", "Un banc rouge"]);
    change("en", "A bench").await;
    assert_eq!(all().await, ["مقعد", "A bench", "Un banc rouge"]);
    let cleared = app.author().change("/images/1", json!({"alt": ""})).await;
    assert_eq!(cleared["alt"], "Un banc rouge");
    // Records show the text of their language.
    app.author().event(json!({"image": 1})).await;
    let event = app.anonymous().get("//ar/cal/events/v1/events/1").await.json();
    assert_eq!(event["image"]["alt"], "مقعد");
}

/// D-49: Uploads bring a text along, as a field of the form or in the query, in the language of the
/// request; with a bad one nothing is stored.
#[both_stores]
async fn uploads_with_texts(app: &TestApp) {
    let author = app.author();
    let send = async |query: &str, (kind, body): (String, Vec<u8>)| {
        let path = format!("/images{query}");
        author.send(Method::POST, &path, Some((&kind, body))).await
    };
    let raw = || ("image/png".to_owned(), png(5, 5));
    for (query, body, text) in [
        ("?alt=A%20bench", raw(), "A bench"),
        ("?alt=", raw(), ""),
        ("", form("Un banc vert été".as_bytes(), ""), "Un banc vert été"),
        ("", form(b"\xe9t\xe9", ";charset=iso-8859-1"), "été"),
        ("?alt=query", form(b"form", ""), "form"),
    ] {
        let answer = send(query, body).await;
        assert_eq!((answer.status, &answer.json()["alt"]), (201, &json!(text)), "{query}");
    }
    let french = send("?ml_language=fr&alt=Un%20banc", raw()).await.json();
    author.change(&format!("/images/{}", french["id"]), json!({"alt": "A bench"})).await;
    let read = author.get(&format!("/images/{}?ml_language=fr", french["id"])).await.json();
    assert_eq!(read["alt"], "Un banc");

    let long = "x".repeat(501);
    send(&format!("?alt={long}"), raw()).await.assert_invalid(&["alt"]);
    send("", form(long.as_bytes(), "")).await.assert_invalid(&["alt"]);
    send("", form(b"\xe9", "")).await.assert_invalid(&["alt"]);
    author.get("/images/7").await.assert_error(404, "image-not-found");
}

/// D-49: The uploader and editors change the text; for others that may upload, the image does not exist.
#[both_stores]
async fn rights_on_texts_of_images(app: &TestApp) {
    upload(&app.author()).await;
    app.author().event(json!({"image": 1})).await;
    let text = || json!({"alt": "A bench"});
    app.anonymous().put("/images/1", text()).await.assert_error(401, "rest_forbidden");
    for client in [app.subscriber(), app.contributor()] {
        for path in ["/images/1", "/images/9"] {
            client.put(path, text()).await.assert_error(403, "rest_forbidden");
        }
    }
    let others = app.user(6).put("/images/1", text()).await;
    let absent = app.user(6).put("/images/9", text()).await;
    assert_eq!((others.status, others.json()), (404, absent.json()));
    others.assert_error(404, "image-not-found");
    assert_eq!(alt(&app.anonymous(), "").await, "");
    for client in [app.author(), app.editor(), app.admin()] {
        assert_eq!(client.change("/images/1", text()).await["alt"], "A bench");
    }
    let allowed = app.user(6).get("/images/1").await;
    assert_eq!(allowed.header("allow"), "GET");
    let allowed = app.author().get("/images/1").await;
    assert_eq!(allowed.header("allow"), "GET, DELETE, POST, PUT, PATCH");
}

/// D-49: A new text changes the entity tags of the image and of each record that shows it, and what caches
/// hold; the revision of records stays.
#[both_stores]
async fn tags_follow_texts(app: &TestApp) {
    upload(&app.author()).await;
    let venue = json!({"venue": "Mill", "image": 1});
    let event = app.author().event(json!({"image": 1, "venue": venue})).await;
    let organizer = json!({"organizer": "Club", "image": 1});
    app.editor().make("/organizers", organizer).await;
    let paths = ["/images/1", &event_path(&event), "/venues/1", "/organizers/1", "/events"];
    let tags = async || {
        let mut tags = Vec::new();
        for path in paths {
            let answer = app.anonymous().get(path).await;
            tags.push(answer.header("etag").to_owned());
        }
        tags
    };
    let before = tags().await;
    assert_eq!(tags().await, before);
    app.clock.advance_seconds(60);
    app.author().change("/images/1", json!({"alt": "A bench"})).await;
    let after = tags().await;
    for (path, (before, after)) in paths.iter().zip(before.iter().zip(&after)) {
        assert_ne!(before, after, "{path}");
    }
    let shown = app.anonymous().get(&event_path(&event)).await.json();
    let shown_texts = json!({"image.alt": "A bench", "venue.image.alt": "A bench"});
    has_fields(&shown, shown_texts);
    assert_eq!(shown["modified"], event["modified"]);

    // A record is changed in the state that was read before; an image is not.
    let put = async |path: &str, tag: &str, fields: Value| {
        app.editor().send_json_with(Method::PUT, path, &[("if-match", tag)], &fields).await
    };
    let title = json!({"title": "New"});
    assert_eq!(put(paths[1], &before[1], title).await.status, 200);
    let text = || json!({"alt": "A red bench"});
    put(paths[0], &before[0], text()).await.assert_error(412, "precondition_failed");
    assert_eq!(put(paths[0], &after[0], text()).await.status, 200);
    // The same text is no change.
    let last = tags().await;
    app.author().change("/images/1", text()).await;
    assert_eq!(tags().await, last);
}

/// D-49: `wp/v2/media` has the text, and so has the picture of a page.
#[both_stores]
async fn texts_for_people_and_hosts(app: &TestApp) {
    upload(&app.author()).await;
    app.author().change("/images/1", json!({"alt": "A \"red\" bench < tree"})).await;
    app.author().event(json!({"title": "Walk", "image": 1})).await;
    let page = app.anonymous().get("//event/walk/").await.text();
    let shown = "alt=\"A &#34;red&#34; bench &#60; tree\"";
    assert!(page.contains(shown), "{page}");
    let host = mounted(app, &[TRIBE]).await.under("/wp-json/wp/v2");
    assert_eq!(host.get("/media/1").await.json()["alt_text"], "A \"red\" bench &lt; tree");
    assert_eq!(host.get("/media").await.json()[0]["alt_text"], "A \"red\" bench &lt; tree");
}
