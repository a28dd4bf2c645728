//! The rights of each role, as one table, checked on every route.

mod table;

use std::collections::{BTreeMap, BTreeSet};

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields},
};

use table::{
    ALL, CREATIONS, ENTRIES, GIVING_AWAY, IMAGES, KINDS, Kind, OPEN,
    Operation::{Create, Delete, List, Read, Update},
    Outcome::{
        self, Absent, Done, Forbidden, Hidden, InTrash, Login, Nobody, TrashHidden, TrashShown,
    },
    PAGES, ROLES, SOMEBODY_ELSE, TERMS,
    Whose::{Others, Own},
    expected, routes_of,
};

/// A record whose rights are tested.
#[derive(Clone, Debug)]
struct Record {
    id: i64,
    slug: String,
}

impl Record {
    fn new(json: &Value) -> Self {
        Self { id: json["id"].as_i64().unwrap(), slug: json["slug"].as_str().unwrap().to_owned() }
    }

    /// A path of the record, below the root.
    fn path(&self, pattern: &str) -> String {
        format!("/{}", pattern.replace("{id}", &self.id.to_string()).replace("{slug}", &self.slug))
    }
}

fn client(app: &TestApp, user: Option<usize>) -> Client {
    user.map_or_else(|| app.anonymous(), |user| app.user(user))
}

/// The fields of a new record; its slug is derived from its name.
fn fields(kind: Kind, name: &str) -> Value {
    event_fields(json!({kind.title: name, "slug": name}))
}

/// Creates a record of a user in a state.
async fn make(app: &TestApp, kind: Kind, state: &str, author: usize, name: &str) -> Record {
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
    Record::new(&record)
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
        assert_eq!(!answer.header("www-authenticate").is_empty(), status == 401, "{what}");
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
    let authors = ROLES.iter().filter_map(|role| role.1).chain([SOMEBODY_ELSE]);
    for author in authors {
        for &state in ALL {
            let name = format!("{state} of {author}").replace(' ', "-");
            records.insert((author, state), make(app, kind, state, author, &name).await);
        }
    }
    let absent = Record { id: 999_999, slug: "absent".to_owned() };
    lists_follow_the_table(app, kind, &records).await;

    let before = everything(app, kind).await;
    assert_eq!(before["total"], records.len());
    let mut allowed = Vec::new();
    for (role, (name, user)) in ROLES.into_iter().enumerate() {
        for operation in [Read, Update, Delete] {
            for (state, whose) in ALL
                .iter()
                .flat_map(|&state| [(state, Own), (state, Others)])
                .chain([("absent", Others)])
            {
                let outcome = expected(operation, state, whose, role);
                let author = if whose == Own { user } else { Some(SOMEBODY_ELSE) };
                assert_eq!(outcome == Nobody, author.is_none(), "{name} {operation:?} {state}");
                let Some(author) = author else { continue };
                let record = records.get(&(author, state)).unwrap_or(&absent);
                for (method, pattern) in routes_of(operation, kind.plural, true) {
                    if outcome == Done && operation != Read {
                        allowed.push((user, operation, method, pattern, (author, state)));
                        continue;
                    }
                    let what = format!("{name}: {method} {pattern}, {state}, {whose:?}");
                    let body = json!({"description": "Changed."});
                    let answer =
                        client(app, user).send_json(method, &record.path(&pattern), &body).await;
                    check(kind.name, outcome, 200, &answer, &what);
                    if answer.status == 200 {
                        let json = answer.json();
                        assert_eq!(
                            (&json["id"], &json["status"]),
                            (&json!(record.id), &json!(state)),
                            "{what}"
                        );
                    }
                }
            }
        }
    }
    assert_eq!(everything(app, kind).await, before, "a refusal or a read has changed something");

    for (number, (user, operation, method, pattern, (author, state))) in
        allowed.into_iter().enumerate()
    {
        let what = format!("user {user:?}: {method} {pattern}, {state} of {author}");
        let body = json!({"description": format!("Change {number}.")});
        let record = match operation {
            Delete => make(app, kind, state, author, &format!("fresh-{number}")).await,
            _ => records[&(author, state)].clone(),
        };
        let answer = client(app, user).send_json(method, &record.path(&pattern), &body).await;
        check(kind.name, Done, 200, &answer, &what);
        let json = answer.json();
        let status = if operation == Delete { "trash" } else { state };
        assert_eq!((&json["id"], &json["status"]), (&json!(record.id), &json!(status)), "{what}");
        if operation == Update {
            assert_eq!(json["description"], format!("<p>Change {number}.</p>"), "{what}");
        }
    }
}

/// Each role finds in lists the records of the table, and may request the statuses of its role.
async fn lists_follow_the_table(
    app: &TestApp,
    kind: Kind,
    records: &BTreeMap<(usize, &str), Record>,
) {
    for (role, (name, user)) in ROLES.into_iter().enumerate() {
        let listed = |wanted: &dyn Fn(&str) -> bool| {
            let listed = records.iter().filter(|((author, state), _)| {
                let whose = if user == Some(*author) { Own } else { Others };
                wanted(state) && expected(List, state, whose, role) == Done
            });
            listed.map(|(_, record)| record.id).collect::<BTreeSet<_>>()
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
                list.is_invalid(&["status"]);
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
#[both_stores]
async fn rights_on_events(app: &TestApp) {
    follows_the_table(app, KINDS[0]).await;
}

/// Each role may perform the operations of the table on venues, by ID and by slug.
#[both_stores]
async fn rights_on_venues(app: &TestApp) {
    follows_the_table(app, KINDS[1]).await;
}

/// Each role may perform the operations of the table on organizers, by ID and by slug.
#[both_stores]
async fn rights_on_organizers(app: &TestApp) {
    follows_the_table(app, KINDS[2]).await;
}

/// A new record has the status that its author's role allows.
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
                    "401" => answer.is_error(401, "rest_forbidden"),
                    "403" => answer.is_error(403, "rest_forbidden"),
                    "400" => answer.is_invalid(&["status"]),
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

/// Only editors and administrators assign a record, new or not, to another user.
#[both_stores]
async fn editors_alone_give_records_away(app: &TestApp) {
    for kind in KINDS {
        let collection = format!("/{}", kind.plural);
        for ((name, user), outcome) in ROLES.into_iter().zip(GIVING_AWAY) {
            let mut new = fields(kind, &format!("new-{name}"));
            new["author"] = SOMEBODY_ELSE.into();
            let answer = client(app, user).post(&collection, new).await;
            check(kind.name, outcome, 201, &answer, name);
            let Some(user) = user else { continue };
            let own = make(app, kind, "draft", user, &format!("old-{name}")).await;
            for pattern in ["{id}", "by-slug/{slug}"] {
                let path = own.path(&format!("/cal/events/v1{collection}/{pattern}"));
                let answer = app.user(user).put(&path, json!({"author": SOMEBODY_ELSE})).await;
                check(kind.name, outcome, 200, &answer, name);
            }
            let author =
                app.admin().get(&format!("{collection}/{}", own.id)).await.json()["author"].clone();
            assert_eq!(author == SOMEBODY_ELSE, outcome == Done, "{name} {author}");
        }
    }
}

/// Each role may perform the operations of the table on categories and tags.
#[both_stores]
async fn rights_on_terms(app: &TestApp) {
    for (number, (plural, operation, there, outcomes)) in TERMS.iter().enumerate() {
        for ((name, user), outcome) in ROLES.into_iter().zip(outcomes) {
            for (method, pattern) in routes_of(*operation, plural, false) {
                let what = format!("{name}: {method} {pattern}, {there}");
                let id = if *there {
                    let name = format!("{method} {number} {name}");
                    app.admin().make(&format!("/{plural}"), json!({"name": name})).await["id"]
                        .as_i64()
                        .unwrap()
                } else {
                    999_999
                };
                let record = Record { id, slug: String::new() };
                let body = json!({"name": format!("{what} changed")});
                let answer =
                    client(app, user).send_json(method, &record.path(&pattern), &body).await;
                let success = if *operation == Create { 201 } else { 200 };
                check("term", *outcome, success, &answer, &what);
                if !*there {
                    continue;
                }
                let kept = app.admin().get(&format!("/{plural}/{id}")).await;
                let gone = (*operation, *outcome) == (Delete, Done);
                assert_eq!(kept.status, if gone { 404 } else { 200 }, "{what}");
                let changed = (*operation, *outcome) == (Update, Done);
                assert_eq!(kept.text().contains("changed"), changed, "{what}");
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

/// Public routes are open to every role.
#[both_stores]
async fn open_routes_answer_everybody(app: &TestApp) {
    for (method, path) in OPEN {
        for (name, user) in ROLES {
            let answer = client(app, user).send(method.clone(), &format!("/{path}"), None).await;
            assert_eq!(answer.status, 200, "{name}: {method} {path}");
        }
    }
}

/// Every route has a row in one of the tables.
#[test]
fn every_route_is_in_a_table() {
    let mut known: Vec<(Method, String)> =
        OPEN.iter().map(|(method, path)| (method.clone(), (*path).to_owned())).collect();
    known.extend(PAGES.iter().map(|path| (Method::GET, (*path).to_owned())));
    let operations = ENTRIES.iter().map(|row| row.0).chain([Create]);
    let of_entries: Vec<_> =
        operations.flat_map(|operation| KINDS.map(|kind| (operation, kind.plural))).collect();
    known.extend(
        of_entries.into_iter().flat_map(|(operation, plural)| routes_of(operation, plural, true)),
    );
    known.extend(
        TERMS.iter().flat_map(|(plural, operation, ..)| routes_of(*operation, plural, false)),
    );
    known.extend(IMAGES.iter().map(|(method, path, _)| (method.clone(), (*path).to_owned())));
    let known: BTreeSet<_> =
        known.into_iter().map(|(method, path)| format!("{method} {path}")).collect();
    let served =
        api_http::routes().into_iter().map(|route| format!("{} {}", route.method, route.path));
    assert_eq!(served.collect::<BTreeSet<_>>(), known);
}
