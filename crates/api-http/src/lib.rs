//! HTTP interface of the events calendar: axum routes onto use cases.
//!
//! ```no_run
//! use std::{net::SocketAddr, sync::Arc};
//!
//! use events_calendar_api_http::{AppState, router};
//! use app::{Calendar, auth::Accounts, ports::{Media, Store, SystemClock}, site::Site};
//!
//! # async fn serve(store: Arc<dyn Store>) -> Result<(), Box<dyn std::error::Error>> {
//! let public_url = "https://cal.example";
//! let (clock, site) = (Arc::new(SystemClock), Site::at(public_url));
//! let calendar = Calendar::new(store.clone(), clock.clone(), Media::none(), site).await?;
//! let service = router(AppState::new(calendar, Accounts::new(store, clock), public_url));
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! axum::serve(listener, service.into_make_service_with_connect_info::<SocketAddr>()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! The addresses of clients come from `into_make_service_with_connect_info`: without them, all clients
//! share the limits of one.
//!
//! [`router`] serves the namespace `cal/events/v1`. For clients of calendars that
//! run in a content management system (the *host*), it also serves the few routes of that system
//! that they need, the discovery object at `<root>/` and some of `wp/v2` (module `host`), and it
//! accepts `?rest_route=` (module `site` of `http-service`). Handlers translate a request into fields, the
//! result of a use case into JSON, and an error into the codes of the interface. The rules of the calendar are
//! in `domain` and `app`.
//!
//! A program that also serves the pages for people gives the endpoints of both to one router:
//! `http_service::router(state, [api_http::endpoints(), pages::endpoints()])`.
//!
//! # The way of a request
//!
//! The layers of `http-service` choose the route. It runs a handler of `resources` or `host`, whose extractor
//! `extract::context` makes a `RequestContext`: caller, fields, language, site and current time. The handler
//! returns JSON, which those layers deliver.

mod describe;
mod extract;
mod host;
mod idempotency;
mod record;
mod resources;
mod routes;

pub use http_service::AppState;
pub use routes::{endpoints, router};
