//! The image ports: storage in a folder or in object storage, decoding and resizing, and fetching
//! from other servers.
//!
//! ```no_run
//! # fn example() -> Result<(), events_calendar_adapters_media::OpenError> {
//! let media = events_calendar_adapters_media::media(events_calendar_adapters_media::Files::in_folder("media".as_ref())?, false);
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! - `s3`: S3-compatible object storage, `Files::in_bucket`.

mod fetcher;
mod files;
mod reader;
mod sizes;

use std::sync::Arc;

use app::ports::Media;

use self::{fetcher::Fetcher, reader::Reader};
pub use files::{Files, OpenError};

/// Makes the image ports over a storage. `allow_private` permits fetches from addresses that are
/// not public.
pub fn media(files: Files, allow_private: bool) -> Media {
    Media {
        files: Arc::new(files),
        reader: Arc::new(Reader::default()),
        fetcher: Arc::new(Fetcher::new(allow_private)),
    }
}
