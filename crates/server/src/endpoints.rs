//! The endpoints that the program serves.

use http_service::Endpoints;

/// The endpoints of the REST interface, of the pages for people, and of the desk.
pub(crate) fn all() -> [Endpoints; 3] {
    [api_http::endpoints(), pages::endpoints(), desk::endpoints()]
}
