//! Addresses of sources.

use crate::Secret;

/// The address of a source. Private calendars carry their secret in it, so that `Debug` hides it.
///
/// Only the feature `url` can parse an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceUrl(Secret);

impl SourceUrl {
    /// The whole address, for the request and for administrators.
    ///
    /// ```
    /// use events_calendar_domain::source::SourceUrl;
    /// let url = "webcal://club.example/5f2a.ics".parse::<SourceUrl>()?;
    /// assert_eq!(url.expose(), "https://club.example/5f2a.ics");
    /// # Ok::<(), events_calendar_domain::web_url::InvalidWebUrl>(())
    /// ```
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// Scheme, host and port, which everybody may see who sees the source.
    ///
    /// ```
    /// use events_calendar_domain::source::SourceUrl;
    /// let url = "http://Club.example:8080?key=5f2a".parse::<SourceUrl>()?;
    /// assert_eq!(url.origin(), "http://Club.example:8080");
    /// # Ok::<(), events_calendar_domain::web_url::InvalidWebUrl>(())
    /// ```
    pub fn origin(&self) -> &str {
        let url = self.expose();
        let host = url.find("://").map_or(0, |at| at + "://".len());
        let end = url[host..].find(['/', '?', '#']);
        end.map_or(url, |end| &url[..host + end])
    }
}

#[cfg(feature = "url")]
impl std::str::FromStr for SourceUrl {
    type Err = crate::web_url::InvalidWebUrl;

    /// Parses an address of `http`, `https`, `webcal` or `webcals`; the last two, by which calendars are
    /// subscribed to, mean `https`. A name or a password in it is refused.
    ///
    /// ```
    /// use events_calendar_domain::{source::SourceUrl, web_url::InvalidWebUrl};
    /// let refused = "https://ann:5f2a@club.example/".parse::<SourceUrl>();
    /// assert_eq!(refused, Err(InvalidWebUrl::Credentials));
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        use crate::web_url::{InvalidWebUrl, WebUrl};

        let text = text.trim();
        let scheme = text.find("://").unwrap_or(0);
        let is_webcal = ["webcal", "webcals"]
            .iter()
            .any(|known| text[..scheme].eq_ignore_ascii_case(known));
        let url: WebUrl = if is_webcal {
            format!("https{}", &text[scheme..]).parse()?
        } else {
            text.parse()?
        };
        let url = Self(url.as_str().to_owned().into());
        if url.origin().contains('@') {
            return Err(InvalidWebUrl::Credentials);
        }
        Ok(url)
    }
}
