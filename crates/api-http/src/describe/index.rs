//! The index of routes: each path with its methods and their parameters.

use std::collections::HashMap;

use axum::http::Method;
use domain::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    Operation, operations,
    param::{DefaultContext, Param},
};
use crate::{NAMESPACE, site::Site};

/// The routes of the namespace.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Index {
    /// The namespace.
    pub(crate) namespace: String,
    #[schemars(with = "HashMap<String, Route>")]
    pub(crate) routes: Map<String, Value>,
    /// The version of the time zone data, such as 2026c.
    pub(crate) zone_data: String,
    #[serde(rename = "_links")]
    #[schemars(with = "Map<String, Value>")]
    pub(crate) links: Value,
}

/// A route.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct Route {
    /// The namespace.
    namespace: String,
    /// All its methods.
    methods: Vec<&'static str>,
    /// The parameters of its methods.
    endpoints: Vec<Endpoint>,
    #[serde(rename = "_links", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    links: Option<Value>,
}

/// Some methods of a route.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Endpoint {
    /// The methods.
    methods: Vec<&'static str>,
    /// The parameters, by name.
    args: Map<String, Value>,
}

impl Endpoint {
    pub(crate) fn new<'a>(
        methods: &'static [Method],
        params: impl Iterator<Item = &'a Param>,
        context: &DefaultContext<'_>,
    ) -> Self {
        let mut args = Map::new();
        for param in params {
            // A parameter of the path precedes a field of the same name.
            args.entry(param.name)
                .or_insert_with(|| param.argument(context));
        }
        let methods = methods.iter().map(Method::as_str).collect();
        Self { methods, args }
    }
}

/// The routes of the namespace, by the regular expressions of their paths.
pub(crate) fn routes(site: &Site, now: Timestamp) -> Map<String, Value> {
    let context = DefaultContext::new(now, site);
    operations()
        .chunk_by(|one, next| one.path == next.path)
        .filter_map(|operations| {
            let pattern = pattern(context.namespace, &operations.first()?.path);
            Some((pattern, describe(operations, site, &context)))
        })
        .collect()
}

/// A route of the namespace, as `OPTIONS` describes it; none if the namespace has no such route.
/// `route` is its pattern, such as `/cal/events/v1/events/{id}`.
pub(crate) fn route(route: &str, site: &Site, now: Timestamp) -> Option<Value> {
    let path = route.strip_prefix(&format!("/{NAMESPACE}"))?;
    let operations = operations()
        .chunk_by(|one, next| one.path == next.path)
        .find(|operations| operations.iter().any(|operation| operation.path == path))?;
    Some(describe(operations, site, &DefaultContext::new(now, site)))
}

/// The operations of a path as a route.
fn describe(operations: &[Operation], site: &Site, context: &DefaultContext<'_>) -> Value {
    let endpoints = operations
        .iter()
        .map(|operation| Endpoint::new(operation.action.methods(), operation.params(), context));
    let first = operations.first();
    let url = first
        .filter(|first| first.in_path.is_empty())
        .map(|first| site.address(&first.path));
    describe_route(context.namespace, endpoints.collect(), url)
}

/// A route with its endpoints, and with its URL if its path has no parameters.
pub(crate) fn describe_route(
    namespace: &str,
    endpoints: Vec<Endpoint>,
    url: Option<String>,
) -> Value {
    let mut methods = Vec::new();
    for method in endpoints.iter().flat_map(|endpoint| &endpoint.methods) {
        if !methods.contains(method) {
            methods.push(*method);
        }
    }
    json!(Route {
        namespace: namespace.to_owned(),
        methods,
        endpoints,
        links: url.map(|url| json!({ "self": [{ "href": url }] })),
    })
}

/// A path below a namespace as a regular expression, in the form of the host.
pub(crate) fn pattern(namespace: &str, path: &str) -> String {
    format!("/{namespace}{path}")
        .replace("{id}", r"(?P<id>\d+)")
        .replace("{slug}", "(?P<slug>[^/]+)")
}
