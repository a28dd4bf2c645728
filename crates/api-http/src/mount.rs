//! Under which paths the interface is served.

use std::{fmt, sync::Arc};

use domain::Language;

use crate::{NAMESPACE, pages, routes::routes};

/// Where the code of a language stands in a [`MountPath`].
const LANGUAGE: &str = "{lang}";

/// A path under which the interface is served beside `/cal/events/v1`, such as
/// `/wp-json/tribe/events/v1`.
///
/// The code of a language may stand before it (`/fr/wp-json/…`), or where the path says `{lang}`:
/// `/wp-json/{lang}/tribe/events/v1`. Letters are in lower case, as letter case does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MountPath {
    before_language: String,
    after_language: String,
}

/// Why a text is no [`MountPath`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidMountPath {
    /// No request could have it, or it says `{lang}` more than once.
    NoPath,
    /// The service has something else there.
    Taken {
        /// What would no longer be reached.
        by: String,
    },
}

impl fmt::Display for InvalidMountPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPath => write!(
                f,
                "must be a path such as /wp-json/tribe/events/v1, of letters, digits and `-._~`, in \
                 which {LANGUAGE} may stand once"
            ),
            Self::Taken { by } => write!(f, "is a path that the service needs for {by}"),
        }
    }
}

impl std::error::Error for InvalidMountPath {}

impl MountPath {
    /// Reads a path; a slash at its end does not matter.
    ///
    /// # Errors
    ///
    /// [`InvalidMountPath`] if no request could have it, if it says `{lang}` more than once, or if
    /// something else is served there.
    pub fn parse(text: &str) -> Result<Self, InvalidMountPath> {
        let path = text.trim_end_matches('/').to_ascii_lowercase();
        let is_segment = |segment: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
            segment == LANGUAGE
                || (!matches!(segment, "" | "." | "..") && segment.bytes().all(is_plain))
        };
        let invalid = InvalidMountPath::NoPath;
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
        let path = Self {
            before_language: before.to_owned(),
            after_language: after.to_owned(),
        };
        match path.taken() {
            Some(by) => Err(InvalidMountPath::Taken { by }),
            None => Ok(path),
        }
    }

    /// What would no longer be reached if the interface were served here, too.
    fn taken(&self) -> Option<String> {
        let languages = || [None].into_iter().chain(Language::ALL.map(Some));
        let prefixes: Vec<_> = languages()
            .map(|language| self.mount(language).prefix)
            .collect();
        let mut namespaces = languages().map(|language| Mount::of_namespace(language).prefix);
        // Above it there is room: of two mounts the longer one is meant.
        let is_within = |whole: &String| prefixes.iter().any(|prefix| is_below(prefix, whole));
        if let Some(namespace) = namespaces.find(is_within) {
            return Some(namespace);
        }
        let others = routes().into_iter().map(|route| route.path);
        let others = others.filter(|path| !path[1..].starts_with(NAMESPACE));
        let mut others = others.flat_map(|path| {
            let spoken = pages::is_page(&path);
            let languages = languages().filter(move |language| spoken || language.is_none());
            languages.map(move |language| language.map_or_else(String::new, segment) + &path)
        });
        others.find(|other| prefixes.iter().any(|prefix| hides(prefix, other)))
    }

    fn mount(&self, language: Option<Language>) -> Mount {
        let Self {
            before_language,
            after_language,
        } = self;
        let segment = language.map_or_else(String::new, segment);
        Mount {
            prefix: format!("{before_language}{segment}{after_language}"),
            language,
        }
    }
}

/// Whether a path of this pattern could lie under a prefix.
fn hides(prefix: &str, pattern: &str) -> bool {
    match pattern.split_once("/{") {
        Some((fixed, _)) => is_below(fixed, prefix) || is_below(prefix, fixed),
        None => is_below(pattern.trim_end_matches('/'), prefix),
    }
}

/// Whether a path is another or lies below it.
fn is_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The segment of a path that names a language: `/fr`.
pub(crate) fn segment(language: Language) -> String {
    format!("/{language}")
}

/// Under which path a request came, and which language that names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mount {
    /// `/fr/cal/events/v1`.
    pub(crate) prefix: String,
    pub(crate) language: Option<Language>,
}

impl Mount {
    /// That of the namespace itself, in a language.
    pub(crate) fn of_namespace(language: Option<Language>) -> Self {
        let segment = language.map_or_else(String::new, segment);
        Self {
            prefix: format!("{segment}/{NAMESPACE}"),
            language,
        }
    }

    /// For the path of a page for people that names a language: that of the namespace in this
    /// language, and the path without it.
    pub(crate) fn of_page(path: &str) -> Option<(Self, &str)> {
        Language::ALL.into_iter().find_map(|language| {
            let rest = path.strip_prefix(&segment(language))?;
            let rest = if rest.is_empty() { "/" } else { rest };
            pages::is_page(rest).then(|| (Self::of_namespace(Some(language)), rest))
        })
    }
}

impl Default for Mount {
    fn default() -> Self {
        Self::of_namespace(None)
    }
}

/// Every path under which the interface is served.
#[derive(Clone, Debug)]
pub(crate) struct Mounts(Vec<Arc<Mount>>);

impl Mounts {
    /// The namespace and others.
    pub(crate) fn new(others: &[MountPath]) -> Self {
        let namespace = MountPath {
            before_language: String::new(),
            after_language: format!("/{NAMESPACE}"),
        };
        let languages = [None].into_iter().chain(Language::ALL.map(Some));
        let mut mounts: Vec<_> = languages
            .flat_map(|language| {
                let paths = [&namespace].into_iter().chain(others);
                paths.map(move |path| Arc::new(path.mount(language)))
            })
            .collect();
        // One may begin as another does: the longer one is meant.
        mounts.sort_by_key(|mount| std::cmp::Reverse(mount.prefix.len()));
        Self(mounts)
    }

    /// The mount of a path, and what follows it.
    pub(crate) fn find<'a>(&self, path: &'a str) -> Option<(&Arc<Mount>, &'a str)> {
        self.0.iter().find_map(|mount| {
            is_below(path, &mount.prefix).then(|| (mount, &path[mount.prefix.len()..]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (text, french) in [
            ("/wp-json/tribe/events/v1", "/fr/wp-json/tribe/events/v1"),
            ("/WP-JSON/{lang}/tribe/", "/wp-json/fr/tribe"),
            ("/{lang}/api", "/fr/api"),
            ("/api/{lang}", "/api/fr"),
            ("/api", "/fr/api"),
        ] {
            let path = MountPath::parse(text).unwrap();
            assert_eq!(path.mount(Some(Language::French)).prefix, french, "{text}");
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
            let invalid = InvalidMountPath::NoPath;
            assert_eq!(MountPath::parse(text), Err(invalid), "{text}");
        }
    }

    #[test]
    fn what_is_served_otherwise_is_left_where_it_is() {
        for (text, by) in [
            ("/cal/events/v1/", "/cal/events/v1"),
            ("/Cal/Events/v1/tags", "/cal/events/v1"),
            ("/fr/cal/events/v1", "/fr/cal/events/v1"),
            ("/healthz", "/healthz"),
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
            let taken = InvalidMountPath::Taken { by };
            assert_eq!(MountPath::parse(text), Err(taken), "{text}");
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
            assert!(MountPath::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn the_longest_is_found() {
        let mounts = Mounts::new(&[MountPath::parse("/cal").unwrap()]);
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
            let mount = mounts.find(path);
            assert_eq!(
                mount.map(|(mount, rest)| (mount.prefix.as_str(), rest)),
                found
            );
        }
    }
}
