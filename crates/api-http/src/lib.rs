//! HTTP interface of the events calendar: routes onto use cases.
//!
//! [`router`] serves the namespace `cal/events/v1`, and the pages for people to which the `url` of a
//! record leads. Handlers translate: a request into fields, what a
//! use case answers into JSON, and an error into the codes that clients know. No rule of the calendar
//! is here.

mod cache;
mod describe;
mod error;
mod extract;
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
mod throttled_log;

pub use limits::{
    Limits,
    budget::{Budget, Full, Held},
    client_address::Proxies,
};
pub use middleware::access_log::TARGET as ACCESS_LOG;
pub use routes::{Route, parse_base_path, router, routes};
pub use site::base_path::{BasePathPattern, InvalidBasePath};
pub use state::AppState;
pub use throttled_log::ThrottledLog;

/// The name of the interface, and the path under which it is served.
pub const NAMESPACE: &str = "cal/events/v1";
