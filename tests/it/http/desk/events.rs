//! The form of an event, lists, and actions on several events.

use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Answer};

use super::{Browser, form_of, titles};

/// The fields of a form as a browser sends them.
fn fair(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let fields = [
        ("title", "Spring fair"),
        ("description", "<p>Boots</p>"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T18:00"),
        ("timezone", "Europe/Paris"),
        ("venue", "Old Mill"),
        ("organizer", "Club\nTown"),
        ("tags", "loud, free"),
        ("cost", "5"),
        ("currency", "EUR"),
        ("website", ""),
        ("status", "publish"),
    ];
    let sent = |name: &str| more.iter().any(|(one, _)| *one == name);
    let fields = fields.into_iter().filter(|(name, _)| !sent(name));
    fields.chain(more.iter().copied()).collect()
}

/// The ID of the event that a form made.
fn id(location: &str) -> i64 {
    let path = location.split('?').next().unwrap();
    path.rsplit('/').next().unwrap().parse().unwrap()
}

/// A new event has what the form says, as the interface shows it.
#[both_stores]
async fn a_form_makes_an_event(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let answer = browser.post("//desk/event/new", &fair(&[("featured", "1")])).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let id = id(answer.header("location"));
    let event = app.anonymous().get(&format!("/events/{id}")).await.json();
    assert_eq!(event["title"], "Spring fair");
    assert_eq!(event["start_date"], "2027-03-10 09:00:00");
    assert_eq!((&event["timezone"], &event["status"]), (&"Europe/Paris".into(), &"publish".into()));
    assert_eq!(event["venue"]["venue"], "Old Mill");
    assert_eq!(event["organizer"][1]["organizer"], "Town");
    assert_eq!(event["tags"].as_array().unwrap().len(), 2);
    assert_eq!(event["featured"], true);

    let page = browser.get(&format!("//desk/event/{id}")).await;
    assert_eq!((page.status, page.header("cache-control")), (200, "private, no-store"));
    let html = page.text();
    for value in ["value=\"Spring fair\"", "2027-03-10T09:00", "&#60;p&#62;Boots", "Club\nTown"] {
        assert!(html.contains(value), "{value}: {html}");
    }
}

/// A refused form keeps what was typed, says what is wrong, and stores nothing.
#[both_stores]
async fn a_refused_form_keeps_what_was_typed(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let bad = fair(&[("title", ""), ("end_date", "2027-03-09T09:00"), ("website", "nowhere")]);
    let answer = browser.post("//desk/event/new", &bad).await;
    assert_eq!(answer.status, 400);
    let html = answer.text();
    for part in ["href=\"#title\"", "href=\"#end_date\"", "href=\"#website\"", "value=\"nowhere\""]
    {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(html.contains("value=\"Old Mill\"") && html.contains("2027-03-09T09:00"), "{html}");
    assert_eq!(titles(&browser.get("//desk/events/mine").await), Vec::<String>::new());
    assert_eq!(app.anonymous().get("/venues").await.json()["total"], 0);
}

/// A form that changes the title changes nothing else, not even what the form cannot show.
#[both_stores]
async fn a_form_changes_what_was_changed(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let grace = app.accounts.user("grace").await.unwrap().id.get();
    let hidden = json!({"venue": "Canary hall", "status": "private"});
    let venue = app.editor().make("/venues", hidden).await["id"].clone();
    let category = app.editor().make("/categories", json!({"name": "Music"})).await["id"].clone();
    let tag = app.editor().make("/tags", json!({"name": "rock, loud"})).await["id"].clone();
    let event = json!({"title": "Spring fair", "author": grace, "start_date": "2027-03-10 09:00:30",
        "end_date": "2027-03-10 18:00:45", "venue": venue, "categories": [category], "tags": [tag],
        "cost": ["5", "10"], "featured": true, "description": "<p>a</p>\n<p>b</p>"});
    let id = app.editor().event(event).await["id"].as_i64().unwrap();
    let path = format!("/events/{id}");
    let before = app.editor().get(&path).await.json();

    let html = browser.get(&format!("//desk/event/{id}")).await.text();
    assert!(!html.contains("Canary"), "{html}");
    let sent = [
        ("title", "Summer fair"),
        ("description", "<p>a</p>\r\n<p>b</p>"),
        ("excerpt", ""),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T18:00"),
        ("timezone", "UTC"),
        ("venue", ""),
        ("organizer", ""),
        ("has_categories", "1"),
        ("category", &category.to_string()),
        ("tags", "rock, loud"),
        ("cost", "5, 10"),
        ("currency", ""),
        ("website", ""),
        ("status", "publish"),
        ("slug", "spring-fair"),
        ("featured", "1"),
        ("recurrence", ""),
        ("revision", "1"),
    ];
    let answer = browser.post(&format!("//desk/event/{id}"), &sent).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let after = app.editor().get(&path).await.json();
    assert_eq!(after["title"], "Summer fair");
    for (name, value) in before.as_object().unwrap() {
        let is_of_title = ["title", "modified", "modified_utc", "json_ld"].contains(&name.as_str());
        assert!(is_of_title || after[name] == *value, "{name}: {} {value}", after[name]);
    }
}

/// The second of two people who change an event learns of the first, and loses nothing.
#[both_stores]
async fn two_people_change_an_event(app: &TestApp) {
    let mut grace = Browser::of(app, "grace", Role::Editor).await;
    let mut linus = Browser::of(app, "linus", Role::Editor).await;
    let answer = grace.post("//desk/event/new", &fair(&[])).await;
    let path = format!("//desk/event/{}", id(answer.header("location")));
    let revision = |html: &str| {
        let rest = html.split("name=\"revision\" value=\"").nth(1).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let seen = revision(&linus.get(&path).await.text());
    let first = [fair(&[("title", "Summer fair")]), vec![("revision", "1")]].concat();
    assert_eq!(grace.post(&path, &first).await.status, 303);
    let second = [fair(&[("title", "Autumn fair")]), vec![("revision", "1")]].concat();
    assert_eq!(seen, "1");
    let answer = linus.post(&path, &second).await;
    assert_eq!(answer.status, 409);
    let html = answer.text();
    assert!(html.contains("value=\"Autumn fair\"") && html.contains("Summer fair"), "{html}");
    assert_eq!(revision(&html), "2");
    let again = [fair(&[("title", "Autumn fair")]), vec![("revision", "2")]].concat();
    assert_eq!(linus.post(&path, &again).await.status, 303);
    assert_eq!(titles(&linus.get("//desk/events/all").await), ["Autumn fair"]);
}

/// Actions ask once, are done, and are undone.
#[both_stores]
async fn events_go_to_the_trash_and_back(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let mut ids = Vec::new();
    for title in ["First", "Second", "Third"] {
        let answer = browser.post("//desk/event/new", &fair(&[("title", title)])).await;
        ids.push(id(answer.header("location")).to_string());
    }
    let chosen = [("event", ids[0].as_str()), ("event", ids[1].as_str())];
    let trash = [&chosen[..], &[("action", "trash")]].concat();
    let question = browser.post("//desk/events/mine", &trash).await;
    assert_eq!(question.status, 200);
    assert!(question.text().contains("Are you sure?") && question.text().contains("Second"));
    assert_eq!(titles(&browser.get("//desk/events/mine").await).len(), 3);
    let confirmed = [&trash[..], &[("confirmed", "1")]].concat();
    assert_eq!(browser.post("//desk/events/mine", &confirmed).await.status, 303);
    let list = browser.get("//desk/events/mine").await;
    assert_eq!(titles(&list), ["Third"]);
    assert!(list.text().contains("value=\"undo\""));
    assert_eq!(titles(&browser.get("//desk/events/trash").await).len(), 2);

    // One of them changes meanwhile: it stays as it is.
    app.editor().change(&format!("/events/{}", ids[0]), json!({"status": "draft"})).await;
    assert_eq!(browser.post("//desk/events/mine", &[("action", "undo")]).await.status, 303);
    let list = browser.get("//desk/events/mine").await;
    assert!(list.text().contains("Not done:"), "{}", list.text());
    let event = app.anonymous().get(&format!("/events/{}", ids[1])).await;
    assert_eq!(event.status, 200);
    let draft = app.anonymous().get(&format!("/events/{}", ids[0])).await;
    assert_ne!(draft.status, 200);
}

/// The trash gives events back as drafts, and deletes them for good.
#[both_stores]
async fn the_trash_is_emptied(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    for title in ["First", "Second"] {
        browser.post("//desk/event/new", &fair(&[("title", title)])).await;
    }
    for (list, action, event) in [
        ("mine", "trash", "1"),
        ("mine", "trash", "2"),
        ("trash", "restore", "1"),
        ("trash", "delete", "2"),
    ] {
        let path = format!("//desk/events/{list}");
        let question = browser.post(&path, &[("event", event), ("action", action)]).await;
        let warns = question.text().contains("cannot be undone");
        assert_eq!((question.status, warns), (200, action == "delete"), "{action}");
        let confirmed = [("event", event), ("action", action), ("confirmed", "1")];
        assert_eq!(browser.post(&path, &confirmed).await.status, 303);
        let page = browser.get(&path).await.text();
        assert!(!page.contains("Not done"), "{page}");
        assert_eq!(page.contains("value=\"undo\""), action != "delete", "{page}");
    }
    assert_eq!(titles(&browser.get("//desk/events/drafts").await), ["First"]);
    assert!(titles(&browser.get("//desk/events/trash").await).is_empty());
    assert_eq!(app.editor().get("/events/2").await.status, 404);
}

/// A series is one row; its form has its rule.
#[both_stores]
async fn a_series_is_one_row(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let rule = fair(&[("recurrence", "FREQ=WEEKLY;COUNT=4")]);
    let answer = browser.post("//desk/event/new", &rule).await;
    let list = browser.get("//desk/events/mine").await;
    assert_eq!(titles(&list), ["Spring fair"]);
    assert!(list.text().contains("repeats"));
    let path = format!("//desk/event/{}", id(answer.header("location")));
    assert!(browser.get(&path).await.text().contains("FREQ=WEEKLY;COUNT=4"));
    // Sent again as it is, nothing moves.
    let same = fair(&[("recurrence", "RRULE:FREQ=WEEKLY;COUNT=4")]);
    assert_eq!(browser.post(&path, &same).await.status, 303);
    let total = app.anonymous().get("/events?start_date=2027-01-01").await.json()["total"].clone();
    assert_eq!(total, 4);
}

/// A copy is a new draft.
#[both_stores]
async fn an_event_is_copied(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let answer = browser.post("//desk/event/new", &fair(&[])).await;
    let id = id(answer.header("location"));
    let html = browser.get(&format!("//desk/event/new?copy={id}")).await.text();
    assert!(html.contains("value=\"Spring fair\""), "{html}");
    assert!(html.contains("<option value=\"draft\" selected>"), "{html}");
}

/// The texts of an Arabic event stay Arabic: the form makes no translation of them.
#[both_stores]
async fn a_form_changes_the_original(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let event = json!({"title": "سوق الربيع", "start_date": "2027-03-10", "end_date": "2027-03-10",
        "ml_language": "ar"});
    let id = app.editor().event(event).await["id"].as_i64().unwrap();
    let answer = browser.post(&format!("//desk/event/{id}"), &[("title", "سوق الصيف")]).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    for language in ["ar", "en"] {
        let path = format!("/events/{id}?ml_language={language}");
        assert_eq!(app.anonymous().get(&path).await.json()["title"], "سوق الصيف", "{language}");
    }
}

/// A date of publication schedules an event, as `publish` alone does not; contributors have no such field.
#[both_stores]
async fn an_event_is_scheduled(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let later = fair(&[("date", "2027-02-01T08:30")]);
    let answer = browser.post("//desk/event/new", &later).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let path = format!("//desk/event/{}", id(answer.header("location")));
    assert_eq!(titles(&browser.get("//desk/events/scheduled").await), ["Spring fair"]);
    assert_eq!(app.anonymous().get("/events").await.json()["total"], 0);

    // A change of another field leaves it scheduled, for the same time.
    let html = browser.get(&path).await.text();
    assert!(html.contains("name=\"date\" value=\"2027-02-01T08:30\""), "{html}");
    let same = form_of(&html, &[("title", "Summer fair")]);
    assert_eq!(browser.post(&path, &same).await.status, 303);
    let event = app.editor().get("/events/1").await.json();
    assert_eq!(
        (&event["status"], &event["date"]),
        (&"future".into(), &"2027-02-01 08:30:00".into())
    );

    // An earlier date publishes it.
    let html = browser.get(&path).await.text();
    let now = form_of(&html, &[("date", "2026-12-01T08:30")]);
    assert_eq!(browser.post(&path, &now).await.status, 303);
    assert_eq!(app.anonymous().get("/events").await.json()["total"], 1);
    let html = browser.get(&path).await.text();
    let bad = form_of(&html, &[("date", "soon")]);
    let answer = browser.post(&path, &bad).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("href=\"#date\""), "{}", answer.text());

    let contributor = Browser::of(app, "linus", Role::Contributor).await;
    assert!(!contributor.get("//desk/event/new").await.text().contains("name=\"date\""));
}

/// The page of an event is shown as visitors will see it, with what was typed, and leads back to the form.
#[both_stores]
async fn a_page_is_previewed(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let hidden = json!({"venue": "Canary hall", "status": "private"});
    app.editor().make("/venues", hidden).await;
    let typed = fair(&[
        ("preview", "page"),
        ("description", "<p>Boots</p><script>alert(1)</script>"),
        ("organizer", "Club"),
        ("password", "sesame street"),
        ("status", "draft"),
        ("language", "fr"),
    ]);
    let shown = browser.post("//desk/event/new", &typed).await;
    let html = shown.text();
    assert_eq!((shown.status, shown.header("cache-control")), (200, "private, no-store"), "{html}");
    assert_eq!(shown.header("content-language"), "fr");
    for part in [
        "<bdi>Spring fair</bdi>",
        "<p>Boots</p>",
        "Old Mill",
        "Club",
        "name=\"robots\" content=\"noindex\"",
        "Nothing is saved yet",
        "action=\"https://cal.example/desk/event/new\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("<script>alert") && !html.contains("rel=\"canonical\""), "{html}");
    assert_eq!(titles(&browser.get("//desk/events/mine").await), Vec::<String>::new());
    assert_eq!(app.editor().get("/venues").await.json()["total"], 1);

    // The way back keeps every field.
    let again = send(&mut browser, "//desk/event/new", &html, &[("fill", "1")]).await;
    let form = again.text();
    assert_eq!(again.status, 200, "{form}");
    let sent = sent(&form, &[]);
    for (name, value) in
        typed.iter().filter(|(name, value)| *name != "preview" && !value.is_empty())
    {
        let field = ((*name).to_owned(), (*value).to_owned());
        assert!(sent.contains(&field), "{name}: {sent:?}");
    }

    // The preview of a stored event shows the changes; its page stays as it is.
    let answer = browser.post("//desk/event/new", &fair(&[])).await;
    let path = format!("//desk/event/{}", id(answer.header("location")));
    let html = browser.get(&path).await.text();
    let changed = [("title", "Summer fair"), ("venue", "Canary hall"), ("preview", "page")];
    let shown = send(&mut browser, &path, &html, &changed).await.text();
    assert!(shown.contains("<bdi>Summer fair</bdi>") && shown.contains("<p>Boots</p>"), "{shown}");
    let article = shown.split("<article").nth(1).unwrap();
    assert!(!article.contains("Old Mill"), "{shown}");
    let page = app.anonymous().get("//event/spring-fair/").await.text();
    assert!(page.contains("<bdi>Spring fair</bdi>"), "{page}");
    let form = send(&mut browser, &path, &shown, &[("fill", "1")]).await.text();
    assert!(form.contains("value=\"Summer fair\""), "{form}");

    // A fault is told by the form, and nobody else previews a change of the event.
    let bad = fair(&[("preview", "page"), ("website", "nowhere")]);
    let answer = browser.post("//desk/event/new", &bad).await;
    assert_eq!((answer.status, answer.text().contains("href=\"#website\"")), (400, true));
    let mut other = Browser::of(app, "linus", Role::Author).await;
    let answer = other.post(&path, &fair(&[("preview", "page")])).await;
    assert!(matches!(answer.status, 403 | 404), "{}", answer.status);
}

/// The fields of the form of a page as a browser sends them, without what HTML escapes.
fn sent(html: &str, changed: &[(&str, &str)]) -> Vec<(String, String)> {
    let entities =
        [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")];
    let plain = |text: &str| {
        let texts = entities.iter();
        texts.fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain))
    };
    let fields = form_of(html, changed).into_iter();
    fields.map(|(name, value)| (name.to_owned(), plain(value))).collect()
}

/// Sends the form of a page, with some fields changed.
async fn send(
    browser: &mut Browser<'_>,
    path: &str,
    html: &str,
    changed: &[(&str, &str)],
) -> Answer {
    let fields = sent(html, changed);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    browser.post(path, &fields).await
}

/// A preview shows the picture that was chosen, and the venue that a contributor names is in it once it is public.
#[both_stores]
async fn a_preview_shows_what_visitors_see(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Author).await;
    let picture = tests::pictures::png(8, 8);
    let file = ("image_file", "bench.png", "image/png", &picture[..]);
    let typed = fair(&[("preview", "page"), ("image_alt", "A red bench")]);
    let shown = browser.post_file("//desk/event/new", &typed, file).await.text();
    let image = shown.split("<img class=\"u-photo\" src=\"https://cal.example").nth(1).unwrap();
    let path = image.split('"').next().unwrap();
    assert_eq!(app.anonymous().get(&format!("/{path}")).await.status, 200, "{path}");
    assert!(shown.contains("alt=\"A red bench\"") && shown.contains("name=\"image_kept\""));

    let mut contributor = Browser::of(app, "linus", Role::Contributor).await;
    let typed = fair(&[("preview", "page"), ("venue", "New barn"), ("status", "pending")]);
    let answer = contributor.post("//desk/event/new", &typed).await;
    let article = answer.text().split("<article").nth(1).map(str::to_owned);
    let article = article.unwrap_or_else(|| panic!("{}", answer.text()));
    assert!(article.contains("Spring fair") && !article.contains("New barn"), "{article}");
}
