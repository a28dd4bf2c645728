//! The revisions of records: read, restored, and shown as of an instant.

use std::{collections::BTreeMap, sync::Arc};

use app::{
    auth::{Accounts, Identity},
    ports::Store,
    test_support::{FixedClock, InMemoryStore, add_user, calendar},
};
use axum::{
    body::Body,
    http::{Method, Request},
};
use domain::{
    FieldName, Role,
    audit::{AuditedKind, TrailValues},
    time::Timestamp,
};
use http_service::{AppState, test_support::Service};
use port_tests::{Dice, rounds};
use serde_json::{Value, json};
use tests::{
    app::{TestApp, endpoints},
    both_stores,
    client::{Answer, id},
};

use super::audit::{Known, States, present_states, random_write};

/// The fields that restoring leaves, and the slot of an occurrence.
const LEFT: [FieldName; 3] = [FieldName::Status, FieldName::Author, FieldName::RecurrenceId];

/// The members of answers that do not depend on other records.
const OWN_MEMBERS: [&str; 17] = [
    "title",
    "name",
    "description",
    "excerpt",
    "slug",
    "status",
    "start_date",
    "end_date",
    "timezone",
    "all_day",
    "cost",
    "address",
    "city",
    "geo_lat",
    "phone",
    "author",
    "language",
];

fn list_of(kind: AuditedKind) -> &'static str {
    match kind {
        AuditedKind::Event => "events",
        AuditedKind::Venue => "venues",
        AuditedKind::Organizer => "organizers",
        AuditedKind::Category => "categories",
        _ => "tags",
    }
}

/// The kind of the records that a field of a kind names.
fn linked(kind: AuditedKind, field: FieldName) -> Option<AuditedKind> {
    match (kind, field) {
        (AuditedKind::Event, FieldName::Venue) => Some(AuditedKind::Venue),
        (AuditedKind::Event, FieldName::Organizer) => Some(AuditedKind::Organizer),
        (AuditedKind::Event, FieldName::Categories) => Some(AuditedKind::Category),
        (AuditedKind::Event, FieldName::Tags) => Some(AuditedKind::Tag),
        (_, FieldName::Parent) => Some(kind),
        _ => None,
    }
}

/// Former values without the parts that restoring leaves. Links to records that are gone are none.
fn comparable(
    kind: AuditedKind,
    values: &TrailValues,
    existing: &[(AuditedKind, i64)],
) -> TrailValues {
    let kept = values.iter().filter(|((field, _), _)| !LEFT.contains(field));
    let kept = kept.filter_map(|(key, value)| {
        let Some(of) = linked(kind, key.0) else { return Some((*key, value.clone())) };
        let exists = |id: &&str| existing.contains(&(of, id.parse().unwrap()));
        let ids: Vec<_> = value.split(',').filter(exists).collect();
        (!ids.is_empty()).then(|| (*key, ids.join(",")))
    });
    kept.collect()
}

/// Whether another record of the kind has a slug, in any language.
fn is_taken(slug: &str, record: (AuditedKind, i64), now: &States) -> bool {
    let others = now.iter().filter(|(other, _)| other.0 == record.0 && **other != record);
    others
        .flat_map(|(_, values)| values)
        .any(|(key, value)| key.0 == FieldName::Slug && value == slug)
}

/// A service with a store, and its administrator.
trait Program {
    fn store(&self) -> &dyn Store;

    fn clock(&self) -> &FixedClock;

    async fn ask(&self, method: Method, path: &str, body: &Value) -> Answer;
}

impl Program for TestApp {
    fn store(&self) -> &dyn Store {
        &self.db.store
    }

    fn clock(&self) -> &FixedClock {
        &self.clock
    }

    async fn ask(&self, method: Method, path: &str, body: &Value) -> Answer {
        self.admin().send_json(method, path, body).await
    }
}

struct InMemory {
    store: InMemoryStore,
    clock: FixedClock,
    service: Service,
    admin: Identity,
}

impl InMemory {
    async fn new() -> Self {
        let (store, clock) = (InMemoryStore::new(), FixedClock::default());
        let caller = add_user(&store, "ada", Role::Administrator).await;
        let accounts = Accounts::new(Arc::new(store.clone()), Arc::new(clock.clone()));
        let calendar = calendar(store.clone()).clock(clock.clone()).await;
        let state = AppState::new(calendar, accounts, "https://cal.example");
        Self {
            service: Service::new(state, endpoints()),
            admin: Identity { caller, name: "ada".parse().ok(), may_write: true },
            store,
            clock,
        }
    }
}

impl Program for InMemory {
    fn store(&self) -> &dyn Store {
        &self.store
    }

    fn clock(&self) -> &FixedClock {
        &self.clock
    }

    async fn ask(&self, method: Method, path: &str, body: &Value) -> Answer {
        let request = Request::builder().method(method).uri(format!("/cal/events/v1{path}"));
        let request = request.header("content-type", "application/json");
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let mut request = request.body(body).unwrap();
        request.extensions_mut().insert(self.admin.clone());
        self.service.ask(request).await
    }
}

/// The states of a record, with the instants and the answers of then.
#[derive(Default)]
struct History {
    states: BTreeMap<i64, TrailValues>,
    answers: Vec<(Timestamp, Value)>,
}

/// Remembers the present state of a record.
async fn remember(program: &impl Program, history: &mut History, path: &str, values: TrailValues) {
    let answer = program.ask(Method::GET, path, &Value::Null).await;
    if answer.status == 200 {
        history.answers.push((app::ports::Clock::now(program.clock()), answer.json()));
    }
    let list = format!("{path}/revisions?per_page=1");
    let revisions = program.ask(Method::GET, &list, &Value::Null).await;
    let newest = revisions.json()["revisions"][0]["n"].as_i64();
    if let Some(newest) = newest {
        history.states.insert(newest, values);
    }
}

/// Random writes, then random revisions are restored: the record has the fields of then.
async fn restores_random_revisions(program: &impl Program) {
    let mut dice = Dice(11);
    let mut known = Known::new();
    let mut histories = BTreeMap::<(AuditedKind, i64), History>::new();
    let mut before = States::new();
    let mut restored = 0;
    for _ in 0..rounds(150) {
        program.clock().advance_seconds(20);
        let (method, path, body, list) = random_write(&mut dice, &known);
        let answer = program.ask(method.clone(), &path, &body).await;
        assert!(answer.status < 500, "{method} {path} {body}: {}", answer.text());
        if let Some(list) = list.filter(|_| answer.status < 300) {
            known.entry(list).or_default().push(id(&answer.json()));
        }
        let now = present_states(program.store()).await;
        for (record, values) in &now {
            if before.get(record) != Some(values) {
                let path = format!("/{}/{}", list_of(record.0), record.1);
                let history = histories.entry(*record).or_default();
                remember(program, history, &path, values.clone()).await;
            }
        }
        before = now;
        if dice.once_in(3) {
            restored += usize::from(restore_one(program, &mut dice, &histories, &before).await);
            before = present_states(program.store()).await;
        }
    }
    assert!(restored > rounds(150) / 10, "{restored} were restored");
    let mut shown = 0;
    for ((kind, id), history) in &histories {
        let path = format!("/{}/{id}", list_of(*kind));
        for (at, then) in &history.answers {
            let instant = at.to_string().replace(' ', "T");
            let query = format!("{path}?as_of={instant}Z");
            let answer = program.ask(Method::GET, &query, &Value::Null).await;
            if !before.contains_key(&(*kind, *id)) {
                // An occurrence without fields of its own has no entry that would be its first one.
                continue;
            }
            assert_eq!(answer.status, 200, "{query}: {}", answer.text());
            let answer = answer.json();
            for name in OWN_MEMBERS {
                assert_eq!(answer.get(name), then.get(name), "{name} of {query}");
            }
            shown += 1;
        }
    }
    assert!(shown > 50, "{shown} were shown");
}

/// Restores a random revision of a random record. Returns whether that was possible.
async fn restore_one(
    program: &impl Program,
    dice: &mut Dice,
    histories: &BTreeMap<(AuditedKind, i64), History>,
    present: &States,
) -> bool {
    let records: Vec<_> = histories.keys().filter(|record| present.contains_key(record)).collect();
    let record = **dice.some(&records, 1).first().unwrap_or(&&(AuditedKind::Event, 0));
    let Some(history) = histories.get(&record).filter(|history| !history.states.is_empty()) else {
        return false;
    };
    let (kind, id) = record;
    let states: Vec<_> = history.states.iter().collect();
    let (number, then) = states[dice.roll(states.len())];
    program.clock().advance_seconds(20);
    let path = format!("/{}/{id}/revisions/{number}/restore", list_of(kind));
    let answer = program.ask(Method::POST, &path, &Value::Null).await;
    let is_occurrence = then.contains_key(&(FieldName::RecurrenceId, None));
    if is_occurrence && answer.status == 404 {
        // Its slot is gone.
        return false;
    }
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    let answer = answer.json();
    let warned = answer["warnings"].as_array().into_iter().flatten();
    let warned: Vec<FieldName> =
        warned.map(|one| one["field"].as_str().unwrap().parse().unwrap()).collect();
    let now = present_states(program.store()).await;
    let existing: Vec<_> = now.keys().copied().collect();
    let expected = comparable(kind, then, &existing);
    let actual = comparable(kind, &now.get(&record).cloned().unwrap_or_default(), &existing);
    let in_trash = |state: &TrailValues| {
        state.get(&(FieldName::Status, None)).is_some_and(|status| status == "trash")
    };
    let has_no_slug = in_trash(then) || in_trash(&now[&record]);
    for key in expected.keys().chain(actual.keys()) {
        let is_excused = match key.0 {
            // A slug may be another record's by now, and that of a published record stays where there was none.
            FieldName::Slug => {
                let wanted = expected.get(key);
                has_no_slug || wanted.is_none_or(|slug| is_taken(slug, record, &now))
            }
            // The children of a deleted category have moved up.
            FieldName::Parent => {
                warned.contains(&key.0) || then.contains_key(key) && !expected.contains_key(key)
            }
            field => warned.contains(&field),
        };
        if !is_excused {
            assert_eq!(actual.get(key), expected.get(key), "{key:?} of {path}");
        }
    }
    for field in [FieldName::Status, FieldName::Author] {
        let key = (field, None);
        if let (Some(before), Some(after)) = (present[&record].get(&key), now[&record].get(&key)) {
            assert_eq!(before, after, "{path}");
        }
    }
    true
}

#[both_stores]
async fn a_restored_record_has_the_fields_of_then(app: &TestApp) {
    restores_random_revisions(app).await;
}

#[tokio::test]
async fn a_restored_record_has_the_fields_of_then_in_memory() {
    restores_random_revisions(&InMemory::new().await).await;
}

/// The revisions of a record, the newest first, without addresses and IDs of requests.
#[both_stores]
async fn editors_read_the_revisions(app: &TestApp) {
    let mill = app.editor().make("/venues", json!({"venue": "Old Mill", "city": "Lyon"})).await;
    let path = format!("/venues/{}", mill["id"]);
    app.clock.advance_seconds(3600);
    app.editor().at([192, 0, 2, 7]).change(&path, json!({"city": "Vienne"})).await;

    let list = app.editor().get(&format!("{path}/revisions")).await;
    assert_eq!(list.header("cache-control"), "private, no-store");
    assert_eq!(list.header("x-wp-total"), "2");
    let body = list.json();
    assert_eq!((&body["total"], &body["total_pages"]), (&json!(2), &json!(1)));
    let city = json!([{"field": "city", "old": "Lyon", "new": "Vienne"}]);
    let newest = json!({
        "n": 2, "at_utc": "2027-01-01 13:00:00", "user_name": "editor", "channel": "token",
        "action": "update", "bytes": "cityLyonVienne".len(), "changes": city,
    });
    assert_eq!(body["revisions"][0], newest);
    assert_eq!(body["revisions"][1]["action"], "create");
    assert!(!list.text().contains("192.0.2.7"));

    let first = app.editor().get(&format!("{path}/revisions?per_page=1")).await;
    let next = first.json()["next_rest_url"].as_str().unwrap().to_owned();
    assert_eq!(first.header("link"), format!("<{next}>; rel=\"next\""));
    let rest = app.editor().get(next.split("/cal/events/v1").nth(1).unwrap()).await.json();
    assert_eq!((&rest["revisions"][0]["n"], rest.get("next_rest_url")), (&json!(1), None));
    for query in ["page=0x", "per_page=x", "before_id=x"] {
        let refused = app.editor().get(&format!("{path}/revisions?{query}")).await;
        assert_eq!(refused.status, 400, "{query}");
    }
}

/// A caller that may not change a record learns nothing of it, not even whether it exists.
#[both_stores]
async fn others_learn_nothing(app: &TestApp) {
    let draft = app.author().event(json!({"title": "Draft", "status": "draft"})).await;
    let public = app.author().event(json!({"title": "Public"})).await;
    let tag = app.admin().make("/tags", json!({"name": "Loud"})).await;
    let paths = [
        format!("/events/{}", draft["id"]),
        format!("/events/{}", public["id"]),
        "/events/999999".to_owned(),
        "/venues/999999".to_owned(),
        format!("/tags/{}", tag["id"]),
        "/tags/999999".to_owned(),
    ];
    for path in paths {
        let as_of = format!("{path}?as_of=2027-01-01T12:00:00Z");
        for client in [app.user(6), app.contributor(), app.subscriber()] {
            client.get(&format!("{path}/revisions")).await.assert_error(403, "rest_forbidden");
            client.get(&as_of).await.assert_error(403, "rest_forbidden");
            let restore = client.post(&format!("{path}/revisions/1/restore"), json!({})).await;
            restore.assert_error(403, "rest_forbidden");
        }
        let anonymous = app.anonymous();
        anonymous.get(&format!("{path}/revisions")).await.assert_error(401, "rest_forbidden");
        anonymous.get(&as_of).await.assert_error(401, "rest_forbidden");
        let restore = anonymous.post(&format!("{path}/revisions/1/restore"), json!({})).await;
        restore.assert_error(401, "rest_forbidden");
    }
    for client in [app.author(), app.editor(), app.admin()] {
        let path = format!("/events/{}/revisions", draft["id"]);
        assert_eq!(client.get(&path).await.json()["total"], 1);
    }
    let absent = app.editor().get("/events/999999/revisions").await;
    absent.assert_error(404, "rest-event-not-found");
    // A contributor loses the history of a draft when it is published.
    let own = app.contributor().event(json!({"title": "Own"})).await;
    let path = format!("/events/{}", own["id"]);
    assert_eq!(app.contributor().get(&format!("{path}/revisions")).await.status, 200);
    app.editor().change(&path, json!({"status": "publish"})).await;
    let lost = app.contributor().get(&format!("{path}/revisions")).await;
    lost.assert_error(403, "rest_forbidden");
}

/// Restoring is an update: with a revision, an entry and a precondition. Status, author and password stay.
#[both_stores]
async fn a_revision_is_restored(app: &TestApp) {
    let fair = json!({
        "title": "Fair", "status": "draft", "cost": "5 €", "password": "zyxsecret", "sticky": true,
        "tickets": [{
            "name": "Seat 2030-01-01 10:00:00", "price": "5", "currency": "EUR",
            "url": "https://tickets.example/", "available_until": "2027-03-01 10:00:00",
        }],
    });
    let fair = app.author().event(fair).await;
    let path = format!("/events/{}", fair["id"]);
    app.clock.advance_seconds(60);
    app.author().change(&path, json!({"ml_language": "fr", "title": "Foire"})).await;
    let read = app.author().get(&path).await.json();
    let other = json!({
        "title": "Market", "status": "publish", "cost": "", "password": "", "tickets": [],
        "author": 2, "sticky": false, "start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00",
    });
    app.editor().change(&path, other).await;
    app.editor().change(&path, json!({"ml_language": "fr", "title": ""})).await;

    let stale = [("if-match", "\"1-0\"")];
    let restore = format!("{path}/revisions/2/restore");
    let late = app.editor().send_json_with(Method::POST, &restore, &stale, &json!({})).await;
    late.assert_error(412, "precondition_failed");
    app.clock.advance_seconds(60);
    let restored = app.editor().post(&restore, json!({})).await;
    assert_eq!(restored.status, 200, "{}", restored.text());
    let restored = restored.json();
    for name in ["title", "cost", "tickets", "sticky", "start_date", "utc_end_date", "translations"]
    {
        assert_eq!(restored[name], read[name], "{name}");
    }
    assert_eq!((&restored["status"], &restored["author"]), (&json!("publish"), &json!(2)));
    assert_eq!(restored.get("warnings"), None);
    let french = app.anonymous().get(&format!("{path}?ml_language=fr")).await;
    assert_eq!(french.json()["title"], "Foire", "the password is not restored");

    let revisions = app.editor().get(&format!("{path}/revisions")).await.json();
    assert_eq!((&revisions["revisions"][0]["n"], &revisions["total"]), (&json!(5), &json!(5)));
    for number in ["9", "0", "99999999999999999999"] {
        let unknown =
            app.editor().post(&format!("{path}/revisions/{number}/restore"), json!({})).await;
        unknown.assert_error(404, "revision-not-found");
    }
    let no_number = app.editor().post(&format!("{path}/revisions/x/restore"), json!({})).await;
    no_number.assert_error(404, "rest_no_route");
    // Nothing changes by the present revision.
    app.editor().post(&format!("{path}/revisions/5/restore"), json!({})).await;
    assert_eq!(app.editor().get(&format!("{path}/revisions")).await.json()["total"], 5);
}

/// A link that is gone, or that the caller may not read, is named and left out.
#[both_stores]
async fn links_that_are_impossible_today_are_named(app: &TestApp) {
    let admin = app.admin();
    let mill = admin.make("/venues", json!({"venue": "Old Mill"})).await;
    let club = admin.make("/organizers", json!({"organizer": "Club"})).await;
    let crew = admin.make("/organizers", json!({"organizer": "Crew"})).await;
    let jazz = admin.make("/categories", json!({"name": "Jazz"})).await;
    let loud = admin.make("/tags", json!({"name": "loud"})).await;
    let fields = json!({
        "title": "Fair", "venue": mill["id"], "organizer": [club["id"], crew["id"]],
        "categories": [jazz["id"]], "tags": [loud["id"]],
    });
    let fair = app.author().event(fields).await;
    let path = format!("/events/{}", fair["id"]);
    let none = json!({"venue": "", "organizer": "", "categories": [], "tags": []});
    app.author().change(&path, none).await;
    admin.change(&format!("/venues/{}", mill["id"]), json!({"status": "private"})).await;
    admin.delete(&format!("/organizers/{}?force=true", club["id"])).await;
    admin.delete(&format!("/categories/{}", jazz["id"])).await;

    let restored = app.author().post(&format!("{path}/revisions/1/restore"), json!({})).await;
    assert_eq!(restored.status, 200, "{}", restored.text());
    let restored = restored.json();
    let warnings = restored["warnings"].as_array().unwrap().iter();
    let warnings: Vec<_> =
        warnings.map(|one| (one["field"].as_str().unwrap(), one["value"].clone())).collect();
    let text = |record: &Value| json!(record["id"].to_string());
    let expected =
        [("venue", text(&mill)), ("organizer", text(&club)), ("categories", text(&jazz))];
    assert_eq!(warnings, expected);
    assert_eq!(restored["organizer"][0]["organizer"], "Crew");
    assert_eq!(restored["tags"][0]["name"], "loud", "{}", restored["tags"]);
    // The administrator may link the venue.
    let restored = admin.post(&format!("{path}/revisions/1/restore"), json!({})).await.json();
    assert_eq!(restored["venue"]["venue"], "Old Mill");
    assert_eq!(restored["warnings"].as_array().unwrap().len(), 2);

    let music = admin.make("/categories", json!({"name": "Music"})).await;
    let rock = admin.make("/categories", json!({"name": "Rock", "parent": music["id"]})).await;
    let rock_path = format!("/categories/{}", rock["id"]);
    admin.change(&rock_path, json!({"parent": 0, "name": "Rocks"})).await;
    admin.change(&format!("/categories/{}", music["id"]), json!({"parent": rock["id"]})).await;
    let circle = admin.post(&format!("{rock_path}/revisions/1/restore"), json!({})).await.json();
    assert_eq!((&circle["name"], &circle["parent"]), (&json!("Rock"), &json!(0)));
    assert_eq!(circle["warnings"][0]["field"], "parent");
}

/// An occurrence gets back the fields of its own; a series its rule.
#[both_stores]
async fn series_and_occurrences_are_restored(app: &TestApp) {
    let admin = app.admin();
    let fields = json!({
        "title": "Yoga", "recurrence": "FREQ=DAILY;COUNT=5", "timezone": "Europe/Paris",
        "start_date": "2027-03-01 09:00:00", "end_date": "2027-03-01 10:00:00",
    });
    let series = admin.event(fields).await;
    let path = format!("/events/{}", series["id"]);
    let slot = format!("{path}/occurrences/2027-03-02T09:00:00");
    let own = json!({"title": "Dance", "start_date": "2027-03-02 11:00:00", "end_date": "2027-03-02 12:00:00"});
    let one = admin.change(&slot, own).await;
    let one = format!("/events/{}", one["id"]);
    let first = admin.get(&format!("{one}/revisions")).await.json()["revisions"][0]["n"].clone();
    app.clock.advance_seconds(60);
    admin.change(&slot, json!({"reset": true, "description": "Bring shoes."})).await;
    let restored = admin.post(&format!("{one}/revisions/{first}/restore"), json!({})).await;
    assert_eq!(restored.status, 200, "{}", restored.text());
    let restored = restored.json();
    assert_eq!((&restored["title"], &restored["description"]), (&json!("Dance"), &json!("")));
    assert_eq!(restored["start_date"], "2027-03-02 11:00:00");

    admin.change(&path, json!({"recurrence": "FREQ=WEEKLY;COUNT=3", "title": "Weekly"})).await;
    let restored = admin.post(&format!("{path}/revisions/1/restore"), json!({})).await;
    assert_eq!(restored.status, 200, "{}", restored.text());
    let list = admin.get(&format!("{path}/occurrences")).await.json();
    assert_eq!(list["total"], 5, "{list}");
    assert_eq!(restored.json()["title"], "Yoga");
}

/// A record as it was: for those who may change it, without the tag of the present one.
#[both_stores]
async fn a_record_is_shown_as_it_was(app: &TestApp) {
    let mill = app.editor().make("/venues", json!({"venue": "Old Mill", "city": "Lyon"})).await;
    let path = format!("/venues/{}", mill["id"]);
    let tag = app.editor().get(&path).await.header("etag").to_owned();
    app.clock.advance_seconds(3600);
    app.editor().change(&path, json!({"city": "Vienne", "status": "draft"})).await;
    let present = app.editor().get(&path).await;

    for (as_of, city) in [
        ("2027-01-01T12:00:00Z", "Lyon"),
        ("2027-01-01T12:59:59Z", "Lyon"),
        ("2027-01-01T13:00:00Z", "Vienne"),
        ("2027-01-01 13:30:00", "Vienne"),
    ] {
        let answer = app.editor().get(&format!("{path}?as_of={}", as_of.replace(' ', "+"))).await;
        assert_eq!(answer.json()["city"], city, "{as_of}");
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert!(![tag.as_str(), present.header("etag")].contains(&answer.header("etag")));
    }
    let then = app.editor().get(&format!("{path}?as_of=2027-01-01T12:30:00Z")).await.json();
    for name in ["status", "slug", "modified_utc"] {
        assert_eq!(then[name], mill[name], "{name}");
    }
    let before = app.editor().get(&format!("{path}?as_of=2027-01-01T11:59:59Z")).await;
    before.assert_error(404, "venue-not-found");
    for as_of in ["once", "", "2027-13-01"] {
        app.editor().get(&format!("{path}?as_of={as_of}")).await.assert_invalid(&["as_of"]);
    }
    for list in ["/venues", "/events", "/categories", "/tags", "/organizers"] {
        let query = format!("{list}?as_of=2027-01-01T12:00:00Z");
        for client in [app.editor(), app.anonymous()] {
            client.get(&query).await.assert_invalid(&["as_of"]);
        }
    }
    let by_slug = app.editor().get("/venues/by-slug/old-mill?as_of=2027-01-01T12:00:00Z").await;
    assert_eq!(by_slug.json()["city"], "Lyon", "{}", by_slug.text());
    // Nothing of it is in the cache of anonymous callers.
    app.editor().change(&path, json!({"status": "publish"})).await;
    assert_eq!(app.anonymous().get(&path).await.json()["city"], "Vienne");
    assert_eq!(
        app.anonymous().get(&format!("{path}?as_of=2027-01-01T12:00:00Z")).await.status,
        401
    );
}

/// A revision before the beginning of the trail is unknown.
#[both_stores]
async fn revisions_that_were_pruned_are_unknown(app: &TestApp) {
    let mill = app.editor().make("/venues", json!({"venue": "Old Mill", "city": "Lyon"})).await;
    let path = format!("/venues/{}", mill["id"]);
    app.clock.advance_seconds(86_400 * 5);
    app.editor().change(&path, json!({"city": "Vienne"})).await;
    app.clock.advance_seconds(86_400);
    app.editor().change(&path, json!({"city": "Dole"})).await;
    app.calendar.prune_audit(3).await.unwrap();

    let unknown = app.editor().post(&format!("{path}/revisions/1/restore"), json!({})).await;
    unknown.assert_error(404, "revision-not-found");
    let early = app.editor().get(&format!("{path}?as_of=2027-01-01T13:00:00Z")).await;
    early.assert_error(404, "venue-not-found");
    let restored = app.editor().post(&format!("{path}/revisions/2/restore"), json!({})).await;
    assert_eq!(restored.json()["city"], "Vienne");
}

/// A page of the trail ends early when its changes are many bytes; the answer leads to the rest.
#[both_stores]
async fn a_page_is_bounded_in_bytes(app: &TestApp) {
    let mill = app.editor().make("/venues", json!({"venue": "Old Mill"})).await;
    let path = format!("/venues/{}", mill["id"]);
    for letter in ["a", "b", "c", "d", "e", "f", "g"] {
        let text = format!("{letter} ").repeat(99_000);
        app.editor().change(&path, json!({"description": text})).await;
    }
    for list in ["/audit?kind=venue".to_owned(), format!("{path}/revisions?per_page=50")] {
        let mut next = Some(list.clone());
        let (mut seen, mut pages) = (Vec::new(), 0);
        while let Some(url) = next {
            let answer = app.admin().get(&url).await;
            assert!(answer.bytes.len() < 2 << 20, "{url}: {}", answer.bytes.len());
            let body = answer.json();
            let entries =
                body["audit"].as_array().or(body["revisions"].as_array()).unwrap().clone();
            let number =
                |entry: &Value| entry["revision"].as_i64().or(entry["n"].as_i64()).unwrap();
            seen.extend(entries.iter().map(number));
            let url = body["next_rest_url"].as_str();
            next = url.map(|url| url.split("/cal/events/v1").nth(1).unwrap().to_owned());
            pages += 1;
        }
        assert_eq!(seen, [8, 7, 6, 5, 4, 3, 2, 1], "{list}");
        assert!(pages > 1, "{list}");
    }
}
