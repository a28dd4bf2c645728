//! HTTP interface of the events calendar: routes onto use cases.
//!
//! [`router`] serves the namespace `cal/events/v1`, and the pages for people to which the `url` of a
//! record leads. Handlers translate: a request into fields, what a
//! use case answers into JSON, and an error into the codes that clients know. No rule of the calendar
//! is here.

mod access;
mod allow;
mod auth;
mod browsers;
mod budget;
mod cache;
mod cors;
mod describe;
mod error;
mod guesses;
mod headers;
mod host;
mod images;
mod in_flight;
mod json;
mod language;
mod limits;
mod message;
mod method;
mod mount;
mod once;
mod options;
mod pages;
mod params;
mod path;
mod pieces;
mod precondition;
mod preference;
mod proxies;
mod record;
mod representation;
mod request_id;
mod resource;
mod routes;
mod state;
mod tally;
mod throttle;
mod urls;
mod windows;

pub use access::TARGET as ACCESS_LOG;
pub use budget::{Budget, Full, Held};
pub use limits::Limits;
pub use mount::{InvalidMountPath, MountPath};
pub use proxies::Proxies;
pub use routes::{Route, router, routes};
pub use state::AppState;
pub use tally::Tally;

/// The name of the interface, and the path under which it is served.
pub const NAMESPACE: &str = "cal/events/v1";
