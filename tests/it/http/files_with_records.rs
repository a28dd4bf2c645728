//! Files that a form sends with a record.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client},
    for_each_row,
    pictures::png,
};

use super::images::files;

const EVENT: [(&str, &str); 3] =
    [("title", "Fair"), ("start_date", "2027-03-10 09:00"), ("end_date", "2027-03-10 11:00")];

/// A form with texts and files; a file has a name, a file name and content.
async fn send(
    client: &Client,
    (method, path): (Method, &str),
    texts: &[(&str, &str)],
    files: &[(&str, &str, Vec<u8>)],
) -> Answer {
    let mut body = Vec::new();
    for (name, value) in texts {
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend([head.as_bytes(), value.as_bytes(), b"\r\n"].concat());
    }
    for (name, file, content) in files {
        let head = format!("form-data; name=\"{name}\"; filename=\"{file}\"");
        let kind = "Content-Type: application/octet-stream";
        let head = format!("--x\r\nContent-Disposition: {head}\r\n{kind}\r\n\r\n");
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    body.extend(b"--x--\r\n");
    client.send(method, path, Some(("multipart/form-data; boundary=x", body))).await
}

fn poster() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    vec![("image", "poster.png", png(40, 20))]
}

/// D-37: The file `image` of a form becomes the image of the record.
#[both_stores]
async fn a_file_becomes_the_image(app: &TestApp) {
    let author = app.author();
    let kinds = [
        ("/events", &EVENT[..]),
        ("/venues", &[("venue", "Hall")]),
        ("/organizers", &[("organizer", "Choir")]),
    ];
    for (path, texts) in kinds {
        let answer = send(&author, (Method::POST, path), texts, &poster()).await;
        assert_eq!(answer.status, 201, "{path}: {}", answer.text());
        let first = answer.json()["image"]["id"].clone();
        for method in [Method::POST, Method::PUT, Method::PATCH] {
            let one = format!("{path}/1");
            let answer = send(&author, (method, &one), &[], &poster()).await;
            let image = author.get(&one).await.json()["image"].clone();
            assert_eq!(image["width"], 40, "{}", answer.text());
            assert_ne!(image["id"], first);
        }
    }
    let image = author.get("/images/1").await.json();
    assert!(image["url"].as_str().unwrap().ends_with("/poster.png"));
}

/// A record that is refused stores no image.
#[both_stores]
async fn a_refused_record_stores_no_image(app: &TestApp) {
    app.admin().make("/events", tests::client::event_fields(json!({}))).await;
    let create = (Method::POST, "/events");
    let unknown = [&EVENT[..], &[("venue", "77")]].concat();
    let answer = send(&app.author(), create.clone(), &unknown, &poster()).await;
    answer.assert_invalid(&["venue"]);
    let answer = send(&app.author(), create.clone(), &EVENT[..1], &poster()).await;
    answer.assert_error(400, "rest_missing_callback_param");
    let answer = send(&app.contributor(), create.clone(), &EVENT, &poster()).await;
    answer.assert_error(403, "rest_forbidden");
    let answer = send(&app.anonymous(), create, &EVENT, &poster()).await;
    answer.assert_error(401, "rest_forbidden");
    let change = (Method::PUT, "/events/1");
    let answer = send(&app.author(), change.clone(), &[], &poster()).await;
    answer.assert_error(403, "rest_forbidden");
    let answer = send(&app.admin(), change, &[("venue", "77")], &poster()).await;
    answer.assert_invalid(&["venue"]);
    app.admin().get("/images/1").await.assert_error(404, "image-not-found");
    assert_eq!(files(app).await, 0);
}

/// D-37: Other files, files that are no image, and a file beside a value are refused.
#[both_stores]
async fn other_files_are_refused(app: &TestApp) {
    let text = || b"just a text".to_vec();
    let with_id = [&EVENT[..], &[("image", "1")]].concat();
    let rows = [
        ("/events", &EVENT[..], vec![("flyer", "a.png", png(5, 5))], "flyer"),
        ("/events", &EVENT[..], vec![("image", "a.png", text())], "image"),
        ("/events", &EVENT[..], vec![("image", "a.gif", png(5, 5))], "image"),
        ("/events", &EVENT[..], [poster(), poster()].concat(), "image"),
        ("/events", &with_id[..], poster(), "image"),
        ("/categories", &[("name", "Music")], poster(), "image"),
        ("/tags", &[("name", "Music")], vec![("x", "a.txt", text())], "x"),
    ];
    for_each_row(rows, async |(path, texts, sent, name)| {
        let answer = send(&app.admin(), (Method::POST, path), texts, &sent).await;
        answer.assert_invalid(&[name]);
    })
    .await;
    assert_eq!(files(app).await, 0);
}

/// The file of a browser's form that was not chosen is as not sent.
#[both_stores]
async fn a_file_that_was_not_chosen(app: &TestApp) {
    let empty = [("image", "", Vec::new()), ("flyer", "", Vec::new())];
    let answer = send(&app.admin(), (Method::POST, "/events"), &EVENT, &empty).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(answer.json()["image"], false);
}

/// A file may be as large as in an upload of its own; only those who may upload send such bodies.
#[both_stores]
async fn large_files_with_records(app: &TestApp) {
    let mut large = png(40, 20);
    large.resize(3 * 1024 * 1024, 0);
    let sent = [("image", "large.png", large)];
    let answer = send(&app.author(), (Method::POST, "/events"), &EVENT, &sent).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let huge = [("image", "huge.png", vec![0; 12 * 1024 * 1024])];
    for (client, files) in [(app.author(), &huge), (app.contributor(), &sent)] {
        let answer = send(&client, (Method::POST, "/events"), &EVENT, files).await;
        answer.assert_error(413, "payload_too_large");
    }
}

/// A key that was used with another file is refused.
#[both_stores]
async fn the_key_of_a_creation_is_of_its_file(app: &TestApp) {
    let author = app.author();
    let send = async |content: Vec<u8>| {
        let (kind, body) = tests::pictures::form("a.png", Some("image/png"), &content);
        let body = replaced(&body);
        let key = [("idempotency-key", "one")];
        author.send_with(Method::POST, "/venues?venue=Hall", &key, Some((&kind, body))).await
    };
    let first = send(png(5, 5)).await;
    assert_eq!(first.status, 201, "{}", first.text());
    assert_eq!(send(png(5, 5)).await.json(), first.json());
    assert_eq!(send(png(6, 6)).await.status, 422);
    assert_eq!(files(app).await, 1);
}

/// The same form with `image` in place of `file`.
fn replaced(body: &[u8]) -> Vec<u8> {
    let (from, to) = (b"name=\"file\"", b"name=\"image\"");
    let index = body.windows(from.len()).position(|part| part == from).unwrap();
    [&body[..index], to, &body[index + from.len()..]].concat()
}
