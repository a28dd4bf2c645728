//! HTTP interface of the events calendar: routes onto use cases.
//!
//! [`router`] serves the namespace `cal/events/v1`, and the pages for people to which the `url` of a
//! record leads. Handlers translate: a request into fields, what a
//! use case answers into JSON, and an error into the codes that clients know. No rule of the calendar
//! is here.

mod access;
mod allow;
mod auth;
mod cache;
mod cors;
mod describe;
mod error;
mod headers;
mod host;
mod images;
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

pub use access::TARGET as ACCESS_LOG;
pub use limits::Limits;
pub use mount::{InvalidMountPath, MountPath};
pub use routes::{Route, router, routes};
pub use state::AppState;
pub use tally::Tally;

/// The name of the interface, and the path under which it is served.
pub const NAMESPACE: &str = "cal/events/v1";
