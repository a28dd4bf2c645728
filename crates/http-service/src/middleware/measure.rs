//! Counts and times requests, where metrics are read.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Instant,
};

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};
use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};

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

    fn counter(&self, series: Series) -> Counter {
        let known = self.counters.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = known.get(&series) {
            return counter.clone();
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
        counter
    }
}

/// Counts a request when its response begins. A request whose client closed the connection before is not counted.
pub(crate) async fn measure(
    State(metrics): State<Arc<RequestMetrics>>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let method = name_of(request.method());
    let in_progress = InProgress::begin(&metrics.in_progress);
    let response = next.run(request).await;
    drop(in_progress);
    let route = RouteTemplate::of(&response);
    let group = group_of(route);
    let duration = metrics.durations.iter().find(|(name, _)| *name == group);
    if let Some((_, histogram)) = duration {
        histogram.record(started.elapsed());
    }
    let series = (route.cloned(), method, response.status());
    metrics.counter(series).increment(1);
    response
}

/// A request in progress; one that is cancelled ends, too.
struct InProgress<'a>(&'a Gauge);

impl<'a> InProgress<'a> {
    fn begin(gauge: &'a Gauge) -> Self {
        gauge.increment(1);
        Self(gauge)
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.0.decrement(1);
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
            drop(metrics.counter((Some(route), "GET", StatusCode::OK)));
        }
        assert_eq!(metrics.counters.read().unwrap().len(), MAX_SERIES);
    }
}
