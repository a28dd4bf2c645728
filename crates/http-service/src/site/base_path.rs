//! Base paths under which the interface is served.

use std::sync::Arc;

use domain::Language;

use crate::site::{self, is_page, namespace::NAMESPACE};

/// The placeholder of the language code in a [`BasePathPattern`].
const LANGUAGE: &str = "{lang}";

/// The path of the views of events.
const EVENTS: &str = "/events";

/// A configured base path beside `/cal/events/v1`, such as `/wp-json/tribe/events/v1`.
///
/// A language code may precede it (`/fr/wp-json/…`), or replace `{lang}` in it:
/// `/wp-json/{lang}/tribe/events/v1`. Letters are in lower case, as letter case makes no
/// difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePathPattern {
    before_language: String,
    after_language: String,
    /// Whether no route has the path before the namespace, which is free for the discovery object.
    has_root: bool,
}

/// The reason why a text is no [`BasePathPattern`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidBasePath {
    /// No request could have the path, or it has `{lang}` more than once.
    #[error(
        "must be a path such as /wp-json/tribe/events/v1, of letters, digits and `-._~`, in which \
         {LANGUAGE} may stand once"
    )]
    NoPath,
    /// The path hides a route.
    #[error("is a path that the service needs for {by}")]
    Taken {
        /// The hidden route.
        by: String,
    },
}

impl BasePathPattern {
    /// Parses a path, with or without a slash at its end. `routes` are the path patterns that the
    /// service needs for itself.
    ///
    /// # Errors
    ///
    /// [`InvalidBasePath`] if no request could have the path, if it contains `{lang}` more than
    /// once, or if it hides one of `routes`.
    pub(crate) fn parse(text: &str, routes: &[String]) -> Result<Self, InvalidBasePath> {
        let path = text.trim_end_matches('/').to_ascii_lowercase();
        let is_segment = |segment: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
            segment == LANGUAGE
                || (!matches!(segment, "" | "." | "..") && segment.bytes().all(is_plain))
        };
        let invalid = InvalidBasePath::NoPath;
        let Some(segments) = path.strip_prefix('/') else {
            return Err(invalid);
        };
        if !segments.split('/').all(is_segment) {
            return Err(invalid);
        }
        let (before, after) = path
            .split_once(&format!("/{LANGUAGE}"))
            .unwrap_or(("", &path));
        if after.contains(LANGUAGE) || (before.is_empty() && after.is_empty()) {
            return Err(invalid);
        }
        let mut path = Self {
            before_language: before.to_owned(),
            after_language: after.to_owned(),
            has_root: false,
        };
        path.has_root = path.root_is_free(routes);
        match path.taken(routes) {
            Some(by) => Err(InvalidBasePath::Taken { by }),
            None => Ok(path),
        }
    }

    /// A route that the base path would hide.
    fn taken(&self, routes: &[String]) -> Option<String> {
        let languages = || [None].into_iter().chain(Language::ALL.map(Some));
        let prefixes: Vec<_> = languages()
            .map(|language| self.base_path(language).prefix)
            .collect();
        let mut namespaces = languages().map(|language| BasePath::of_namespace(language).prefix);
        // A base path above the namespace is allowed: the longer one of two counts.
        let is_within = |whole: &String| prefixes.iter().any(|prefix| is_below(prefix, whole));
        if let Some(namespace) = namespaces.find(is_within) {
            return Some(namespace);
        }
        let others = routes.iter();
        let others = others.filter(|path| !path[1..].starts_with(NAMESPACE));
        let mut others = others.flat_map(|path| {
            let spoken = is_page(path);
            let languages = languages().filter(move |language| spoken || language.is_none());
            languages.map(move |language| language.map_or_else(String::new, segment) + path)
        });
        others.find(|other| prefixes.iter().any(|prefix| hides(prefix, other)))
    }

    /// The path below the language; `None` if a part of it precedes the language.
    pub fn below_language(&self) -> Option<&str> {
        let is_plain = self.before_language.is_empty();
        is_plain.then_some(&*self.after_language)
    }

    fn base_path(&self, language: Option<Language>) -> BasePath {
        let Self {
            before_language,
            after_language,
            has_root,
        } = self;
        let segment = language.map_or_else(String::new, segment);
        let (above, namespace) = self.split().unwrap_or((after_language, NAMESPACE));
        BasePath {
            prefix: format!("{before_language}{segment}{after_language}"),
            language,
            namespace: namespace.into(),
            root: has_root.then(|| format!("{before_language}{segment}{above}").into()),
            pattern: format!("{before_language}/{{language}}{after_language}").into(),
        }
    }

    /// The path between language and namespace, and the namespace, if the path ends in one:
    /// `/wp-json` and `tribe/events/v1`.
    fn split(&self) -> Option<(&str, &str)> {
        let mut parts = self.after_language.rsplitn(4, '/');
        let version = parts.next()?.strip_prefix('v')?;
        let is_number = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        let above = parts.nth(2).filter(|_| is_number)?;
        Some((above, &self.after_language[above.len() + 1..]))
    }

    /// Whether the path before the namespace is none of `routes`.
    fn root_is_free(&self, routes: &[String]) -> bool {
        let Some((above, _)) = self.split() else {
            return false;
        };
        let root = format!("{}{above}", self.before_language);
        !root.is_empty() && BasePath::of_page(&root).is_none() && !routes.contains(&root)
    }
}

/// Whether a path of this pattern could lie under a prefix.
fn hides(prefix: &str, pattern: &str) -> bool {
    match pattern.split_once("/{") {
        Some((fixed, _)) => is_below(fixed, prefix) || is_below(prefix, fixed),
        None => is_below(pattern.trim_end_matches('/'), prefix),
    }
}

/// Whether a path is `above` or lies below it.
fn is_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path segment of a language: `/fr`.
pub(crate) fn segment(language: Language) -> String {
    format!("/{language}")
}

/// The base path of a request, and its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePath {
    /// `/fr/cal/events/v1`.
    pub prefix: String,
    /// The language in the path.
    pub language: Option<Language>,
    /// The namespace in the index: `cal/events/v1`.
    pub namespace: Arc<str>,
    /// The path of the discovery object, without trailing slash: `/fr/wp-json`.
    pub root: Option<Arc<str>>,
    /// The prefix with a placeholder: `/{language}/cal/events/v1`.
    pub pattern: Arc<str>,
}

impl BasePath {
    /// The namespace in a language, as base path.
    pub(crate) fn of_namespace(language: Option<Language>) -> Self {
        let segment = language.map_or_else(String::new, segment);
        Self {
            prefix: format!("{segment}/{NAMESPACE}"),
            language,
            namespace: NAMESPACE.into(),
            root: None,
            pattern: format!("/{{language}}/{NAMESPACE}").into(),
        }
    }

    /// The base path and the rest of the path of a page with a language; none for other paths.
    pub(crate) fn of_page(path: &str) -> Option<(Self, &str)> {
        Language::ALL.into_iter().find_map(|language| {
            let rest = path.strip_prefix(&segment(language))?;
            let rest = if rest.is_empty() { "/" } else { rest };
            is_page(rest).then(|| (Self::of_namespace(Some(language)), rest))
        })
    }
}

impl Default for BasePath {
    fn default() -> Self {
        Self::of_namespace(None)
    }
}

/// All base paths of the service.
#[derive(Clone, Debug)]
pub struct BasePaths {
    /// The path that old addresses of events have instead of `/events`.
    old_events: Option<Box<str>>,
    /// The configured base paths in their order, then the namespace.
    all: Vec<Arc<BasePath>>,
    /// The served prefixes, the longest first.
    served: Vec<Served>,
}

/// A prefix and the route to which it leads.
#[derive(Clone, Debug)]
struct Served {
    path: String,
    route: String,
    base_path: Arc<BasePath>,
    /// Whether paths below it lead to routes below the route.
    with_all_below: bool,
}

impl BasePaths {
    /// The namespace and the configured base paths.
    pub(crate) fn new(others: &[BasePathPattern]) -> Self {
        let languages = [None].into_iter().chain(Language::ALL.map(Some));
        let base_paths: Vec<_> = languages
            .flat_map(|language| {
                let others = others.iter().map(move |path| path.base_path(language));
                others
                    .chain([BasePath::of_namespace(language)])
                    .map(Arc::new)
            })
            .collect();
        let mut served = Vec::new();
        for base_path in &base_paths {
            let serve = |path: &str, route: String, with_all_below| Served {
                path: path.to_owned(),
                route,
                base_path: Arc::clone(base_path),
                with_all_below,
            };
            if let Some(root) = &base_path.root {
                let below = format!("/{}", site::HOST_NAMESPACE);
                served.push(serve(
                    &format!("{root}{below}"),
                    site::HOST_ROOT.to_owned() + &below,
                    true,
                ));
                served.push(serve(root, site::HOST_ROOT.to_owned(), false));
            }
            served.push(serve(&base_path.prefix, format!("/{NAMESPACE}"), true));
        }
        // The longest prefix counts; of equal ones the first, as the sort is stable.
        served.sort_by_key(|one| std::cmp::Reverse(one.path.len()));
        Self {
            old_events: None,
            all: base_paths,
            served,
        }
    }

    /// Sets the path that old addresses of events have instead of `/events`.
    #[must_use]
    pub(crate) fn with_old_events(mut self, path: Option<&BasePathPattern>) -> Self {
        let path = path.and_then(BasePathPattern::below_language);
        self.old_events = path.map(Into::into);
        self
    }

    /// The path below `/events` of an old address whose site renamed `events`. A language stays before it.
    pub(crate) fn renamed(&self, path: &str) -> Option<String> {
        let old = self.old_events.as_deref()?;
        let languages = Language::ALL.map(segment).into_iter();
        let below = |language: &str| {
            let rest = path.strip_prefix(language)?.strip_prefix(old)?;
            let is_below = rest.is_empty() || rest.starts_with('/');
            is_below.then(|| format!("{language}{EVENTS}{rest}"))
        };
        languages.chain([String::new()]).find_map(|one| below(&one))
    }

    /// The base path and the route of a path.
    pub(crate) fn find(&self, path: &str) -> Option<(&Arc<BasePath>, String)> {
        self.served.iter().find_map(|one| {
            let rest = path.strip_prefix(&one.path)?;
            let is_served = rest.is_empty() || one.with_all_below && rest.starts_with('/');
            is_served.then(|| (&one.base_path, format!("{}{rest}", one.route)))
        })
    }

    /// The base path and the route of a path relative to any root: `/tribe/events/v1/events`.
    pub(crate) fn find_below_root(
        &self,
        path: &str,
        language: Option<Language>,
    ) -> Option<(&Arc<BasePath>, String)> {
        if let Some(base_path) = self.announced(language)
            && (path.is_empty() || is_below(path, &format!("/{}", site::HOST_NAMESPACE)))
        {
            return Some((base_path, format!("{}{path}", site::HOST_ROOT)));
        }
        self.all.iter().find_map(|base_path| {
            let rest = path
                .strip_prefix('/')?
                .strip_prefix(&*base_path.namespace)?;
            let is_below = rest.is_empty() || rest.starts_with('/');
            (is_below && base_path.language == language)
                .then(|| (base_path, format!("/{NAMESPACE}{rest}")))
        })
    }

    /// The base path that pages in a language announce: the first one with a discovery object.
    pub(crate) fn announced(&self, language: Option<Language>) -> Option<&Arc<BasePath>> {
        let mut base_paths = self.all.iter();
        base_paths.find(|base_path| base_path.root.is_some() && base_path.language == language)
    }

    /// The base paths that share the discovery object of `base_path`.
    pub fn beside<'a>(
        &'a self,
        base_path: &'a BasePath,
    ) -> impl Iterator<Item = &'a Arc<BasePath>> {
        let base_paths = self.all.iter();
        base_paths.filter(|other| other.root.is_some() && other.root == base_path.root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::tests::parse_base_path;

    #[test]
    fn paths() {
        for (text, french) in [
            ("/wp-json/tribe/events/v1", "/fr/wp-json/tribe/events/v1"),
            ("/WP-JSON/{lang}/tribe/", "/wp-json/fr/tribe"),
            ("/{lang}/api", "/fr/api"),
            ("/api/{lang}", "/api/fr"),
            ("/api", "/fr/api"),
        ] {
            let path = parse_base_path(text).unwrap();
            assert_eq!(
                path.base_path(Some(Language::French)).prefix,
                french,
                "{text}"
            );
        }
        for text in [
            "",
            "/",
            "//",
            "api",
            "/a//b",
            "/a/../b",
            "/a b",
            "/a?b",
            "/a%20b",
            "/é",
            "/{lang}",
            "/{lang}/a/{lang}",
            "/a{lang}",
            "/{language}/a",
        ] {
            let invalid = InvalidBasePath::NoPath;
            assert_eq!(parse_base_path(text), Err(invalid), "{text}");
        }
    }

    #[test]
    fn what_is_served_otherwise_is_left_where_it_is() {
        for (text, by) in [
            ("/cal/events/v1/", "/cal/events/v1"),
            ("/Cal/Events/v1/tags", "/cal/events/v1"),
            ("/fr/cal/events/v1", "/fr/cal/events/v1"),
            ("/healthz", "/healthz"),
            ("/livez", "/livez"),
            ("/readyz", "/readyz"),
            ("/media", "/media/{*path}"),
            ("/media/x", "/media/{*path}"),
            ("/assets", "/assets/{file}"),
            ("/event", "/event/{slug}"),
            ("/{lang}/event", "/event/{slug}"),
            ("/event/{lang}", "/event/{slug}"),
            ("/events", "/events/category/{*path}"),
            ("/events/category/x", "/events/category/{*path}"),
            ("/fr", "/fr/"),
            ("/fr/tag/x", "/fr/tag/{slug}"),
        ] {
            let by = by.to_owned();
            let taken = InvalidBasePath::Taken { by };
            assert_eq!(parse_base_path(text), Err(taken), "{text}");
        }
        for text in [
            "/cal",
            "/cal/events",
            "/cal/events/v10",
            "/events/v1",
            "/fr/api",
            "/fr/media",
            "/eventful",
            "/healthz/v1",
        ] {
            assert!(parse_base_path(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn the_longest_is_found() {
        let base_paths = BasePaths::new(&[parse_base_path("/cal").unwrap()]);
        for (path, found) in [
            ("/cal/events/v1", Some(("/cal/events/v1", ""))),
            (
                "/ar/cal/events/v1/tags",
                Some(("/ar/cal/events/v1", "/tags")),
            ),
            ("/cal/events", Some(("/cal", "/events"))),
            ("/cal/events/v10", Some(("/cal", "/events/v10"))),
            ("/calendar", None),
            ("/de/cal/events/v1", None),
            ("/", None),
        ] {
            let found = found.map(|(prefix, rest)| (prefix, format!("/{NAMESPACE}{rest}")));
            let base_path = base_paths.find(path);
            assert_eq!(
                base_path.map(|(base_path, route)| (base_path.prefix.as_str(), route)),
                found
            );
        }
    }

    #[test]
    fn namespaces_and_roots() {
        for (path, namespace, root, french) in [
            (
                "/wp-json/tribe/events/v1",
                "tribe/events/v1",
                Some("/wp-json"),
                Some("/fr/wp-json"),
            ),
            (
                "/wp-json/{lang}/tribe/events/v1",
                "tribe/events/v1",
                Some("/wp-json"),
                Some("/wp-json/fr"),
            ),
            (
                "/{lang}/a/b/x/y/v12",
                "x/y/v12",
                Some("/a/b"),
                Some("/fr/a/b"),
            ),
            // The root would be the home page, the page of a language, or another route.
            ("/tribe/events/v1", "tribe/events/v1", None, None),
            ("/fr/tribe/events/v1", "tribe/events/v1", None, None),
            ("/healthz/tribe/events/v1", "tribe/events/v1", None, None),
            ("/a/tribe/events/v", NAMESPACE, None, None),
            ("/a/tribe/events/v1a", NAMESPACE, None, None),
            ("/a/tribe/{lang}/events/v1", NAMESPACE, None, None),
            ("/a/events/v1", "a/events/v1", None, None),
            ("/events/v1", NAMESPACE, None, None),
            ("/api", NAMESPACE, None, None),
        ] {
            let path = parse_base_path(path).unwrap();
            for (language, root) in [(None, root), (Some(Language::French), french)] {
                let base_path = path.base_path(language);
                assert_eq!(
                    (&*base_path.namespace, base_path.root.as_deref()),
                    (namespace, root),
                    "{path:?}"
                );
            }
        }
    }

    #[test]
    fn a_site_may_have_renamed_events() {
        let path = parse_base_path("/Agenda/").unwrap();
        let base_paths = BasePaths::new(&[]).with_old_events(Some(&path));
        for (path, renamed) in [
            ("/agenda", Some("/events")),
            ("/agenda/month/2026-12", Some("/events/month/2026-12")),
            ("/fr/agenda/feed", Some("/fr/events/feed")),
            ("/agendas", None),
            ("/events", None),
            ("/de/agenda", None),
        ] {
            assert_eq!(base_paths.renamed(path).as_deref(), renamed, "{path}");
        }
        assert_eq!(BasePaths::new(&[]).renamed("/agenda"), None);
    }

    #[test]
    fn what_lies_at_a_root() {
        let paths = ["/wp-json/tribe/events/v1", "/wp-json", "/x/{lang}/a/b/v1"];
        let base_paths = BasePaths::new(&paths.map(|path| parse_base_path(path).unwrap()));
        for (path, found) in [
            ("/wp-json", "/Host"),
            ("/wp-json/wp/v2", "/Host/wp/v2"),
            ("/fr/wp-json/wp/v2/tags", "/Host/wp/v2/tags"),
            ("/x/fr", "/Host"),
            ("/wp-json/events", "/cal/events/v1/events"),
            ("/wp-json/wp/v20", "/cal/events/v1/wp/v20"),
        ] {
            assert_eq!(base_paths.find(path).unwrap().1, found, "{path}");
        }
        assert!(base_paths.find("/x/other").is_none());
        let french = Some(Language::French);
        for (path, found) in [
            ("", Some(("/fr/wp-json/tribe/events/v1", "/Host"))),
            (
                "/wp/v2/tags",
                Some(("/fr/wp-json/tribe/events/v1", "/Host/wp/v2/tags")),
            ),
            (
                "/a/b/v1/tags",
                Some(("/x/fr/a/b/v1", "/cal/events/v1/tags")),
            ),
            ("/cal/events/v1", Some(("/fr/wp-json", "/cal/events/v1"))),
            ("/a/b/v10", None),
            ("/x", None),
        ] {
            let base_path = base_paths.find_below_root(path, french);
            let base_path = base_path
                .as_ref()
                .map(|(base_path, route)| (&*base_path.prefix, &**route));
            assert_eq!(base_path, found, "{path}");
        }
        let none = BasePaths::new(&[]);
        assert!(none.find_below_root("", None).is_none());
        assert!(none.find_below_root("/wp/v2/tags", None).is_none());
    }
}
