//! The index of routes: each path with its methods and their parameters.

use std::{collections::HashMap, sync::LazyLock};

use axum::http::Method;
use domain::time::Timestamp;
use forms::Param;
use http_service::site::Site;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{operations, param::argument};

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
struct Endpoint {
    /// The methods.
    methods: Vec<&'static str>,
    /// The parameters, by name.
    args: Map<String, Value>,
}

/// Some methods of a path below a namespace, with their parameters.
#[derive(Debug)]
pub(crate) struct PathMethods {
    /// The pattern of the path: `/events/{id}`.
    pub(crate) path: String,
    pub(crate) methods: &'static [Method],
    pub(crate) params: Vec<Param>,
}

impl PathMethods {
    fn describe(&self, site: &Site, now: Timestamp) -> Endpoint {
        let mut args = Map::new();
        for param in &self.params {
            // A parameter of the path precedes a field of the same name.
            args.entry(param.name.as_str())
                .or_insert_with(|| argument(param, site, now));
        }
        let methods = self.methods.iter().map(Method::as_str).collect();
        Endpoint { methods, args }
    }
}

/// A namespace from the view of a request.
#[derive(Debug)]
pub(crate) struct Namespace<'a> {
    pub(crate) name: &'a str,
    /// All methods; those of one path are adjacent.
    pub(crate) table: &'static [PathMethods],
    /// The URL of a path below the namespace.
    pub(crate) url: fn(&Site, &str) -> String,
    pub(crate) site: &'a Site,
    pub(crate) now: Timestamp,
}

impl<'a> Namespace<'a> {
    /// The namespace of the calendar, under the base path of the request.
    pub(crate) fn of_calendar(site: &'a Site, now: Timestamp) -> Self {
        static TABLE: LazyLock<Vec<PathMethods>> = LazyLock::new(|| {
            let methods = operations().iter().map(|operation| PathMethods {
                path: operation.path.clone(),
                methods: operation.action.methods(),
                params: operation.params().copied().collect(),
            });
            methods.collect()
        });
        Self {
            name: &site.base_path().namespace,
            table: &TABLE,
            url: Site::address,
            site,
            now,
        }
    }

    fn paths(&self) -> impl Iterator<Item = (&'static str, &'static [PathMethods])> {
        let paths = self.table.chunk_by(|one, next| one.path == next.path);
        paths.filter_map(|methods| Some((methods.first()?.path.as_str(), methods)))
    }

    /// The routes, by the regular expressions of their paths.
    pub(crate) fn routes(&self) -> Map<String, Value> {
        self.paths()
            .map(|(path, methods)| {
                let pattern = format!("/{}{path}", self.name)
                    .replace("{id}", r"(?P<id>\d+)")
                    .replace("{n}", r"(?P<n>\d+)")
                    .replace("{slug}", "(?P<slug>[^/]+)")
                    .replace("{recurrence_id}", "(?P<recurrence_id>[^/]+)");
                (pattern, self.describe(path, methods))
            })
            .collect()
    }

    /// A route, as `OPTIONS` describes it; none if the namespace has no such route. `path` is its
    /// pattern, such as `/events/{id}`.
    pub(crate) fn route(&self, path: &str) -> Option<Value> {
        let (path, methods) = self.paths().find(|(one, _)| *one == path)?;
        Some(self.describe(path, methods))
    }

    fn describe(&self, path: &str, methods: &[PathMethods]) -> Value {
        // A path with parameters has no URL.
        let url = (!path.contains('{')).then(|| (self.url)(self.site, path));
        describe(self.name, methods, url, self.site, self.now)
    }
}

/// The methods of a path as a route, with its URL if its path has no parameters.
pub(crate) fn describe(
    namespace: &str,
    methods: &[PathMethods],
    url: Option<String>,
    site: &Site,
    now: Timestamp,
) -> Value {
    let endpoints: Vec<_> = methods.iter().map(|one| one.describe(site, now)).collect();
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
