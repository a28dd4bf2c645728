//! Texts of forms and queries that are not UTF-8.

use axum::http::Method;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client},
    for_each_row,
};

const FORM: &str = "application/x-www-form-urlencoded";
const DATES: &str = "start_date=2027-03-10+09:00&end_date=2027-03-10+11:00";

async fn post(client: &Client, content_type: &str, body: &[u8]) -> Answer {
    client.send(Method::POST, "/events", Some((content_type, body.to_vec()))).await
}

/// A multipart form with one title, whose part has `head`.
fn parts(head: &str, title: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in [("start_date", "2027-03-10 09:00"), ("end_date", "2027-03-10 11:00")] {
        let part =
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(part.into_bytes());
    }
    let head = format!("--x\r\nContent-Disposition: form-data; name=\"title\"{head}\r\n\r\n");
    body.extend([head.as_bytes(), title, b"\r\n--x--\r\n"].concat());
    body
}

/// D-38: Bytes that are not UTF-8 are read in the charset of the request.
#[both_stores]
async fn texts_are_decoded_by_their_charset(app: &TestApp) {
    let form = format!("title=Caf%E9+%80&{DATES}").into_bytes();
    let raw = [b"title=Caf\xe9 \x80&", DATES.as_bytes()].concat();
    let of_part = parts("\r\nContent-Type: text/plain; charset=iso-8859-1", b"Caf\xe9 \x80");
    let mut of_form =
        b"--x\r\nContent-Disposition: form-data; name=\"_charset_\"\r\n\r\nlatin1\r\n".to_vec();
    of_form.extend(parts("", b"Caf\xe9 \x80"));
    let rows = [
        (format!("{FORM}; charset=ISO-8859-1"), form.clone()),
        (format!("{FORM}; charset=\"windows-1252\""), form),
        (format!("{FORM}; charset=ISO-8859-1"), raw),
        (format!("{FORM}; charset=ISO-8859-1"), format!("title=Café+€&{DATES}").into_bytes()),
        ("multipart/form-data; boundary=x".to_owned(), of_part),
        ("multipart/form-data; boundary=x".to_owned(), of_form),
    ];
    for_each_row(rows, async |(content_type, body)| {
        let answer = post(&app.admin(), &content_type, &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        assert_eq!(answer.json()["title"], "Café €");
    })
    .await;
}

/// D-38: Without a charset, such bytes are refused, and name their field.
#[both_stores]
async fn other_bytes_are_refused(app: &TestApp) {
    let form = format!("title=Caf%E9&{DATES}").into_bytes();
    let venue = format!("title=x&venue[city]=%E9&{DATES}").into_bytes();
    let rows = [
        (FORM, form.clone(), "title"),
        ("application/x-www-form-urlencoded; charset=utf-8", form.clone(), "title"),
        ("application/x-www-form-urlencoded; charset=none", form, "title"),
        (FORM, venue, "venue"),
        ("multipart/form-data; boundary=x", parts("", b"Caf\xe9"), "title"),
    ];
    for_each_row(rows, async |(content_type, body, name)| {
        post(&app.admin(), content_type, &body).await.assert_invalid(&[name]);
    })
    .await;
    let query = format!("/events?title=Caf%E9&{DATES}");
    app.admin().send(Method::POST, &query, None).await.assert_invalid(&["title"]);
    app.anonymous().get("/events?search=Caf%E9").await.assert_invalid(&["search"]);
    post(&app.admin(), "application/json", b"{\"title\":\"Caf\xe9\"}")
        .await
        .assert_error(400, "rest_invalid_json");
    assert!(app.anonymous().get("/events").await.ids().is_empty());
}

/// The character U+FFFD that a client sends itself stays.
#[both_stores]
async fn replacement_characters_of_the_client_stay(app: &TestApp) {
    let form = format!("title=Caf%EF%BF%BD&{DATES}").into_bytes();
    assert_eq!(post(&app.admin(), FORM, &form).await.json()["title"], "Caf\u{fffd}");
}
