//! Redirects from the addresses of sites of The Events Calendar.

use axum::response::{IntoResponse as _, Response};
use http_service::{error::ApiError, site::OldAddress};

use super::request::{Outcome, PageRequest};

/// `GET` of an address that only the old site has: a redirect to the page with the same content.
pub(crate) async fn moved(request: PageRequest) -> Response {
    match request.old_page() {
        Some(outcome) => request.response(Ok(outcome)),
        None => ApiError::NoRoute.into_response(),
    }
}

impl PageRequest {
    /// The redirect from an old address; `None` if this is none.
    pub(super) fn old_page(&self) -> Option<Outcome> {
        match OldAddress::of(self.path.trim_end_matches('/'), &self.raw_query)? {
            OldAddress::Page(page) => Some(Outcome::Moved(self.site.page_at(&page))),
            // Requests for old files never get here.
            OldAddress::File(_) => None,
        }
    }
}
