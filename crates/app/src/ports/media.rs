//! Files of images, and where they come from.

use std::{io, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    image::{Dimensions, FilePath, ImageFormat, InvalidDimensions, SizeName},
    time::Timestamp,
    web_url::WebUrl,
};
use futures_util::stream::BoxStream;

/// Longest file of an image, in bytes.
pub const MAX_IMAGE_BYTES: usize = 10 * 1024 * 1024;

/// The ports of images beside the store. Cheap to clone.
#[derive(Clone)]
pub struct Media {
    /// The files.
    pub files: Arc<dyn ImageFiles>,
    /// The decoder.
    pub reader: Arc<dyn ImageReader>,
    /// The client that fetches images from other servers.
    pub fetcher: Arc<dyn ImageFetcher>,
}

impl std::fmt::Debug for Media {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Media").finish_non_exhaustive()
    }
}

/// The files are not to be had for now; the text is for the log, never for a client.
#[derive(Debug, thiserror::Error)]
#[error("the files of images are not available: {0}")]
pub struct FilesError(pub String);

/// A stored file.
pub struct StoredFile {
    /// Length in bytes.
    pub length: u64,
    /// The content, in chunks.
    pub content: BoxStream<'static, io::Result<Bytes>>,
}

impl std::fmt::Debug for StoredFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredFile")
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// Stores the files of images.
#[async_trait]
pub trait ImageFiles: Send + Sync {
    /// Writes a new file; it MUST be whole and on disk when this answers true, and untouched when it
    /// answers false: then there is one already.
    ///
    /// # Errors
    ///
    /// If files are not to be had; so for every method here.
    async fn add(&self, path: &FilePath, content: Bytes) -> Result<bool, FilesError>;

    /// A file, if it is there.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn open(&self, path: &FilePath) -> Result<Option<StoredFile>, FilesError>;

    /// Removes a file, if it is there.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn remove(&self, path: &FilePath) -> Result<(), FilesError>;

    /// All files that could be of images and were written before a moment.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn written_before(&self, moment: Timestamp) -> Result<Vec<FilePath>, FilesError>;
}

/// A decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedImage {
    /// How large it is shown.
    pub dimensions: Dimensions,
    /// The smaller sizes made of it.
    pub sizes: Vec<ResizedImage>,
}

/// A smaller size that was made of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResizedImage {
    /// Which one.
    pub name: SizeName,
    /// The format.
    pub format: ImageFormat,
    /// How large it is shown.
    pub dimensions: Dimensions,
    /// Its file.
    pub content: Bytes,
}

/// Why a file is refused as image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadImage {
    /// It is too long.
    #[error("has more than {MAX_IMAGE_BYTES} bytes")]
    TooLarge,
    /// By its content, it is something else.
    #[error("is not a PNG, JPEG, GIF or WebP image")]
    NotAnImage,
    /// It is called, or declared to be, what it is not.
    #[error("is called {said}, but its content is {is}")]
    Misnamed {
        /// The format that the name or the declaration says.
        said: ImageFormat,
        /// The format of the content.
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

/// Decodes and resizes images.
#[async_trait]
pub trait ImageReader: Send + Sync {
    /// Reads an image as a whole and makes smaller sizes. What would take more memory than there is
    /// for it MUST be refused by what it says of itself, before it is unpacked. Sizes hold nothing
    /// but what is seen: no place, no device.
    ///
    /// # Errors
    ///
    /// Why the file is refused.
    async fn read(&self, format: ImageFormat, file: Bytes) -> Result<DecodedImage, BadImage>;
}

/// The response of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The format that the response declares.
    pub declared: ImageFormat,
    /// The content.
    pub content: Bytes,
}

/// Why nothing was fetched from an address. What stands there, or why nothing does, is nobody's
/// business: the answer must not tell who asks what our network looks like from inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The address is none from which anything is fetched.
    #[error("must be a public address without user and password")]
    Forbidden,
    /// It did not answer, or not in time, or not with 200.
    #[error("does not answer")]
    NoAnswer,
    /// It answered with something else than an image.
    #[error("does not lead to a PNG, JPEG, GIF or WebP image")]
    NotAnImage,
    /// It answered with too much.
    #[error("leads to a file of more than {0} bytes")]
    TooLarge(usize),
}

/// Fetches images from elsewhere.
#[async_trait]
pub trait ImageFetcher: Send + Sync {
    /// Fetches a file of at most `limit` bytes. No request may leave for an address that is not
    /// public, whatever its name or a redirect says, unless the service is set to allow that.
    ///
    /// # Errors
    ///
    /// [`FetchError`].
    async fn fetch(&self, url: &WebUrl, limit: usize) -> Result<Fetched, FetchError>;
}
