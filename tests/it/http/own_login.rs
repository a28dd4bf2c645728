//! A program around the router that signs its users in by itself.

use std::sync::Arc;

use app::{
    auth::{Accounts, Identity},
    test_support::{FixedClock, InMemoryStore, add_user, calendar},
};
use axum::{
    body::Body,
    http::{Request, request::Builder},
};
use domain::Role;
use http_service::{
    AppState, parse_base_path,
    test_support::{Answer, Service},
};
use serde_json::json;
use tests::app::endpoints;

const VENUES: &str = "/cal/events/v1/venues";

struct Program {
    store: InMemoryStore,
    service: Service,
}

impl Program {
    async fn new() -> Self {
        let store = InMemoryStore::new();
        let accounts = Accounts::new(Arc::new(store.clone()), Arc::new(FixedClock::default()));
        let state = AppState::new(calendar(store.clone()).await, accounts, "https://cal.example");
        let host = parse_base_path("/wp-json/tribe/events/v1", &endpoints()).unwrap();
        Self { service: Service::new(state.mounted_at(&[host]), endpoints()), store }
    }

    async fn user(&self, name: &str, role: Role) -> Identity {
        let caller = add_user(&self.store, name, role).await;
        Identity { caller, name: name.parse().ok(), may_write: true }
    }

    /// The response to a request of a user, or of nobody.
    async fn ask(&self, identity: &Identity, request: Builder, body: &str) -> Answer {
        let mut request = request.body(Body::from(body.to_owned())).unwrap();
        request.extensions_mut().insert(identity.clone());
        self.service.ask(request).await
    }

    /// Adds a venue.
    async fn add(&self, identity: &Identity, key: &str) -> Answer {
        let request = Request::post(VENUES).header("content-type", "application/json");
        let mill = json!({"venue": "Old Mill", "status": "draft"}).to_string();
        self.ask(identity, request.header("idempotency-key", key), &mill).await
    }
}

#[tokio::test]
async fn the_user_is_known_on_each_route() {
    let program = Program::new().await;
    let editor = program.user("ada", Role::Editor).await;
    let added = program.add(&editor, "1").await;
    assert_eq!(added.status, 201, "{}", added.text());
    let path = format!("{VENUES}/{}", added.json()["id"]);
    assert_eq!(program.ask(&editor, Request::get(&path), "").await.status, 200);
    assert_ne!(program.service.get(&path).await.status, 200);

    let me = program.ask(&editor, Request::get("/wp-json/wp/v2/users/me"), "").await;
    assert_eq!(me.json()["name"], "ada", "{}", me.text());
    let options = program.ask(&editor, Request::options(&path), "").await;
    assert!(options.header("allow").contains("DELETE"), "{:?}", options.headers);
}

/// Neither the cache of responses nor one between holds what a user sees, and users get nothing from it.
#[tokio::test]
async fn the_response_to_a_user_is_private() {
    let program = Program::new().await;
    let editor = program.user("ada", Role::Editor).await;
    program.add(&editor, "1").await;
    for _ in 0..2 {
        let public = program.service.get(VENUES).await;
        assert!(!public.header("cache-control").contains("private"));
        assert_eq!(public.json()["total"], 0, "{}", public.text());
        let own = program.ask(&editor, Request::get(VENUES), "").await;
        assert!(own.header("cache-control").contains("no-store, private"), "{:?}", own.headers);
        assert_eq!(own.json()["total"], 1, "{}", own.text());
    }
}

#[tokio::test]
async fn credentials_for_the_program_are_not_read() {
    let program = Program::new().await;
    let editor = program.user("ada", Role::Editor).await;
    let request = || Request::get(VENUES).header("authorization", "Bearer of the program");
    let refused = program.service.ask(request().body(Body::empty()).unwrap()).await;
    assert_eq!(refused.status, 401);
    for identity in [Identity::ANONYMOUS, editor] {
        let answer = program.ask(&identity, request(), "").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.header("cache-control").contains("private"));
    }
    assert_eq!(program.add(&Identity::ANONYMOUS, "1").await.status, 401);
}

#[tokio::test]
async fn the_rights_are_those_of_the_user() {
    let program = Program::new().await;
    let reader = Identity { may_write: false, ..program.user("ada", Role::Editor).await };
    program.add(&reader, "1").await.assert_error(403, "rest_forbidden");
    let subscriber = program.user("sam", Role::Subscriber).await;
    assert_eq!(program.add(&subscriber, "1").await.status, 403);
}

/// A browser sends the cookie of the program with a form of another site.
#[tokio::test]
async fn forms_of_other_sites_are_refused() {
    let program = Program::new().await;
    let editor = program.user("ada", Role::Editor).await;
    let form = |origin: &str| {
        let request = Request::post(VENUES).header("origin", origin);
        request.header("content-type", "application/x-www-form-urlencoded")
    };
    let sent = program.ask(&editor, form("https://other.example"), "venue=Mill").await;
    sent.assert_error(403, "rest_forbidden");
    let own = program.ask(&editor, form("https://cal.example"), "venue=Mill").await;
    assert_eq!(own.status, 201, "{}", own.text());
}

/// An `Idempotency-Key` belongs to its user.
#[tokio::test]
async fn a_repetition_is_known_by_its_user() {
    let program = Program::new().await;
    let (ada, bob) =
        (program.user("ada", Role::Editor).await, program.user("bob", Role::Editor).await);
    let [first, again, other] =
        [program.add(&ada, "k").await, program.add(&ada, "k").await, program.add(&bob, "k").await];
    assert_eq!(first.json()["id"], again.json()["id"]);
    assert_ne!(first.json()["id"], other.json()["id"]);
}
