//! `Cache-Control` of public responses.

use axum::http::HeaderValue;

/// The time for which shared caches may store public responses.
#[derive(Clone, Debug)]
pub(crate) struct PublicCaching(pub(crate) HeaderValue);

impl Default for PublicCaching {
    /// Caches revalidate each time.
    fn default() -> Self {
        Self(HeaderValue::from_static(REVALIDATED))
    }
}

impl PublicCaching {
    /// Fresh for `max_age_seconds`, and usable for `stale_seconds` more while a cache revalidates.
    pub(crate) fn new(max_age_seconds: u32, stale_seconds: u32) -> Self {
        let value = match (max_age_seconds, stale_seconds) {
            (0, 0) => return Self::default(),
            (age, 0) => format!("public, max-age={age}"),
            (age, stale) => format!("public, max-age={age}, stale-while-revalidate={stale}"),
        };
        HeaderValue::try_from(value).map_or_else(|_| Self::default(), Self)
    }
}

pub(crate) const REVALIDATED: &str = "public, max-age=0, must-revalidate";
