//! Web addresses of records.

use std::fmt;

/// An absolute `http` or `https` address, kept exactly as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebUrl(String);

/// Why a text is no [`WebUrl`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidWebUrl {
    /// It does not start with `http://` or `https://`.
    #[error("must start with http:// or https://")]
    Scheme,
    /// It holds a blank, a control character, a character beyond ASCII, or one of `<>"\`.
    #[error("must consist of printable ASCII characters without blanks")]
    Character,
    /// It has no host, or a host or port that cannot be.
    #[error("must name a host")]
    Host,
    /// It is longer than [`WebUrl::MAX_BYTES`].
    #[error("must have at most {max} bytes, has {bytes}", max = WebUrl::MAX_BYTES)]
    TooLong {
        /// Length of the text, in bytes.
        bytes: usize,
    },
}

impl WebUrl {
    /// Longest address accepted, in bytes; more than any browser shows.
    pub const MAX_BYTES: usize = 2048;

    /// Parses an address; nothing is trimmed, completed or normalised.
    ///
    /// # Errors
    ///
    /// [`InvalidWebUrl`], naming the rule that `raw` breaks.
    ///
    /// ```
    /// use domain::web_url::{InvalidWebUrl, WebUrl};
    ///
    /// let url = WebUrl::parse("https://a.example/x?a=1&b=2")?;
    /// assert_eq!(url.as_str(), "https://a.example/x?a=1&b=2");
    /// assert_eq!(WebUrl::parse("mailto:a@b.co"), Err(InvalidWebUrl::Scheme));
    /// # Ok::<(), InvalidWebUrl>(())
    /// ```
    pub fn parse(raw: &str) -> Result<Self, InvalidWebUrl> {
        if raw.len() > Self::MAX_BYTES {
            return Err(InvalidWebUrl::TooLong { bytes: raw.len() });
        }
        let allowed = |b: u8| b.is_ascii_graphic() && !matches!(b, b'<' | b'>' | b'"' | b'\\');
        if !raw.bytes().all(allowed) {
            return Err(InvalidWebUrl::Character);
        }
        let (scheme, rest) = raw.split_once("://").ok_or(InvalidWebUrl::Scheme)?;
        if !["http", "https"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(scheme))
        {
            return Err(InvalidWebUrl::Scheme);
        }
        // The URL parser skips surplus slashes; a reader would not.
        let url = url::Url::parse(raw).map_err(|_| InvalidWebUrl::Host)?;
        if rest.starts_with('/') || url.host_str().is_none_or(str::is_empty) {
            return Err(InvalidWebUrl::Host);
        }
        Ok(Self(raw.to_owned()))
    }

    /// The address as sent.
    ///
    /// ```
    /// # use domain::web_url::WebUrl;
    /// assert_eq!(WebUrl::parse("HTTP://A.example")?.as_str(), "HTTP://A.example");
    /// # Ok::<(), domain::web_url::InvalidWebUrl>(())
    /// ```
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn web_addresses_are_kept_as_sent() {
        for raw in [
            "http://example.org",
            "https://a.example/x?a=1&b=2#c",
            "HTTPS://Example.ORG:8080/%C3%A9",
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://localhost/~me/{x}",
        ] {
            assert_eq!(WebUrl::parse(raw).unwrap().to_string(), raw);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        use InvalidWebUrl::{Character, Host, Scheme};
        for (raw, error) in [
            ("", Scheme),
            ("example.org", Scheme),
            ("//example.org", Scheme),
            ("/x", Scheme),
            ("javascript://x/%0aalert(1)", Scheme),
            ("mailto:a@b.co", Scheme),
            ("http:example.org", Scheme),
            ("ftp://example.org/a", Scheme),
            ("ftp://example.org/a b", Character),
            (" http://example.org", Character),
            ("http://example.org\n", Character),
            ("http://exämple.org", Character),
            ("http://example.org/é", Character),
            ("http://x/\"><b>", Character),
            ("http:\\\\x", Character),
            ("http://", Host),
            ("http:///x", Host),
            ("http://?a", Host),
            ("http://x:99999/", Host),
            ("http://:80", Host),
        ] {
            assert_eq!(WebUrl::parse(raw), Err(error), "{raw}");
        }
        let long = format!("http://x/{}", "a".repeat(2040));
        assert_eq!(
            WebUrl::parse(&long),
            Err(InvalidWebUrl::TooLong { bytes: 2049 })
        );
    }

    proptest! {
        #[test]
        fn any_text_has_an_answer(raw in prop_oneof![any::<String>(), "https?://[ -~]{0,20}"]) {
            if let Ok(url) = WebUrl::parse(&raw) {
                prop_assert_eq!(url.as_str(), raw);
            }
        }
    }
}
