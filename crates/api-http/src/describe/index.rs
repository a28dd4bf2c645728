//! The index of routes.

use axum::http::Method;
use domain::time::Timestamp;
use serde_json::{Map, Value, json};

use super::{
    Operation, operations,
    param::{Moment, Param},
};
use crate::{NAMESPACE, site::Site};

/// The methods and arguments of each path of the interface, keyed by the regular expression of the path.
pub(crate) fn routes(site: &Site, now: Timestamp) -> Map<String, Value> {
    let moment = Moment::new(now, site);
    operations()
        .chunk_by(|one, next| one.path == next.path)
        .filter_map(|here| {
            let pattern = pattern(&site.base_path().namespace, &here.first()?.path);
            Some((pattern, describe(here, site, &moment)))
        })
        .collect()
}

/// What the path of a route offers, as `OPTIONS` answers; `route` is its pattern, such as
/// `/cal/events/v1/events/{id}`. None if the namespace has no such route.
pub(crate) fn route(route: &str, site: &Site, now: Timestamp) -> Option<Value> {
    let path = route.strip_prefix(&format!("/{NAMESPACE}"))?;
    let here = operations()
        .chunk_by(|one, next| one.path == next.path)
        .find(|operations| operations.iter().any(|operation| operation.path == path))?;
    Some(describe(here, site, &Moment::new(now, site)))
}

/// What a path offers.
fn describe(operations: &[Operation], site: &Site, moment: &Moment<'_>) -> Value {
    let endpoints = operations.iter().map(|operation| Endpoint {
        methods: operation.act.methods(),
        params: operation.params().collect(),
    });
    let endpoints: Vec<_> = endpoints.collect();
    let first = operations.first();
    let address = first
        .filter(|first| first.in_path.is_empty())
        .map(|first| site.address(&first.path));
    tell(moment.namespace, &endpoints, address, moment)
}

/// Some methods of a path, and what they take.
#[derive(Debug)]
pub(crate) struct Endpoint<'a> {
    pub(crate) methods: &'a [Method],
    pub(crate) params: Vec<&'a Param>,
}

/// A path of a namespace with its endpoints, and with its address if it is the only one of its kind.
pub(crate) fn tell(
    namespace: &str,
    endpoints: &[Endpoint<'_>],
    address: Option<String>,
    moment: &Moment<'_>,
) -> Value {
    let names =
        |methods: &[Method]| -> Vec<String> { methods.iter().map(Method::to_string).collect() };
    let mut methods = Vec::new();
    for method in endpoints.iter().flat_map(|one| names(one.methods)) {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let endpoints: Vec<_> = endpoints
        .iter()
        .map(|one| json!({ "methods": names(one.methods), "args": arguments(one, moment) }))
        .collect();
    let mut route = json!({
        "namespace": namespace,
        "methods": methods,
        "endpoints": endpoints,
    });
    if let Some(address) = address {
        route["_links"] = json!({ "self": [{ "href": address }] });
    }
    route
}

fn arguments(endpoint: &Endpoint<'_>, moment: &Moment<'_>) -> Map<String, Value> {
    let mut arguments = Map::new();
    for param in &endpoint.params {
        // What the path says counts before a field of the same name.
        if !arguments.contains_key(param.name) {
            arguments.insert(param.name.to_owned(), param.argument(moment));
        }
    }
    arguments
}

/// A path below a namespace as an expression, as clients of the index know it.
pub(crate) fn pattern(namespace: &str, path: &str) -> String {
    format!("/{namespace}{path}")
        .replace("{id}", r"(?P<id>\d+)")
        .replace("{slug}", "(?P<slug>[^/]+)")
}
