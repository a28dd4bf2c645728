//! The ports of images: their files in a folder or in object storage, what is in them, and where they
//! are fetched.
//!
//! ```no_run
//! # fn example() -> Result<(), adapters_media::OpenError> {
//! let media = adapters_media::media(adapters_media::Files::in_folder("media".as_ref())?, false);
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! - `s3`: object storage that speaks S3, `Files::in_bucket`.

mod address;
mod fetcher;
mod files;
mod reader;
mod sizes;

use std::sync::Arc;

use app::ports::Media;

pub use fetcher::Fetcher;
pub use files::{Files, OpenError};
pub use reader::Reader;

/// The ports of images beside the store. `allow_private` lets images be fetched from addresses that are
/// not public, too.
pub fn media(files: Files, allow_private: bool) -> Media {
    Media {
        files: Arc::new(files),
        reader: Arc::new(Reader::default()),
        fetcher: Arc::new(Fetcher::new(allow_private)),
    }
}
