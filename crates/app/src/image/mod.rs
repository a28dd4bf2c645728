//! Use cases of images.

mod delete;
mod fetch;
mod file;
mod list;
mod place;
mod upload;
mod view;

use domain::image::{ImageFormat, InvalidDimensions};

pub use fetch::{FetchedImages, ImageRef};
pub use upload::Upload;
pub(crate) use {
    fetch::{Turns, read_ref, resolve},
    view::{ImageViews, load, shown},
};

/// Longest file of an image, in bytes.
pub const MAX_FILE: usize = 10 * 1024 * 1024;

/// Why a file is refused as image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadImage {
    /// It is too long.
    #[error("has more than {MAX_FILE} bytes")]
    TooLarge,
    /// By its content, it is something else.
    #[error("is not a PNG, JPEG, GIF or WebP image")]
    NotAnImage,
    /// It is called, or declared to be, what it is not.
    #[error("is called {said}, but its content is {is}")]
    Misnamed {
        /// What it is called.
        said: ImageFormat,
        /// What it is.
        is: ImageFormat,
    },
    /// It shows nothing, or too much.
    #[error(transparent)]
    Dimensions(#[from] InvalidDimensions),
    /// It would take too much memory.
    #[error("takes too much memory to read")]
    Memory,
    /// It cannot be read to its end.
    #[error("is broken: {0}")]
    Broken(String),
}
