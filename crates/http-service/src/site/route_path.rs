//! Rewrites request paths to the spelling of the routes.

use std::{borrow::Cow, sync::Arc};

use axum::http::{Request, Uri, uri::PathAndQuery};
use domain::Language;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    OldAddress,
    base_path::{BasePath, BasePaths},
    is_of_sitemap, is_page,
};
use crate::{
    header_values::preferred_language,
    site::{self, namespace::NAMESPACE},
};

/// The path of a request for a page before its rewrite, as an extension.
#[derive(Clone, Debug)]
pub struct SentPath(Uri);

impl SentPath {
    /// The path as the client sent it.
    pub fn as_str(&self) -> &str {
        self.0.path()
    }
}

/// The mark of a request whose path has another name for `/events`, as an extension.
#[derive(Clone, Copy, Debug)]
pub struct RenamedPath;

/// The query parameter that names a route below a root: `/?rest_route=/tribe/events/v1/events`, as
/// clients of hosts without readable paths send it.
const ROUTE: &str = "rest_route";

/// The characters that need no encoding in a path.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The target of a request.
struct RouteTarget {
    /// The path of the route.
    route: String,
    base_path: Option<Arc<BasePath>>,
    /// Whether the query named the route.
    is_named: bool,
    /// Whether the path is an old one, of a site that renamed `events`.
    is_renamed: bool,
}

impl RouteTarget {
    fn of(uri: &Uri, base_paths: &BasePaths) -> Self {
        let sent = clean(uri.path());
        let sent = sent.trim_end_matches('/');
        let path = sent.to_ascii_lowercase();
        if let Some((base_path, route)) = base_paths.find(&path) {
            return Self {
                route: with_sent_key(route, sent),
                base_path: Some(Arc::clone(base_path)),
                is_named: false,
                is_renamed: false,
            };
        }
        let renamed = base_paths.renamed(&path);
        let is_renamed = renamed.is_some();
        let path = renamed.unwrap_or(path);
        let (base_path, route) = match BasePath::of_page(&path) {
            Some((base_path, rest)) => (Some(base_path), rest.to_owned()),
            None if path.is_empty() => (None, "/".to_owned()),
            None => (None, path),
        };
        if route == "/"
            && let Some(named) = uri.query().and_then(named)
        {
            return Self::of_named(
                &named,
                base_path.and_then(|base_path| base_path.language),
                base_paths,
            );
        }
        Self {
            route,
            base_path: base_path.map(Arc::new),
            is_named: false,
            is_renamed,
        }
    }

    /// The target of a route in the query.
    fn of_named(named: &str, language: Option<Language>, base_paths: &BasePaths) -> Self {
        let sent = without_repeated_slashes(named);
        let sent = sent.trim_end_matches('/');
        let path = sent.to_ascii_lowercase();
        let (base_path, route) = match base_paths.find_below_root(&path, language) {
            Some((base_path, route)) => (Arc::clone(base_path), with_sent_key(route, sent)),
            None => (
                Arc::new(BasePath::of_namespace(language)),
                site::HOST_NOWHERE.to_owned(),
            ),
        };
        Self {
            route: utf8_percent_encode(&route, PATH).to_string(),
            base_path: Some(base_path),
            is_named: true,
            is_renamed: false,
        }
    }
}

/// The script of the host, which clients may name before the path: `/index.php/wp-json/…`.
const SCRIPT: &str = "/index.php";

/// A path as the host reads it: runs of slashes count as one, the name of the script is left out, and characters
/// that need no percent-encoding have none.
fn clean(path: &str) -> Cow<'_, str> {
    let path = decoded(path);
    let path = match without_repeated_slashes(&path) {
        Cow::Borrowed(_) => path,
        Cow::Owned(path) => path.into(),
    };
    match path.strip_prefix(SCRIPT) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.to_owned().into(),
        _ => path,
    }
}

/// A path without the percent-encoding of characters that need none (RFC 3986, 6.2.2.2). Others keep it.
fn decoded(path: &str) -> Cow<'_, str> {
    let unreserved = |code: &str| {
        let byte = u8::from_str_radix(code, 16).ok()?;
        let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        is_unreserved.then_some(char::from(byte))
    };
    let mut parts = path.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(c) = part.get(..2).and_then(unreserved) {
            decoded.push(c);
            decoded.push_str(&part[2..]);
        } else {
            decoded.push('%');
            decoded.push_str(part);
        }
    }
    if decoded == path {
        Cow::Borrowed(path)
    } else {
        Cow::Owned(decoded)
    }
}

fn without_repeated_slashes(path: &str) -> Cow<'_, str> {
    if !path.contains("//") {
        return Cow::Borrowed(path);
    }
    let mut single = String::with_capacity(path.len());
    for c in path.chars() {
        if c != '/' || !single.ends_with('/') {
            single.push(c);
        }
    }
    Cow::Owned(single)
}

/// A route with the key of a secret feed as it was sent: letters of keys differ by case.
fn with_sent_key(mut route: String, sent: &str) -> String {
    let feeds = format!("/{NAMESPACE}/feeds/");
    if let Some(key) = route.strip_prefix(&feeds)
        && let Some(start) = sent.len().checked_sub(key.len())
        && let Some(key) = sent.get(start..)
    {
        let key = key.to_owned();
        route.replace_range(feeds.len().., &key);
    }
    route
}

/// The route in a query.
fn named(query: &str) -> Option<String> {
    let named = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == ROUTE);
    let (_, route) = named.last()?;
    (!route.is_empty()).then(|| route.into_owned())
}

/// A query without its route.
fn without_route(query: &str) -> String {
    let others = query.split('&').filter(|pair| {
        let name = form_urlencoded::parse(pair.as_bytes()).next();
        name.is_none_or(|(name, _)| name != ROUTE)
    });
    others.collect::<Vec<_>>().join("&")
}

/// Rewrites a path to the spelling of the routes: under the plain namespace, without trailing
/// slash, ASCII letters in lower case, except those of keys. Slugs are compared without regard to case
/// anyway.
///
/// A request under a base path, or for a page in a language, gets its [`BasePath`] as an extension, and one for a
/// page its [`SentPath`].
/// A request for the home page whose query names a route becomes a request for that route; one for an old
/// calendar file, for the same file here.
pub(crate) fn normalize<B>(request: &mut Request<B>, base_paths: &BasePaths) {
    let mut target = RouteTarget::of(request.uri(), base_paths);
    let query = request.uri().query().unwrap_or_default();
    if !target.is_named
        && let Some(OldAddress::File(file)) = OldAddress::of(&target.route, query)
    {
        let language = target.base_path.and_then(|base_path| base_path.language);
        request
            .extensions_mut()
            .insert(Arc::new(BasePath::of_namespace(language)));
        replace_path_and_query(request, file);
        return;
    }
    if let Some(base_path) = target.base_path.take() {
        request.extensions_mut().insert(base_path);
    }
    if target.route == request.uri().path() {
        return;
    }
    if target.is_renamed {
        request.extensions_mut().insert(RenamedPath);
    }
    if is_page(&target.route) {
        let sent = SentPath(request.uri().clone());
        request.extensions_mut().insert(sent);
    }
    let query = request.uri().query().map(|query| {
        if target.is_named {
            without_route(query)
        } else {
            query.to_owned()
        }
    });
    let path_and_query = match query.filter(|query| !query.is_empty()) {
        Some(query) => format!("{}?{query}", target.route),
        None => target.route,
    };
    replace_path_and_query(request, path_and_query);
}

fn replace_path_and_query<B>(request: &mut Request<B>, path_and_query: String) {
    let mut parts = request.uri().clone().into_parts();
    // A valid path stays valid after the rewrite.
    if let Ok(path_and_query) = PathAndQuery::try_from(path_and_query) {
        parts.path_and_query = Some(path_and_query);
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
}

/// The parameters by which an address of the home page names a record or a route.
const NAMING: [&str; 4] = [ROUTE, "p", "post_type", "tribe_events"];

/// The language of the home page at its address without a language, by `Accept-Language`, as an extension.
#[derive(Clone, Copy, Debug)]
pub struct HomeLanguage(pub Language);

impl HomeLanguage {
    /// The language of a request for the home page; `None` for every other address, also one that names a record.
    pub(crate) fn of<B>(request: &Request<B>, site: &site::Site) -> Option<Self> {
        let uri = request.uri();
        let is_home = matches!(clean(uri.path()).trim_end_matches('/'), "");
        let query = uri.query().unwrap_or_default();
        let mut parameters = form_urlencoded::parse(query.as_bytes());
        let names_other = parameters.any(|(name, _)| NAMING.contains(&&*name));
        let reads = is_home && !names_other && !site.has_pages_elsewhere();
        reads.then(|| Self(preferred_language(request.headers(), site.language)))
    }
}

/// Whether a path leads to the interface, to a page or to the sitemap.
pub(crate) fn tells_of_records(path: &str, base_paths: &BasePaths) -> bool {
    let path = clean(path).to_ascii_lowercase();
    let is_mounted = base_paths.find(path.trim_end_matches('/')).is_some();
    let is_mounted = is_mounted || base_paths.renamed(&path).is_some();
    is_mounted || is_page(&path) || is_of_sitemap(&path) || BasePath::of_page(&path).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::tests::parse_base_path;

    fn normalized(path: &str) -> (String, Option<Arc<BasePath>>) {
        let mut request = Request::get(path).body(()).unwrap();
        normalize(&mut request, &BasePaths::new(&[]));
        let base_path = request.extensions().get().cloned();
        (request.uri().to_string(), base_path)
    }

    #[test]
    fn case_and_slash_at_the_end_do_not_matter() {
        let (path, base_path) = normalized("/cal/EVENTS/v1/events/?Search=A/");
        assert_eq!(path, "/cal/events/v1/events?Search=A/");
        assert_eq!(base_path.as_deref(), Some(&BasePath::default()));
        assert_eq!(normalized("/"), ("/".to_owned(), None));
        assert_eq!(normalized("/A//"), ("/a".to_owned(), None));
    }

    #[test]
    fn paths_are_read_as_the_host_reads_them() {
        for (sent, read) in [
            ("//cal//events///v1/tags", "/cal/events/v1/tags"),
            ("/index.php/cal/events/v1/tags", "/cal/events/v1/tags"),
            ("//index.php//cal/events/v1/tags/", "/cal/events/v1/tags"),
            ("/cal/%65vents/v1/%74%61gs", "/cal/events/v1/tags"),
            (
                "/cal/events/v1/events/by-slug/%c3%a9t%C3%A9",
                "/cal/events/v1/events/by-slug/%c3%a9t%c3%a9",
            ),
            ("/cal/events/v1/tags%2F1", "/cal/events/v1/tags%2f1"),
            ("/cal/events/v1/%zz%", "/cal/events/v1/%zz%"),
            ("/index.php", "/"),
            ("/index.phpx", "/index.phpx"),
            ("//event//fair/", "/event/fair"),
        ] {
            assert_eq!(normalized(sent).0, read, "{sent}");
        }
        for path in ["//cal//events/v1/tags", "/index.php/event/x", "/%65vent/x"] {
            assert!(tells_of_records(path, &BasePaths::new(&[])), "{path}");
        }
    }

    #[test]
    fn a_query_may_name_the_route() {
        let base_paths = BasePaths::new(&[parse_base_path("/wp-json/tribe/events/v1").unwrap()]);
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
            // No request path equals that of a root.
            ("/Host", "/host", None),
        ] {
            let mut request = Request::get(uri).body(()).unwrap();
            normalize(&mut request, &base_paths);
            assert_eq!(request.uri().to_string(), normalized, "{uri}");
            let base_path = request.extensions().get::<Arc<BasePath>>();
            assert_eq!(
                base_path.map(|base_path| &*base_path.prefix),
                prefix,
                "{uri}"
            );
        }
    }

    #[test]
    fn a_language_is_taken_out() {
        let (path, base_path) = normalized("/FR/cal/events/v1/tags/1?a=B");
        assert_eq!(path, "/cal/events/v1/tags/1?a=B");
        assert_eq!(base_path.unwrap().language, Some(Language::French));
        let (path, base_path) = normalized("/de/cal/events/v1/tags");
        assert_eq!((path.as_str(), base_path), ("/de/cal/events/v1/tags", None));
        for (page, rest) in [("/fr", "/"), ("/FR/event/x/", "/event/x")] {
            let (path, base_path) = normalized(page);
            assert_eq!(path, rest);
            assert_eq!(base_path.unwrap().language, Some(Language::French));
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
