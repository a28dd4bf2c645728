//! The table of operations of the host, from which the discovery object and the responses to
//! `OPTIONS` are made.

use std::sync::LazyLock;

use app::request::Purpose;
use axum::http::Method;
use domain::{FieldName, Kind, Tag, time::Timestamp};
use forms::{DefaultValue, Form as _, LANGUAGE, PAGING, Param};
use http_service::site::{HOST_NAMESPACE, HOST_ROOT, Site};
use serde_json::Value;

use crate::describe::{
    fields_of,
    index::{self, Namespace, PathMethods},
    param::ID,
};

const GET: &[Method] = &[Method::GET];
const POST: &[Method] = &[Method::POST];

/// All operations; those of one path are adjacent.
fn operations() -> &'static [PathMethods] {
    static OPERATIONS: LazyLock<Vec<PathMethods>> = LazyLock::new(|| {
        let operation = |path: &str, methods, mut params: Vec<Param>| {
            params.push(LANGUAGE.param);
            PathMethods {
                path: path.to_owned(),
                methods,
                params,
            }
        };
        let one = || vec![ID];
        let terms = |kind| fields_of(kind, Purpose::Create);
        vec![
            operation("/users/me", GET, Vec::new()),
            operation("/settings", GET, Vec::new()),
            operation("/tags", GET, filters_of(Kind::Tag)),
            operation("/tags", POST, terms(Kind::Tag)),
            operation("/tags/{id}", GET, one()),
            operation("/tribe_events_cat", GET, filters_of(Kind::Category)),
            operation("/tribe_events_cat", POST, terms(Kind::Category)),
            operation("/tribe_events_cat/{id}", GET, one()),
            operation("/tribe_events", GET, entries_filters(Kind::Event)),
            operation("/tribe_events/{id}", GET, one()),
            operation("/tribe_venue", GET, entries_filters(Kind::Venue)),
            operation("/tribe_venue/{id}", GET, one()),
            operation("/tribe_organizer", GET, entries_filters(Kind::Organizer)),
            operation("/tribe_organizer/{id}", GET, one()),
            operation("/media", GET, media_filters()),
            operation("/media", POST, Vec::new()),
            operation("/media/{id}", GET, one()),
        ]
    });
    &OPERATIONS
}

/// The parameters of a list of terms. The list includes terms without events by default.
fn filters_of(kind: Kind) -> Vec<Param> {
    let mut params = crate::describe::filters_of(kind);
    for param in &mut params {
        if param.name == FieldName::HideEmpty {
            *param = param.default(DefaultValue::Flag(false));
        }
    }
    params
}

fn entries_filters(kind: Kind) -> Vec<Param> {
    let mut params = crate::describe::filters_of(kind);
    params.extend(
        Tag::filters()
            .into_iter()
            .filter(|param| param.name == FieldName::Slug),
    );
    params
}

fn media_filters() -> Vec<Param> {
    let mut params = PAGING.to_vec();
    let of_terms = Tag::filters().into_iter();
    let names = [FieldName::Include, FieldName::Search, FieldName::Slug];
    params.extend(of_terms.filter(|param| names.contains(&param.name)));
    params
}

/// The namespace of the host.
pub(super) fn namespace(site: &Site, now: Timestamp) -> Namespace<'_> {
    Namespace {
        name: HOST_NAMESPACE,
        table: operations(),
        url: Site::host,
        site,
        now,
    }
}

/// A route of the host, as `OPTIONS` describes it; none if the host has no such route.
pub(crate) fn route(route: &str, site: &Site, now: Timestamp) -> Option<Value> {
    match route.strip_prefix(HOST_ROOT)? {
        "" => Some(root(site, now)),
        path => {
            let below = path.strip_prefix(&format!("/{HOST_NAMESPACE}"))?;
            namespace(site, now).route(below)
        }
    }
}

/// The root as a route of its own.
pub(super) fn root(site: &Site, now: Timestamp) -> Value {
    let methods = PathMethods {
        path: String::new(),
        methods: GET,
        params: Vec::new(),
    };
    let url = site.discovery().map(|url| url + "/");
    index::describe("", &[methods], url, site, now)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_is_described_is_served_and_what_is_served_is_described() {
        let described: BTreeSet<_> = operations()
            .iter()
            .flat_map(|one| {
                one.methods
                    .iter()
                    .map(|method| (method.to_string(), &one.path))
            })
            .map(|(method, path)| format!("{method} {HOST_ROOT}/{HOST_NAMESPACE}{path}"))
            .chain([format!("GET {HOST_ROOT}")])
            .collect();
        let served = crate::routes::routes_of_host();
        let served = served
            .iter()
            .map(|route| format!("{} {}", route.method, route.path));
        assert_eq!(described, served.collect());
    }
}
