//! The endpoints that the program serves.

use http_service::Endpoints;

/// The endpoints of the REST interface and of the pages for people.
pub(crate) fn all() -> [Endpoints; 2] {
    [api_http::endpoints(), pages::endpoints()]
}
