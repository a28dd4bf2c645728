//! Which spellings of a path mean the same route.

use std::sync::Arc;

use axum::http::{Request, Uri, uri::PathAndQuery};
use domain::Language;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    host,
    mount::{Mount, Mounts},
    pages,
};

/// The parameter of the first page of all that names a route below a root, as hosts without readable
/// paths have it: `/?rest_route=/tribe/events/v1/events`.
const ROUTE: &str = "rest_route";

/// The characters of a path that are percent-encoded.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Where a request leads.
struct Place {
    /// The path that the routes know.
    route: String,
    mount: Option<Arc<Mount>>,
    /// Whether the query named the route.
    is_named: bool,
}

impl Place {
    fn of(uri: &Uri, mounts: &Mounts) -> Self {
        let path = uri.path().trim_end_matches('/').to_ascii_lowercase();
        if let Some((mount, route)) = mounts.find(&path) {
            return Self {
                route,
                mount: Some(Arc::clone(mount)),
                is_named: false,
            };
        }
        let (mount, route) = match Mount::of_page(&path) {
            Some((mount, rest)) => (Some(mount), rest.to_owned()),
            None if path.is_empty() => (None, "/".to_owned()),
            None => (None, path),
        };
        if route == "/"
            && let Some(named) = uri.query().and_then(named)
        {
            return Self::of_named(&named, mount.and_then(|mount| mount.language), mounts);
        }
        Self {
            route,
            mount: mount.map(Arc::new),
            is_named: false,
        }
    }

    /// Where the query leads that names this route.
    fn of_named(named: &str, language: Option<Language>, mounts: &Mounts) -> Self {
        let path = named.trim_end_matches('/').to_ascii_lowercase();
        let (mount, route) = match mounts.find_below_root(&path, language) {
            Some((mount, route)) => (Arc::clone(mount), route),
            None => (
                Arc::new(Mount::of_namespace(language)),
                host::NOWHERE.to_owned(),
            ),
        };
        Self {
            route: utf8_percent_encode(&route, PATH).to_string(),
            mount: Some(mount),
            is_named: true,
        }
    }
}

/// The route that a query names, if it names one.
fn named(query: &str) -> Option<String> {
    let named = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == ROUTE);
    let (_, route) = named.last()?;
    (!route.is_empty()).then(|| route.into_owned())
}

/// A query without the route that it names.
fn without_route(query: &str) -> String {
    let others = query.split('&').filter(|pair| {
        let name = form_urlencoded::parse(pair.as_bytes()).next();
        name.is_none_or(|(name, _)| name != ROUTE)
    });
    others.collect::<Vec<_>>().join("&")
}

/// Brings a path to the one spelling that the routes know: below the plain namespace, without a slash
/// at its end, letters of ASCII in lower case. Slugs are compared without regard to case anyway.
///
/// A request below the namespace, and one for a page in a language that the path names, gets its
/// [`Mount`] as an extension. A request for the first page of all whose query names a route is one for
/// that route.
pub(crate) fn normalize<B>(mut request: Request<B>, mounts: &Mounts) -> Request<B> {
    let Place {
        route,
        mount,
        is_named,
    } = Place::of(request.uri(), mounts);
    if let Some(mount) = mount {
        request.extensions_mut().insert(mount);
    }
    if route == request.uri().path() {
        return request;
    }
    let query = request.uri().query().map(|query| {
        if is_named {
            without_route(query)
        } else {
            query.to_owned()
        }
    });
    let target = match query.filter(|query| !query.is_empty()) {
        Some(query) => format!("{route}?{query}"),
        None => route,
    };
    let mut parts = request.uri().clone().into_parts();
    // Taken from a valid path, it is one.
    if let Ok(target) = PathAndQuery::try_from(target) {
        parts.path_and_query = Some(target);
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
    request
}

/// Whether an address leads to what is told of records: to the interface, or to a page.
pub(crate) fn tells_of_records(path: &str, mounts: &Mounts) -> bool {
    let path = path.to_ascii_lowercase();
    let is_mounted = mounts.find(path.trim_end_matches('/')).is_some();
    is_mounted || pages::is_page(&path) || Mount::of_page(&path).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mount::MountPath;

    fn normalized(path: &str) -> (String, Option<Arc<Mount>>) {
        let request = Request::get(path).body(()).unwrap();
        let request = normalize(request, &Mounts::new(&[]));
        let mount = request.extensions().get().cloned();
        (request.uri().to_string(), mount)
    }

    #[test]
    fn case_and_slash_at_the_end_do_not_matter() {
        let (path, mount) = normalized("/cal/EVENTS/v1/events/?Search=A/");
        assert_eq!(path, "/cal/events/v1/events?Search=A/");
        assert_eq!(mount.as_deref(), Some(&Mount::default()));
        assert_eq!(normalized("/"), ("/".to_owned(), None));
        assert_eq!(normalized("/A//"), ("/a".to_owned(), None));
    }

    #[test]
    fn a_query_may_name_the_route() {
        let mounts = Mounts::new(&[MountPath::parse("/wp-json/tribe/events/v1").unwrap()]);
        let french = "/fr/wp-json/tribe/events/v1";
        for (uri, normalized, prefix) in [
            (
                "/fr/?a=1&rest_route=%2Ftribe%2FEvents/v1/events/by-slug/%C3%A9t%C3%A9/&b=%20",
                "/cal/events/v1/events/by-slug/%C3%A9t%C3%A9?a=1&b=%20",
                Some(french),
            ),
            ("/fr?rest_route=/", "/Host", Some(french)),
            (
                "/fr?rest_route=x&rest_route=/wp/v2/tags",
                "/Host/wp/v2/tags",
                Some(french),
            ),
            (
                "/fr?rest_route=/wp/v3",
                "/Host/nowhere",
                Some("/fr/cal/events/v1"),
            ),
            (
                "/fr?rest_route=",
                "/?rest_route=",
                Some("/fr/cal/events/v1"),
            ),
            ("/event/x?rest_route=/", "/event/x?rest_route=/", None),
            // No path of a request is that of a root.
            ("/Host", "/host", None),
        ] {
            let request = Request::get(uri).body(()).unwrap();
            let request = normalize(request, &mounts);
            assert_eq!(request.uri().to_string(), normalized, "{uri}");
            let mount = request.extensions().get::<Arc<Mount>>();
            assert_eq!(mount.map(|mount| &*mount.prefix), prefix, "{uri}");
        }
    }

    #[test]
    fn a_language_is_taken_out() {
        let (path, mount) = normalized("/FR/cal/events/v1/tags/1?a=B");
        assert_eq!(path, "/cal/events/v1/tags/1?a=B");
        assert_eq!(mount.unwrap().language, Some(Language::French));
        let (path, mount) = normalized("/de/cal/events/v1/tags");
        assert_eq!((path.as_str(), mount), ("/de/cal/events/v1/tags", None));
        for (page, rest) in [("/fr", "/"), ("/FR/event/x/", "/event/x")] {
            let (path, mount) = normalized(page);
            assert_eq!(path, rest);
            assert_eq!(mount.unwrap().language, Some(Language::French));
        }
        for other in [
            "/fr/healthz",
            "/fr/fr",
            "/french",
            "/de/event/x",
            "/event/x",
        ] {
            assert_eq!(normalized(other), (other.to_owned(), None));
        }
    }
}
