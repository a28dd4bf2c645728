//! The template of the route that answered, for the access log and the metrics.

use std::sync::Arc;

use axum::response::Response;

/// The template of a route, such as `/cal/events/v1/events/{id}`, as an extension of responses. Cached responses keep it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RouteTemplate(Arc<str>);

impl RouteTemplate {
    pub(crate) fn new(path: &str) -> Self {
        Self(path.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The route of a response; `None` if no route answered.
    pub(crate) fn of(response: &Response) -> Option<&Self> {
        response.extensions().get()
    }

    /// Marks a response.
    pub(crate) fn mark(&self, mut response: Response) -> Response {
        response.extensions_mut().insert(self.clone());
        response
    }
}
