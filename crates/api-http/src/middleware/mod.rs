//! The layers around the routes, from the outside to the inside.

pub(crate) mod access_log;
pub(crate) mod allow;
pub(crate) mod browsers;
pub(crate) mod cors;
pub(crate) mod deliver;
mod headers;
pub(crate) mod method;
pub(crate) mod request_id;
pub(crate) mod respond;
pub(crate) mod timeout;
