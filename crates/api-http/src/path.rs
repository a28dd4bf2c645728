//! Which spellings of a path mean the same route.

use std::sync::Arc;

use axum::http::{Request, Uri, uri::PathAndQuery};

use crate::{
    NAMESPACE,
    mount::{Mount, Mounts},
    pages,
};

/// Brings a path to the one spelling that the routes know: below the plain namespace, without a slash
/// at its end, letters of ASCII in lower case. Slugs are compared without regard to case anyway.
///
/// A request below the namespace, and one for a page in a language that the path names, gets its
/// [`Mount`] as an extension.
pub(crate) fn normalize<B>(mut request: Request<B>, mounts: &Mounts) -> Request<B> {
    let path = request.uri().path().trim_end_matches('/');
    let path = path.to_ascii_lowercase();
    let path = match mounts.find(&path) {
        Some((mount, rest)) => {
            request.extensions_mut().insert(Arc::clone(mount));
            format!("/{NAMESPACE}{rest}")
        }
        None if path.is_empty() => "/".to_owned(),
        None => match Mount::of_page(&path) {
            Some((mount, rest)) => {
                request.extensions_mut().insert(Arc::new(mount));
                rest.to_owned()
            }
            None => path,
        },
    };
    if path == request.uri().path() {
        return request;
    }
    let target = match request.uri().query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
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

/// Whether a path leads to what is told of records: to the interface, or to a page.
pub(crate) fn tells_of_records(path: &str, mounts: &Mounts) -> bool {
    let path = path.to_ascii_lowercase();
    mounts.find(&path).is_some() || pages::is_page(&path) || Mount::of_page(&path).is_some()
}

#[cfg(test)]
mod tests {
    use domain::Language;

    use super::*;

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
