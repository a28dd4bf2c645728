//! The audit trail: who did what.

use std::collections::BTreeMap;

use app::{
    audit::Actor,
    hashing::sha256_hex,
    ports::{AuditEntry, Repositories, Store},
    resource::Resource,
};
use axum::http::Method;
use domain::{
    Category, Event, FieldName, Organizer, Tag, Venue,
    audit::{
        AuditAction, AuditFilter, AuditedKind, FieldKey, TrailValues, ValueChange, trail_values,
    },
    page::PageRequest,
};
use port_tests::{Dice, rounds};
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::id};

/// The states of records, by kind and ID.
pub(super) type States = BTreeMap<(AuditedKind, i64), TrailValues>;

/// All entries of the trail, the oldest first.
async fn trail(app: &TestApp) -> Vec<AuditEntry> {
    let mut entries = Vec::new();
    for number in 1.. {
        let page = PageRequest::new(number, 1000, 1000);
        let page = app.db.store.audit().page(&AuditFilter::default(), page).await.unwrap();
        entries.extend(page.rows.iter().cloned());
        if !page.has_next() {
            break;
        }
    }
    entries.reverse();
    entries
}

/// The entries of one request.
fn of_request<'a>(entries: &'a [AuditEntry], request: &str) -> Vec<&'a AuditEntry> {
    let of_request = |entry: &&AuditEntry| entry.request_id.as_deref() == Some(request);
    entries.iter().filter(of_request).collect()
}

async fn present<R: Resource>(store: &dyn Store, states: &mut States) {
    let mut last = None;
    loop {
        let ids = R::repository(store).ids_after(last, 500).await.unwrap();
        let Some(id) = ids.last() else { break };
        last = Some(*id);
        for record in R::repository(store).find_many(&ids).await.unwrap() {
            states.insert((R::KIND.into(), record.id.get()), trail_values(&record.content));
        }
    }
}

/// The present states of all records. An occurrence without fields of its own has none.
pub(super) async fn present_states(store: &dyn Store) -> States {
    let mut states = States::new();
    present::<Event>(store, &mut states).await;
    present::<Venue>(store, &mut states).await;
    present::<Organizer>(store, &mut states).await;
    present::<Category>(store, &mut states).await;
    present::<Tag>(store, &mut states).await;
    states.retain(|_, values| !values.is_empty());
    states
}

const fn of_original(field: FieldName) -> FieldKey {
    (field, None)
}

/// Whether a value is an ID or its digest. The trail has digests for records that were deleted for good.
fn is_of(value: &str, id: &str) -> bool {
    value == id || value.len() == 64 && value == sha256_hex(id)
}

/// Removes an ID from a list of a field.
fn unlink(values: &mut TrailValues, field: FieldName, id: i64, instead: Option<&String>) {
    let key = of_original(field);
    let Some(listed) = values.remove(&key) else { return };
    let id = id.to_string();
    let left: Vec<_> = listed.split(',').filter(|one| !is_of(one, &id)).collect();
    if left.len() == listed.split(',').count() {
        values.insert(key, listed);
    } else if let Some(instead) = instead {
        values.insert(key, instead.clone());
    } else if !left.is_empty() {
        values.insert(key, left.join(","));
    }
}

/// A record that is deleted takes the links to it along; the records below a category move up.
fn forget(states: &mut States, kind: AuditedKind, id: i64) {
    let gone = states.remove(&(kind, id)).unwrap_or_default();
    let above = gone.get(&of_original(FieldName::Parent));
    let above = above.filter(|_| kind == AuditedKind::Category).map(|above| {
        let categories = states.keys().filter(|(of, _)| *of == kind).map(|(_, id)| id.to_string());
        let mut named = categories.filter(|id| is_of(above, id));
        named.next().unwrap_or_else(|| panic!("{kind:?} {id} is below {above}, which is gone"))
    });
    for ((of, _), values) in states.iter_mut() {
        match (kind, *of) {
            (AuditedKind::Venue, AuditedKind::Event) => unlink(values, FieldName::Venue, id, None),
            (AuditedKind::Organizer, AuditedKind::Event) => {
                unlink(values, FieldName::Organizer, id, None);
            }
            (AuditedKind::Category, AuditedKind::Event) => {
                unlink(values, FieldName::Categories, id, None);
            }
            (AuditedKind::Category, AuditedKind::Category) => {
                unlink(values, FieldName::Parent, id, above.as_ref());
            }
            (AuditedKind::Tag, AuditedKind::Event) => unlink(values, FieldName::Tags, id, None),
            (AuditedKind::Event, AuditedKind::Event) => unlink(values, FieldName::Parent, id, None),
            _ => {}
        }
    }
}

/// The states to which the trail leads from an empty calendar.
fn replayed(entries: &[AuditEntry]) -> States {
    let mut states = States::new();
    for entry in entries {
        let key = (entry.kind, entry.record);
        match (entry.kind, entry.action) {
            (AuditedKind::User, AuditAction::Delete) => {
                for change in &entry.changes {
                    let mut given = TrailValues::new();
                    assert!(change.redo(&mut given));
                    let Some(to) = given.get(&of_original(FieldName::Author)) else { continue };
                    let from = entry.record.to_string();
                    for author in states
                        .values_mut()
                        .filter_map(|values| values.get_mut(&of_original(FieldName::Author)))
                    {
                        if *author == from {
                            author.clone_from(to);
                        }
                    }
                }
            }
            (
                AuditedKind::Event
                | AuditedKind::Venue
                | AuditedKind::Organizer
                | AuditedKind::Category
                | AuditedKind::Tag,
                AuditAction::Delete,
            ) => forget(&mut states, entry.kind, entry.record),
            (
                AuditedKind::Event
                | AuditedKind::Venue
                | AuditedKind::Organizer
                | AuditedKind::Category
                | AuditedKind::Tag,
                _,
            ) => {
                let values = states.entry(key).or_default();
                for change in &entry.changes {
                    // A record that was deleted for good left digests, which lead nowhere.
                    if let ValueChange::Digest { new, .. } = &change.change {
                        let key = (change.field, change.language);
                        values.remove(&key);
                        values.extend(new.clone().map(|digest| (key, digest)));
                    } else {
                        assert!(change.redo(values), "entry {}: {change}", entry.number);
                    }
                }
            }
            _ => {}
        }
    }
    states.retain(|_, values| !values.is_empty());
    states
}

/// The known IDs of one kind, newest last.
pub(super) type Known = BTreeMap<&'static str, Vec<i64>>;

const LISTS: [&str; 5] = ["events", "venues", "organizers", "categories", "tags"];

const WORDS: [&str; 6] = ["Jazz", "River", "Mill", "Fair", "Night", "Yoga"];

fn words(dice: &mut Dice) -> String {
    format!("{} {} {}", dice.pick(&WORDS), dice.pick(&WORDS), dice.roll(500))
}

fn long_text(dice: &mut Dice) -> String {
    let sentences = (0..dice.roll(12)).map(|_| format!("Bring {} shoes.", words(dice)));
    sentences.collect::<Vec<_>>().join(" ")
}

fn some_ids(dice: &mut Dice, known: &Known, list: &str) -> Vec<i64> {
    known.get(list).map(|ids| dice.some(ids, 3)).unwrap_or_default()
}

/// The fields of a write of a list.
fn fields(dice: &mut Dice, known: &Known, list: &str) -> Value {
    let mut fields = match list {
        "events" => {
            let start = format!("2027-03-{:02} {:02}:00:00", 1 + dice.roll(28), dice.roll(20));
            let mut fields = json!({
                "title": words(dice),
                "start_date": start,
                "end_date": start,
                "timezone": dice.pick(&["Europe/Paris", "UTC", "Asia/Tokyo"]),
                "categories": some_ids(dice, known, "categories"),
                "organizer": some_ids(dice, known, "organizers"),
            });
            match dice.roll(4) {
                0 => fields["venue"] = json!({"venue": words(dice), "city": "Lyon"}),
                1 => fields["venue"] = some_ids(dice, known, "venues").first().copied().into(),
                2 => fields["tags"] = json!([words(dice), words(dice)]),
                _ => fields["parent"] = some_ids(dice, known, "events").first().copied().into(),
            }
            match dice.roll(6) {
                0 => {
                    fields["recurrence"] = "FREQ=DAILY;COUNT=5".into();
                    fields["start_date"] = "2027-03-01 09:00:00".into();
                    fields["end_date"] = "2027-03-01 10:00:00".into();
                }
                1 => fields["password"] = "zyxsecret".into(),
                2 => fields["cost"] = "5 – 7 €".into(),
                3 => {
                    fields["tickets"] = json!([{"name": "Seat", "price": "5", "currency": "EUR"}]);
                }
                4 => fields["status"] = dice.pick(&["draft", "private", "trash", "publish"]).into(),
                _ => fields["all_day"] = dice.once_in(2).into(),
            }
            fields
        }
        "venues" => json!({
            "venue": words(dice), "city": words(dice), "geo_lat": dice.roll(90), "geo_lng": 5,
        }),
        "organizers" => json!({"organizer": words(dice), "phone": dice.roll(900).to_string()}),
        "categories" => json!({
            "name": words(dice),
            "parent": some_ids(dice, known, "categories").first().copied().unwrap_or(0),
        }),
        _ => json!({"name": words(dice)}),
    };
    if dice.once_in(2) {
        fields["description"] = long_text(dice).into();
    }
    fields
}

/// Some of the fields, perhaps in another language.
fn some_fields(dice: &mut Dice, mut all: Value) -> Value {
    all.as_object_mut().unwrap().retain(|_, _| !dice.once_in(2));
    if dice.once_in(4) {
        all["ml_language"] = dice.pick(&["fr", "ar"]).into();
    }
    all
}

/// A random write: method, path and body.
pub(super) fn random_write(
    dice: &mut Dice,
    known: &Known,
) -> (Method, String, Value, Option<&'static str>) {
    let list = LISTS[[0, 0, 0, 0, 1, 2, 3, 4][dice.roll(8)]];
    let ids = known.get(list).cloned().unwrap_or_default();
    if ids.is_empty() || dice.once_in(3) {
        let fields = fields(dice, known, list);
        return (Method::POST, format!("/{list}"), fields, Some(list));
    }
    let id = dice.pick(&ids);
    let path = format!("/{list}/{id}");
    let slot = format!("{path}/occurrences/2027-03-{:02}T09:00:00", 1 + dice.roll(6));
    let (method, path, fields) = match dice.roll(12) {
        0 => (Method::DELETE, path, Value::Null),
        1 => (Method::DELETE, format!("{path}?force=true"), Value::Null),
        2 if list == "events" => (Method::PUT, path, json!({"status": "publish"})),
        3 if list == "events" => (Method::PUT, slot, json!({"title": words(dice)})),
        5 if list == "events" => {
            (Method::PUT, slot, json!({"title": words(dice), "scope": "following"}))
        }
        6 if list == "events" => (Method::DELETE, slot, Value::Null),
        4 if list == "events" => (Method::PUT, path, json!({"recurrence": "FREQ=DAILY;COUNT=4"})),
        _ => {
            let all = fields(dice, known, list);
            (Method::PUT, path, some_fields(dice, all))
        }
    };
    (method, path, fields, None)
}

/// Random writes of five callers are in the trail, each with its caller, and lead to the present state of all records.
#[both_stores]
async fn the_trail_leads_to_the_present_state(app: &TestApp) {
    let mut dice = Dice(7);
    let mut known = Known::new();
    let mut done = Vec::new();
    for number in 0..rounds(200) {
        let user = 1 + dice.roll(5);
        let request = format!("write-{number}");
        let (method, path, body, list) = random_write(&mut dice, &known);
        app.clock.advance_seconds(20);
        let headers = [("x-request-id", request.as_str())];
        let client = app.user(user).at([192, 0, 2, 7]);
        let answer = client.send_json_with(method.clone(), &path, &headers, &body).await;
        assert!(answer.status < 500, "{method} {path} {body}: {}", answer.text());
        let is_done = answer.status < 300;
        if is_done && method == Method::POST {
            known.entry(list.unwrap()).or_default().push(id(&answer.json()));
        }
        done.push((request, user, is_done, method, answer.status));
    }
    // The records of a removed user go to another one.
    app.accounts.add_user("zoe", domain::Role::Author, None).await.unwrap();
    Actor::command("user").act(app.accounts.replace_user("author", "zoe")).await.unwrap();
    let entries = trail(app).await;
    assert_eq!(replayed(&entries), present_states(&app.db.store).await);
    for (request, user, is_done, method, status) in &done {
        let of_request = of_request(&entries, request);
        assert!(*is_done || of_request.is_empty(), "{request} was refused: {status}");
        let is_new = *is_done && *method == Method::POST;
        assert!(!is_new || !of_request.is_empty(), "{request} is missing");
        for entry in of_request {
            assert_eq!(entry.user.unwrap().get(), i64::try_from(*user).unwrap());
            assert_eq!(entry.channel.name(), "token");
            assert_eq!(entry.address.as_deref(), Some("192.0.2.7"));
        }
    }
    // Each change of a record of these kinds has an entry: their revisions have no gap.
    let plain = [AuditedKind::Venue, AuditedKind::Organizer, AuditedKind::Tag];
    let mut revisions = BTreeMap::<_, Vec<i64>>::new();
    for entry in entries.iter().filter(|entry| plain.contains(&entry.kind)) {
        revisions.entry((entry.kind, entry.record)).or_default().push(entry.revision);
    }
    for (record, revisions) in revisions {
        let expected: Vec<_> = (1..).take(revisions.len()).collect();
        assert_eq!(revisions, expected, "{record:?}");
    }
}

/// Administrators read the trail, by record, user, effect and time, in pages.
#[both_stores]
async fn administrators_read_the_trail(app: &TestApp) {
    let mill = app.editor().make("/venues", json!({"venue": "Old Mill", "city": "Lyon"})).await;
    let path = format!("/venues/{}", mill["id"]);
    app.clock.advance_seconds(3600);
    let headers = [("x-request-id", "one-of-mine")];
    let body = json!({"city": "Vienne"});
    let changed = app.admin().at([192, 0, 2, 7]);
    changed.send_json_with(Method::PUT, &path, &headers, &body).await;

    let list = app.admin().get(&format!("/audit?kind=venue&record={}", mill["id"])).await;
    assert!(list.header("cache-control").contains("no-store"));
    assert_eq!(list.header("x-wp-total"), "2");
    let entries = list.json()["audit"].as_array().unwrap().clone();
    let newest = &entries[0];
    assert_eq!(newest["action"], "update");
    assert_eq!((&newest["user"], &newest["request_id"]), (&json!(1), &json!("one-of-mine")));
    assert_eq!((&newest["address"], &newest["revision"]), (&json!("192.0.2.7"), &json!(2)));
    let city = json!([{"field": "city", "old": "Lyon", "new": "Vienne"}]);
    assert_eq!(newest["changes"], city);
    assert_eq!(newest["bytes"], "cityLyonVienne".len());
    assert_eq!((&entries[1]["action"], &entries[1]["user"]), (&json!("create"), &json!(2)));

    let numbers = async |query: &str| {
        let list = app.admin().get(&format!("/audit?{query}")).await.json();
        let entries = list["audit"].as_array().unwrap().clone();
        entries.iter().map(id).collect::<Vec<_>>()
    };
    let [newest, oldest] = [id(newest), id(&entries[1])];
    assert_eq!(numbers("kind=venue&user=2").await, [oldest]);
    assert_eq!(numbers("kind=venue&action=update").await, [newest]);
    assert_eq!(numbers("kind=venue&per_page=1&page=2").await, [oldest]);
    let at = entries[0]["at_utc"].as_str().unwrap().replace(' ', "T");
    assert_eq!(numbers(&format!("kind=venue&after={at}Z")).await, [newest]);
    assert_eq!(numbers(&format!("kind=venue&before={at}Z")).await, [oldest]);
    for query in ["kind=moon", "record=x", "user=0", "action=fly", "after=never"] {
        assert_eq!(app.admin().get(&format!("/audit?{query}")).await.status, 400, "{query}");
    }
    for client in [app.editor(), app.author(), app.subscriber()] {
        client.get("/audit").await.assert_error(403, "rest_forbidden");
    }
    app.anonymous().get("/audit").await.assert_error(401, "rest_forbidden");
}

/// No secret is in the trail: of each, only the change is told.
#[both_stores]
async fn no_secret_is_in_the_trail(app: &TestApp) {
    const SECRET: &str = "zyxsecret";
    let admin = app.admin();
    let fair = admin.event(json!({"title": "Fair", "password": SECRET})).await;
    admin.change(&format!("/events/{}", fair["id"]), json!({"password": "zyxsecret2"})).await;
    let url = format!("https://club.example/{SECRET}.ics?key={SECRET}");
    let source = admin.make("/sources", json!({"name": "Club", "url": url})).await;
    let other = format!("https://club.example/{SECRET}/2.ics");
    admin.change(&format!("/sources/{}", source["id"]), json!({"url": other})).await;
    let feed = json!({"name": "Mine", "query": format!("search={SECRET}")});
    let feed = admin.make("/feeds", feed).await;
    let token = app.accounts.create_token(
        domain::UserId::from_raw(1),
        "laptop",
        app::ports::TokenScope::Admin,
        None,
    );
    let token = token.await.unwrap();
    let invited = app.accounts.user("admin").await.unwrap();
    let sign_in = app.accounts.sign_in();
    let invitation = sign_in.invite(&invited, 3600).await.unwrap();
    let password = "zyxsecret horse".parse().unwrap();
    sign_in.accept(invitation.text.expose(), &password).await.unwrap();

    let entries = format!("{:?}", trail(app).await);
    let hash = app::hashing::sha256_hex(token.text.expose());
    let event = app.db.store.events().find(domain::Id::from_raw(id(&fair))).await.unwrap();
    let of_event = event.unwrap().details.password.clone().unwrap().as_str().to_owned();
    let key = feed["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let texts = [SECRET, token.text.expose(), &hash, &of_event, &key];
    for text in texts {
        assert!(!entries.contains(text), "{text}");
    }
    let changed = trail(app).await;
    let secrets = changed.iter().flat_map(|entry| &entry.changes);
    let secrets = secrets.filter(|change| change.to_string().ends_with(": changed"));
    let names: Vec<_> = secrets.map(|change| change.field.as_str()).collect();
    assert_eq!(names, ["password", "password", "url", "url", "query", "password"]);
}

/// A record that is deleted for good leaves digests of its values, and its trail tells that they are such.
#[both_stores]
async fn a_forced_deletion_leaves_digests(app: &TestApp) {
    const SECRET: &str = "zyxsecret";
    let admin = app.admin();
    let kept = admin.make("/venues", json!({"venue": "Old Mill", "city": SECRET})).await;
    let long = format!("{} {SECRET}", "Bring shoes. ".repeat(20));
    let gone = admin.make("/venues", json!({"venue": SECRET, "description": long})).await;
    let path = format!("/venues/{}", gone["id"]);
    admin.change(&path, json!({"description": long.replace("zyx", "xyz"), "city": SECRET})).await;
    let series = json!({"title": SECRET, "recurrence": "FREQ=DAILY;COUNT=3",
        "start_date": "2027-03-01 09:00:00", "end_date": "2027-03-01 10:00:00"});
    let series = admin.event(series).await;
    let slot = format!("/events/{}/occurrences/2027-03-02T09:00:00", series["id"]);
    admin.change(&slot, json!({"title": format!("{SECRET} 2")})).await;

    // The trash keeps the values.
    admin.delete(&path).await;
    let of_gone = format!("/audit?kind=venue&record={}", gone["id"]);
    assert!(admin.get(&of_gone).await.text().contains(SECRET));
    admin.delete(&format!("{path}?force=true")).await;
    admin.delete(&format!("/events/{}?force=true", series["id"])).await;

    let entries = admin.get(&of_gone).await.json();
    let changes: Vec<_> = entries["audit"].as_array().unwrap().iter().collect();
    assert_eq!(changes.len(), 4);
    let changes = changes.iter().flat_map(|entry| entry["changes"].as_array().unwrap());
    let changes: Vec<_> = changes.collect();
    assert!(changes.iter().all(|change| change["digest"] == true), "{entries}");
    let city = changes.iter().find(|change| change["field"] == "city").unwrap();
    assert_eq!((&city["old"], &city["new"]), (&json!(sha256_hex(SECRET)), &Value::Null));
    for kind in ["venue", "event"] {
        let mut of_kind = admin.get(&format!("/audit?kind={kind}&per_page=100")).await.json();
        let entries = of_kind["audit"].as_array_mut().unwrap();
        entries.retain(|entry| kind == "event" || entry["record"] != kept["id"]);
        let text = Value::from(entries.clone()).to_string();
        assert!(!text.contains(SECRET) && !text.contains("xyzsecret"), "{text}");
    }
    let other = admin.get(&format!("/audit?kind=venue&record={}", kept["id"])).await;
    assert!(other.text().contains(SECRET));
}
