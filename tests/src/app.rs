//! The service for tests: no socket, a stopped clock, a user of each role.

use std::{fmt::Debug, sync::Arc};

use adapters_db::SeaOrmStore;
use adapters_media::{Files, media};
use app::{Calendar, auth::Accounts, ports::TokenScope, site::Site, test_support::FixedClock};
use axum::{Router, extract::Request};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{Role, time::Zone};
use futures_util::FutureExt;
use http_service::{AppState, Endpoints, Route, face::LiveFace};
use tokio::sync::OnceCell;

use crate::{
    client::{Client, Service},
    db::{Template, TestDb, postgres_server},
    for_each_row,
};

/// The public address of the service.
pub const PUBLIC_URL: &str = "https://cal.example";

/// The endpoints of the service: the interface and the pages.
pub fn endpoints() -> [Endpoints; 3] {
    [api_http::endpoints(), pages::endpoints(), desk::endpoints()]
}

/// The routes of the service, except those below the roots of base paths.
pub fn routes() -> Vec<Route> {
    let endpoints = endpoints();
    let routes = endpoints.iter().flat_map(Endpoints::routes);
    routes.cloned().collect()
}

/// Serves a router on a socket until the end of the test. Returns its URL.
pub async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// The time of the clock at the start of a test.
pub const NOW: &str = "2027-01-01 12:00:00";

/// A service with a database of its own.
///
/// Its users have these IDs: 1 administrator, 2 editor, 3 author, 4 contributor, 5 subscriber, 6
/// another author, 7 another contributor.
#[derive(Debug)]
pub struct TestApp {
    /// The database.
    pub db: Arc<TestDb>,
    /// The clock; it shows [`NOW`] until a test moves it.
    pub clock: FixedClock,
    /// The use cases.
    pub calendar: Calendar,
    /// The accounts.
    pub accounts: Accounts,
    /// The files of images.
    pub files: Files,
    /// The face of the pages.
    pub face: LiveFace,
    service: Service,
    tokens: Vec<String>,
}

/// The settings of a [`TestApp`] that is not built yet.
#[must_use]
#[derive(Debug)]
pub struct TestAppBuilder {
    db: Arc<TestDb>,
    store: SeaOrmStore,
    clock: FixedClock,
    files: Files,
    tokens: Vec<String>,
    site: Site,
    fetches_private: bool,
}

impl TestAppBuilder {
    /// Replaces the settings of the site; its host and the address of its media stay.
    pub fn site(self, site: Site) -> Self {
        let host = "cal.example".to_owned();
        let media_url = format!("{PUBLIC_URL}/media");
        Self {
            site: Site {
                host,
                media_url,
                ..site
            },
            ..self
        }
    }

    /// Sets the time zone of the site.
    pub fn zone(mut self, zone: &str) -> Self {
        self.site.zone = zone.parse::<Zone>().unwrap();
        self
    }

    /// Replaces the store by another one over the same database.
    pub fn store(self, store: SeaOrmStore) -> Self {
        Self { store, ..self }
    }

    /// Permits image downloads from private addresses, such as that of a server in a test.
    pub fn fetches_private(self) -> Self {
        Self {
            fetches_private: true,
            ..self
        }
    }

    /// Builds the service, with those of its users that the database has not.
    pub async fn build(self) -> TestApp {
        self.build_with(|state| state).await
    }

    /// Builds the service with a change of the state that its requests share.
    pub async fn build_with(self, change: impl FnOnce(AppState) -> AppState) -> TestApp {
        let store = Arc::new(self.store);
        let clock = Arc::new(self.clock.clone());
        let media = media(self.files.clone(), self.fetches_private);
        let calendar = Calendar::new(store.clone(), clock.clone(), media, self.site)
            .await
            .unwrap();
        let accounts = Accounts::new(store, clock);
        let state = AppState::new(calendar.clone(), accounts.clone(), PUBLIC_URL)
            .with_calendar_files(adapters_ical::ICalendar)
            .with_imports(adapters_ical::ICalendar);
        let state = change(state);
        let mut app = TestApp {
            db: self.db,
            clock: self.clock,
            calendar,
            accounts,
            files: self.files,
            face: state.site.face.clone(),
            service: Service::new(state),
            tokens: self.tokens,
        };
        if app.tokens.is_empty() {
            app.tokens = add_users(&app.accounts).await;
        }
        app
    }
}

impl TestApp {
    /// A service in the zone UTC over a new SQLite file.
    pub async fn sqlite() -> Self {
        static USERS: OnceCell<Users> = OnceCell::const_new();
        let add = || async { Users::add(TestDb::sqlite().await).await }.boxed_local();
        USERS.get_or_init(add).await.app().boxed_local().await
    }

    /// A service in the zone UTC over a new database of the PostgreSQL server; `None` without a
    /// server.
    pub async fn postgres() -> Option<Self> {
        static USERS: OnceCell<Users> = OnceCell::const_new();
        postgres_server()?;
        let add = || async { Users::add(TestDb::postgres().await.unwrap()).await }.boxed_local();
        Some(USERS.get_or_init(add).await.app().boxed_local().await)
    }

    /// A service in the zone UTC over a database without users.
    pub async fn new(db: TestDb) -> Self {
        Self::builder(db).build().await
    }

    /// Builds a service over an empty database.
    pub fn builder(db: TestDb) -> TestAppBuilder {
        TestAppBuilder {
            store: db.store.clone(),
            db: Arc::new(db),
            clock: FixedClock::at(NOW),
            files: Files::in_memory(),
            tokens: Vec::new(),
            site: Site::default(),
            fetches_private: false,
        }
        .site(Site::default())
    }

    /// Builds a second service with the database, clock, files, users and site of this one.
    pub fn variant(&self) -> TestAppBuilder {
        TestAppBuilder {
            db: Arc::clone(&self.db),
            store: self.db.store.clone(),
            clock: self.clock.clone(),
            files: self.files.clone(),
            tokens: self.tokens.clone(),
            site: self.calendar.site().clone(),
            fetches_private: false,
        }
    }

    /// A second service over the same database, without record cache and response cache.
    pub async fn uncached(&self) -> Self {
        let store = self.db.another(|options| options.cache_bytes = 0).await;
        self.variant().store(store).build().await
    }

    /// Serves the service on a socket until the end of the test. Returns its URL.
    pub async fn serve(&self) -> String {
        let service = self.service.clone();
        let answer = move |request: Request| async move { service.open(request).await };
        serve(Router::new().fallback(answer)).await
    }

    /// A client without credentials.
    pub fn anonymous(&self) -> Client {
        Client::new(self.service.clone(), None)
    }

    /// The IDs in the list of events with this query, for an anonymous caller.
    pub async fn list(&self, query: &str) -> Vec<i64> {
        self.anonymous().list(query).await
    }

    /// Fails unless each query lists these events for an anonymous caller.
    pub async fn lists<Q: AsRef<str> + Debug>(
        &self,
        rows: impl IntoIterator<Item = (Q, Vec<i64>)>,
    ) {
        for_each_row(rows, async |(query, ids)| {
            assert_eq!(self.list(query.as_ref()).await, ids);
        })
        .await;
    }

    /// Fails unless the service refuses the parameter `name` of each of these queries.
    pub async fn refuses(&self, name: &'static str, values: &[&str]) {
        self.anonymous().refuses("/events", name, values).await;
    }

    /// A client of the user with an ID.
    pub fn user(&self, id: usize) -> Client {
        self.anonymous().with_token(self.token(id))
    }

    /// A client with a login and a password or token.
    pub fn basic(&self, login: &str, password: &str) -> Client {
        let credentials = BASE64_STANDARD.encode(format!("{login}:{password}"));
        self.authorized(&format!("Basic {credentials}"))
    }

    /// A client with any `Authorization` header.
    pub fn authorized(&self, authorization: &str) -> Client {
        self.anonymous().with_authorization(authorization)
    }

    /// The token of a user as text.
    pub fn token(&self, id: usize) -> &str {
        &self.tokens[id - 1]
    }

    /// A client of the administrator, user 1.
    pub fn admin(&self) -> Client {
        self.user(1)
    }

    /// A client of the editor, user 2.
    pub fn editor(&self) -> Client {
        self.user(2)
    }

    /// A client of the author, user 3.
    pub fn author(&self) -> Client {
        self.user(3)
    }

    /// A client of the contributor, user 4.
    pub fn contributor(&self) -> Client {
        self.user(4)
    }

    /// A client of the subscriber, user 5.
    pub fn subscriber(&self) -> Client {
        self.user(5)
    }
}

/// A database with the users of a [`TestApp`].
///
/// Each test gets a copy, which takes less time than adding the users.
#[derive(Debug)]
struct Users {
    template: Template,
    tokens: Vec<String>,
}

impl Users {
    async fn add(db: TestDb) -> Self {
        let store = Arc::new(db.store.clone());
        let accounts = Accounts::new(store, Arc::new(FixedClock::at(NOW)));
        let tokens = add_users(&accounts).await;
        drop(accounts);
        Self {
            template: db.into_template().await,
            tokens,
        }
    }

    /// A service over a copy.
    async fn app(&self) -> TestApp {
        let builder = TestApp::builder(self.template.copy().await);
        let tokens = self.tokens.clone();
        TestAppBuilder { tokens, ..builder }.build().await
    }
}

/// Adds the users that are missing. Returns the token of each.
async fn add_users(accounts: &Accounts) -> Vec<String> {
    let mut tokens = Vec::new();
    for (name, role) in [
        ("admin", Role::Administrator),
        ("editor", Role::Editor),
        ("author", Role::Author),
        ("contributor", Role::Contributor),
        ("subscriber", Role::Subscriber),
        ("author2", Role::Author),
        ("contributor2", Role::Contributor),
    ] {
        let user = match accounts.add_user(name, role, None).await {
            Ok(user) => user,
            // An archive has brought the users.
            Err(_) => accounts.user(name).await.unwrap(),
        };
        let scope = TokenScope::Admin;
        let token = accounts.create_token(user.id, "test", scope, None);
        tokens.push(token.await.unwrap().text.expose().clone());
    }
    tokens
}
