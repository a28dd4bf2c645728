//! Endpoints: what an adapter serves.

use axum::{
    handler::Handler,
    http::Method,
    response::Response,
    routing::{MethodFilter, MethodRouter, on},
};
use domain::{Language, time::Timestamp};
use serde_json::Value;

use crate::{
    right::Right,
    site::{HOST_ROOT, Site},
    state::{AppState, EventPreview},
};

/// A route: a method of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The method. A `GET` route serves `HEAD`, too.
    pub method: Method,
    /// The pattern of the path: `/cal/events/v1/events/{id}`.
    pub path: String,
}

/// A route with its handler and the right that it needs.
#[derive(Clone, Debug)]
pub struct Endpoint {
    pub(crate) route: Route,
    pub(crate) service: MethodRouter<AppState>,
    pub(crate) right: Right,
    pub(crate) wrap: Option<Wrap>,
}

/// Puts layers that need the state around the handler of an endpoint.
pub type Wrap = fn(&AppState, MethodRouter<AppState>) -> MethodRouter<AppState>;

impl Endpoint {
    /// An endpoint that answers `GET` and `HEAD`, for everybody.
    pub fn get<T: 'static>(path: impl Into<String>, handler: impl Handler<T, AppState>) -> Self {
        Self::new(Method::GET, path, on(MethodFilter::GET, handler))
    }

    /// An endpoint that answers `POST`, for everybody.
    pub fn post<T: 'static>(path: impl Into<String>, handler: impl Handler<T, AppState>) -> Self {
        Self::new(Method::POST, path, on(MethodFilter::POST, handler))
    }

    /// An endpoint that answers `PUT`, for everybody.
    pub fn put<T: 'static>(path: impl Into<String>, handler: impl Handler<T, AppState>) -> Self {
        Self::new(Method::PUT, path, on(MethodFilter::PUT, handler))
    }

    /// An endpoint that answers `PATCH`, for everybody.
    pub fn patch<T: 'static>(path: impl Into<String>, handler: impl Handler<T, AppState>) -> Self {
        Self::new(Method::PATCH, path, on(MethodFilter::PATCH, handler))
    }

    /// An endpoint that answers `DELETE`, for everybody.
    pub fn delete<T: 'static>(path: impl Into<String>, handler: impl Handler<T, AppState>) -> Self {
        Self::new(Method::DELETE, path, on(MethodFilter::DELETE, handler))
    }

    fn new(method: Method, path: impl Into<String>, service: MethodRouter<AppState>) -> Self {
        let path = path.into();
        Self {
            route: Route { method, path },
            service,
            right: Right::Public,
            wrap: None,
        }
    }

    /// The route.
    pub fn route(&self) -> &Route {
        &self.route
    }

    /// Puts layers around the handler.
    #[must_use]
    pub fn wrapped(self, wrap: Wrap) -> Self {
        let wrap = Some(wrap);
        Self { wrap, ..self }
    }

    /// The handler within its layers.
    pub(crate) fn into_service(self, state: &AppState) -> MethodRouter<AppState> {
        match self.wrap {
            Some(wrap) => wrap(state, self.service),
            None => self.service,
        }
    }

    /// Sets the right that the endpoint needs, by which `Allow` and `OPTIONS` list its method. It refuses no request: the
    /// use case checks the right.
    #[must_use]
    pub fn needing(self, right: Right) -> Self {
        Self { right, ..self }
    }
}

/// Describes a path to a client that asks with `OPTIONS`; none if the path has no description.
pub type Describe = fn(&str, &Site, Timestamp) -> Option<Value>;

/// Makes the page that a browser gets in place of an error 404, in a language.
pub type NotFoundPage = fn(&AppState, Language) -> Response;

/// The endpoints of an adapter, with its part in the answers of the router itself.
#[derive(Clone, Debug)]
pub struct Endpoints {
    pub(crate) list: Vec<Endpoint>,
    pub(crate) describe: Option<Describe>,
    pub(crate) not_found_page: Option<NotFoundPage>,
    pub(crate) event_preview: Option<EventPreview>,
}

impl Endpoints {
    /// Endpoints, none of which answers `OPTIONS` with more than `Allow`.
    pub fn new(endpoints: impl IntoIterator<Item = Endpoint>) -> Self {
        Self {
            list: endpoints.into_iter().collect(),
            describe: None,
            not_found_page: None,
            event_preview: None,
        }
    }

    /// Adds the descriptions of paths, with which the router answers `OPTIONS`.
    #[must_use]
    pub fn described_by(self, describe: Describe) -> Self {
        let describe = Some(describe);
        Self { describe, ..self }
    }

    /// Adds a page for browsers in place of the JSON of an error 404, outside of the interface.
    #[must_use]
    pub fn with_not_found_page(self, page: NotFoundPage) -> Self {
        let not_found_page = Some(page);
        Self {
            not_found_page,
            ..self
        }
    }

    /// Adds the page of an event that is not stored, which other adapters show as
    /// [`AppState::event_preview`](crate::AppState::event_preview).
    #[must_use]
    pub fn with_event_preview(self, preview: EventPreview) -> Self {
        let event_preview = Some(preview);
        Self {
            event_preview,
            ..self
        }
    }

    /// The routes that are served in every configuration: all but those below a base path's root.
    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        let routes = self.list.iter().map(|endpoint| &endpoint.route);
        routes.filter(|route| !route.path.starts_with(HOST_ROOT))
    }
}
