//! A form that is filled from a calendar file, a message or a page.

use axum::{
    Router,
    http::Method,
    response::{Html, Redirect},
    routing::get,
};
use domain::Role;
use tests::{app::TestApp, both_stores, client::Answer};

use super::{Browser, OWN, form_of};

const FILE: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:a\r\n\
    DTSTAMP:20270101T000000Z\r\nDTSTART;TZID=Europe/Paris:20270309T190000\r\n\
    DTEND;TZID=Europe/Paris:20270309T210000\r\nSUMMARY:Jazz & <night>\r\nLOCATION:Old Mill\\, 3 Quai\r\n\
    DESCRIPTION:One\\n\\nTwo <script>alert(1)</script>\r\nURL:https://jazz.example/\r\n\
    ORGANIZER;CN=Club:mailto:a@b.example\r\nCATEGORIES:Music,Loud\r\n\
    RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=2TU\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

/// Sends a file with a form.
async fn upload(browser: &Browser<'_>, file: &[u8]) -> Answer {
    let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\
        Content-Type: application/octet-stream\r\n\r\n";
    let body = [head.as_bytes(), file, b"\r\n--x--\r\n"].concat();
    let headers = [("cookie", browser.cookie.as_str()), OWN];
    let body = Some(("multipart/form-data; boundary=x", body));
    let client = browser.app.anonymous();
    client.send_with(Method::POST, "//desk/event/fill", &headers, body).await
}

/// The hidden fields of the first choice of a page.
fn choice(html: &str) -> Vec<(String, String)> {
    let form = html.split("enctype").nth(1).unwrap().split("</form>").next().unwrap();
    let plain = |text: &str| {
        let text = text.replace("&#60;", "<").replace("&#62;", ">");
        text.replace("&#34;", "\"").replace("&#39;", "'").replace("&#38;", "&")
    };
    let inputs = form.split("type=\"hidden\" name=\"").skip(1);
    let inputs = inputs.map(|rest| {
        let (name, rest) = rest.split_once("\" value=\"").unwrap();
        (name.to_owned(), plain(rest.split('"').next().unwrap()))
    });
    inputs.chain([("fill".to_owned(), "1".to_owned())]).collect()
}

async fn total(app: &TestApp) -> i64 {
    app.editor().get("/events?start_date=2027-01-01").await.json()["total"].as_i64().unwrap()
}

/// The events of a file are choices; one fills the form, which alone stores it.
#[both_stores]
async fn a_file_fills_the_form(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    assert!(browser.get("//desk").await.text().contains("/desk/event/fill"));
    assert_eq!(browser.get("//desk/event/fill").await.status, 200);
    let answer = upload(&browser, FILE.as_bytes()).await;
    let html = answer.text();
    assert_eq!(answer.status, 200, "{html}");
    assert!(
        html.contains("Tuesday 9 March 2027, 19:00") && !html.contains("<script>alert"),
        "{html}"
    );

    let fields = choice(&html);
    let fields: Vec<_> = fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let answer = browser.post("//desk/event/new", &fields).await;
    let html = answer.text();
    assert_eq!(answer.status, 200, "{html}");
    for part in [
        "value=\"2027-03-09T19:00\"",
        "value=\"Old Mill\"",
        "value=\"monthly-weekday\" selected",
        "value=\"Music, Loud\"",
        ">Club</textarea>",
        "value=\"https://jazz.example/\"",
        "value=\"draft\" selected",
        "value=\"en\" selected",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert_eq!(total(app).await, 0);
    let fields = form_of(&html, &[("title", "Jazz night"), ("status", "publish")]);
    let answer = browser.post("//desk/event/new", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(total(app).await, 3);
    let event = app.anonymous().get("/events/1").await.json();
    assert_eq!(event["venue"]["venue"], "Old Mill");
    assert!(!event["description"].as_str().unwrap().contains("<script"), "{event}");

    // A long file has its first ten events as choices.
    let one = FILE.split("BEGIN:VEVENT").nth(1).unwrap().split("END:VEVENT").next().unwrap();
    let many = (0..12).map(|n| {
        let one = one.replace("UID:a", &format!("UID:{n}"));
        format!("BEGIN:VEVENT{one}END:VEVENT\r\n")
    });
    let many: Vec<_> = many.collect();
    let many = many.concat();
    let many = format!("BEGIN:VCALENDAR\r\n{many}END:VCALENDAR\r\n");
    let html = upload(&browser, many.as_bytes()).await.text();
    assert_eq!(html.matches("name=\"fill\"").count(), 10, "{html}");
}

/// A message has its calendar file in a part, also encoded.
#[both_stores]
async fn a_message_fills_the_form(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Author).await;
    let quoted = FILE.replace('=', "=3D").replace("Jazz", "Jazz=C3=A9");
    let message = format!(
        "From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n\
         --y\r\nContent-Type: text/plain\r\n\r\nCome!\r\n--y\r\nContent-Type: text/calendar; charset=utf-8\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\r\n{quoted}\r\n--y--\r\n"
    );
    let html = upload(&browser, message.as_bytes()).await.text();
    assert!(html.contains("Jazzé") && html.matches("name=\"fill\"").count() == 1, "{html}");
}

/// Files without a calendar are refused in words; contributors have no such page.
#[both_stores]
async fn other_files_are_refused(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Author).await;
    for file in [
        &b"Hello"[..],
        b"\0\xff\xfe",
        b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
        b"From: a@b\r\n\r\nHi",
    ] {
        let answer = upload(&browser, file).await;
        assert_eq!(answer.status, 400, "{file:?}");
        assert!(answer.text().contains("No event was found there."), "{}", answer.text());
    }
    let answer = upload(&browser, b"").await;
    assert!(answer.text().contains("Choose a file."), "{}", answer.text());
    let long = [FILE.as_bytes(), &vec![b' '; 1024 * 1024]].concat();
    let answer = upload(&browser, &long).await;
    assert!(answer.text().contains("The file has more than 1 MiB."), "{}", answer.text());

    let contributor = Browser::of(app, "linus", Role::Contributor).await;
    assert_eq!(contributor.get("//desk/event/fill").await.status, 403);
    assert_eq!(upload(&contributor, FILE.as_bytes()).await.status, 403);
    assert!(!contributor.get("//desk").await.text().contains("/desk/event/fill"));
}

/// A server on this machine with a page that describes two events; its address.
async fn elsewhere() -> String {
    const PAGE: &str = r#"<!doctype html><title>Jazz</title><script type="application/ld+json">
        [{"@type": "MusicEvent", "name": "Jazz night", "startDate": "2027-03-09T19:00:00Z",
        "location": {"name": "Old Mill"}}, {"@type": "Event", "name": "Fair", "startDate": "2027-03-10"}]
        </script>"#;
    let hop = async |path: axum::extract::Path<u32>| match path.0 {
        0 => Redirect::to("/jazz"),
        hops => Redirect::to(&format!("/hop/{}", hops - 1)),
    };
    let router = Router::new()
        .route("/jazz", get(async || Html(PAGE)))
        .route("/plain", get(async || PAGE))
        .route("/nothing", get(async || Html("<p>Hello")))
        .route("/large", get(async || Html(format!("{PAGE}{}", " ".repeat(2 * 1024 * 1024)))))
        .route("/hop/{hops}", get(hop));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// The events that a page describes are choices; the reasons for refusals are not told apart.
#[both_stores]
async fn a_page_fills_the_form(app: &TestApp) {
    let elsewhere = elsewhere().await;
    let fetching = app.variant().fetches_private().build().await;
    let mut browser = Browser::of(&fetching, "grace", Role::Author).await;
    for path in ["/jazz", "/hop/2"] {
        let url = format!("{elsewhere}{path}");
        let answer = browser.post("//desk/event/fill", &[("address", &url)]).await;
        let html = answer.text();
        assert_eq!(answer.status, 200, "{path}: {html}");
        assert_eq!(html.matches("name=\"fill\"").count(), 2, "{html}");
        let fields = choice(&html);
        let has = |name: &str, text: &str| fields.contains(&(name.to_owned(), text.to_owned()));
        assert!(has("title", "Jazz night") && has("venue", "Old Mill"), "{fields:?}");
        assert!(has("start_date", "2027-03-09T19:00") && has("timezone", "UTC"), "{fields:?}");
    }
    for (path, text) in [
        ("/nothing", "No event was found there."),
        ("/plain", "The page cannot be read."),
        ("/large", "The page cannot be read."),
        ("/gone", "The page cannot be read."),
        ("/hop/3", "The page cannot be read."),
    ] {
        let url = format!("{elsewhere}{path}");
        let answer = browser.post("//desk/event/fill", &[("address", &url)]).await;
        let html = answer.text();
        assert_eq!(answer.status, 400, "{path}");
        assert!(
            html.contains(text) && html.contains(&format!("value=\"{url}\"")),
            "{path}: {html}"
        );
    }
    // No request is sent for what is no address of a page.
    for url in ["", "jazz", "file:///etc/passwd", "http://a:b@127.0.0.1/"] {
        let answer = browser.post("//desk/event/fill", &[("address", url)]).await;
        assert_eq!(answer.status, 400, "{url}");
    }
    // Seven requests so far, and the refused one with a password.
    let url = format!("{elsewhere}/jazz");
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(browser.post("//desk/event/fill", &[("address", &url)]).await.status);
    }
    assert!(statuses.ends_with(&[503]) && statuses.contains(&200), "{statuses:?}");
    let other = Browser::of(&fetching, "ada-too", Role::Author).await;
    let headers = [OWN];
    let answer = other.post_with("//desk/event/fill", &[("address", &url)], &headers).await;
    assert_eq!(answer.status, 200);

    // Addresses of this network are refused, and contributors fetch nothing.
    let mut guarded = Browser::of(app, "linus", Role::Author).await;
    let answer = guarded.post("//desk/event/fill", &[("address", &url)]).await;
    assert!(answer.text().contains("The page cannot be read."), "{}", answer.text());
    let mut contributor = Browser::of(&fetching, "ken", Role::Contributor).await;
    let answer = contributor.post("//desk/event/fill", &[("address", &url)]).await;
    assert_eq!(answer.status, 403);
}
