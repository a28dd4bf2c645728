//! The service in-process, for tests: no socket, a stopped clock.
//!
//! ```
//! use events_calendar_http_service::test_support::Service;
//! use app::test_support::InMemoryStore;
//! use domain::Role;
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
//! let editor = service.as_user("ada", Role::Editor).await;
//! let made = editor.post("/cal/events/v1/venues", json!({ "venue": "Old Mill" })).await;
//! assert_eq!(made.status, 201);
//!
//! let list = service.get("/cal/events/v1/venues").await;
//! assert_eq!(list.json()["venues"][0]["venue"], "Old Mill");
//! assert_eq!(list.header("x-tec-total"), "1");
//! # }
//! ```

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up, or reads what is not there, fails at once"
)]

use std::{fmt, sync::Arc};

use app::{
    Calendar,
    auth::{AccountError, Accounts},
    ports::{Media, Store, TokenScope},
    site::Site,
    test_support::FixedClock,
};
use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, header},
    response::Response,
};
use domain::{Role, Secret};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use crate::{endpoint::Endpoints, router::router, state::AppState};

/// The host of a [`Service::over`] a store.
const HOST: &str = "cal.example";

/// The service, and a client of it with the credentials of one user, or with none. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    router: Router,
    accounts: Accounts,
    /// The token of the client.
    token: Option<Secret>,
}

impl Service {
    /// The service of some endpoints over a store, at `https://cal.example`, with a client without credentials.
    ///
    /// Its clock is stopped at [`START`](app::test_support::START), and it has no media.
    /// [`Service::new`] takes everything else.
    pub async fn over(
        store: impl Store + 'static,
        served: impl IntoIterator<Item = Endpoints>,
    ) -> Self {
        let store: Arc<dyn Store> = Arc::new(store);
        let clock = Arc::new(FixedClock::default());
        let public_url = format!("https://{HOST}");
        let site = Site::at(&public_url);
        let calendar = Calendar::new(Arc::clone(&store), clock.clone(), Media::none(), site).await;
        let accounts = Accounts::new(store, clock);
        Self::new(
            AppState::new(calendar.unwrap(), accounts, &public_url),
            served,
        )
    }

    /// The service of some endpoints with any state, and a client without credentials.
    ///
    /// ```
    /// use std::{sync::Arc, time::Duration};
    ///
    /// use events_calendar_http_service::{AppState, test_support::Service};
    /// use app::{auth::Accounts, test_support::{FixedClock, InMemoryStore, calendar}};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let (store, clock) = (InMemoryStore::new(), FixedClock::at("2031-02-03 04:05:06"));
    /// let accounts = Accounts::new(Arc::new(store.clone()), Arc::new(clock.clone()));
    /// let calendar = calendar(store).clock(clock).await;
    /// let state = AppState::new(calendar, accounts, "https://cal.example")
    ///     .with_feeds(Some("Riverside"), Duration::from_hours(1));
    /// let service = Service::new(state, [api_http::endpoints()]);
    /// assert!(service.get("/cal/events/v1/events.atom").await.text().contains("Riverside"));
    /// # }
    /// ```
    pub fn new(state: AppState, served: impl IntoIterator<Item = Endpoints>) -> Self {
        Self {
            accounts: state.accounts.clone(),
            router: router(state, served),
            token: None,
        }
    }

    /// A client with a new token of the user with this name and role, who is added if there is none.
    ///
    /// ```
    /// # use events_calendar_http_service::test_support::Service;
    /// # use app::test_support::InMemoryStore;
    /// use domain::Role;
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
    /// let author = service.as_user("ada", Role::Author).await;
    /// let (path, mill) = ("/cal/events/v1/venues", json!({ "venue": "Old Mill" }));
    /// assert_eq!(service.post(path, mill.clone()).await.status, 401);
    /// assert_eq!(author.post(path, mill).await.status, 201);
    /// # }
    /// ```
    #[must_use]
    pub async fn as_user(&self, name: &str, role: Role) -> Self {
        let user = match self.accounts.user(name).await {
            Err(AccountError::UnknownUser(_)) => self.accounts.add_user(name, role, None).await,
            found => found,
        };
        let user = user.unwrap();
        assert_eq!(user.role, role, "the role of {name}");
        let scope = TokenScope::Admin;
        let token = self.accounts.create_token(user.id, "test", scope, None);
        Self {
            token: Some(token.await.unwrap().text),
            ..self.clone()
        }
    }

    /// `GET` of a path with its query.
    ///
    /// ```
    /// # use events_calendar_http_service::test_support::Service;
    /// # use app::test_support::InMemoryStore;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
    /// assert_eq!(service.get("/cal/events/v1/events?per_page=3").await.json()["total"], 0);
    /// # }
    /// ```
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// `POST` of JSON.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// `PUT` of JSON.
    ///
    /// ```
    /// # use events_calendar_http_service::test_support::Service;
    /// # use app::test_support::InMemoryStore;
    /// # use domain::Role;
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
    /// let editor = service.as_user("ada", Role::Editor).await;
    /// let tag = editor.post("/cal/events/v1/tags", json!({ "name": "Loud" })).await.json();
    /// let path = format!("/cal/events/v1/tags/{}", tag["id"]);
    /// assert_eq!(editor.put(&path, json!({ "name": "Quiet" })).await.json()["name"], "Quiet");
    /// assert_eq!(editor.delete(&path).await.status, 200);
    /// # }
    /// ```
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    async fn send(&self, method: Method, path: &str, json: Option<Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        let mut body = Body::empty();
        if let Some(json) = json {
            request = request.header(header::CONTENT_TYPE, "application/json");
            body = json.to_string().into();
        }
        self.ask(request.body(body).unwrap()).await
    }

    /// Sends any request, with the credentials of the client if it has none.
    ///
    /// ```
    /// # use events_calendar_http_service::test_support::Service;
    /// # use app::test_support::InMemoryStore;
    /// use axum::{body::Body, http::Request};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), axum::http::Error> {
    /// # let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
    /// let request = Request::get("/cal/events/v1/events").header("origin", "https://shop.example");
    /// let answer = service.ask(request.body(Body::empty())?).await;
    /// assert_eq!(answer.header("access-control-allow-origin"), "https://shop.example");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ask(&self, request: Request<Body>) -> Answer {
        let (parts, body) = self.open(request).await.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            bytes,
        }
    }

    /// The same, with a body that is read part by part. The body of a stream has no end.
    pub async fn open(&self, mut request: Request<Body>) -> Response {
        if let Some(token) = &self.token {
            let bearer = format!("Bearer {}", token.expose()).parse().unwrap();
            let headers = request.headers_mut();
            headers.entry(header::AUTHORIZATION).or_insert(bearer);
        }
        self.router.clone().oneshot(request).await.unwrap()
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

/// The answer to a request.
///
/// ```
/// use events_calendar_http_service::test_support::{Answer, Service};
/// use app::test_support::InMemoryStore;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
/// let answer: Answer = service.get("/cal/events/v1/events/7").await;
/// answer.assert_error(404, "rest-event-not-found");
/// assert_eq!((answer.status, answer.code()), (404, "rest-event-not-found".to_owned()));
/// assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8");
/// assert!(answer.text().contains("\"status\":404"));
///
/// service.get("/cal/events/v1/events?page=0&per_page=no").await.assert_invalid(&["page", "per_page"]);
/// assert!(service.get("/cal/events/v1/events").await.ids().is_empty());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body as it was.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The code of an error; empty if there is none.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// A header; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Fails unless the status and the code of the error are these.
    #[track_caller]
    pub fn assert_error(&self, status: u16, code: &str) {
        assert_eq!(
            (self.status, self.code().as_str()),
            (status, code),
            "{}",
            self.text()
        );
        assert_eq!(self.json()["data"]["status"], status, "{}", self.text());
    }

    /// Fails unless exactly these fields are reported as invalid.
    #[track_caller]
    pub fn assert_invalid(&self, fields: &[&str]) {
        self.assert_error(400, "rest_invalid_param");
        let params = self.json()["data"]["params"].clone();
        let mut named: Vec<_> = params
            .as_object()
            .expect("params is an object")
            .keys()
            .cloned()
            .collect();
        let mut wanted: Vec<_> = fields.iter().map(|&field| field.to_owned()).collect();
        named.sort();
        wanted.sort();
        assert_eq!(named, wanted, "{}", self.text());
    }

    /// The IDs of a list, in its order.
    #[track_caller]
    pub fn ids(&self) -> Vec<i64> {
        assert_eq!(self.status, 200, "{}", self.text());
        let json = self.json();
        let records = json
            .as_object()
            .unwrap()
            .values()
            .find_map(Value::as_array)
            .expect("a list");
        records
            .iter()
            .map(|record| record["id"].as_i64().unwrap())
            .collect()
    }
}
