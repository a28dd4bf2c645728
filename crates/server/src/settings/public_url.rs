//! The URL under which clients reach the service.

use std::fmt;

use url::{ParseError, Url};

/// An http or https URL without query and trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublicUrl(String);

impl PublicUrl {
    /// Parses a URL.
    ///
    /// # Errors
    ///
    /// The reason why it is invalid, without the text: a wrong one may hold a password.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(invalid_url)?;
        if url.host_str().is_none() || !matches!(url.scheme(), "http" | "https") {
            return Err("must begin with http:// or https://, and name a host".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("must not have a query or fragment (`?`, `#`)".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not have a user or password".to_owned());
        }
        let path = url.path().trim_end_matches('/');
        let origin = url.origin().ascii_serialization();
        Ok(Self(format!("{origin}{path}")))
    }

    /// The URL of a server without a public one.
    pub(crate) fn of_host(host: &str, port: u16) -> Self {
        Self(format!("http://{host}:{port}"))
    }

    /// The URL of a server with TLS and this name.
    pub(crate) fn of_tls(name: &str) -> Option<Self> {
        Self::parse(&format!("https://{name}")).ok()
    }

    /// The URL: `https://cal.example/sub`.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it has a path, behind the slashes of the scheme.
    pub(crate) fn has_path(&self) -> bool {
        self.0.matches('/').count() > 2
    }
}

/// The reason why a text is no URL, in words of whoever typed it.
pub(super) fn invalid_url(error: ParseError) -> String {
    match error {
        ParseError::RelativeUrlWithoutBase => {
            "is not a URL: it must begin with a scheme, as https://cal.example does".to_owned()
        }
        ParseError::InvalidPort => {
            "is not a URL: what stands behind the last `:` of the host is no port from 0 to 65535; \
             `/`, `?` and `#` in a password are written %2F, %3F and %23"
                .to_owned()
        }
        error => format!("is not a URL: {error}"),
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use app::site::Site;

    use super::*;

    #[test]
    fn the_host_is_without_port_and_with_path() {
        for (text, url, host) in [
            ("https://cal.example", "https://cal.example", "cal.example"),
            ("https://Cal.Example/", "https://cal.example", "cal.example"),
            (
                "http://cal.example:8080",
                "http://cal.example:8080",
                "cal.example",
            ),
            (
                "https://cal.example:443/sub/",
                "https://cal.example/sub",
                "cal.example/sub",
            ),
            ("http://[::1]:80/a/b", "http://[::1]/a/b", "[::1]/a/b"),
        ] {
            let parsed = PublicUrl::parse(text).unwrap();
            assert_eq!(parsed.as_str(), url, "{text}");
            assert_eq!(Site::at(url).host, host, "{text}");
            assert_eq!(parsed.has_path(), host.contains('/'), "{text}");
        }
    }

    #[test]
    fn invalid_urls_are_refused() {
        for text in [
            "",
            "cal.example",
            "cal.example:8080",
            "ftp://cal.example",
            "file:///srv",
            "https://",
            "https://cal.example/?a=1",
            "https://cal.example/#a",
            "https://ann@cal.example",
            "https://cal.example:99999",
        ] {
            assert!(PublicUrl::parse(text).is_err(), "{text}");
        }
        for secret in [
            "https://ann:hunter2@cal.example",
            "https://ann:hunter2#x@cal.example",
            "https://ann:hunter2@cal.example/?a",
            "https://ann:hunter2@cal.example:99999",
            "ftp://ann:hunter2@cal.example",
            "ann:hunter2@cal.example",
            "//ann:hunter2@cal.example",
        ] {
            let refused = PublicUrl::parse(secret).unwrap_err();
            assert!(!refused.contains("hunter2"), "{refused}");
        }
        let refused = PublicUrl::parse("cal.example").unwrap_err();
        assert!(refused.contains("must begin with a scheme"), "{refused}");
    }

    #[test]
    fn the_default_url_is_that_of_the_host() {
        let of = |host: &str| PublicUrl::of_host(host, 8080);
        assert_eq!(of("127.0.0.1").as_str(), "http://127.0.0.1:8080");
        assert_eq!(Site::at(of("[::1]").as_str()).host, "[::1]");
    }
}
