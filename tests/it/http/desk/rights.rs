//! The rights of the desk are those of the interface.

use axum::http::Method;
use domain::Role;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client, pictures::png};

use super::{Browser, images::api, titles};

const LISTS: [&str; 7] = ["mine", "all", "drafts", "pending", "scheduled", "still-right", "trash"];

/// People who may not change the events of others do not see them, in no list, form, search or number.
#[both_stores]
async fn others_events_leave_no_trace(app: &TestApp) {
    for (title, more) in [
        ("Canary draft", json!({"status": "draft"})),
        ("Canary pending", json!({"status": "pending"})),
        ("Canary private", json!({"status": "private"})),
        ("Canary hidden", json!({"hide_from_listings": true})),
        ("Canary later", json!({"date": "2027-06-01 09:00:00"})),
    ] {
        let mut fields =
            json!({"title": title, "start_date": "2027-03-10", "end_date": "2027-03-10"});
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        app.editor().event(fields).await;
    }
    let trashed =
        json!({"title": "Canary trash", "start_date": "2027-03-10", "end_date": "2027-03-10"});
    let trashed = app.editor().event(trashed).await["id"].as_i64().unwrap();
    app.editor().delete(&format!("/events/{trashed}")).await;
    for role in [Role::Contributor, Role::Author] {
        let mut browser = Browser::of(app, &format!("new-{role}"), role).await;
        for list in LISTS {
            for query in ["", "?search=canary", "?page=2"] {
                let page = browser.get(&format!("//desk/events/{list}{query}")).await;
                let is_there = list != "all" && (query != "?page=2" || list == "still-right");
                assert_eq!(page.status, if is_there { 200 } else { 404 }, "{list}");
                assert!(!page.text().contains("Canary"), "{list}{query}");
            }
        }
        for id in 1..=trashed {
            let path = format!("//desk/event/{id}");
            let page = browser.get(&path).await;
            assert!(matches!(page.status, 403 | 404), "{id}: {}", page.status);
            assert!(!page.text().contains("Canary"));
            let answer = browser.post(&path, &[("title", "Taken")]).await;
            assert!(matches!(answer.status, 403 | 404), "{id}: {}", answer.status);
            let id = id.to_string();
            let question = [("event", id.as_str()), ("action", "trash")];
            let question = browser.post("//desk/events/mine", &question).await;
            assert!(!question.text().contains("Canary draft"), "{}", question.text());
            let trash = [("event", id.as_str()), ("action", "trash"), ("confirmed", "1")];
            browser.post("//desk/events/mine", &trash).await;
        }
        let copy = browser.get("//desk/event/new?copy=1").await;
        assert!(!copy.text().contains("Canary"));
    }
    let editor = Browser::of(app, "linus", Role::Editor).await;
    assert_eq!(titles(&editor.get("//desk/events/all").await).len(), 5);
    assert_eq!(titles(&editor.get("//desk/events/trash").await), ["Canary trash"]);
}

/// A contributor's event waits for an editor, who finds and publishes it.
#[both_stores]
async fn an_editor_publishes_what_a_contributor_wrote(app: &TestApp) {
    let mut contributor = Browser::of(app, "grace", Role::Contributor).await;
    let page = contributor.get("//desk/event/new").await.text();
    assert!(page.contains("<option value=\"pending\"") && !page.contains("value=\"publish\""));
    let fields = [
        ("title", "Spring fair"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T18:00"),
        ("status", "publish"),
    ];
    assert_eq!(contributor.post("//desk/event/new", &fields).await.status, 303);
    assert_eq!(titles(&contributor.get("//desk/events/pending").await), ["Spring fair"]);
    assert_eq!(app.anonymous().get("/events").await.json()["total"], 0);

    let mut editor = Browser::of(app, "linus", Role::Editor).await;
    let list = editor.get("//desk/events/pending").await;
    assert_eq!(titles(&list), ["Spring fair"]);
    assert!(list.text().contains("grace"));
    let publish = [("event", "1"), ("action", "publish"), ("confirmed", "1")];
    editor.post("//desk/events/pending", &publish).await;
    assert_eq!(app.anonymous().get("/events").await.json()["total"], 1);
    assert_eq!(titles(&contributor.get("//desk/events/mine").await), ["Spring fair"]);
}

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:Fair\r\n\
    DTSTART:20270310T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

/// The roles of people who write.
const ROLES: [Role; 4] = [Role::Contributor, Role::Author, Role::Editor, Role::Administrator];

/// An action on an event, by the desk and by the interface.
struct Action {
    /// The states of events on which it is tried.
    states: &'static [&'static str],
    /// The path below `//desk/`, and the fields of the form.
    desk: (&'static str, &'static [(&'static str, &'static str)]),
    /// Method, what follows the path of the event, and the body.
    interface: (Method, &'static str, Value),
}

/// The states of events.
const STATES: [&str; 5] = ["draft", "pending", "publish", "private", "trash"];

/// Each action on one event, but for those that the interface does not have: a remark, a copy.
fn actions() -> Vec<Action> {
    let whole = &[
        ("title", "Renamed"),
        ("start_date", "2027-03-10T00:00"),
        ("end_date", "2027-03-10T00:00"),
        ("all_day", "1"),
        ("anyway", "1"),
    ];
    let french = &[("language", "fr"), ("title", "Foire"), ("slug", "")];
    let living = &STATES[..4];
    let of_list = |states, path, fields, method, rest, body| Action {
        states,
        desk: (path, fields),
        interface: (method, rest, body),
    };
    let (put, delete) = (Method::PUT, Method::DELETE);
    vec![
        of_list(living, "event/{id}", whole, put.clone(), "", json!({"title": "Renamed"})),
        of_list(
            living,
            "event/{id}/translations",
            french,
            put.clone(),
            "?ml_language=fr",
            json!({"title": "Foire"}),
        ),
        of_list(
            &["pending"],
            "events/pending",
            &[("action", "publish"), ("confirmed", "1")],
            put.clone(),
            "",
            json!({"status": "publish"}),
        ),
        of_list(
            &["publish"],
            "events/mine",
            &[("action", "draft"), ("confirmed", "1")],
            put.clone(),
            "",
            json!({"status": "draft"}),
        ),
        of_list(
            living,
            "events/mine",
            &[("action", "trash"), ("confirmed", "1")],
            delete.clone(),
            "",
            Value::Null,
        ),
        of_list(
            &["trash"],
            "events/trash",
            &[("action", "restore"), ("confirmed", "1")],
            put,
            "",
            json!({"status": "draft"}),
        ),
        of_list(
            &["trash"],
            "events/trash",
            &[("action", "delete"), ("confirmed", "1")],
            delete,
            "?force=true",
            Value::Null,
        ),
        of_list(
            living,
            "events/still-right",
            &[("action", "verify")],
            Method::POST,
            "/verify",
            json!({}),
        ),
    ]
}

/// The view of an administrator of an event: of two equal events with equal changes, the same.
async fn seen(app: &TestApp, id: i64) -> Value {
    let admin = app.admin();
    let event = admin.get(&format!("/events/{id}?status=any")).await;
    let json = event.json();
    let french = admin.get(&format!("/events/{id}?ml_language=fr")).await.json();
    json!([
        event.status,
        json["title"],
        french["title"],
        json["status"],
        json["verified_at"],
        json["author"]
    ])
}

async fn by_interface(client: &Client, id: i64, (method, rest, body): &(Method, &str, Value)) {
    let path = format!("/events/{id}{rest}");
    let body = (!body.is_null()).then(|| ("application/json", body.to_string().into_bytes()));
    client.send(method.clone(), &path, body).await;
}

/// Each role changes by the desk what it may change by the interface, of own events and of events of others, in each state:
/// of two equal events, one is changed by each, and an administrator finds them equal again.
#[both_stores]
async fn rights_on_events_are_those_of_the_interface(app: &TestApp) {
    let mut changes = 0;
    for role in ROLES {
        let name = format!("new-{role}");
        let mut browser = Browser::of(app, &name, role).await;
        let client = api(app, &name).await;
        let user = app.accounts.user(&name).await.unwrap().id.get();
        for action in actions() {
            for state in action.states {
                for own in [true, false] {
                    let make = async || {
                        let stored = if *state == "trash" { "publish" } else { state };
                        let mut fields = json!({
                            "title": "Fair", "start_date": "2027-03-10", "end_date": "2027-03-10",
                            "all_day": true, "status": stored,
                        });
                        if own {
                            fields["author"] = json!(user);
                        }
                        let id = app.admin().event(fields).await["id"].as_i64().unwrap();
                        if *state == "trash" {
                            app.admin().delete(&format!("/events/{id}")).await;
                        }
                        id
                    };
                    let (one, other) = (make().await, make().await);
                    let what = format!("{role} {} {state} own: {own}", action.desk.0);
                    let before = seen(app, one).await;
                    assert_eq!(before, seen(app, other).await, "{what}");
                    by_interface(&client, one, &action.interface).await;
                    let id = other.to_string();
                    let path = format!("//desk/{}", action.desk.0.replace("{id}", &id));
                    let fields = [action.desk.1, &[("event", id.as_str())]].concat();
                    let answer = browser.post(&path, &fields).await;
                    let after = seen(app, one).await;
                    let text = answer.text();
                    assert_eq!(seen(app, other).await, after, "{what}: {} {text}", answer.status);
                    changes += usize::from(after != before);
                    for id in [one, other] {
                        app.admin().delete(&format!("/events/{id}?force=true")).await;
                    }
                }
            }
        }
    }
    assert!(changes > 80, "{changes} changes");
}

/// Each page opens for the roles that may do by the interface what the page is for.
#[both_stores]
async fn pages_open_for_those_whom_the_interface_serves(app: &TestApp) {
    for role in [Role::Subscriber].into_iter().chain(ROLES) {
        let name = format!("new-{role}");
        let browser = Browser::of(app, &name, role).await;
        let client = api(app, &name).await;
        let fair = json!({
            "title": "Fair", "start_date": "2027-03-10", "end_date": "2027-03-10",
        });
        for (page, path, body) in [
            ("event/new", "/events", fair),
            ("venues/new", "/venues", json!({"venue": name})),
            ("organizers/new", "/organizers", json!({"organizer": name})),
            ("categories/new", "/categories", json!({"name": name})),
            ("tags/new", "/tags", json!({"name": name})),
        ] {
            let made = client.post(path, body).await.status;
            let shown = browser.get(&format!("//desk/{page}")).await.status;
            let expected = match made {
                201 => 200,
                status => status,
            };
            assert_eq!(shown, expected, "{role} {page}");
        }
        for (page, path, kind, body) in [
            ("images", "/images", "image/png", png(4, 4)),
            ("imports", "/imports?dry_run=1", "text/calendar", CALENDAR.into()),
        ] {
            let taken = client.send(Method::POST, path, Some((kind, body))).await.status;
            let shown = browser.get(&format!("//desk/{page}")).await.status;
            let expected = match taken {
                200 | 201 => 200,
                status => status,
            };
            assert_eq!(shown, expected, "{role} {page}");
        }
        let feeds = client.get("/feeds").await.status;
        let may_write = role != Role::Subscriber;
        let shown = browser.get("//desk/feeds").await.status;
        assert_eq!((shown == 200, feeds), (may_write, 200), "{role}");
        let sources = client.get("/sources").await.status;
        assert_eq!(browser.get("//desk/sources").await.status, sources, "{role}");
        for page in ["users", "users/new", "site", "sources/new", "trail"] {
            let shown = browser.get(&format!("//desk/{page}")).await.status;
            assert_eq!(shown == 200, role == Role::Administrator, "{role} {page}: {shown}");
        }
    }
}
