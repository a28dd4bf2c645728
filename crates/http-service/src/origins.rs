//! Origins of browser pages: of this site, and of the sites that it trusts.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Origins whose pages may use the credentials that a browser stores, such as
/// `https://cal.example`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrustedOrigins(Arc<[String]>);

impl TrustedOrigins {
    pub(crate) fn new(origins: impl IntoIterator<Item = String>) -> Self {
        let origins = origins.into_iter();
        Self(origins.map(|origin| origin.to_ascii_lowercase()).collect())
    }

    pub(crate) fn holds(&self, origin: &HeaderValue) -> bool {
        let origin = origin.as_bytes();
        let mut trusted = self.0.iter();
        trusted.any(|one| one.as_bytes().eq_ignore_ascii_case(origin))
    }
}

/// Marks a request that a page of another site may have sent without a preflight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CrossSite;

/// The origin of this site, and the trusted ones.
#[derive(Clone, Debug)]
pub(crate) struct SiteOrigins {
    own: Arc<str>,
    trusted: TrustedOrigins,
}

impl SiteOrigins {
    /// The origins of a service that is reached at `public_url`.
    pub(crate) fn new(public_url: &str, trusted: TrustedOrigins) -> Self {
        let host = public_url.find("://").map_or(0, |scheme| scheme + 3);
        let end = public_url[host..].find('/').map(|path| host + path);
        let own = &public_url[..end.unwrap_or(public_url.len())];
        Self {
            own: own.to_ascii_lowercase().into(),
            trusted,
        }
    }

    /// Whether a request comes from a page of an origin that is neither this site nor trusted.
    pub(crate) fn is_from_elsewhere(&self, headers: &HeaderMap) -> bool {
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| self.trusted.holds(origin)) {
            return false;
        }
        let is_own =
            |origin: &HeaderValue| origin.as_bytes().eq_ignore_ascii_case(self.own.as_bytes());
        let site = headers.get(FETCH_SITE);
        origin.is_some_and(|origin| !is_own(origin))
            || site.is_some_and(|site| site.as_bytes() == b"cross-site")
    }

    /// Whether a page of this very origin sent a request: the browser says so, and nothing says
    /// otherwise.
    pub(crate) fn is_own(&self, headers: &HeaderMap) -> bool {
        let own = self.own.as_bytes();
        let origins = headers.get_all(header::ORIGIN).into_iter();
        let origins = origins.map(|origin| origin.as_bytes().eq_ignore_ascii_case(own));
        let sites = headers.get_all(FETCH_SITE).into_iter();
        let sites = sites.map(|site| site.as_bytes() == b"same-origin");
        let says: Vec<_> = origins.chain(sites).collect();
        !says.is_empty() && says.into_iter().all(|is_own| is_own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_origin_is_without_path() {
        for (url, own) in [
            ("https://cal.example", "https://cal.example"),
            ("https://cal.example/", "https://cal.example"),
            (
                "http://Cal.example:8080/sub/path",
                "http://cal.example:8080",
            ),
        ] {
            assert_eq!(&*SiteOrigins::new(url, TrustedOrigins::default()).own, own);
        }
    }
}
