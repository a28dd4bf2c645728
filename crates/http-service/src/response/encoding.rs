//! Compression of responses.

use std::{
    io::{self, Write},
    mem,
};

use axum::{
    body::{Body, BodyDataStream, Bytes},
    http::{HeaderMap, HeaderValue, header},
};
use flate2::{Compression, write::GzEncoder};
use futures_util::{StreamExt as _, stream};

use crate::header_values::quality;

/// The smallest response that is compressed, in bytes: a smaller one fits into one packet.
const LEAST_BYTES: usize = 1024;

/// A low compression level, at which JSON shrinks to a tenth.
const LEVEL: Compression = Compression::new(3);

/// The encoding of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Not compressed.
    Identity,
    /// Compressed by gzip.
    Gzip,
}

impl Encoding {
    /// The encoding that the client prefers. Without a preference, and where the client accepts
    /// neither, the response is not compressed.
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

    /// The encoding of a response of `bytes`.
    pub(crate) fn for_size(self, bytes: usize) -> Self {
        if bytes < LEAST_BYTES {
            Self::Identity
        } else {
            self
        }
    }

    /// The suffix of entity tags.
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

    /// Compresses bytes.
    pub(crate) fn gzip(bytes: &[u8]) -> Bytes {
        let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), LEVEL);
        // Writing to a `Vec` cannot fail.
        let _ = encoder.write_all(bytes);
        // Without spare capacity, as the bytes may be cached.
        Bytes::from(encoder.finish().unwrap_or_default().into_boxed_slice())
    }

    /// Compresses a body as it is sent. An error of the body is one of the result.
    pub(crate) fn gzip_stream(body: Body) -> Body {
        let compressed = Compressed {
            encoder: Some(GzEncoder::new(Vec::new(), LEVEL)),
            body: body.into_data_stream(),
        };
        Body::from_stream(stream::try_unfold(compressed, async |mut rest| {
            Ok::<_, io::Error>(rest.next().await?.map(|part| (part, rest)))
        }))
    }
}

/// The rest of a body that is compressed as it is sent; without an encoder at its end.
struct Compressed {
    encoder: Option<GzEncoder<Vec<u8>>>,
    body: BodyDataStream,
}

impl Compressed {
    async fn next(&mut self) -> Result<Option<Bytes>, io::Error> {
        let Some(encoder) = &mut self.encoder else {
            return Ok(None);
        };
        match self.body.next().await {
            Some(part) => {
                encoder.write_all(&part.map_err(io::Error::other)?)?;
                // The client gets what was read so far.
                encoder.flush()?;
                Ok(Some(mem::take(encoder.get_mut()).into()))
            }
            None => match self.encoder.take() {
                Some(encoder) => Ok(Some(encoder.finish()?.into())),
                None => Ok(None),
            },
        }
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
