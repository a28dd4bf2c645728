//! The service that is compared with the model.

use std::{collections::BTreeMap, sync::Arc};

use app::{
    Calendar,
    auth::Accounts,
    ports::Store,
    site::Site,
    test_support::{FixedClock, InMemoryStore},
};
use axum::{
    body::Body,
    http::{Method, Request, header},
};
use domain::{Event, Kind, Language, Stored, policy::Guarded as _};
use http_service::{
    AppState, NAMESPACE,
    test_support::{Answer, Service},
};
use port_tests::{Dice, steps};
use serde_json::{Value, json};
use tests::{
    app::{NOW, PUBLIC_URL, endpoints},
    db::TestDb,
};

use super::{
    faults::Faults,
    fields::{Number, PASSWORD, title_field},
    list_name,
    query::Query,
    state::{Model, USERS},
    step::{Condition, Step},
};

/// The number of random lists, and of random records, that are read after each step.
const READS: usize = 3;

/// The same where [`port_tests::STEPS`] asks for a number of steps: then more steps find more than more reads of one state.
const READS_OF_MANY: usize = 1;

/// An ID that no record has.
const UNKNOWN: i64 = 999_999;

/// A service, its clients, and the IDs of the records.
pub(super) struct Driven {
    storage: Storage,
    clock: FixedClock,
    /// An anonymous client, and a client of each user.
    clients: Vec<Service>,
    ids: BTreeMap<(&'static str, Number), i64>,
    /// The entity tags that a client noted.
    tags: BTreeMap<(&'static str, Number), String>,
}

/// The storage of the records.
enum Storage {
    Memory(InMemoryStore),
    Database { db: Box<TestDb>, faults: Faults },
}

impl Driven {
    pub(super) async fn in_memory() -> Self {
        Self::new(Storage::Memory(InMemoryStore::new())).await
    }

    pub(super) async fn over(db: TestDb) -> Self {
        let faults = Faults::install(&db.url).await;
        Self::new(Storage::Database { db: Box::new(db), faults }).await
    }

    async fn new(storage: Storage) -> Self {
        let clock = FixedClock::at(NOW);
        let mut driven = Self {
            storage,
            clock,
            clients: Vec::new(),
            ids: BTreeMap::new(),
            tags: BTreeMap::new(),
        };
        driven.start().await;
        driven
    }

    /// Starts the service over its store, without anything that the former service had in its caches.
    async fn start(&mut self) {
        let store: Arc<dyn Store> = match &self.storage {
            Storage::Memory(store) => Arc::new(store.clone()),
            Storage::Database { db, .. } => Arc::new(db.another(|_| ()).await),
        };
        let clock = Arc::new(self.clock.clone());
        let media = adapters_media::media(adapters_media::Files::in_memory(), false);
        let site = Site::at(PUBLIC_URL);
        let calendar = Calendar::new(Arc::clone(&store), clock.clone(), media, site).await;
        let accounts = Accounts::new(store, clock);
        let state = AppState::new(calendar.unwrap(), accounts, PUBLIC_URL);
        let service = Service::new(state, endpoints());
        self.clients = vec![service.clone()];
        for (name, role) in USERS {
            self.clients.push(service.as_user(name, role).await);
        }
    }

    /// The ID of a record, which is deleted perhaps.
    fn id(&self, kind: Kind, number: Number) -> i64 {
        self.ids.get(&(list_name(kind), number)).copied().unwrap_or(UNKNOWN)
    }

    /// The numbers of records by their IDs.
    fn numbers(&self, kind: Kind, ids: &[i64]) -> Vec<Number> {
        let number = |id: &i64| {
            let mut ids = self.ids.iter();
            let found = ids.find(|((list, _), known)| *list == list_name(kind) && *known == id);
            found.map_or(-id, |((_, number), _)| *number)
        };
        ids.iter().map(number).collect()
    }

    async fn get(&self, user: usize, path: &str) -> Answer {
        let request = Request::get(format!("/{NAMESPACE}{path}"));
        self.clients[user].ask(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a request that changes a record in a state.
    async fn ask(
        &self,
        user: usize,
        (method, path): (Method, &str),
        tag: Option<String>,
        body: Option<Value>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("/{NAMESPACE}{path}"));
        if let Some(tag) = tag {
            request = request.header(header::IF_MATCH, tag);
        }
        let request = match body {
            Some(body) => request
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.clients[user].ask(request.unwrap()).await
    }

    /// The header of a condition.
    fn tag(&self, condition: Condition, kind: Kind, number: Number) -> Option<String> {
        let unknown = || "\"r999999-unknown\"".to_owned();
        match condition {
            Condition::None => None,
            Condition::Exists => Some("*".to_owned()),
            Condition::Noted => {
                let noted = self.tags.get(&(list_name(kind), number)).cloned();
                Some(noted.unwrap_or_else(unknown))
            }
            Condition::Unknown => Some(unknown()),
        }
    }

    /// Takes a step, of which `model` is the state after it, and compares.
    pub(super) async fn take(&mut self, model: &Model, step: &Step) {
        match step {
            Step::Wait { seconds } => self.clock.advance_seconds(*seconds),
            Step::Restart => self.start().await,
            Step::Look => {}
            Step::Note { kind, number } => self.note(model, *kind, *number).await,
            Step::Fault { row, write } => {
                let is_refused = match &self.storage {
                    Storage::Memory(_) => false,
                    Storage::Database { faults, .. } => {
                        faults.arm(*row).await;
                        let answer = self.send(write).await;
                        faults.disarm().await;
                        let is_refused = answer.status >= 500;
                        if !is_refused {
                            self.compare_write(model, write, &answer).await;
                        }
                        is_refused
                    }
                };
                let is_open = matches!(self.storage, Storage::Memory(_)) || is_refused;
                if is_open {
                    let answer = self.send(write).await;
                    self.compare_write(model, write, &answer).await;
                }
            }
            write => {
                let answer = self.send(write).await;
                self.compare_write(model, write, &answer).await;
            }
        }
        let mut dice = Dice(model.steps());
        let reads = if steps().is_some() { READS_OF_MANY } else { READS };
        for _ in 0..reads {
            let user = dice.roll(self.clients.len());
            self.compare_list(model, user, &Query::random(&mut dice, model)).await;
            self.compare_record(model, user, &mut dice).await;
        }
    }

    /// Notes the entity tag of a record, if the administrator may read it.
    async fn note(&mut self, model: &Model, kind: Kind, number: Number) {
        let path = format!("/{}/{}", list_name(kind), self.id(kind, number));
        let answer = self.get(1, &path).await;
        let expected = model.read(1, kind, number);
        assert_eq!(answer.status, expected.err().unwrap_or(200), "{path}: {}", answer.text());
        if expected.is_ok() {
            let tag = answer.header("etag").to_owned();
            let revision = model.revision(kind, number).unwrap();
            assert!(tag.starts_with(&format!("\"r{revision}-")), "{path}: {revision}, {tag}");
            self.tags.insert((list_name(kind), number), tag);
        }
    }

    /// Sends a write.
    async fn send(&self, write: &Step) -> Answer {
        let id = |kind, number| self.id(kind, number);
        let path =
            |kind, number, query: &str| format!("/{}/{}{query}", list_name(kind), id(kind, number));
        match write {
            Step::Create { user, kind, fields } => {
                let path = format!("/{}{}", list_name(*kind), fields.query());
                let body = fields.json(*kind, id);
                self.ask(*user, (Method::POST, &path), None, Some(body)).await
            }
            Step::Update { user, kind, number, condition, fields } => {
                let path = path(*kind, *number, &fields.query());
                let tag = self.tag(*condition, *kind, *number);
                let body = fields.json(*kind, id);
                self.ask(*user, (Method::PUT, &path), tag, Some(body)).await
            }
            Step::Split { user, number, condition, fields } => {
                let kind = Kind::Event;
                let path = path(kind, *number, &fields.query());
                let tag = self.tag(*condition, kind, *number);
                let mut body = fields.json(kind, id);
                body["scope"] = json!("following");
                self.ask(*user, (Method::PUT, &path), tag, Some(body)).await
            }
            Step::Delete { user, kind, number, condition, force } => {
                let path = path(*kind, *number, &format!("?force={force}"));
                let tag = self.tag(*condition, *kind, *number);
                self.ask(*user, (Method::DELETE, &path), tag, None).await
            }
            Step::Note { .. }
            | Step::Wait { .. }
            | Step::Restart
            | Step::Fault { .. }
            | Step::Look => {
                unreachable!("{write:?} is no write")
            }
        }
    }

    /// Compares the answer to a write with the result of the model, and learns the IDs of new records.
    async fn compare_write(&mut self, model: &Model, write: &Step, answer: &Answer) {
        let number = match model.expected {
            Ok(number) => number.unwrap(),
            Err(refusal) => {
                assert_eq!(answer.status, refusal, "{write:?}: {}", answer.text());
                return;
            }
        };
        let status = if matches!(write, Step::Create { .. }) { 201 } else { 200 };
        assert_eq!(answer.status, status, "{write:?}: {}", answer.text());
        let (user, kind, language) = match write {
            Step::Create { user, kind, fields } => {
                let id = answer.json()["id"].as_i64().unwrap();
                self.learn(*kind, number, id);
                if model.is_series(*kind, number) {
                    self.learn_occurrences(model, number).await;
                }
                (*user, *kind, fields.language())
            }
            Step::Delete { user, kind, .. } => (*user, *kind, Language::default()),
            Step::Update { user, kind, fields, .. } => (*user, *kind, fields.language()),
            Step::Split { user, fields, .. } => {
                let second = answer.json()["series"]["id"].as_i64().unwrap();
                self.learn(Kind::Event, model.created(Kind::Event), second);
                (*user, Kind::Event, fields.language())
            }
            step => unreachable!("{step:?} is no write"),
        };
        if kind == Kind::Event
            && let Some(event) = model.event(domain::Id::from_raw(number))
        {
            self.compare_event(model, user, &event, language, &answer.json());
        }
    }

    fn learn(&mut self, kind: Kind, number: Number, id: i64) {
        let before = self.ids.insert((list_name(kind), number), id);
        assert_eq!(before, None, "{kind} {number}");
    }

    /// Learns the IDs of the occurrences of a new series, which have the next numbers.
    async fn learn_occurrences(&mut self, model: &Model, series: Number) {
        let path = format!("/events/{}/occurrences?per_page=100", self.id(Kind::Event, series));
        let answer = self.get(1, &path).await;
        let shown = answer.json();
        let occurrences = shown["events"].as_array().unwrap();
        assert_eq!(series + i64::try_from(occurrences.len()).unwrap(), model.created(Kind::Event));
        for (number, occurrence) in (series + 1..).zip(occurrences) {
            self.learn(Kind::Event, number, occurrence["id"].as_i64().unwrap());
        }
    }

    /// Compares the fields of an event as a user sees them in a language.
    fn compare_event(
        &self,
        model: &Model,
        user: usize,
        event: &Stored<Event>,
        language: Language,
        shown: &Value,
    ) {
        let event = event.clone().localized(language);
        let details = &event.details;
        let known = json!({
            "title": event.title.as_str(),
            "description": event.description.as_str(),
            "status": event.status(model.now()).name(),
            "author": event.author.get(),
            "date_utc": event.date.to_string(),
            "modified_utc": event.modified.to_string(),
            "utc_start_date": details.when.start().utc.to_string(),
            "utc_end_date": details.when.end().utc.to_string(),
            "hide_from_listings": details.hide_from_listings,
            "featured": details.featured,
        });
        for (name, value) in known.as_object().unwrap() {
            assert_eq!(&shown[name], value, "{name} of {shown}");
        }
        let ids = |list: &Value| {
            let one = list.as_object().into_iter().map(|_| list);
            let all = one.chain(list.as_array().into_iter().flatten());
            all.map(|linked| linked["id"].as_i64().unwrap()).collect::<Vec<_>>()
        };
        let fields = [
            ("venue", Kind::Venue),
            ("organizer", Kind::Organizer),
            ("categories", Kind::Category),
            ("tags", Kind::Tag),
        ];
        for ((name, kind), links) in fields.into_iter().zip(model.links(user, &event, language)) {
            let shown_links = self.numbers(kind, &ids(&shown[name]));
            assert_eq!(shown_links, links, "{name} of {shown}");
        }
        let named = |id: Option<domain::EventId>| id.map(|id| self.id(Kind::Event, id.get()));
        let series = event.occurrence().map(|one| one.series);
        assert_eq!(shown["series"]["id"].as_i64(), named(series), "series of {shown}");
        let own = event.series();
        let visibility = model.visibility(user);
        let is_known = |id: &domain::EventId| model.events[id].is_visible(&visibility);
        for (name, neighbour) in
            [("previous", own.and_then(|own| own.previous)), ("next", own.and_then(|own| own.next))]
        {
            let neighbour = named(neighbour.filter(is_known));
            assert_eq!(shown["recurrence"][name].as_i64(), neighbour, "{name} of {shown}");
        }
    }

    /// Compares the read of a record in a language, of the occurrences of a series, and of a locked event with its
    /// password.
    async fn compare_record(&self, model: &Model, user: usize, dice: &mut Dice) {
        let kinds = [Kind::Event, Kind::Event, Kind::Venue, Kind::Organizer, Kind::Tag];
        let kind = dice.pick(&kinds);
        let number = super::fields::any_number(dice, model, kind);
        let language = dice.pick(&Language::ALL);
        let id = self.id(kind, number);
        let path = format!("/{}/{id}?ml_language={}", list_name(kind), language.code());
        let answer = self.get(user, &path).await;
        let expected = model.read(user, kind, number);
        let context = || format!("user {user}: {path}: {}", answer.text());
        assert_eq!(answer.status, expected.err().unwrap_or(200), "{}", context());
        if expected.is_ok() {
            let revision = model.revision(kind, number).unwrap();
            let tag = answer.header("etag");
            assert!(
                tag.starts_with(&format!("\"r{revision}-")),
                "{revision}, {tag}: {}",
                context()
            );
            let title = model.title(kind, number, language).unwrap();
            assert_eq!(answer.json()[title_field(kind)], title, "{}", context());
        }
        let event = model.event(domain::Id::from_raw(number));
        let Some(event) = event.filter(|_| kind == Kind::Event) else {
            return;
        };
        let visibility = model.visibility(user);
        if expected.is_ok() {
            self.compare_event(model, user, &event, language, &answer.json());
            if event.series().is_some() {
                let path = format!("/events/{id}/occurrences?per_page=100");
                let answer = self.get(user, &path).await;
                assert_eq!(answer.status, 200, "user {user}: {path}: {}", answer.text());
                let shown = self.numbers(Kind::Event, &ids_of(&answer.json()["events"]));
                let listed = model.occurrences_of(event.id, &visibility);
                assert_eq!(shown, listed, "user {user}: {path}: {}", answer.text());
            }
        } else {
            let is_locked = event.is_linkable(&visibility);
            let path = format!("{path}&password={}", PASSWORD.replace(' ', "+"));
            let answer = self.get(user, &path).await;
            assert_eq!(answer.status == 200, is_locked, "user {user}: {path}: {}", answer.text());
        }
    }

    /// Compares a list: records, order, and total.
    async fn compare_list(&self, model: &Model, user: usize, query: &Query) {
        let path = query.path(|kind, number| self.id(kind, number));
        let answer = self.get(user, &path).await;
        let context = || format!("user {user}: {path}: {}", answer.text());
        let (numbers, total) = match model.list(user, query) {
            Ok(expected) => expected,
            Err(refusal) => {
                assert_eq!(answer.status, refusal, "{}", context());
                return;
            }
        };
        assert_eq!(answer.status, 200, "{}", context());
        let list = answer.json();
        let records = list[list_name(query.kind)].as_array().unwrap();
        let ids = ids_of(&list[list_name(query.kind)]);
        assert_eq!(self.numbers(query.kind, &ids), numbers, "{}", context());
        assert_eq!(list["total"], total, "{}", context());
        if matches!(query.kind, Kind::Category | Kind::Tag) {
            for (number, term) in numbers.iter().zip(records) {
                assert_eq!(term["count"], model.count(query.kind, *number), "{}", context());
            }
        }
    }
}

/// The IDs of a list of records.
fn ids_of(list: &Value) -> Vec<i64> {
    let records = list.as_array().unwrap().iter();
    records.map(|record| record["id"].as_i64().unwrap()).collect()
}
