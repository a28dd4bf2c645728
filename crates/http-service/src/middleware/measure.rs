//! Counts and times requests, where metrics are read.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use axum::{
    extract::Request,
    http::{Method, StatusCode},
    response::Response,
};
use metrics::{Gauge, Histogram, counter, gauge, histogram};
use pin_project_lite::pin_project;
use tower::{Layer, Service};

use crate::{
    response::{RouteMetrics, RouteTemplate},
    site::HOST_ROOT,
};

/// The most series of the counter of requests. Further routes are counted together.
const MAX_SERIES: usize = 300;

/// The name of the route of requests that no route answered.
const NO_ROUTE: &str = "none";

/// The name of all routes beyond the limit.
const OTHER: &str = "other";

/// The groups of routes, each with a histogram of durations: one for each route would be too many series.
const GROUPS: [&str; 6] = ["interface", "page", "desk", "file", "probe", NO_ROUTE];

/// The metrics of requests.
#[derive(Debug)]
pub(crate) struct RequestMetrics {
    /// The metrics of requests that no route answered.
    no_route: RouteMetrics,
    /// The number of counters of all routes.
    counters: AtomicUsize,
    in_progress: Gauge,
}

impl RequestMetrics {
    pub(crate) fn new() -> Self {
        // All histograms are there from the start.
        drop(GROUPS.map(durations));
        Self {
            no_route: RouteMetrics::new(durations(NO_ROUTE)),
            counters: AtomicUsize::new(0),
            in_progress: gauge!("events_calendar_http_requests_in_progress"),
        }
    }

    fn add(
        &self,
        route: Option<&RouteTemplate>,
        method: &'static str,
        status: StatusCode,
        duration: Duration,
    ) {
        let metrics = match route {
            Some(route) => route.metrics(|| RouteMetrics::new(durations(group_of(route.as_str())))),
            None => &self.no_route,
        };
        metrics.add(method, status, duration, || {
            counter!(
                "events_calendar_http_requests_total",
                "route" => self.label_of(route),
                "method" => method,
                "status" => status.as_str().to_owned(),
            )
        });
    }

    /// The label of a route whose requests get another counter.
    fn label_of(&self, route: Option<&RouteTemplate>) -> String {
        let has_room = self.counters.fetch_add(1, Ordering::Relaxed) < MAX_SERIES;
        let label = match route {
            Some(route) if has_room => route.as_str(),
            Some(_) => OTHER,
            None => NO_ROUTE,
        };
        label.to_owned()
    }
}

/// The histogram of a group.
fn durations(group: &'static str) -> Histogram {
    histogram!("events_calendar_http_request_duration_seconds", "group" => group)
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
        let (status, duration) = (response.status(), self.began.elapsed());
        self.metrics.add(route, method, status, duration);
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
fn group_of(route: &str) -> &'static str {
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
    use std::collections::BTreeSet;

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
            assert_eq!(group_of(route), group, "{route}");
            assert!(GROUPS.contains(&group));
        }
    }

    #[test]
    fn the_number_of_series_is_bounded() {
        let metrics = RequestMetrics::new();
        let routes = (0..2 * MAX_SERIES).map(|number| RouteTemplate::new(&format!("/{number}")));
        let labels = routes.map(|route| metrics.label_of(Some(&route)));
        let labels: BTreeSet<_> = labels.collect();
        assert_eq!(labels.len(), MAX_SERIES + 1);
        assert!(labels.contains(OTHER));
    }
}
