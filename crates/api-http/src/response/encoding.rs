//! Compression of answers.

use std::io::Write;

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
};
use flate2::{Compression, write::GzEncoder};

use super::quality::quality;

/// What is shorter fits into one packet anyway.
const LEAST_BYTES: usize = 1024;

/// Little work for most of what can be won: JSON shrinks to a tenth even so.
const LEVEL: Compression = Compression::new(3);

/// How the bytes of an answer are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As they are.
    Identity,
    /// Compressed.
    Gzip,
}

impl Encoding {
    /// What a client likes best. It takes what is not compressed unless it says otherwise; then, too,
    /// that is better than nothing.
    pub(crate) fn accepted(headers: &HeaderMap) -> Self {
        let quality = |names: &[&str]| quality(headers, &header::ACCEPT_ENCODING, names);
        let gzip = quality(&["gzip", "x-gzip"])
            .or_else(|| quality(&["*"]))
            .unwrap_or(0);
        let identity = quality(&["identity"]).unwrap_or(0);
        if gzip > 0 && gzip >= identity {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// The encoding of an answer of so many bytes.
    pub(crate) fn for_size(self, bytes: usize) -> Self {
        if bytes < LEAST_BYTES {
            Self::Identity
        } else {
            self
        }
    }

    /// What it adds to an entity tag.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Identity => "",
            Self::Gzip => "-gzip",
        }
    }

    pub(crate) fn name(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
        })
    }

    /// The bytes compressed.
    pub(crate) fn gzip(bytes: &[u8]) -> Bytes {
        let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), LEVEL);
        // Writing to a `Vec` cannot fail.
        let _ = encoder.write_all(bytes);
        // Exactly as long as what stands in it, as it may be kept.
        Bytes::from(encoder.finish().unwrap_or_default().into_boxed_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_decides() {
        for (accepted, gzip) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.1, br", true),
            ("x-gzip", true),
            ("*", true),
            ("*;q=0.5, gzip;q=0", false),
            ("gzip;q=0", false),
            ("gzip;q=0.5, identity", false),
            ("gzip;q=0.5, identity;q=0.5", true),
            ("br, deflate", false),
            ("identity;q=0", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, accepted.parse().unwrap());
            let encoding = Encoding::accepted(&headers);
            assert_eq!(encoding == Encoding::Gzip, gzip, "{accepted}");
        }
        assert_eq!(Encoding::accepted(&HeaderMap::new()), Encoding::Identity);
    }
}
