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
//! [`router`] serves the namespace `cal/events/v1` and the HTML pages. For clients of calendars that
//! run in a content management system (the *host*), it also serves the few routes of that system
//! that they need, the discovery object at `<root>/` and some of `wp/v2` (module `host`), and it
//! accepts `?rest_route=` (module `site`). Handlers translate a request into fields, the result of
//! a use case into JSON, and an error into the codes of the interface. The rules of the calendar are
//! in `domain` and `app`.
//!
//! # The way of a request
//!
//! 1. The layers of `middleware`: request ID, access log, CORS, protection of stored browser
//!    credentials, `HEAD` as `GET`.
//! 2. `middleware::deliver` answers from the response cache if the cached response is current.
//! 3. Otherwise `middleware::respond` applies a method override, and rewrites the path to the
//!    spelling of the routes. `middleware::timeout` limits the duration.
//! 4. The route runs a handler of `resources`, `host` or `pages`. The extractor `extract::context`
//!    makes a `RequestContext`: caller, fields, language, site and current time.
//! 5. The handler returns JSON. A read of a record, a page and an error also carry a
//!    `response::ResponseKind`: revision and last change of the record, page, or `ApiError`.
//! 6. `respond` writes the body of an error in the language of the request, selects `_fields`,
//!    wraps an `_envelope`, and adds the common headers.
//! 7. `deliver` adds validators to successful reads, stores the response if all clients may share it, and sends it: as
//!    304, compressed or plain.
//!
//! # Features
//!
//! - `test-support`: the whole service in-process, with a client, for tests (module `test_support`).

mod cache;
mod describe;
mod error;
mod extract;
mod header_values;
mod host;
mod limits;
mod message;
mod middleware;
mod options;
mod origins;
mod pages;
mod record;
mod resources;
mod response;
mod routes;
mod site;
mod state;
#[cfg(feature = "test-support")]
pub mod test_support;
mod throttled_log;

pub use limits::{Budget, Full, Limits, Proxies, Reservation};
pub use middleware::access_log::TARGET as ACCESS_LOG;
pub use routes::{Route, parse_base_path, router, routes};
pub use site::{BasePathPattern, InvalidBasePath, NAMESPACE};
pub use state::AppState;
pub use throttled_log::ThrottledLog;
