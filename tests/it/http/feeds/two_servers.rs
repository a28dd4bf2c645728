//! Feeds of a server while another one writes.

use axum::{body::Body, http::Method};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, id},
};

use super::super::images::upload;

/// Another server over the database of a service, with caches of its own.
async fn another(app: &TestApp) -> TestApp {
    let store = app.db.another(|_| ()).await;
    app.variant().store(store).build().await
}

/// A copy of a feed, which polls keep up to date.
struct Copy {
    client: Client,
    path: String,
    tag: String,
    text: String,
}

async fn read(client: &Client, path: &str, headers: &[(&str, &str)]) -> Answer {
    client.send_body(Method::GET, path, headers, None, Body::empty()).await
}

impl Copy {
    async fn new(client: Client, path: &str) -> Self {
        let mut copy =
            Self { client, path: path.to_owned(), tag: String::new(), text: String::new() };
        copy.poll().await;
        copy
    }

    /// Polls the feed once. Returns whether the copy is as before.
    async fn poll(&mut self) -> bool {
        let answer = read(&self.client, &self.path, &[("if-none-match", &self.tag)]).await;
        let is_unchanged = answer.status == 304;
        if !is_unchanged {
            assert_eq!(answer.status, 200, "{}: {}", self.path, answer.text());
            answer.header("etag").clone_into(&mut self.tag);
            self.text = answer.text();
        }
        is_unchanged
    }
}

/// Sends a write, which must succeed.
async fn write(client: &Client, method: &str, path: &str, fields: &Value) -> Value {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let answer = client.send_json(method.clone(), path, fields).await;
    assert!(answer.status < 300, "{method} {path}: {}", answer.text());
    answer.json()
}

/// F-46: after a write through one server, a poll of a feed of another one is answered by 304 only if the
/// copy of the client is as new.
#[both_stores]
async fn a_poll_of_another_server_finds_each_write(app: &TestApp) {
    let other = another(app).await;
    let uncached = app.uncached().await;
    let admin = app.admin();
    let made = admin.event(json!({
        "venue": {"venue": "Old Mill"}, "organizer": {"organizer": "Society"},
        "categories": ["Music"], "tags": ["Loud"],
    }));
    let made = made.await;
    let [venue, organizer, category, tag] = ["/venue", "/organizer/0", "/categories/0", "/tags/0"]
        .map(|at| id(made.pointer(at).unwrap()));
    let image = id(&upload(&admin).await);
    let series = json!({"title": "Jazz night", "recurrence": "FREQ=WEEKLY;COUNT=6"});
    let series = id(&admin.event(series).await);
    let secret = admin.make("/feeds", json!({"name": "All", "query": "status=any"})).await;
    let secret = secret["url"].as_str().unwrap().rsplit_once("/feeds/").unwrap().1;

    let (anonymous, editor) = (TestApp::anonymous, TestApp::editor);
    let mut copies = Vec::new();
    for (of, path) in [
        (anonymous as fn(&TestApp) -> Client, "/events.ics".to_owned()),
        (anonymous, "/events.atom".to_owned()),
        (anonymous, "/events.csv".to_owned()),
        (anonymous, "/venues.csv".to_owned()),
        (anonymous, "/organizers.csv".to_owned()),
        (anonymous, "/events.ics?categories=music".to_owned()),
        (anonymous, "/events.ics?lang=fr".to_owned()),
        (anonymous, "/events/1.ics".to_owned()),
        (anonymous, format!("/feeds/{secret}")),
        (editor, "/events.ics?status=any".to_owned()),
        (editor, "/events.csv?status=any".to_owned()),
    ] {
        copies.push((Copy::new(of(&other), &path).await, of(&uncached)));
    }

    let event = "/events/1";
    let occurrence = |day: &str| format!("/events/{series}/occurrences/{day}");
    let [venue, organizer, category, tag] = [
        format!("/venues/{venue}"),
        format!("/organizers/{organizer}"),
        format!("/categories/{category}"),
        format!("/tags/{tag}"),
    ];
    for (method, path, fields) in [
        ("PUT", event, json!({"title": "Walk"})),
        ("PUT", event, json!({"start_date": "2027-04-01 10:00", "end_date": "2027-04-01 11:00"})),
        ("PUT", "/events/1?lang=fr", json!({"title": "Promenade"})),
        ("PUT", event, json!({"image": image})),
        ("PUT", &venue, json!({"venue": "New Mill", "address": "3 Quai Vert"})),
        ("PUT", "/venues/1?lang=fr", json!({"venue": "Nouveau moulin"})),
        ("PUT", &organizer, json!({"email": "ada@society.example"})),
        ("PUT", &category, json!({"name": "Concerts"})),
        ("PUT", &tag, json!({"name": "Louder"})),
        ("POST", "/categories", json!({"name": "Folk"})),
        ("PUT", event, json!({"categories": ["Folk"]})),
        ("PUT", "/categories/2", json!({"parent": 1})),
        ("DELETE", &tag, json!({})),
        ("PUT", &venue, json!({"status": "draft"})),
        ("PUT", &venue, json!({"status": "publish"})),
        ("DELETE", &venue, json!({})),
        ("PATCH", &occurrence("2027-03-17"), json!({"title": "Late jazz"})),
        ("PATCH", &occurrence("2027-03-24"), json!({"cancelled": true})),
        ("DELETE", &occurrence("2027-03-31"), json!({})),
        (
            "POST",
            "/events",
            json!({"title": "Fair", "start_date": "2027-05-01", "end_date": "2027-05-02"}),
        ),
        ("PUT", event, json!({"post_password": "hush"})),
        ("PUT", event, json!({"post_password": ""})),
        ("PUT", event, json!({"hide_from_listings": true})),
        ("PUT", event, json!({"hide_from_listings": false})),
        ("PUT", event, json!({"status": "draft"})),
        ("PUT", event, json!({"title": "Quiet walk"})),
        ("PUT", event, json!({"status": "publish"})),
        ("DELETE", event, json!({})),
        ("DELETE", "/images/1", json!({})),
        ("DELETE", "/events/1?force=true", json!({})),
        ("DELETE", &format!("/events/{series}?force=true"), json!({})),
    ] {
        for (copy, _) in &mut copies {
            assert!(copy.poll().await, "before {method} {path}: {}", copy.path);
        }
        write(&admin, method, path, &fields).await;
        for (copy, client) in &mut copies {
            let is_unchanged = copy.poll().await;
            let now = read(client, &copy.path, &[]).await.text();
            assert_eq!(copy.text, now, "{method} {path} {fields}: {} {is_unchanged}", copy.path);
        }
    }
}

/// F-46: while all write and poll, each poll finds what its client wrote before through another server.
#[both_stores(threads = 4)]
async fn polls_beside_writers_find_each_write(app: TestApp) {
    const WRITERS: usize = 4;
    let servers = [another(&app).await, another(&app).await];
    for _ in 0..WRITERS {
        app.admin().event(json!({})).await;
    }
    let mut writers = Vec::new();
    for writer in 0..WRITERS {
        let [to, from] = [writer, writer + 1].map(|one| &servers[one % 2]);
        let (admin, anonymous) = (to.admin(), from.anonymous());
        writers.push(tokio::spawn(async move {
            let mut copies = Vec::new();
            for path in ["/events.ics", "/events.csv", "/events.atom"] {
                copies.push(Copy::new(anonymous.clone(), path).await);
            }
            for round in 0..15 {
                let title = format!("Walk {writer}-{round}.");
                let event = format!("/events/{}", writer + 1);
                write(&admin, "PUT", &event, &json!({"title": title})).await;
                for copy in &mut copies {
                    let is_unchanged = copy.poll().await;
                    assert!(copy.text.contains(&title), "{title} {is_unchanged} {}", copy.text);
                }
            }
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
}
