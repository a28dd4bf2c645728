//! The layers around the routes, from the outside to the inside:
//!
//! 1. [`request_id`] names the request;
//! 2. [`access_log`] logs it, where the log is on, and [`measure`] counts it, where metrics are read;
//! 3. [`one_host`] refuses requests with several `Host` headers;
//! 4. [`cors`] adds the headers for pages of other origins;
//! 5. [`browsers`] protects credentials that a browser stores;
//! 6. [`method`] serves `HEAD` as `GET`;
//! 7. [`deliver`] sends the response, out of the cache where possible; else it calls [`respond`],
//!    which rewrites method and path, runs the routes, and makes the response from their result;
//! 8. `refuse_writes` of the router refuses writes to a server that is read-only;
//! 9. [`timeout`] limits the time of the routes;
//! 10. `act` of the router tells the audit trail the client and the ID of a write;
//! 11. [`announce`], around the pages, adds the headers that lead clients to
//!     the discovery object;
//! 12. [`allow`], around the methods of each path, adds the methods that the caller may use.
//!
//! The first six run for cached responses, too.

pub(crate) mod access_log;
pub(crate) mod allow;
pub(crate) mod announce;
mod browser_request;
pub(crate) mod browsers;
pub(crate) mod cors;
pub(crate) mod deliver;
mod headers;
pub(crate) mod measure;
pub(crate) mod method;
pub(crate) mod one_host;
pub(crate) mod request_id;
pub(crate) mod respond;
pub(crate) mod timeout;
