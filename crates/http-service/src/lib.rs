//! The common part of the HTTP adapters of the events calendar: state, authentication, limits, delivery of responses,
//! errors, URLs, and the router of their endpoints.
//!
//! An adapter, such as `api-http` (REST) or `pages` (HTML), is a list of [`Endpoints`]. [`router`] serves one
//! or several of them:
//!
//! ```
//! use events_calendar_http_service::{Endpoint, Endpoints, test_support::Service};
//! use app::test_support::InMemoryStore;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let hello = Endpoint::get("/hello", async || "Hello from an adapter of one's own.");
//! let service = Service::over(InMemoryStore::new(), [Endpoints::new([hello])]).await;
//! assert!(service.get("/Hello/").await.text().starts_with("Hello"));
//! service.get("/nowhere").await.assert_error(404, "rest_no_route");
//! # }
//! ```
//!
//! # The way of a request
//!
//! 1. The layers of `middleware`: request ID, access log, CORS, protection of stored browser
//!    credentials, `HEAD` as `GET`.
//! 2. `middleware::deliver` answers from the response cache if the cached response is current.
//! 3. Otherwise `middleware::respond` applies a method override, and rewrites the path to the
//!    spelling of the routes. `middleware::timeout` limits the duration.
//! 4. The route runs a handler of an adapter.
//! 5. A read of a record, a page and an error carry a [`response::ResponseKind`]: revision and last change of
//!    the record, page, or [`error::ApiError`].
//! 6. `respond` writes the body of an error in the language of the request, selects `_fields`,
//!    wraps an `_envelope`, and adds the common headers.
//! 7. `deliver` adds validators to successful reads, stores the response if all clients may share it, and sends it: as
//!    304, compressed or plain.
//!
//! # Features
//!
//! - `test-support`: the whole service in-process, with a client, for tests (module `test_support`).

mod cache;
pub mod embedding;
mod endpoint;
pub mod error;
pub mod extract;
pub mod face;
pub mod header_values;
pub mod imports;
pub mod limits;
pub mod message;
mod middleware;
pub mod notifier;
mod options;
mod origins;
mod preview;
pub mod record;
pub mod response;
mod right;
mod router;
pub mod rule_words;
pub mod site;
mod state;
#[cfg(feature = "test-support")]
pub mod test_support;
mod throttled_log;

pub use endpoint::{Describe, Endpoint, Endpoints, NotFoundPage, Route, Wrap};
pub use limits::{Budget, Full, Limits, Proxies, Reservation};
pub use middleware::access_log::TARGET as ACCESS_LOG;
pub use preview::BackForm;
pub use right::{Check, Right};
pub use router::{parse_base_path, router};
pub use site::{BasePathPattern, InvalidBasePath, NAMESPACE};
pub use state::{AppState, EventPreview, Readiness};
pub use throttled_log::ThrottledLog;
