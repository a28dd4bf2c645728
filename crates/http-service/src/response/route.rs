//! The route that answered, for the access log and the metrics.

use std::{
    sync::{Arc, OnceLock, PoisonError, RwLock},
    time::Duration,
};

use axum::{http::StatusCode, response::Response};
use metrics::{Counter, Histogram};

/// The template of a route, such as `/cal/events/v1/events/{id}`, as an extension of responses. Cached responses keep it.
#[derive(Clone, Debug)]
pub(crate) struct RouteTemplate(Arc<Route>);

#[derive(Debug)]
struct Route {
    path: Box<str>,
    metrics: OnceLock<RouteMetrics>,
}

impl RouteTemplate {
    pub(crate) fn new(path: &str) -> Self {
        let (path, metrics) = (path.into(), OnceLock::new());
        Self(Arc::new(Route { path, metrics }))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0.path
    }

    /// The metrics of the route, which `new` makes for its first request.
    pub(crate) fn metrics(&self, new: impl FnOnce() -> RouteMetrics) -> &RouteMetrics {
        self.0.metrics.get_or_init(new)
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

/// The metrics of the requests to one route. They lie at the route, because a table of all routes would take a hash of
/// the template for each request.
#[derive(Debug)]
pub(crate) struct RouteMetrics {
    durations: Histogram,
    /// The counters by method and status, of which a route has few.
    counters: RwLock<Vec<(&'static str, StatusCode, Counter)>>,
}

impl RouteMetrics {
    pub(crate) fn new(durations: Histogram) -> Self {
        let counters = RwLock::default();
        Self {
            durations,
            counters,
        }
    }

    /// Adds a request. The first one with its method and status takes a `new` counter.
    pub(crate) fn add(
        &self,
        method: &'static str,
        status: StatusCode,
        duration: Duration,
        new: impl FnOnce() -> Counter,
    ) {
        self.durations.record(duration);
        let counters = self.counters.read().unwrap_or_else(PoisonError::into_inner);
        if increment(&counters, method, status) {
            return;
        }
        drop(counters);
        let mut counters = self
            .counters
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if !increment(&counters, method, status) {
            let counter = new();
            counter.increment(1);
            counters.push((method, status, counter));
        }
    }
}

/// Increments the counter of a method and a status; false without one.
fn increment(
    counters: &[(&'static str, StatusCode, Counter)],
    method: &str,
    status: StatusCode,
) -> bool {
    let mut counters = counters.iter();
    let counter = counters.find(|(of, with, _)| *of == method && *with == status);
    counter
        .inspect(|(_, _, counter)| counter.increment(1))
        .is_some()
}
