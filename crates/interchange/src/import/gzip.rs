//! Files that are compressed by gzip, which their content tells.

use std::io::Read as _;

use bytes::Bytes;
use flate2::bufread::MultiGzDecoder;

/// The bytes that begin a file of gzip with the only method that there is (RFC 1952).
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// A server may compress a file that is compressed already.
const MAX_LAYERS: usize = 2;

/// The reason for which a compressed file is not read.
///
/// ```
/// use events_calendar_interchange::import::CompressionError;
///
/// let error = CompressionError::TooLarge { limit: 10 };
/// assert_eq!(error.to_string(), "the file has more than 10 bytes when it is decompressed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompressionError {
    /// It is longer than a number of bytes.
    #[error("the file has more than {limit} bytes when it is decompressed")]
    TooLarge {
        /// The most bytes.
        limit: usize,
    },
    /// It is damaged, or has no end.
    #[error("the compressed file is damaged")]
    Damaged,
}

/// The content of a file, without the compression by gzip that it may have.
///
/// ```
/// use events_calendar_interchange::import::{CompressionError, decompressed};
///
/// assert_eq!(decompressed("BEGIN:VCALENDAR".into(), 10).unwrap(), "BEGIN:VCALENDAR");
/// let damaged = decompressed(vec![0x1f, 0x8b, 8, 0].into(), 10);
/// assert_eq!(damaged, Err(CompressionError::Damaged));
/// ```
///
/// # Errors
///
/// If what is compressed has more than `limit` bytes, or is damaged.
pub fn decompressed(file: Bytes, limit: usize) -> Result<Bytes, CompressionError> {
    let mut content = file;
    for _ in 0..MAX_LAYERS {
        if !is_compressed(&content) {
            break;
        }
        let mut inner = Vec::new();
        let mut bounded = MultiGzDecoder::new(&content[..]).take(limit as u64 + 1);
        let read = bounded.read_to_end(&mut inner);
        if inner.len() > limit {
            return Err(CompressionError::TooLarge { limit });
        }
        read.map_err(|_| CompressionError::Damaged)?;
        content = inner.into();
    }
    Ok(content)
}

/// Whether a file is compressed by gzip.
///
/// ```
/// assert!(events_calendar_interchange::import::is_compressed(&[0x1f, 0x8b, 8, 0]));
/// assert!(!events_calendar_interchange::import::is_compressed(b"BEGIN:VCALENDAR"));
/// ```
pub fn is_compressed(content: &[u8]) -> bool {
    content.starts_with(&MAGIC)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn compressed(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn files_are_decompressed_within_the_limit() {
        let bomb = compressed(&vec![b' '; 5_000_000]);
        assert!(bomb.len() < 50_000);
        let too_large = Err(CompressionError::TooLarge { limit: 1000 });
        assert_eq!(decompressed(bomb.clone().into(), 1000), too_large);
        assert_eq!(decompressed(compressed(&bomb).into(), 1000), too_large);
        let two = [compressed(b"BEGIN:"), compressed(b"VCALENDAR")].concat();
        assert_eq!(
            decompressed(two.clone().into(), 15).unwrap(),
            "BEGIN:VCALENDAR"
        );
        let twice = compressed(&two);
        assert_eq!(decompressed(twice.into(), 1000).unwrap(), "BEGIN:VCALENDAR");
    }

    #[test]
    fn a_damaged_file_is_not_read_in_part() {
        let whole = compressed(b"BEGIN:VCALENDAR");
        for end in 3..whole.len() {
            let cut = Bytes::copy_from_slice(&whole[..end]);
            assert_eq!(
                decompressed(cut, 1000),
                Err(CompressionError::Damaged),
                "{end}"
            );
        }
    }
}
