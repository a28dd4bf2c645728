//! The rights of each role, as one table, checked on every route.

mod table;

use std::collections::{BTreeMap, BTreeSet};

use axum::http::Method;
use domain::Role;
use serde_json::{Value, json};
use tests::{
    app::{TestApp, routes},
    both_stores,
    client::{Answer, Client, event_fields, id},
};

use super::{desk::Browser, records::remove_json_ld};

use table::{
    ALL, AUDIT, CREATIONS, DESK, DUPLICATES, ENTRIES, FEEDS, FORMS, GIVING_AWAY, IMAGES, IMPORTS,
    KINDS, Kind, OCCURRENCES, OPEN, OTHER_AUTHOR, OWNERS,
    Operation::{Create, Delete, List, Read, Update},
    Outcome::{
        self, Absent, Done, Forbidden, Hidden, InTrash, Login, Nobody, TrashHidden, TrashShown,
    },
    PAGES, REVISIONS, ROLES, SIGN_IN, SOURCES, TERMS,
    Whose::{Others, Own},
    expected, routes_of,
};

/// The path of a record, below the root.
fn path(record: &Value, pattern: &str) -> String {
    let text = |field: &str| record[field].to_string().trim_matches('"').to_owned();
    format!("/{}", pattern.replace("{id}", &text("id")).replace("{slug}", &text("slug")))
}

fn client(app: &TestApp, user: Option<usize>) -> Client {
    user.map_or_else(|| app.anonymous(), |user| app.user(user))
}

/// The fields of a new record; its slug is derived from its name.
fn fields(kind: Kind, name: &str) -> Value {
    event_fields(json!({kind.title: name, "slug": name}))
}

/// Creates a record of a user in a state.
async fn make(app: &TestApp, kind: Kind, state: &str, author: usize, name: &str) -> Value {
    let collection = format!("/{}", kind.plural);
    let mut fields = fields(kind, name);
    fields["author"] = author.into();
    fields["status"] = if state == "trash" { "draft" } else { state }.into();
    if state == "future" {
        fields["date"] = "2027-06-01 10:00:00".into();
    }
    let mut record = app.admin().make(&collection, fields).await;
    if state == "trash" {
        record = app.admin().delete(&format!("{collection}/{}", record["id"])).await.json();
    }
    assert_eq!(record["status"], state);
    record
}

/// Fails unless the outcome of a request is that of the table.
fn check(kind: &str, outcome: Outcome, success: u16, answer: &Answer, what: &str) {
    let not_accessible = (403, format!("{kind}-not-accessible"));
    let is_event = kind == "event";
    let refusal = match outcome {
        Nobody => panic!("{what} was asked"),
        Done => None,
        TrashShown if !is_event => None,
        TrashShown | TrashHidden if is_event => Some((403, "event-no-longer-available".to_owned())),
        TrashShown | TrashHidden | Hidden => Some(not_accessible),
        Login => Some((401, "rest_forbidden".to_owned())),
        Forbidden => Some((403, "rest_forbidden".to_owned())),
        InTrash => Some((410, format!("{kind}-is-in-trash"))),
        Absent if is_event => Some((404, "rest-event-not-found".to_owned())),
        Absent if kind == "term" => Some((404, "rest_term_invalid".to_owned())),
        Absent => Some((404, format!("{kind}-not-found"))),
    };
    let (status, code) = refusal.unwrap_or((success, String::new()));
    assert_eq!((answer.status, answer.code()), (status, code.clone()), "{what}: {}", answer.text());
    if !code.is_empty() {
        assert_eq!(answer.json()["data"]["status"], status, "{what}");
        let asks = answer.header("www-authenticate").starts_with("Basic ");
        assert_eq!(asks, status == 401, "{what}");
    }
}

/// All records of a kind for an administrator, including the trash.
async fn everything(app: &TestApp, kind: Kind) -> Value {
    let list =
        app.admin().get(&format!("/{}?status={}&per_page=100", kind.plural, ALL.join(","))).await;
    assert_eq!(list.status, 200, "{}", list.text());
    list.json()
}

/// Checks all rows of the table for a kind of record.
async fn follows_the_table(app: &TestApp, kind: Kind) {
    let mut records = BTreeMap::new();
    for author in 1..=7 {
        for &state in ALL {
            let name = format!("{state} of {author}").replace(' ', "-");
            records.insert((author, state), make(app, kind, state, author, &name).await);
        }
    }
    // The slug is the beginning of the slugs of other records.
    let absent =
        ["0", "999999", "99999999999999999999"].map(|id| json!({"id": id, "slug": "publish"}));
    lists_follow_the_table(app, kind, &records).await;

    let before = everything(app, kind).await;
    assert_eq!(before["total"], records.len());
    let change = json!({"description": "Changed."});
    let changes = [
        change.clone(),
        json!({kind.title: "Changed"}),
        json!({"status": "draft"}),
        json!({"status": "trash"}),
        json!({}),
    ];
    let mut changes = changes.iter().cycle();
    let mut allowed = Vec::new();
    for (role, (name, user)) in ROLES.into_iter().enumerate() {
        let others = OWNERS.into_iter().filter(|&other| user != Some(other));
        let owners: Vec<_> =
            user.map(|user| (user, Own)).into_iter().chain(others.map(|id| (id, Others))).collect();
        for operation in [Read, Update, Delete] {
            let there = owners
                .iter()
                .flat_map(|&(owner, whose)| ALL.iter().map(move |&state| ((owner, state), whose)));
            let there = there.map(|(key, whose)| (&records[&key], key, whose));
            let absent = absent.iter().map(|record| (record, (0, "absent"), Others));
            for (record, (owner, state), whose) in there.chain(absent) {
                let outcome = expected(operation, state, whose, role);
                for (method, pattern) in routes_of(operation, kind.plural, true) {
                    if outcome == Done && operation != Read {
                        allowed.push((user, operation, method, pattern, (owner, state)));
                        continue;
                    }
                    let what = format!("{name}: {method} {pattern}, {state} of {owner}");
                    let body = changes.next().filter(|_| outcome != Absent).unwrap_or(&change);
                    let answer =
                        client(app, user).send_json(method, &path(record, &pattern), body).await;
                    check(kind.name, outcome, 200, &answer, &what);
                    if answer.status == 200 {
                        let mut found = answer.json();
                        remove_json_ld(&mut found);
                        assert_eq!(&found, record, "{what}");
                    }
                }
            }
        }
    }
    assert_eq!(everything(app, kind).await, before, "a refusal or a read has changed something");

    for (number, (user, operation, method, pattern, (owner, state))) in
        allowed.into_iter().enumerate()
    {
        let what = format!("user {user:?}: {method} {pattern}, {state} of {owner}");
        let body = json!({"description": format!("Change {number}.")});
        let record = match operation {
            Delete => &make(app, kind, state, owner, &format!("fresh-{number}")).await,
            _ => &records[&(owner, state)],
        };
        let answer = client(app, user).send_json(method, &path(record, &pattern), &body).await;
        check(kind.name, Done, 200, &answer, &what);
        let json = answer.json();
        let status = if operation == Delete { "trash" } else { state };
        assert_eq!((&json["id"], &json["status"]), (&record["id"], &json!(status)), "{what}");
        if operation == Update {
            assert_eq!(json["description"], format!("<p>Change {number}.</p>"), "{what}");
        }
    }
}

/// Each role finds in lists the records of the table, and may request the statuses of its role.
async fn lists_follow_the_table(
    app: &TestApp,
    kind: Kind,
    records: &BTreeMap<(usize, &str), Value>,
) {
    for (role, (name, user)) in ROLES.into_iter().enumerate() {
        let listed = |wanted: &dyn Fn(&str) -> bool| {
            let listed = records.iter().filter(|((author, state), _)| {
                let whose = if user == Some(*author) { Own } else { Others };
                wanted(state) && expected(List, state, whose, role) == Done
            });
            listed.map(|(_, record)| id(record)).collect::<BTreeSet<_>>()
        };
        let reaches_far = role >= 2;
        let mut queries = vec![
            (String::new(), true, listed(&|state| state != "trash")),
            ("&status=any".to_owned(), true, listed(&|state| state != "trash")),
            (
                "&status=publish,draft".to_owned(),
                reaches_far,
                listed(&|state| matches!(state, "publish" | "draft")),
            ),
        ];
        for &status in ALL {
            let may_ask = reaches_far || status == "publish";
            queries.push((format!("&status={status}"), may_ask, listed(&|state| state == status)));
        }
        for (query, may_ask, ids) in queries {
            let list =
                client(app, user).get(&format!("/{}?per_page=100{query}", kind.plural)).await;
            if !may_ask {
                list.assert_invalid(&["status"]);
                continue;
            }
            let found = list.ids();
            assert_eq!(found.len(), ids.len(), "{name} {query}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), ids, "{name} {query}");
            assert_eq!(list.json()["total"], ids.len(), "{name} {query}");
            assert_eq!(list.header("x-tec-total"), ids.len().to_string(), "{name} {query}");
        }
    }
}

/// Each role may perform the operations of the table on events, by ID and by slug.
///
/// EU-38: Contributors and authors may not change events of others.
/// EU-40: A client without credentials gets 401, a subscriber 403.
/// EU-41: A writer learns that no event has the ID.
/// EU-42: A client without credentials gets 401, whether the event exists or not.
/// EU-45: By slug a client without credentials has no more rights than by ID.
/// EU-46: By slug a contributor has no more rights on another user's event than by ID.
#[both_stores]
async fn rights_on_events(app: &TestApp) {
    follows_the_table(app, KINDS[0]).await;
}

/// Each role may perform the operations of the table on venues, by ID and by slug.
///
/// V-16: No venue has the ID 0, or one that was not assigned.
/// V-17: A draft is for its author and for editors.
/// V-18: The trash is for users who may read unpublished records.
/// V-19: No venue has a slug that was not assigned.
/// V-25: Only editors change a venue of another user.
/// V-26: By slug a user has no more rights than by ID.
/// V-27: A user who may change a venue may trash it, once.
/// V-28: A venue that does not exist cannot be deleted.
#[both_stores]
async fn rights_on_venues(app: &TestApp) {
    follows_the_table(app, KINDS[1]).await;
}

/// Each role may perform the operations of the table on organizers, by ID and by slug.
///
/// O-09: No organizer has an ID or a slug that was not assigned; the trash is not public.
/// O-12: Only editors change an organizer of another user, by ID or by slug.
/// O-13: A user who may change an organizer may trash it, once; by slug the same rule holds.
/// O-14: An absent organizer is 404 only for users who may delete organizers.
#[both_stores]
async fn rights_on_organizers(app: &TestApp) {
    follows_the_table(app, KINDS[2]).await;
}

/// A new record has the status that its author's role allows.
///
/// V-12: Contributors create drafts, or submit for review; subscribers create nothing.
/// O-07: Contributors create drafts.
#[both_stores]
async fn new_records_get_the_status_of_the_role(app: &TestApp) {
    for kind in KINDS {
        for (requested, outcomes) in CREATIONS {
            for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
                let mut fields = fields(kind, &format!("{name}-{requested:?}"));
                fields["status"] = json!(requested);
                if *requested == Some("future") {
                    fields["date"] = "2027-06-01 10:00:00".into();
                }
                let answer = client(app, user).post(&format!("/{}", kind.plural), fields).await;
                match *outcome {
                    "401" => answer.assert_error(401, "rest_forbidden"),
                    "403" => answer.assert_error(403, "rest_forbidden"),
                    "400" => answer.assert_invalid(&["status"]),
                    status => {
                        assert_eq!(answer.status, 201, "{}", answer.text());
                        let json = answer.json();
                        assert_eq!(
                            (&json["status"], &json["author"]),
                            (&json!(status), &json!(user))
                        );
                    }
                }
            }
        }
    }
}

/// O-07: Only editors and administrators assign a record, new or not, to another user.
#[both_stores]
async fn editors_alone_give_records_away(app: &TestApp) {
    for kind in KINDS {
        let collection = format!("/{}", kind.plural);
        for ((name, user), outcome) in ROLES.into_iter().zip(GIVING_AWAY) {
            let mut new = fields(kind, &format!("new-{name}"));
            new["author"] = OTHER_AUTHOR.into();
            let answer = client(app, user).post(&collection, new).await;
            check(kind.name, outcome, 201, &answer, name);
            if outcome == Done {
                assert_eq!(answer.json()["author"], OTHER_AUTHOR, "{name}");
            }
            let Some(user) = user else { continue };
            let own = make(app, kind, "draft", user, &format!("old-{name}")).await;
            for pattern in ["{id}", "by-slug/{slug}"] {
                let path = path(&own, &format!("/cal/events/v1{collection}/{pattern}"));
                let answer = app.user(user).put(&path, json!({"author": OTHER_AUTHOR})).await;
                check(kind.name, outcome, 200, &answer, name);
            }
            let kept = app.admin().get(&format!("{collection}/{}", own["id"])).await.json();
            assert_eq!(kept["author"] == OTHER_AUTHOR, outcome == Done, "{name} {kept}");
        }
        let mut absent = fields(kind, "absent");
        absent["author"] = 99.into();
        app.admin().post(&collection, absent).await.assert_invalid(&["author"]);
    }
}

/// Each role may perform the operations of the table on categories and tags.
///
/// C-09: Authors and editors create categories; subscribers and contributors may not, and a client
/// without credentials gets 401.
/// C-14: Authors change categories; contributors may not, a client without credentials gets 401,
/// and an absent category is 404.
/// T-01: An editor creates a tag; authors and lower roles may not.
/// T-08: Contributors delete no tag, a client without credentials gets 401.
/// T-09: The deletion of an absent tag is 401 without credentials, and 404 for an editor.
#[both_stores]
async fn rights_on_terms(app: &TestApp) {
    for (number, (plural, operation, there, outcomes)) in TERMS.iter().enumerate() {
        let changed = async || {
            let list = format!("/{plural}?hide_empty=false&search=changed");
            app.admin().get(&list).await.json()["total"].as_u64().unwrap()
        };
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            for (method, pattern) in routes_of(*operation, plural, false) {
                let what = format!("{name}: {method} {pattern}, {there}");
                let mut record = json!({"id": 999_999});
                if *there {
                    let name = format!("{method} {number} {name}");
                    record = app.admin().make(&format!("/{plural}"), json!({"name": name})).await;
                }
                let before = changed().await;
                let body = json!({"name": format!("{what} changed")});
                let answer =
                    client(app, user).send_json(method, &path(&record, &pattern), &body).await;
                let success = if *operation == Create { 201 } else { 200 };
                check("term", *outcome, success, &answer, &what);
                let writes = matches!(operation, Create | Update) && *outcome == Done;
                assert_eq!(changed().await - before, u64::from(writes), "{what}");
                let kept = app.admin().get(&format!("/{plural}/{}", record["id"])).await;
                let gone = !there || (*operation, *outcome) == (Delete, Done);
                assert_eq!(kept.status, if gone { 404 } else { 200 }, "{what}");
            }
        }
    }
}

/// Each role may perform the operations of the table on images; the author and higher roles on
/// their own.
#[both_stores]
async fn rights_on_images(app: &TestApp) {
    for (method, pattern, outcomes) in IMAGES {
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            let picture = Some(("image/png", tests::pictures::png(2, 2)));
            let owner = user.filter(|_| *outcome == Done).unwrap_or(3);
            let image = app.user(if owner > 3 { 3 } else { owner });
            let image = image.send(Method::POST, "/images", picture.clone()).await.json();
            let file = image["url"].as_str().and_then(|url| url.split_once("/media/"));
            let path = pattern
                .replace("{id}", &image["id"].to_string())
                .replace("{*path}", file.expect("an address").1);
            let body = picture.filter(|_| *method == Method::POST);
            let answer = client(app, user).send(method.clone(), &format!("/{path}"), body).await;
            let what = format!("{name}: {method} {path}");
            match outcome {
                Done => assert!(answer.status < 300, "{what}: {}", answer.text()),
                _ => check("image", *outcome, 0, &answer, &what),
            }
        }
    }
}

/// F-71: Editors and administrators may import calendar files.
#[both_stores]
async fn rights_on_imports(app: &TestApp) {
    for (method, path, outcomes) in IMPORTS {
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            let file =
                format!("BEGIN:VEVENT\nUID:{name}\nDTSTART:20300310\nSUMMARY:{name}\nEND:VEVENT\n");
            let body = Some(("text/calendar", file.into_bytes()));
            let answer = client(app, user).send(method.clone(), &format!("/{path}"), body).await;
            check("event", *outcome, 200, &answer, name);
        }
    }
}

/// Each user may perform all operations on own secret feeds; an administrator on those of others, too.
#[both_stores]
async fn rights_on_secret_feeds(app: &TestApp) {
    for (method, pattern, outcomes) in FEEDS {
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            let body = json!({"name": name});
            let owner = app.user(user.unwrap_or(3));
            let id = owner.make("/feeds", body.clone()).await["id"].to_string();
            let path = format!("/{}", pattern.replace("{id}", &id));
            let answer = client(app, user).send_json(method.clone(), &path, &body).await;
            let success = if *method == Method::POST { 201 } else { 200 };
            check("feed", *outcome, success, &answer, name);
            if pattern.ends_with("{id}") {
                let id = app.user(7).make("/feeds", body.clone()).await["id"].to_string();
                let path = format!("/{}", pattern.replace("{id}", &id));
                let outcome = match user {
                    None => Login,
                    Some(1) => Done,
                    Some(_) => Absent,
                };
                let answer = client(app, user).send_json(method.clone(), &path, &body).await;
                check("feed", outcome, 200, &answer, name);
            }
        }
    }
}

/// Administrators manage sources; editors read them, and ask for runs. Others learn nothing of them.
#[both_stores]
async fn rights_on_sources(app: &TestApp) {
    for (method, pattern, success, outcomes) in SOURCES {
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            let fields = |name: &str| json!({"name": name, "url": "https://club.example/a.ics"});
            let source = app.admin().make("/sources", fields("Club")).await["id"].to_string();
            let path = format!("/{}", pattern.replace("{id}", &source));
            let is_order = ["run", "pause", "resume"].iter().any(|order| path.ends_with(order));
            let (path, body) = match *method {
                Method::DELETE => (format!("{path}?events=keep"), json!({})),
                Method::POST if !pattern.contains("{id}") => (path, fields("Choir")),
                _ if is_order || *method == Method::GET => (path, json!({})),
                _ => (path, json!({"every": "6h"})),
            };
            let answer = client(app, user).send_json(method.clone(), &path, &body).await;
            check("source", *outcome, *success, &answer, name);
            for stored in app.admin().get("/sources").await.json()["sources"].as_array().unwrap() {
                let path = format!("/sources/{}?events=keep", stored["id"]);
                assert_eq!(app.admin().delete(&path).await.status, 200);
            }
        }
    }
}

/// Administrators alone read the audit trail.
#[both_stores]
async fn rights_on_the_trail(app: &TestApp) {
    for (method, pattern, outcomes) in AUDIT {
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            let answer = client(app, user).send(method.clone(), &format!("/{pattern}"), None).await;
            check("trail", *outcome, 200, &answer, name);
        }
    }
}

/// The callers who may change a record read its revisions and restore them, and read it as it was.
#[both_stores]
async fn rights_on_revisions(app: &TestApp) {
    for (method, pattern, outcomes) in REVISIONS {
        let list = pattern.split('/').nth(4).unwrap();
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            let text = format!("{name} {}", pattern.len());
            let mut fields = event_fields(json!({"title": text}));
            for title in ["venue", "organizer", "name"] {
                if list != "events" {
                    fields[title] = json!(text);
                }
            }
            let maker = if list == "tags" { app.editor() } else { app.author() };
            let record = maker.make(&format!("/{list}"), fields).await;
            let path = pattern.replace("{id}", &record["id"].to_string()).replace("{n}", "1");
            let answer = client(app, user).send(method.clone(), &format!("/{path}"), None).await;
            check("revision", *outcome, 200, &answer, name);
            let as_of = format!("/{list}/{}?as_of=2027-01-01T12:00:00Z", record["id"]);
            check("revision", *outcome, 200, &client(app, user).get(&as_of).await, name);
        }
    }
}

/// Editors alone learn of pairs of records that look alike, and decide about them.
#[both_stores]
async fn rights_on_duplicates(app: &TestApp) {
    for (method, pattern, outcomes) in DUPLICATES {
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            let venue = format!("Hall of {name} {}", pattern.len());
            let fields = json!({"venue": venue, "city": "Lyon"});
            let keep = app.author().make("/venues", fields.clone()).await["id"].clone();
            app.author().make("/venues", fields).await;
            app.calendar.find_duplicates().await.unwrap();
            let list =
                app.editor().get("/duplicates?state=open&kind=venue&per_page=50").await.json();
            let pairs = list["duplicates"].as_array().unwrap();
            let pair = pairs.iter().find(|pair| pair["records"][0]["id"] == keep).unwrap();
            let id = pair["id"].to_string();
            if pattern.ends_with("undo") {
                let path = format!("/duplicates/{id}/merge");
                let merged = app.editor().post(&path, json!({"keep": keep})).await;
                assert_eq!(merged.status, 200, "{}", merged.text());
            }
            let path = format!("/{}", pattern.replace("{id}", &id));
            let body = if pattern.ends_with("merge") { json!({"keep": keep}) } else { json!({}) };
            let answer = client(app, user).send_json(method.clone(), &path, &body).await;
            check("duplicate", *outcome, 200, &answer, name);
        }
    }
}

/// The rights on an occurrence are those on its series, which an author has published.
#[both_stores]
async fn rights_on_occurrences(app: &TestApp) {
    for (method, pattern, outcomes) in OCCURRENCES {
        let series = json!({"title": "Yoga", "start_date": "2027-03-01 09:00",
            "end_date": "2027-03-01 10:00", "recurrence": "FREQ=DAILY;COUNT=6"});
        let id = app.author().post("/events", series).await.json()["id"].to_string();
        for (day, ((name, user), outcome)) in (1..).zip(ROLES.into_iter().zip(outcomes)) {
            let slot = format!("2027-03-{day:02}T09:00:00");
            let path = pattern.replace("{id}", &id).replace("{recurrence_id}", &slot);
            let path = path.trim_start_matches("/cal/events/v1");
            let fields = (*method != Method::GET && *method != Method::DELETE)
                .then(|| ("application/json", json!({"title": name}).to_string().into_bytes()));
            let answer = client(app, user).send(method.clone(), path, fields).await;
            check("event", *outcome, 200, &answer, name);
        }
    }
}

/// Public routes are open to every role.
#[both_stores]
async fn open_routes_answer_every_role(app: &TestApp) {
    for (method, path) in OPEN {
        for (name, user) in ROLES {
            let answer = client(app, user).send(method.clone(), &format!("/{path}"), None).await;
            assert_eq!(answer.status, 200, "{name}: {method} {path}");
        }
    }
}

/// A page of the desk sends strangers to the sign-in, and refuses people who may write no event.
#[both_stores]
async fn the_desk_is_for_people_who_write(app: &TestApp) {
    let mut stranger = Browser::new(app);
    let mut subscriber = Browser::of(app, "grace", Role::Subscriber).await;
    for (method, path) in DESK {
        let path = format!("//{}", path.replace("{list}", "mine").replace("{id}", "1"));
        let (answer, refused) = if *method == Method::GET {
            (stranger.get(&path).await, subscriber.get(&path).await)
        } else {
            let fields = [("title", "Planted")];
            (stranger.post(&path, &fields).await, subscriber.post(&path, &fields).await)
        };
        assert_eq!((answer.status, refused.status), (303, 403), "{method} {path}");
        assert!(answer.header("location").contains("/desk/sign-in"), "{method} {path}");
        for answer in [answer, refused] {
            assert_eq!(answer.header("cache-control"), "private, no-store", "{method} {path}");
        }
    }
    // The desk does not read the credentials of the interface.
    assert_eq!(app.editor().get("//desk").await.status, 303);
}

/// Every route has a row in one of the tables.
#[test]
fn every_route_is_in_a_table() {
    let operations = ENTRIES.iter().map(|row| row.0).chain([Create]);
    let entries = operations.flat_map(|operation| {
        KINDS.iter().flat_map(move |kind| routes_of(operation, kind.plural, true))
    });
    let terms = TERMS.iter().flat_map(|row| routes_of(row.1, row.0, false));
    let single = OPEN.iter().map(|(method, path)| (method.clone(), *path));
    let single = single.chain(PAGES.iter().map(|path| (Method::GET, *path)));
    let forms = [FORMS, SIGN_IN, DESK].into_iter().flatten();
    let single = single.chain(forms.map(|(method, path)| (method.clone(), *path)));
    let single = single.chain(OCCURRENCES.iter().map(|(method, path, _)| (method.clone(), *path)));
    let single = single.chain(FEEDS.iter().map(|(method, path, _)| (method.clone(), *path)));
    let single = single.chain(SOURCES.iter().map(|(method, path, ..)| (method.clone(), *path)));
    let single = single.chain(DUPLICATES.iter().map(|(method, path, _)| (method.clone(), *path)));
    let single = single.chain(AUDIT.iter().map(|(method, path, _)| (method.clone(), *path)));
    let single = single.chain(REVISIONS.iter().map(|(method, path, _)| (method.clone(), *path)));
    let single = single.chain(IMAGES.iter().map(|(method, path, _)| (method.clone(), *path)));
    let single = single.chain(IMPORTS.iter().map(|(method, path, _)| (method.clone(), *path)));
    let single = single.map(|(method, path)| (method, path.to_owned()));
    let known = entries.chain(terms).chain(single).map(|(method, path)| format!("{method} {path}"));
    let served = routes().into_iter().map(|route| format!("{} {}", route.method, route.path));
    assert_eq!(served.collect::<BTreeSet<_>>(), known.collect());
}
