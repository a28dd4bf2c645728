//! The parser of web URLs.

use std::str::FromStr;

use percent_encoding::{CONTROLS, utf8_percent_encode};

use super::WebUrl;

/// The reason why a text is not a [`WebUrl`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidWebUrl {
    /// The text does not start with `http://` or `https://`.
    #[error("must start with http:// or https://")]
    Scheme,
    /// The text contains a blank, a control character, or one of `<>"\`.
    #[error("must consist of printable characters without blanks")]
    Character,
    /// The host is missing, or host or port are invalid.
    #[error("must name a host")]
    Host,
    /// The URL has a name or a password, where none is allowed.
    #[error("must have no name and no password")]
    Credentials,
    /// The URL is longer than [`WebUrl::MAX_BYTES`].
    #[error("must have at most {max} bytes, has {bytes}", max = WebUrl::MAX_BYTES)]
    TooLong {
        /// Length in bytes; for a text beyond ASCII, of its ASCII form.
        bytes: usize,
    },
}

impl FromStr for WebUrl {
    type Err = InvalidWebUrl;

    /// Parses a URL; nothing is trimmed, completed or normalized. Characters beyond ASCII are
    /// encoded: in the host by IDNA, elsewhere as percent-encoded UTF-8.
    ///
    /// # Errors
    ///
    /// [`InvalidWebUrl`], naming the rule that `raw` violates.
    ///
    /// ```
    /// use events_calendar_domain::web_url::{InvalidWebUrl, WebUrl};
    ///
    /// let url = "https://a.example/x?a=1&b=2".parse::<WebUrl>()?;
    /// assert_eq!(url.as_str(), "https://a.example/x?a=1&b=2");
    /// let url = "https://bücher.example/é".parse::<WebUrl>()?;
    /// assert_eq!(url.as_str(), "https://xn--bcher-kva.example/%C3%A9");
    /// assert_eq!("mailto:a@b.co".parse::<WebUrl>(), Err(InvalidWebUrl::Scheme));
    /// # Ok::<(), InvalidWebUrl>(())
    /// ```
    fn from_str(raw: &str) -> Result<Self, InvalidWebUrl> {
        let checked = |text: &str| match text.len() {
            bytes if bytes > Self::MAX_BYTES => Err(InvalidWebUrl::TooLong { bytes }),
            _ => Ok(()),
        };
        checked(raw)?;
        let refused =
            |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '\\');
        if raw.contains(refused) {
            return Err(InvalidWebUrl::Character);
        }
        let (scheme, rest) = raw.split_once("://").ok_or(InvalidWebUrl::Scheme)?;
        if !["http", "https"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(scheme))
        {
            return Err(InvalidWebUrl::Scheme);
        }
        // The URL parser skips surplus slashes; other readers do not.
        let url = url::Url::parse(raw).map_err(|_| InvalidWebUrl::Host)?;
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.filter(|_| !rest.starts_with('/'));
        let host = host.ok_or(InvalidWebUrl::Host)?;
        if raw.is_ascii() {
            return Ok(Self(raw.to_owned()));
        }
        let ascii = format!("{scheme}://{}", in_ascii(rest, host));
        checked(&ascii)?;
        Ok(Self(ascii))
    }
}

/// The text after `://` in ASCII; `host` is the ASCII form of its host.
fn in_ascii(rest: &str, host: &str) -> String {
    let path = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(path);
    let (user, sent_host) = authority
        .rfind('@')
        .map_or(("", authority), |at| authority.split_at(at + 1));
    let host = if sent_host.is_ascii() {
        sent_host.to_owned()
    } else {
        // A host beyond ASCII is not an IPv6 address: a colon in it starts the port.
        let port = sent_host.find(':').unwrap_or(sent_host.len());
        format!("{host}{}", &sent_host[port..])
    };
    // Neither part has control characters: only bytes beyond ASCII are encoded.
    let encoded = |text| utf8_percent_encode(text, CONTROLS);
    format!("{}{host}{}", encoded(user), encoded(path))
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
            assert_eq!(raw.parse::<WebUrl>().unwrap().to_string(), raw);
        }
    }

    #[test]
    fn addresses_beyond_ascii_are_kept_in_ascii() {
        for (raw, ascii) in [
            ("http://exämple.org", "http://xn--exmple-cua.org"),
            (
                "HTTP://EXÄMPLE.org:8080?é#ü",
                "HTTP://xn--exmple-cua.org:8080?%C3%A9#%C3%BC",
            ),
            (
                "http://Example.org/é%20%C3%A9",
                "http://Example.org/%C3%A9%20%C3%A9",
            ),
            (
                "https://例え.テスト/東京",
                "https://xn--r8jz45g.xn--zckzah/%E6%9D%B1%E4%BA%AC",
            ),
            (
                "https://مثال.إختبار/؟",
                "https://xn--mgbh0fb.xn--kgbechtv/%D8%9F",
            ),
            (
                "http://é:ü@a.example/@é",
                "http://%C3%A9:%C3%BC@a.example/@%C3%A9",
            ),
            ("http://faß。example/", "http://xn--fa-hia.example/"),
            ("http://[::1]/é", "http://[::1]/%C3%A9"),
        ] {
            let url = raw.parse::<WebUrl>().unwrap();
            assert_eq!(url.as_str(), ascii, "{raw}");
            assert_eq!(ascii.parse::<WebUrl>(), Ok(url), "{raw}");
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
            ("http://example.org/\u{a0}x", Character),
            ("http://exämple.org/\u{3000}", Character),
            ("http://é\u{85}.org", Character),
            ("http://xn--ü.example/", Host),
            ("http://é[.example/", Host),
            ("http://é／x.example/", Host),
            ("http://x/\"><b>", Character),
            ("http:\\\\x", Character),
            ("http://", Host),
            ("http:///x", Host),
            ("http://?a", Host),
            ("http://x:99999/", Host),
            ("http://:80", Host),
        ] {
            assert_eq!(raw.parse::<WebUrl>(), Err(error), "{raw}");
        }
        for (long, bytes) in [("a".repeat(2040), 2049), ("é".repeat(340), 2049)] {
            let long = format!("http://x/{long}");
            assert_eq!(
                long.parse::<WebUrl>(),
                Err(InvalidWebUrl::TooLong { bytes })
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_has_an_answer(raw in prop_oneof![any::<String>(), "https?://[ -~]{0,20}", "https?://\\PC{0,20}"]) {
            if let Ok(url) = raw.parse::<WebUrl>() {
                prop_assert!(url.as_str().is_ascii());
                prop_assert!(!raw.is_ascii() || url.as_str() == raw);
                prop_assert_eq!(url.as_str().parse::<WebUrl>(), Ok(url));
            }
        }
    }
}
