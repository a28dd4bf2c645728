//! The layers around the routes, from the outside to the inside.

pub(crate) mod access_log;
pub(crate) mod allow;
pub(crate) mod browsers;
pub(crate) mod cors;
pub(crate) mod deliver;
pub(crate) mod headers;
pub(crate) mod language;
pub(crate) mod method;
pub(crate) mod preference;
pub(crate) mod request_id;
pub(crate) mod shape;
pub(crate) mod timeout;
