//! Venues, organizers, categories and tags on the desk.

use app::ports::TokenScope;
use axum::http::Method;
use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{Browser, OWN};

/// The ID of the record that a form made.
fn id(location: &str) -> i64 {
    let path = location.split('?').next().unwrap();
    path.rsplit('/').next().unwrap().parse().unwrap()
}

/// The names in a list, in its order.
async fn names(browser: &Browser<'_>, path: &str) -> Vec<String> {
    let html = browser.get(path).await.text();
    let rows = html.split("id=\"record-").skip(1);
    let rows = rows.map(|rest| rest.split_once('>').unwrap().1.split_once("</a>").unwrap().0);
    rows.map(str::to_owned).collect()
}

const MILL: [(&str, &str); 16] = [
    ("venue", "Old Mill"),
    ("address", "12 Mill Lane"),
    ("zip", "69001"),
    ("city", "Lyon"),
    ("province", "Rhône"),
    ("state", ""),
    ("stateprovince", ""),
    ("country", "France"),
    ("phone", "+33 4"),
    ("website", "https://mill.example/"),
    ("geo_lat", "45.764"),
    ("geo_lng", "4.8357"),
    ("show_map", "1"),
    ("description", "<p>Boots</p>"),
    ("status", "publish"),
    ("revision", ""),
];

/// A form with other values.
fn with<'a>(form: &[(&'a str, &'a str)], other: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = form.iter().filter(|(name, _)| other.iter().all(|(one, _)| one != name));
    kept.chain(other).copied().collect()
}

/// A new venue has what the form says; a change changes what differs, in the language of the venue.
#[both_stores]
async fn a_venue_is_written_and_changed(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let answer = browser.post("//desk/venues/new", &MILL).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let id = id(answer.header("location"));
    let path = format!("/venues/{id}");
    let venue = app.anonymous().get(&path).await.json();
    for (name, value) in [
        ("venue", json!("Old Mill")),
        ("zip", json!("69001")),
        ("stateprovince", json!("Rhône")),
        ("website", json!("https://mill.example/")),
        ("geo_lat", json!(45.764)),
        ("show_map", json!(true)),
        ("show_map_link", json!(false)),
        ("status", json!("publish")),
    ] {
        assert_eq!(venue[name], value, "{name}");
    }
    let form = format!("//desk/venues/{id}");
    let html = browser.get(&form).await.text();
    for value in ["value=\"Old Mill\"", "value=\"45.764\"", "&#60;p&#62;Boots", "show_map\" value"]
    {
        assert!(html.contains(value), "{value}: {html}");
    }
    let changed = with(&MILL, &[("city", "Vienne"), ("stateprovince", "Rhône"), ("revision", "1")]);
    assert_eq!(browser.post(&form, &changed).await.status, 303);
    let after = app.anonymous().get(&path).await.json();
    for (name, value) in venue.as_object().unwrap() {
        let may_differ = ["city", "modified", "modified_utc", "json_ld"].contains(&name.as_str());
        assert!(may_differ || after[name] == *value, "{name}: {} {value}", after[name]);
    }
    assert_eq!(after["city"], "Vienne");

    // The texts of an Arabic venue stay Arabic: the form makes no translation of them.
    let arabic = json!({"venue": "الطاحونة", "ml_language": "ar"});
    let arabic = app.editor().make("/venues", arabic).await["id"].as_i64().unwrap();
    let form = format!("//desk/venues/{arabic}");
    assert!(browser.get(&form).await.text().contains("value=\"الطاحونة\""));
    let sent = [("venue", "الطاحونة القديمة"), ("show_map", "1"), ("show_map_link", "1")];
    assert_eq!(browser.post(&form, &sent).await.status, 303);
    let read = async |language: &str| {
        app.anonymous().get(&format!("/venues/{arabic}?ml_language={language}")).await.json()
    };
    assert_eq!(read("ar").await["venue"], "الطاحونة القديمة");
    assert_eq!(read("en").await["venue"], "الطاحونة القديمة");
}

/// A refused form keeps what was typed, says what is wrong, and stores nothing.
#[both_stores]
async fn a_refused_form_keeps_what_was_typed(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let bad = with(&MILL, &[("venue", ""), ("website", "nowhere"), ("geo_lat", "95")]);
    let answer = browser.post("//desk/venues/new", &bad).await;
    assert_eq!(answer.status, 400);
    let html = answer.text();
    for part in [
        "href=\"#venue\"",
        "href=\"#website\"",
        "href=\"#geo_lat\"",
        "value=\"nowhere\"",
        "value=\"12 Mill Lane\"",
        "value=\"95\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(html.matches("aria-invalid=\"true\"").count() >= 3, "{html}");
    assert_eq!(app.anonymous().get("/venues").await.json()["total"], 0);

    app.editor().make("/categories", json!({"name": "Music"})).await;
    let twin = browser.post("//desk/categories/new", &[("name", "music")]).await;
    assert_eq!((twin.status, twin.text().contains("href=\"#name\"")), (400, true));
    let blank = browser.post("//desk/tags/new", &[("name", "  ")]).await;
    assert_eq!((blank.status, blank.text().contains("href=\"#name\"")), (400, true));
}

/// The second of two people who change a record learns of the first.
#[both_stores]
async fn two_people_change_a_record(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    for (list, title) in
        [("venues", "venue"), ("organizers", "organizer"), ("categories", "name"), ("tags", "name")]
    {
        let new = format!("//desk/{list}/new");
        let answer = browser.post(&new, &[(title, "First")]).await;
        let form = format!("//desk/{list}/{}", id(answer.header("location")));
        let second = [(title, "Second"), ("revision", "1")];
        assert_eq!(browser.post(&form, &second).await.status, 303, "{list}");
        let third = [(title, "Third"), ("revision", "1")];
        let answer = browser.post(&form, &third).await;
        assert_eq!(answer.status, 409, "{list}");
        let html = answer.text();
        assert!(html.contains("value=\"Third\"") && html.contains("Second</dd>"), "{html}");
        assert!(html.contains("name=\"revision\" value=\"2\""), "{html}");
        let again = [(title, "Third"), ("revision", "2")];
        assert_eq!(browser.post(&form, &again).await.status, 303, "{list}");
        assert_eq!(names(&browser, &format!("//desk/{list}")).await, ["Third"], "{list}");
    }
}

/// Categories are shown as a tree, which a form changes; none stands below itself.
#[both_stores]
async fn categories_are_a_tree(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let mut ids: Vec<String> = Vec::new();
    for (name, parent) in [("Music", None), ("Jazz", Some(0)), ("Bebop", Some(1)), ("Art", None)] {
        let parent = parent.map_or_else(String::new, |above: usize| ids[above].clone());
        let form = [("name", name), ("parent", parent.as_str()), ("description", "")];
        let answer = browser.post("//desk/categories/new", &form).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        ids.push(id(answer.header("location")).to_string());
    }
    let list = "//desk/categories";
    assert_eq!(names(&browser, list).await, ["Art", "Music", "Jazz", "Bebop"]);
    assert_eq!(names(&browser, "//desk/categories?search=bop").await, ["Bebop"]);
    let music = format!("//desk/categories/{}", ids[0]);
    let html = browser.get(&music).await.text();
    assert!(html.contains(&format!("<option value=\"{}\">Art", ids[3])), "{html}");
    assert!(!html.contains("Jazz") && !html.contains("Bebop"), "{html}");
    let below_itself = [("name", "Music"), ("parent", ids[2].as_str())];
    let answer = browser.post(&music, &below_itself).await;
    assert_eq!((answer.status, answer.text().contains("href=\"#parent\"")), (400, true));
    let moved = [("name", "Music"), ("parent", ids[3].as_str())];
    assert_eq!(browser.post(&music, &moved).await.status, 303);
    assert_eq!(names(&browser, list).await, ["Art", "Music", "Jazz", "Bebop"]);
    let top = [("name", "Jazz"), ("parent", "")];
    let jazz = format!("//desk/categories/{}", ids[1]);
    assert_eq!(browser.post(&jazz, &top).await.status, 303);
    assert_eq!(names(&browser, list).await, ["Art", "Music", "Jazz", "Bebop"]);
    // A page of a long list is a part of the tree.
    for number in 0..50 {
        app.editor().make("/categories", json!({"name": format!("C{number:02}")})).await;
    }
    assert_eq!(names(&browser, list).await.len(), 50);
    let rest = names(&browser, "//desk/categories?page=2").await;
    assert_eq!(rest, ["C48", "C49", "Jazz", "Bebop"]);
}

/// The desk asks before it deletes, and says how many events have the record.
#[both_stores]
async fn a_record_goes_to_the_trash_and_back(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let venue = app.editor().make("/venues", json!({"venue": "Old Mill"})).await["id"].clone();
    let tag = app.editor().make("/tags", json!({"name": "loud"})).await["id"].clone();
    for (title, status) in [("Fair", "publish"), ("Draft", "draft")] {
        let event = json!({"title": title, "start_date": "2027-03-10", "end_date": "2027-03-10",
            "venue": venue, "tags": [tag], "status": status});
        app.editor().event(event).await;
    }
    for (list, id, actions) in [
        ("venues", &venue, &["trash", "restore", "trash", "delete"][..]),
        ("tags", &tag, &["delete"]),
    ] {
        let path = format!("//desk/{list}/{id}/action");
        for action in actions {
            let question = browser.post(&path, &[("action", *action)]).await;
            assert_eq!(question.status, 200, "{list} {action}");
            let html = question.text();
            assert!(html.contains("stay without it: 2"), "{html}");
            assert_eq!(html.contains("cannot be undone"), *action == "delete", "{html}");
            let confirmed = [("action", *action), ("confirmed", "1")];
            let answer = browser.post(&path, &confirmed).await;
            assert_eq!(answer.status, 303, "{list} {action}: {}", answer.text());
            let location = answer.header("location");
            assert!(location.ends_with(&format!("/desk/{list}?done={action}")), "{location}");
            let in_trash = usize::from(*action == "trash");
            let trash = format!("//desk/{list}?list=trash");
            if list == "venues" {
                assert_eq!(names(&browser, &trash).await.len(), in_trash, "{action}");
            }
            let left = usize::from(*action == "restore");
            assert_eq!(names(&browser, &format!("//desk/{list}")).await.len(), left, "{action}");
        }
        assert_eq!(app.editor().get(&format!("/{list}/{id}")).await.status, 404);
    }
    assert_eq!(app.editor().get("/events").await.json()["total"], 2);
}

/// The roles that have a desk, each with the ID of its user in the test's calendar.
const ROLES: [Role; 4] = [Role::Contributor, Role::Author, Role::Editor, Role::Administrator];

/// Each role may do on the desk what it may do by the interface, with own records and with those of others.
#[both_stores]
async fn rights_on_records_are_those_of_the_interface(app: &TestApp) {
    let kinds = [
        ("venues", "venue"),
        ("organizers", "organizer"),
        ("categories", "name"),
        ("tags", "name"),
    ];
    for role in ROLES {
        let name = format!("new-{role}");
        let mut browser = Browser::of(app, &name, role).await;
        let user = app.accounts.user(&name).await.unwrap();
        let token = app.accounts.create_token(user.id, "test", TokenScope::Admin, None).await;
        let api = app.anonymous().with_token(token.unwrap().text.expose());
        for (list, title) in kinds {
            let collection = format!("/{list}");
            let is_entry = title != "name";
            // New records.
            let by_api = api.post(&collection, json!({title: format!("By {name}")})).await;
            let sent = [(title, name.as_str())];
            let by_desk = browser.post(&format!("//desk/{list}/new"), &sent).await;
            assert_eq!(by_api.status == 201, by_desk.status == 303, "{role} {list}");
            let form = browser.get(&format!("//desk/{list}/new")).await;
            assert_eq!(form.status == 200, by_api.status == 201, "{role} {list}");
            let offers = browser.get(&format!("//desk/{list}")).await;
            assert_eq!(offers.status, 200, "{role} {list}");
            let link = format!("/desk/{list}/new\"");
            assert_eq!(offers.text().contains(&link), by_api.status == 201, "{role} {list}");

            let states: &[&str] = if is_entry { &["publish", "draft", "private"] } else { &[""] };
            for state in states {
                for own in [true, false] {
                    let make = async |what: &str| {
                        let mut fields = json!({title: format!("{what} {name} {state} {own}")});
                        if is_entry {
                            fields["status"] = json!(state);
                            if own {
                                fields["author"] = json!(user.id.get());
                            }
                        }
                        app.admin().make(&collection, fields).await["id"].as_i64().unwrap()
                    };
                    let what = format!("{role} {list} {state} own: {own}");
                    let (one, other) = (make("A").await, make("B").await);
                    let (by_api, by_desk) =
                        (format!("{collection}/{one}"), format!("//desk/{list}/{other}"));
                    let change = json!({title: format!("Changed A {what}")});
                    let changed = api.put(&by_api, change).await.status == 200;
                    let shown = browser.get(&by_desk).await;
                    assert_eq!(shown.status == 200, changed, "{what}");
                    let new_title = format!("Changed B {what}");
                    let answer = browser.post(&by_desk, &[(title, new_title.as_str())]).await;
                    assert_eq!(answer.status == 303, changed, "{what}: {}", answer.text());
                    if !changed {
                        assert!(matches!(shown.status, 403 | 404), "{what}");
                        assert!(matches!(answer.status, 403 | 404), "{what}");
                    }
                    // Records that a person may not read leave no trace in the list.
                    let readable = api.get(&by_api).await.status == 200;
                    let words =
                        if is_entry { format!("{role}+{state}+{own}") } else { role.to_string() };
                    let listed = browser.get(&format!("//desk/{list}?search={words}")).await.text();
                    let row = format!("id=\"record-{other}\"");
                    assert_eq!(listed.contains(&row), readable, "{what}: {listed}");
                    let action = format!("{by_desk}/action");
                    let offers = listed.contains(&format!("/desk/{list}/{other}/action\""));
                    assert_eq!(offers, changed, "{what}");
                    let deleted = api.delete(&by_api).await.status == 200;
                    let name = if is_entry { "trash" } else { "delete" };
                    let confirmed = [("action", name), ("confirmed", "1")];
                    let answer = browser.post(&action, &confirmed).await;
                    assert_eq!(answer.status == 303, deleted, "{what}: {}", answer.text());
                    if is_entry {
                        let for_good = api.delete(&format!("{by_api}?force=true")).await.status;
                        let confirmed = [("action", "delete"), ("confirmed", "1")];
                        let answer = browser.post(&action, &confirmed).await;
                        assert_eq!(answer.status == 303, for_good == 200, "{what} for good");
                    }
                }
            }
        }
    }
}

/// No form is taken from another site, and none without a session.
#[both_stores]
async fn forms_come_from_the_desk(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    let id = app.editor().make("/venues", json!({"venue": "Old Mill"})).await["id"].clone();
    for path in ["new".to_owned(), id.to_string(), format!("{id}/action")] {
        let path = format!("//desk/venues/{path}");
        let fields = [("venue", "Planted"), ("action", "trash"), ("confirmed", "1")];
        let elsewhere = browser.post_with(&path, &fields, &[("origin", "https://x.example")]).await;
        assert_eq!(elsewhere.status, 403, "{path}");
        let stranger = Browser::new(app).post_with(&path, &fields, &[OWN]).await;
        assert_eq!(stranger.status, 303, "{path}");
    }
    let list = app.editor().send(Method::GET, "/venues", None).await.json();
    assert_eq!(
        (list["total"].clone(), list["venues"][0]["venue"].clone()),
        (json!(1), json!("Old Mill"))
    );
}
