//! The sites that may show the calendar in a frame.

use std::{fmt, str::FromStr};

/// A source of the directive `frame-ancestors` of a content security policy (CSP Level 3, 6.4.2): a site that may
/// show the pages below `/embed/` in a frame.
///
/// ```
/// use events_calendar_http_service::embedding::EmbedAncestor;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let town: EmbedAncestor = "HTTPS://Town.example/".parse()?;
/// assert_eq!(town.to_string(), "https://town.example");
/// assert!("https://*.town.example:8443".parse::<EmbedAncestor>().is_ok());
/// assert!("town.example".parse::<EmbedAncestor>().is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedAncestor(String);

/// The reason why a text is no [`EmbedAncestor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not an origin such as https://town.example or https://*.town.example, nor *")]
pub struct InvalidAncestor;

impl FromStr for EmbedAncestor {
    type Err = InvalidAncestor;

    fn from_str(text: &str) -> Result<Self, InvalidAncestor> {
        let text = text.trim().to_ascii_lowercase();
        if text == "*" {
            return Ok(Self(text));
        }
        let origin = text.strip_suffix('/').unwrap_or(&text);
        let is_origin = ["https://", "http://"]
            .iter()
            .filter_map(|scheme| origin.strip_prefix(scheme))
            .any(is_authority);
        if is_origin {
            Ok(Self(origin.to_owned()))
        } else {
            Err(InvalidAncestor)
        }
    }
}

/// Whether a text is a host, whose first label may be `*`, with or without a port.
fn is_authority(text: &str) -> bool {
    let (host, port) = match text.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    let is_port = |port: &str| {
        port.bytes().all(|byte| byte.is_ascii_digit())
            && port.parse::<u16>().is_ok_and(|port| port > 0)
    };
    let is_label = |label: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_plain)
    };
    host.strip_prefix("*.")
        .unwrap_or(host)
        .split('.')
        .all(is_label)
        && port.is_none_or(is_port)
}

impl fmt::Display for EmbedAncestor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The value of `frame-ancestors` for some sites; `None` for none.
pub(crate) fn directive(ancestors: &[EmbedAncestor]) -> Option<String> {
    let sources: Vec<_> = ancestors.iter().map(EmbedAncestor::to_string).collect();
    (!sources.is_empty()).then(|| sources.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_and_the_wildcard_are_ancestors() {
        for text in [
            "https://town.example",
            "http://localhost:3000",
            "https://*.town.example",
            "https://192.0.2.7:8443",
            "*",
        ] {
            assert_eq!(
                text.parse().map(|one: EmbedAncestor| one.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in [
            "",
            "town.example",
            "https://",
            "https://*",
            "https://a.*.example",
            "https://town.example/path",
            "https://town.example; script-src *",
            "https://town.example https://b.example",
            "https://town..example",
            "https://user@town.example",
            "https://town.example:",
            "https://town.example:0",
            "https://town.example:+1",
            "https://town.example:65536",
            "https://münchen.example",
            "'self'",
            "data:",
            "ftp://town.example",
        ] {
            assert_eq!(
                text.parse::<EmbedAncestor>(),
                Err(InvalidAncestor),
                "{text}"
            );
        }
    }

    #[test]
    fn the_directive_has_all_ancestors() {
        let [a, b] = ["https://a.example", "https://*.b.example"].map(|one| one.parse().unwrap());
        let both = directive(&[a, b]);
        assert_eq!(
            both.as_deref(),
            Some("https://a.example https://*.b.example")
        );
        assert_eq!(directive(&[]), None);
    }
}
