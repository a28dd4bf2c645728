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
use domain::Kind;
use http_service::{
    AppState, NAMESPACE,
    test_support::{Answer, Service},
};
use port_tests::Dice;
use serde_json::{Value, json};
use tests::{
    app::{NOW, PUBLIC_URL, endpoints},
    db::TestDb,
};

use super::{
    faults::Faults,
    fields::{Number, PASSWORD},
    list_name,
    query::Query,
    state::{Model, USERS},
    step::Step,
};

/// The number of random reads after each step.
const READS: usize = 3;

/// An ID that no record has.
const UNKNOWN: i64 = 999_999;

/// A service, its clients, and the IDs of the records.
pub(super) struct Driven {
    place: Place,
    clock: FixedClock,
    /// An anonymous client, and a client of each user.
    clients: Vec<Service>,
    ids: BTreeMap<(&'static str, Number), i64>,
}

/// The place of the records.
enum Place {
    Memory(InMemoryStore),
    Database { db: Box<TestDb>, faults: Faults },
}

impl Driven {
    pub(super) async fn in_memory() -> Self {
        Self::new(Place::Memory(InMemoryStore::new())).await
    }

    pub(super) async fn over(db: TestDb) -> Self {
        let faults = Faults::install(&db.url).await;
        Self::new(Place::Database { db: Box::new(db), faults }).await
    }

    async fn new(place: Place) -> Self {
        let clock = FixedClock::at(NOW);
        let mut driven = Self { place, clock, clients: Vec::new(), ids: BTreeMap::new() };
        driven.start().await;
        driven
    }

    /// Starts the service over its store, without anything that the former service had in its caches.
    async fn start(&mut self) {
        let store: Arc<dyn Store> = match &self.place {
            Place::Memory(store) => Arc::new(store.clone()),
            Place::Database { db, .. } => Arc::new(db.another(|_| ()).await),
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

    async fn ask(&self, user: usize, method: Method, path: &str, body: Option<Value>) -> Answer {
        let request = Request::builder().method(method).uri(format!("/{NAMESPACE}{path}"));
        let request = match body {
            Some(body) => request
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.clients[user].ask(request.unwrap()).await
    }

    /// Takes a step, of which `model` is the state after it, and compares.
    pub(super) async fn take(&mut self, model: &Model, step: &Step) {
        match step {
            Step::Wait { seconds } => self.clock.advance_seconds(*seconds),
            Step::Restart => self.start().await,
            Step::Look => {}
            Step::Fault { row, write } => {
                let is_refused = match &self.place {
                    Place::Memory(_) => false,
                    Place::Database { faults, .. } => {
                        faults.arm(*row).await;
                        let answer = self.send(write).await;
                        faults.disarm().await;
                        let is_refused = answer.status >= 500;
                        if !is_refused {
                            self.compare_write(model, write, &answer);
                        }
                        is_refused
                    }
                };
                let is_open = matches!(self.place, Place::Memory(_)) || is_refused;
                if is_open {
                    let answer = self.send(write).await;
                    self.compare_write(model, write, &answer);
                }
            }
            write => {
                let answer = self.send(write).await;
                self.compare_write(model, write, &answer);
            }
        }
        let mut dice = Dice(model.steps());
        for _ in 0..READS {
            let user = dice.roll(self.clients.len());
            self.compare_list(model, user, &Query::random(&mut dice, model)).await;
            self.compare_record(model, user, &mut dice).await;
        }
    }

    /// Sends a write.
    async fn send(&self, write: &Step) -> Answer {
        let id = |kind, number| self.id(kind, number);
        match write {
            Step::Create { user, kind, fields } => {
                let path = format!("/{}", list_name(*kind));
                self.ask(*user, Method::POST, &path, Some(fields.json(*kind, id))).await
            }
            Step::Update { user, kind, number, fields } => {
                let path = format!("/{}/{}", list_name(*kind), id(*kind, *number));
                self.ask(*user, Method::PUT, &path, Some(fields.json(*kind, id))).await
            }
            Step::Delete { user, kind, number, force } => {
                let path = format!("/{}/{}?force={force}", list_name(*kind), id(*kind, *number));
                self.ask(*user, Method::DELETE, &path, None).await
            }
            Step::Wait { .. } | Step::Restart | Step::Fault { .. } | Step::Look => {
                unreachable!("{write:?} is no write")
            }
        }
    }

    /// Compares the answer to a write with the result of the model.
    fn compare_write(&mut self, model: &Model, write: &Step, answer: &Answer) {
        let number = match model.expected {
            Ok(number) => number.unwrap(),
            Err(refusal) => {
                assert_eq!(answer.status, refusal, "{write:?}: {}", answer.text());
                return;
            }
        };
        let (user, kind, is_gone) = match write {
            Step::Create { user, kind, .. } => {
                assert_eq!(answer.status, 201, "{write:?}: {}", answer.text());
                let id = answer.json()["id"].as_i64().unwrap();
                let before = self.ids.insert((list_name(*kind), number), id);
                assert_eq!(before, None, "{write:?}");
                (*user, *kind, false)
            }
            Step::Delete { user, kind, number, .. } => {
                let is_gone = model.read(1, *kind, *number) == Err(404);
                (*user, *kind, is_gone)
            }
            Step::Update { user, kind, .. } => (*user, *kind, false),
            step => unreachable!("{step:?} is no write"),
        };
        if !matches!(write, Step::Create { .. }) {
            assert_eq!(answer.status, 200, "{write:?}: {}", answer.text());
        }
        if kind == Kind::Event && !is_gone {
            self.compare_event(model, user, number, &answer.json());
        }
    }

    /// Compares the fields of an event as a user sees them.
    fn compare_event(&self, model: &Model, user: usize, number: Number, shown: &Value) {
        let event = &model.events[&domain::Id::from_raw(number)];
        let details = &event.details;
        let known = json!({
            "title": event.title.as_str(),
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
        for ((name, kind), links) in fields.into_iter().zip(model.links(user, number)) {
            let shown_links = self.numbers(kind, &ids(&shown[name]));
            assert_eq!(shown_links, links, "{name} of {shown}");
        }
    }

    /// Compares the read of a record, and the read of a locked event with its password.
    async fn compare_record(&self, model: &Model, user: usize, dice: &mut Dice) {
        let kinds = [Kind::Event, Kind::Event, Kind::Venue, Kind::Organizer, Kind::Tag];
        let kind = dice.pick(&kinds);
        let number = super::fields::any_number(dice, model, kind);
        let path = format!("/{}/{}", list_name(kind), self.id(kind, number));
        let answer = self.ask(user, Method::GET, &path, None).await;
        let expected = model.read(user, kind, number);
        assert_eq!(
            answer.status,
            expected.err().unwrap_or(200),
            "user {user}: {path}: {}",
            answer.text()
        );
        if kind != Kind::Event {
            return;
        }
        if expected.is_ok() {
            self.compare_event(model, user, number, &answer.json());
        } else if let Some(event) = model.events.get(&domain::Id::from_raw(number)) {
            let visibility = model.visibility(user);
            let is_locked = domain::policy::Guarded::is_linkable(&event.content, &visibility);
            let path = format!("{path}?password={}", PASSWORD.replace(' ', "+"));
            let answer = self.ask(user, Method::GET, &path, None).await;
            assert_eq!(answer.status == 200, is_locked, "user {user}: {path}: {}", answer.text());
        }
    }

    /// Compares a list: records, order, and total.
    async fn compare_list(&self, model: &Model, user: usize, query: &Query) {
        let path = query.path(|kind, number| self.id(kind, number));
        let answer = self.ask(user, Method::GET, &path, None).await;
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
        let ids: Vec<_> = records.iter().map(|record| record["id"].as_i64().unwrap()).collect();
        assert_eq!(self.numbers(query.kind, &ids), numbers, "{}", context());
        assert_eq!(list["total"], total, "{}", context());
        if matches!(query.kind, Kind::Category | Kind::Tag) {
            for (number, term) in numbers.iter().zip(records) {
                assert_eq!(term["count"], model.count(query.kind, *number), "{}", context());
            }
        }
    }
}
