//! The layers around the routes, from the outside to the inside:
//!
//! 1. [`request_id`] names the request;
//! 2. [`access_log`] logs it, where the log is on;
//! 3. [`cors`] adds the headers for pages of other origins;
//! 4. [`browsers`] protects credentials that a browser stores;
//! 5. [`method`] serves `HEAD` as `GET`;
//! 6. [`deliver`] sends the response, out of the cache where possible; else it calls [`respond`],
//!    which rewrites method and path, runs the routes, and makes the response from their result;
//! 7. [`timeout`] limits the time of the routes;
//! 8. [`announce`](crate::host::announce), around the pages, adds the headers that lead clients to
//!    the discovery object;
//! 9. [`allow`], around the methods of each path, adds the methods that the caller may use.
//!
//! The first five run for cached responses, too.

pub(crate) mod access_log;
pub(crate) mod allow;
pub(crate) mod browsers;
pub(crate) mod cors;
pub(crate) mod deliver;
mod headers;
mod log_path;
pub(crate) mod method;
pub(crate) mod request_id;
pub(crate) mod respond;
pub(crate) mod timeout;
