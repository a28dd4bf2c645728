//! Web URLs of records.

#[cfg(feature = "url")]
mod parse;

#[cfg(feature = "url")]
pub use parse::InvalidWebUrl;

/// An absolute `http` or `https` URL in ASCII; a URL sent in ASCII is stored unchanged.
///
/// Only the feature `url` can parse a URL. Without it, there is no way to make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebUrl(String);

text_value!(WebUrl, "HTTP://A.example".parse::<events_calendar_domain::web_url::WebUrl>().unwrap() => "HTTP://A.example");

impl WebUrl {
    /// Longest URL, in bytes; browsers display less.
    ///
    /// ```
    /// use events_calendar_domain::web_url::{InvalidWebUrl, WebUrl};
    /// let bytes = WebUrl::MAX_BYTES + 1;
    /// let url = format!("{:x<bytes$}", "https://a.example/");
    /// assert_eq!(url.parse::<WebUrl>(), Err(InvalidWebUrl::TooLong { bytes }));
    /// ```
    pub const MAX_BYTES: usize = 2048;

    /// The URL that a text is; none without the feature `url`.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        #[cfg(feature = "url")]
        let url = text.parse().ok();
        #[cfg(not(feature = "url"))]
        let url = Some(text).and(None);
        url
    }
}
