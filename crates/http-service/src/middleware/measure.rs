//! Counts and times requests, where metrics are read.

use std::{
    collections::HashMap,
    convert::Infallible,
    pin::Pin,
    sync::{Arc, PoisonError, RwLock},
    task::{Context, Poll, ready},
    time::Instant,
};

use axum::{
    extract::Request,
    http::{Method, StatusCode},
    response::Response,
};
use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};
use pin_project_lite::pin_project;
use tower::{Layer, Service};

use crate::{response::RouteTemplate, site::HOST_ROOT};

/// The most series of the counter of requests. Further routes are counted together.
const MAX_SERIES: usize = 300;

/// The name of the route of requests that no route answered.
const NO_ROUTE: &str = "none";

/// The name of all routes beyond the limit.
const OTHER: &str = "other";

/// The groups of routes, each with a histogram of durations.
const GROUPS: [&str; 6] = ["interface", "page", "desk", "file", "probe", NO_ROUTE];

/// A series of the counter.
type Series = (Option<RouteTemplate>, &'static str, StatusCode);

/// The metrics of requests.
#[derive(Debug)]
pub(crate) struct RequestMetrics {
    counters: RwLock<HashMap<Series, Counter>>,
    durations: [(&'static str, Histogram); GROUPS.len()],
    in_progress: Gauge,
}

impl RequestMetrics {
    pub(crate) fn new() -> Self {
        Self {
            counters: RwLock::default(),
            durations: GROUPS.map(|group| {
                let name = "events_calendar_http_request_duration_seconds";
                (group, histogram!(name, "group" => group))
            }),
            in_progress: gauge!("events_calendar_http_requests_in_progress"),
        }
    }

    fn count(&self, series: Series) {
        let known = self.counters.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = known.get(&series) {
            counter.increment(1);
            return;
        }
        let has_room = known.len() < MAX_SERIES;
        drop(known);
        let (route, method, status) = &series;
        let route = match route {
            Some(route) if has_room => route.as_str().to_owned(),
            Some(_) => OTHER.to_owned(),
            None => NO_ROUTE.to_owned(),
        };
        let status = status.as_str().to_owned();
        let method = *method;
        let counter = counter!("events_calendar_http_requests_total", "route" => route, "method" => method, "status" => status);
        if has_room {
            let mut known = self
                .counters
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            known.insert(series, counter.clone());
        }
        counter.increment(1);
    }
}

/// Counts a request when its response begins. A request whose client closed the connection before is not counted.
///
/// The layer has a type of its own, because a function as a layer allocates for each request.
#[derive(Clone, Debug)]
pub(crate) struct Measure(Arc<RequestMetrics>);

impl Measure {
    pub(crate) fn new() -> Self {
        Self(Arc::new(RequestMetrics::new()))
    }
}

impl<S> Layer<S> for Measure {
    type Service = Measured<S>;

    fn layer(&self, inner: S) -> Measured<S> {
        let metrics = Arc::clone(&self.0);
        Measured { inner, metrics }
    }
}

/// A service whose requests are counted.
#[derive(Clone, Debug)]
pub(crate) struct Measured<S> {
    inner: S,
    metrics: Arc<RequestMetrics>,
}

impl<S> Service<Request> for Measured<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = MeasuredResponse<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        MeasuredResponse {
            method: name_of(request.method()),
            request: InProgress::begin(Arc::clone(&self.metrics)),
            response: self.inner.call(request),
        }
    }
}

pin_project! {
    /// A response that is counted when it begins.
    pub(crate) struct MeasuredResponse<F> {
        method: &'static str,
        request: InProgress,
        #[pin]
        response: F,
    }
}

impl<F: Future<Output = Result<Response, Infallible>>> Future for MeasuredResponse<F> {
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let Ok(response) = ready!(this.response.poll(context));
        this.request.end(this.method, &response);
        Poll::Ready(Ok(response))
    }
}

/// A request in progress; one that is cancelled ends, too.
struct InProgress {
    metrics: Arc<RequestMetrics>,
    began: Instant,
}

impl InProgress {
    fn begin(metrics: Arc<RequestMetrics>) -> Self {
        metrics.in_progress.increment(1);
        let began = Instant::now();
        Self { metrics, began }
    }

    /// Counts the request by its response.
    fn end(&self, method: &'static str, response: &Response) {
        let route = RouteTemplate::of(response);
        let group = group_of(route);
        let mut durations = self.metrics.durations.iter();
        if let Some((_, duration)) = durations.find(|(name, _)| *name == group) {
            duration.record(self.began.elapsed());
        }
        let series = (route.cloned(), method, response.status());
        self.metrics.count(series);
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.metrics.in_progress.decrement(1);
    }
}

/// The name of a method as a label; clients can send any other name.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => OTHER,
    }
}

/// The group of a route.
fn group_of(route: Option<&RouteTemplate>) -> &'static str {
    let Some(route) = route.map(RouteTemplate::as_str) else {
        return NO_ROUTE;
    };
    match route.split('/').nth(1).unwrap_or_default() {
        "cal" => "interface",
        _ if route.starts_with(HOST_ROOT) => "interface",
        "desk" | "propose" => "desk",
        "assets" | "media" => "file",
        "healthz" | "livez" | "readyz" => "probe",
        _ => "page",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_have_groups() {
        for (route, group) in [
            ("/cal/events/v1/events/{id}", "interface"),
            ("/", "page"),
            ("/event/{slug}", "page"),
            ("/desk/site", "desk"),
            ("/propose", "desk"),
            ("/media/{*path}", "file"),
            ("/healthz", "probe"),
        ] {
            assert_eq!(group_of(Some(&RouteTemplate::new(route))), group, "{route}");
            assert!(GROUPS.contains(&group));
        }
        assert_eq!(group_of(None), NO_ROUTE);
    }

    #[test]
    fn the_number_of_series_is_bounded() {
        let metrics = RequestMetrics::new();
        for number in 0..2 * MAX_SERIES {
            let route = RouteTemplate::new(&format!("/{number}"));
            metrics.count((Some(route), "GET", StatusCode::OK));
        }
        assert_eq!(metrics.counters.read().unwrap().len(), MAX_SERIES);
    }
}
