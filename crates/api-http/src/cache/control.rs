//! How long shared caches may store public answers.

use axum::http::HeaderValue;

/// How long others may keep what everybody may read.
#[derive(Clone, Debug)]
pub(crate) struct PublicCaching(pub(crate) HeaderValue);

impl Default for PublicCaching {
    /// They ask each time whether it is still good.
    fn default() -> Self {
        Self(HeaderValue::from_static(REVALIDATED))
    }
}

impl PublicCaching {
    /// For so many seconds without asking, and for so many more while they ask.
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
