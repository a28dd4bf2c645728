//! Events that visitors propose.

use app::{ports::TokenScope, site::Site};
use axum::http::Method;
use domain::{Role, event::Proposers};
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Answer};

use super::{Browser, FORM, OWN, form, titles};

const DAY: i64 = 86_400;

/// The fields of a proposal as a browser sends them.
fn fair(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let fields = [
        ("title", "Canary <b>fair</b>"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T18:00"),
        ("timezone", "Europe/Paris"),
        ("place", "Old Mill"),
        ("description", "See https://evil.example <script>alert(1)</script>\nBring boots"),
        ("sender", "Eve <eve>"),
        ("email", "eve@cal.example"),
        ("homepage", ""),
    ];
    let sent = |name: &str| more.iter().any(|(one, _)| *one == name);
    let fields = fields.into_iter().filter(|(name, _)| !sent(name));
    fields.chain(more.iter().copied()).collect()
}

/// A second service over the same database, at which some people may propose events.
async fn open_to(app: &TestApp, proposals: Proposers, proposals_open: u32) -> TestApp {
    let site = Site { proposals, proposals_open, ..Site::default() };
    app.variant().site(site).build().await
}

/// Sends a proposal from an address.
async fn send(app: &TestApp, address: [u8; 4], fields: &[(&str, &str)]) -> Answer {
    let client = app.anonymous().at(address);
    let body = Some((FORM, form(fields)));
    client.send_with(Method::POST, "//propose", &[OWN], body).await
}

/// The page by which the sender comes back, below the root.
fn link(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let path = answer.header("location").split_once("/propose/").unwrap().1;
    format!("//propose/{}", path.split('?').next().unwrap())
}

/// Without the setting, there is no such page, and nothing leads to it.
#[both_stores]
async fn without_the_setting_nobody_proposes(app: &TestApp) {
    assert_eq!(app.anonymous().get("//propose").await.status, 404);
    assert_eq!(send(app, [192, 0, 2, 1], &fair(&[])).await.status, 404);
    let list = app.anonymous().get("//events/list/").await;
    assert!(list.status == 200 && !list.text().contains("/propose"));
    assert!(app.accounts.user("proposals").await.is_err());
}

/// A proposal is nowhere public until an editor approves it, which makes the venue.
#[both_stores]
async fn a_proposal_waits_for_an_editor(app: &TestApp) {
    let app = &open_to(app, Proposers::Anybody, 200).await;
    let list = app.anonymous().get("//events/list/").await.text();
    assert!(list.contains("/propose?language=en"), "{list}");
    let page = app.anonymous().get("//propose?language=fr").await;
    assert_eq!((page.status, page.header("cache-control")), (200, "private, no-store"));
    assert!(page.text().contains("Proposer un événement") && page.text().contains("noindex"));

    let answer = send(app, [192, 0, 2, 1], &fair(&[])).await;
    let path = link(&answer);
    let shown = app.anonymous().get(&format!("{path}?sent=1")).await.text();
    assert!(
        shown.contains("It waits for an editor.") && shown.contains("https://cal.example/propose/")
    );
    let shown = app.anonymous().get(&path).await.text();
    assert!(
        shown.contains("Canary fair") && !shown.contains("https://cal.example/propose/"),
        "{shown}"
    );
    assert!(!shown.contains("<script>") && !shown.contains("href=\"https://evil"), "{shown}");

    for public in [
        "/events",
        "/events?search=canary",
        "/events?status=any",
        "/events.ics",
        "//feed",
        "//events/list/",
        "//events/month/2027-03/",
        "//venues/",
        "/venues",
        "//sitemap.xml",
        "/events/1",
        "//event/canary-fair/",
    ] {
        let answer = app.anonymous().get(public).await;
        for text in ["Canary", "canary-fair", "Old Mill", "eve@cal"] {
            assert!(!answer.text().contains(text), "{public}: {}", answer.text());
        }
    }
    let author = app.author().get("/events/1").await;
    assert_eq!(author.status, 403);

    let mut editor = Browser::of(app, "linus", Role::Editor).await;
    let list = editor.get("//desk/events/pending").await;
    assert_eq!(titles(&list), ["Canary fair"]);
    let told = "Eve &#60;eve&#62; · eve@cal.example · Old Mill";
    assert!(list.text().contains(told), "{}", list.text());
    assert!(editor.get("//desk/event/1").await.text().contains(told));
    let event = app.editor().get("/events/1").await.json();
    let description = event["description"].as_str().unwrap();
    assert!(!description.contains("<a") && description.contains("&lt;script&gt;"), "{description}");
    assert_eq!(event["status"], "pending");
    assert_eq!(event["utc_start_date"], "2027-03-10 08:00:00");

    let publish = [("event", "1"), ("action", "publish"), ("confirmed", "1")];
    editor.post("//desk/events/pending", &publish).await;
    let event = app.anonymous().get("/events/1").await.json();
    assert_eq!(event["venue"]["venue"], "Old Mill");
    let shown = app.anonymous().get(&path).await.text();
    assert!(shown.contains("It is published.") && shown.contains("/event/canary-fair/"), "{shown}");
    // A published proposal is not withdrawn.
    let answer = app.anonymous().send_with(Method::POST, &path, &[OWN], None).await;
    assert_eq!(answer.status, 303);
    assert_eq!(app.anonymous().get("/events/1").await.status, 200);
}

/// A public venue of the name is taken; one that is not public is no secret that the form tells.
#[both_stores]
async fn a_proposal_takes_a_public_venue(app: &TestApp) {
    let app = &open_to(app, Proposers::Anybody, 200).await;
    let mill = app.editor().make("/venues", json!({"venue": "Old mill"})).await["id"].clone();
    let hidden = json!({"venue": "Canary hall", "status": "private"});
    app.editor().make("/venues", hidden).await;
    send(app, [192, 0, 2, 1], &fair(&[])).await;
    send(app, [192, 0, 2, 1], &fair(&[("place", "Canary hall")])).await;
    assert_eq!(app.editor().get("/events/1").await.json()["venue"]["id"], mill);
    assert_eq!(app.editor().get("/events/2").await.json()["venue"], json!([]));
    assert_eq!(app.anonymous().get("/venues").await.json()["total"], 1);
}

/// The sender withdraws what waits. The link is valid for 30 days, and leads nowhere for others.
#[both_stores]
async fn a_sender_withdraws_a_proposal(app: &TestApp) {
    let app = &open_to(app, Proposers::Anybody, 200).await;
    let path = link(&send(app, [192, 0, 2, 1], &fair(&[])).await);
    let other = link(&send(app, [192, 0, 2, 1], &fair(&[])).await);
    let foreign = [("origin", "https://elsewhere.example")];
    let answer = app.anonymous().send_with(Method::POST, &path, &foreign, None).await;
    assert_eq!(answer.status, 403);
    assert!(app.anonymous().get(&path).await.text().contains("Withdraw"));
    let answer = app.anonymous().send_with(Method::POST, &path, &[OWN], None).await;
    assert_eq!(answer.status, 303);
    let shown = app.anonymous().get(&path).await.text();
    assert!(shown.contains("declined or withdrawn") && !shown.contains("Withdraw the"), "{shown}");
    let trash = app.editor().get("/events?status=trash").await.json();
    assert_eq!(trash["total"], 1);
    assert_eq!(app.anonymous().get("//propose/0").await.status, 404);
    assert!(app.anonymous().get(&other).await.text().contains("It waits"));

    app.clock.advance_seconds(30 * DAY - 1);
    assert_eq!(app.anonymous().get(&other).await.status, 200);
    assert_eq!(app.calendar.prune_proposals().await.unwrap(), 0);
    app.clock.advance_seconds(1);
    assert_eq!(app.anonymous().get(&other).await.status, 404);
    assert_eq!(app.calendar.prune_proposals().await.unwrap(), 1);
    let answer = app.anonymous().send_with(Method::POST, &other, &[OWN], None).await;
    assert_eq!(answer.status, 404);
    assert_eq!(app.editor().get("/events/2").await.json()["status"], "pending");
}

/// An address sends three proposals an hour, and ten a day.
#[both_stores]
async fn an_address_waits(app: &TestApp) {
    let app = &open_to(app, Proposers::Anybody, 200).await;
    let mut sent = 0;
    for hour in 0..4 {
        for _ in 0..3.min(10 - sent) {
            assert_eq!(send(app, [192, 0, 2, 1], &fair(&[])).await.status, 303, "{hour}");
            sent += 1;
        }
        let refused = send(app, [192, 0, 2, 1], &fair(&[])).await;
        assert_eq!(refused.status, 429);
        let seconds = refused.header("retry-after");
        assert_eq!(seconds, if hour < 3 { "3600" } else { "75600" });
        let words = if hour < 3 { "in an hour" } else { "tomorrow" };
        assert!(refused.text().contains(words), "{}", refused.text());
        app.clock.advance_seconds(3600);
    }
    assert_eq!(send(app, [192, 0, 2, 2], &fair(&[])).await.status, 303);
    assert_eq!(app.editor().get("/events?status=pending").await.json()["total"], 11);
}

/// A network has at most 20 proposals that wait, and all together as many as the setting says.
#[both_stores]
async fn proposals_that_wait_are_limited(app: &TestApp) {
    let app = &open_to(app, Proposers::Anybody, 22).await;
    for n in 0..20 {
        assert_eq!(send(app, [192, 0, 2, n], &fair(&[])).await.status, 303, "{n}");
    }
    let refused = send(app, [192, 0, 2, 99], &fair(&[])).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, "86400"));
    for n in 0..2 {
        assert_eq!(send(app, [192, 0, 3, n], &fair(&[])).await.status, 303, "{n}");
    }
    assert_eq!(send(app, [198, 51, 100, 1], &fair(&[])).await.status, 429);
    // A proposal that an editor declined or published does not wait.
    app.editor().delete("/events/1").await;
    app.editor().change("/events/2", json!({"status": "publish"})).await;
    assert_eq!(send(app, [192, 0, 2, 98], &fair(&[])).await.status, 303);
    assert_eq!(send(app, [198, 51, 100, 1], &fair(&[])).await.status, 303);
    assert_eq!(send(app, [198, 51, 100, 2], &fair(&[])).await.status, 429);
}

/// A refused form keeps what was typed. Fields that a visitor may not choose have no effect.
#[both_stores]
async fn a_proposal_has_few_fields(app: &TestApp) {
    let app = &open_to(app, Proposers::Anybody, 200).await;
    let answer = send(app, [192, 0, 2, 1], &fair(&[("title", " ")])).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("href=\"#title\""), "{}", answer.text());
    let bad = fair(&[("email", "nobody"), ("end_date", "2027-03-09T09:00")]);
    let answer = send(app, [192, 0, 2, 1], &bad).await;
    assert_eq!(answer.status, 400);
    let html = answer.text();
    for part in ["href=\"#end_date\"", "href=\"#email\"", "value=\"nobody\"", "value=\"Old Mill\""]
    {
        assert!(html.contains(part), "{part}: {html}");
    }
    let filled = send(app, [192, 0, 2, 1], &fair(&[("homepage", "https://evil.example")])).await;
    assert_eq!(filled.status, 400);
    assert_eq!(app.editor().get("/events?status=pending").await.json()["total"], 0);

    let more = fair(&[
        ("status", "publish"),
        ("slug", "taken"),
        ("author", "1"),
        ("tags", "new"),
        ("password", "secret"),
        ("featured", "1"),
        ("recurrence", "FREQ=DAILY"),
        ("image", "https://evil.example/x.png"),
    ]);
    link(&send(app, [192, 0, 2, 1], &more).await);
    let event = app.editor().get("/events/1").await.json();
    let owner = app.accounts.user("proposals").await.unwrap().id.get();
    assert_eq!(event["author"].to_string().trim_matches('"'), owner.to_string());
    let expected = json!({"status": "pending", "featured": false, "tags": [], "image": false});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(event[name], *value, "{name}");
    }
    assert_eq!(event["recurrence"], Value::Null);
    assert_ne!(event["slug"], "taken");
}

/// Where users alone may propose, others are sent to the sign-in, and the event belongs to the user.
#[both_stores]
async fn users_propose_events_of_their_own(app: &TestApp) {
    let app = &open_to(app, Proposers::SignedIn, 200).await;
    assert!(!app.anonymous().get("//events/list/").await.text().contains("/propose"));
    let answer = app.anonymous().get("//propose").await;
    assert_eq!(answer.status, 303);
    assert!(answer.header("location").contains("/desk/sign-in"));
    assert_eq!(send(app, [192, 0, 2, 1], &fair(&[])).await.status, 303);
    let mut subscriber = Browser::of(app, "eve", Role::Subscriber).await;
    assert_eq!(subscriber.get("//propose").await.status, 403);
    assert_eq!(subscriber.post("//propose", &fair(&[])).await.status, 403);
    assert_eq!(app.editor().get("/events?status=pending").await.json()["total"], 0);
    let mut grace = Browser::of(app, "grace", Role::Editor).await;
    assert_eq!(grace.get("//propose").await.status, 200);
    link(&grace.post("//propose", &fair(&[])).await);
    assert_eq!(titles(&grace.get("//desk/events/mine").await), ["Canary fair"]);
    assert_eq!(app.editor().get("/events/1").await.json()["status"], "pending");
}

/// Nobody signs in as the user to whom proposals belong.
#[both_stores]
async fn nobody_is_the_user_of_proposals(app: &TestApp) {
    assert!(app.accounts.add_user("Proposals", Role::Editor, None).await.is_err());
    let app = &open_to(app, Proposers::Anybody, 200).await;
    link(&send(app, [192, 0, 2, 1], &fair(&[])).await);
    let user = app.accounts.user("proposals").await.unwrap();
    assert_eq!(user.role, Role::Contributor);
    assert!(app.accounts.sign_in().invite(&user, 3600).await.is_err());
    assert!(app.accounts.create_token(user.id, "x", TokenScope::Write, None).await.is_err());
    assert!(app.accounts.identity("proposals").await.unwrap().is_none());
    assert!(app.accounts.sign_in().user(user.id).await.unwrap().is_none());
    let mut browser = Browser::new(app);
    let fields = [("login", "proposals"), ("password", "correct horse")];
    assert_eq!(browser.post("//desk/sign-in", &fields).await.status, 403);
}
