//! The service as a test sees it: no socket, a clock that stands still, a user of each role.

use std::{sync::Arc, time::Duration};

use adapters_media::{Files, media};
use api_http::{AppState, parse_base_path};
use app::{Calendar, auth::Accounts, ports::TokenScope, site::Site, test_support::FixedClock};
use domain::Role;

use crate::{
    client::{Client, Service},
    db::TestDb,
};

/// Where the service says that it is.
pub const PUBLIC_URL: &str = "https://cal.example";

/// When tests of the service happen, unless they say otherwise.
pub const NOW: &str = "2027-01-01 12:00:00";

/// A service with a database of its own.
///
/// Its users have these IDs: 1 administrator, 2 editor, 3 author, 4 contributor, 5 subscriber, 6
/// another author, 7 another contributor.
#[derive(Debug)]
pub struct TestApp {
    /// The database.
    pub db: TestDb,
    /// The clock; it shows [`NOW`] until it is moved.
    pub clock: FixedClock,
    /// The use cases.
    pub calendar: Calendar,
    /// The accounts.
    pub accounts: Accounts,
    /// The files of images.
    pub files: Files,
    service: Service,
    tokens: Vec<String>,
}

impl TestApp {
    /// A service in the zone UTC.
    pub async fn new(db: TestDb) -> Self {
        Self::with_site(db, Site::default()).await
    }

    /// A service that is set to something else.
    pub async fn with_site(db: TestDb, site: Site) -> Self {
        let clock = FixedClock::at(NOW);
        let store = Arc::new(db.store.clone());
        let site = Site {
            host: "cal.example".to_owned(),
            media_url: format!("{PUBLIC_URL}/media"),
            ..site
        };
        let files = Files::in_memory();
        let media = media(files.clone(), false);
        let calendar = Calendar::new(store.clone(), Arc::new(clock.clone()), media, site)
            .await
            .unwrap();
        let accounts = Accounts::new(store, Arc::new(clock.clone()));
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
            let user = accounts.add_user(name, role, None).await.unwrap();
            let token = accounts
                .create_token(user.id, "test", TokenScope::Write, None)
                .await
                .unwrap();
            tokens.push(token.text);
        }
        let service = Service::new(AppState::new(
            calendar.clone(),
            accounts.clone(),
            PUBLIC_URL,
        ));
        Self {
            db,
            clock,
            calendar,
            accounts,
            files,
            service,
            tokens,
        }
    }

    /// Requests without credentials.
    pub fn anonymous(&self) -> Client {
        Client::new(self.service.clone(), None)
    }

    /// The IDs in the list of events with this query, for everybody.
    pub async fn list(&self, query: &str) -> Vec<i64> {
        self.anonymous().list(query).await
    }

    /// Fails unless each of these queries has its parameter `name` refused.
    pub async fn refuses(&self, name: &'static str, values: &[&str]) {
        for value in values {
            let path = format!("/events?{name}{value}");
            self.anonymous().get(&path).await.is_invalid(&[name]);
        }
    }

    /// Requests of the user of an ID.
    pub fn user(&self, id: usize) -> Client {
        Client::new(
            self.service.clone(),
            Some(format!("Bearer {}", self.token(id))),
        )
    }

    /// Requests with any `Authorization`.
    pub fn authorized(&self, authorization: &str) -> Client {
        Client::new(self.service.clone(), Some(authorization.to_owned()))
    }

    /// Requests of an administrator to the same service when it is set to something else.
    pub async fn admin_of(&self, site: Site) -> Client {
        self.of(1, self.calendar_of(site).await)
    }

    /// The use cases of the same service when it is set to something else.
    pub async fn calendar_of(&self, site: Site) -> Calendar {
        let store = Arc::new(self.db.store.clone());
        let clock = Arc::new(self.clock.clone());
        let media = media(self.files.clone(), false);
        Calendar::new(store, clock, media, site).await.unwrap()
    }

    /// Requests of an administrator to another process that serves the same database.
    pub async fn elsewhere(&self) -> Client {
        let store = Arc::new(self.db.hurried(Duration::from_mins(1)).await);
        let clock = Arc::new(self.clock.clone());
        let site = self.calendar.site().clone();
        let media = media(self.files.clone(), false);
        self.of(1, Calendar::new(store, clock, media, site).await.unwrap())
    }

    /// Requests of a user to the same service when images may come from addresses that are not
    /// public, such as that of a server of a test.
    pub async fn fetching(&self, id: usize) -> Client {
        let store = Arc::new(self.db.store.clone());
        let clock = Arc::new(self.clock.clone());
        let site = self.calendar.site().clone();
        let media = media(self.files.clone(), true);
        self.of(id, Calendar::new(store, clock, media, site).await.unwrap())
    }

    /// The same service when it keeps nothing of what it reads.
    pub async fn forgetful(&self) -> Forgetful<'_> {
        let store = Arc::new(self.db.another(|options| options.cache_bytes = 0).await);
        let clock = Arc::new(self.clock.clone());
        let site = self.calendar.site().clone();
        let media = media(self.files.clone(), false);
        let calendar = Calendar::new(store, clock, media, site).await.unwrap();
        let state = AppState::new(calendar, self.accounts.clone(), PUBLIC_URL);
        Forgetful {
            app: self,
            service: Service::new(state),
        }
    }

    fn of(&self, id: usize, calendar: Calendar) -> Client {
        let state = AppState::new(calendar, self.accounts.clone(), PUBLIC_URL);
        Client::new(
            Service::new(state),
            Some(format!("Bearer {}", self.token(id))),
        )
    }

    /// The same service when what it shares between its requests is something else.
    pub fn with_state(&self, change: impl FnOnce(AppState) -> AppState) -> Client {
        let state = AppState::new(self.calendar.clone(), self.accounts.clone(), PUBLIC_URL);
        Client::new(Service::new(change(state)), None)
    }

    /// Requests of an administrator to the same service with the interface under more paths.
    pub fn mounted_at(&self, paths: &[&str]) -> Client {
        let paths: Vec<_> = paths
            .iter()
            .map(|path| parse_base_path(path).unwrap())
            .collect();
        let state = AppState::new(self.calendar.clone(), self.accounts.clone(), PUBLIC_URL);
        let service = Service::new(state.mounted_at(&paths));
        Client::new(service, Some(format!("Bearer {}", self.token(1))))
    }

    /// Requests of an administrator to the same service when it is set to something else, with the
    /// interface under more paths.
    pub async fn mounted_with(&self, site: Site, paths: &[&str]) -> Client {
        let paths: Vec<_> = paths
            .iter()
            .map(|path| parse_base_path(path).unwrap())
            .collect();
        let store = Arc::new(self.db.store.clone());
        let clock = Arc::new(self.clock.clone());
        let media = media(self.files.clone(), false);
        let calendar = Calendar::new(store, clock, media, site).await.unwrap();
        let state = AppState::new(calendar, self.accounts.clone(), PUBLIC_URL);
        let service = Service::new(state.mounted_at(&paths));
        Client::new(service, Some(format!("Bearer {}", self.token(1))))
    }

    /// Requests of nobody to the same service when another site shows the pages.
    pub fn anonymous_with_site_url(&self, site_url: &str) -> Client {
        self.with_state(|state| state.with_site_url(site_url))
    }

    /// The text of the token of a user.
    pub fn token(&self, id: usize) -> &str {
        &self.tokens[id - 1]
    }

    /// Requests of an administrator, user 1.
    pub fn admin(&self) -> Client {
        self.user(1)
    }

    /// Requests of an editor, user 2.
    pub fn editor(&self) -> Client {
        self.user(2)
    }

    /// Requests of an author, user 3.
    pub fn author(&self) -> Client {
        self.user(3)
    }

    /// Requests of a contributor, user 4.
    pub fn contributor(&self) -> Client {
        self.user(4)
    }

    /// Requests of a subscriber, user 5.
    pub fn subscriber(&self) -> Client {
        self.user(5)
    }
}

/// A service that keeps nothing of what it reads.
#[derive(Debug)]
pub struct Forgetful<'a> {
    app: &'a TestApp,
    service: Service,
}

impl Forgetful<'_> {
    /// Requests without credentials.
    pub fn anonymous(&self) -> Client {
        Client::new(self.service.clone(), None)
    }

    /// Requests of the user of an ID.
    pub fn user(&self, id: usize) -> Client {
        let token = self.app.token(id);
        Client::new(self.service.clone(), Some(format!("Bearer {token}")))
    }
}
