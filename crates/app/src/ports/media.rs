//! Ports for the files of images: storage, decoding, fetching.

use std::{io, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    image::{Crop, Dimensions, FilePath, ImageFormat, InvalidDimensions, SizeName},
    time::Timestamp,
    web_url::WebUrl,
};
use futures_util::stream::BoxStream;

/// Longest file of an image, in bytes.
pub const MAX_IMAGE_BYTES: usize = 10 * 1024 * 1024;

/// Longest page that is read, in bytes.
///
/// ```
/// use events_calendar_app::ports::{MAX_IMAGE_BYTES, MAX_PAGE_BYTES};
/// assert!(MAX_PAGE_BYTES < MAX_IMAGE_BYTES);
/// ```
pub const MAX_PAGE_BYTES: usize = 2 * 1024 * 1024;

/// The ports of images beside the store. Cheap to clone.
///
/// Files in memory, a reader that makes no smaller sizes, and a client of one server.
///
/// ```
/// use std::{collections::HashMap, sync::{Arc, Mutex}};
///
/// use events_calendar_app::{
///     calendar::Upload,
///     ports::{
///         BadImage, DecodedImage, FetchError, Fetched, FilesError, ImageFetcher, ImageFiles,
///         ImageReader, MAX_IMAGE_BYTES, Media, ResizedImage, StoredFile,
///     },
///     test_support::{InMemoryStore, add_user, calendar},
/// };
/// use domain::{Role, image::{AltTexts, Dimensions, FilePath, ImageFormat}, time::Timestamp, web_url::WebUrl};
/// # use async_trait::async_trait;
/// # use bytes::Bytes;
/// # use futures_util::{StreamExt as _, stream};
///
/// #[derive(Clone, Default)]
/// struct Files(Arc<Mutex<HashMap<String, Bytes>>>);
///
/// #[async_trait]
/// impl ImageFiles for Files {
///     async fn add(&self, path: &FilePath, content: Bytes) -> Result<bool, FilesError> {
///         Ok(self.0.lock().unwrap().insert(path.as_str().to_owned(), content).is_none())
///     }
///
///     async fn open(&self, path: &FilePath) -> Result<Option<StoredFile>, FilesError> {
///         let found = self.0.lock().unwrap().get(path.as_str()).cloned();
///         Ok(found.map(|file| StoredFile {
///             length: file.len() as u64,
///             content: stream::iter([Ok(file)]).boxed(),
///         }))
///     }
///
///     async fn remove(&self, path: &FilePath) -> Result<(), FilesError> {
///         self.0.lock().unwrap().remove(path.as_str());
///         Ok(())
///     }
///
///     async fn written_before(&self, _moment: Timestamp) -> Result<Vec<FilePath>, FilesError> {
///         Ok(self.0.lock().unwrap().keys().filter_map(|path| FilePath::parse(path)).collect())
///     }
/// }
///
/// struct Reader;
///
/// #[async_trait]
/// impl ImageReader for Reader {
///     async fn read(&self, _format: ImageFormat, file: Bytes) -> Result<DecodedImage, BadImage> {
///         if file.len() > MAX_IMAGE_BYTES {
///             return Err(BadImage::TooLarge);
///         }
///         let sizes: Vec<ResizedImage> = Vec::new();
///         Ok(DecodedImage { dimensions: Dimensions::new(1200, 800)?, sizes })
///     }
/// }
///
/// struct OneServer;
///
/// #[async_trait]
/// impl ImageFetcher for OneServer {
///     async fn fetch(&self, url: &WebUrl, _limit: usize) -> Result<Fetched, FetchError> {
///         if !url.as_str().starts_with("https://img.example/") {
///             return Err(FetchError::Forbidden);
///         }
///         Ok(Fetched { declared: ImageFormat::Gif, content: Bytes::from_static(b"GIF89a") })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let media = Media {
///     files: Arc::new(Files::default()),
///     reader: Arc::new(Reader),
///     fetcher: Arc::new(OneServer),
/// };
/// assert!(media.files.open(&FilePath::parse("2030/01/bank.gif").unwrap()).await?.is_none());
///
/// let store = InMemoryStore::new();
/// let ada = add_user(&store, "ada", Role::Author).await;
/// let calendar = calendar(store).files(Files::default()).reader(Reader).fetcher(OneServer).await;
/// let content = Bytes::from_static(b"GIF89a");
/// let upload = Upload { file_name: Some("bank.gif".to_owned()), declared: None, content, alt: AltTexts::default() };
/// let image = calendar.upload_image(ada, upload).await?;
/// let file = calendar.image_file(&image.path()).await?;
/// assert_eq!(file.length, 6);
/// # Ok(())
/// # }
/// ```
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

/// The files are unavailable; the text is for the log, never for a client.
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
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait ImageFiles: Send + Sync {
    /// Writes a new file. Returns true if the file is complete on disk, and false, without touching
    /// it, if a file exists at this path.
    ///
    /// # Errors
    ///
    /// If the files are unavailable; so for every method here.
    async fn add(&self, path: &FilePath, content: Bytes) -> Result<bool, FilesError>;

    /// Opens a file, if it exists.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn open(&self, path: &FilePath) -> Result<Option<StoredFile>, FilesError>;

    /// Removes a file, if it exists.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn remove(&self, path: &FilePath) -> Result<(), FilesError>;

    /// All files with the path of an image that were written before a time.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn written_before(&self, moment: Timestamp) -> Result<Vec<FilePath>, FilesError>;
}

/// A decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedImage {
    /// The displayed dimensions.
    pub dimensions: Dimensions,
    /// The smaller sizes made of it.
    pub sizes: Vec<ResizedImage>,
}

/// A smaller size of a decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResizedImage {
    /// The name of the size.
    pub name: SizeName,
    /// The format.
    pub format: ImageFormat,
    /// The displayed dimensions.
    pub dimensions: Dimensions,
    /// The encoded file.
    pub content: Bytes,
}

/// The reason why a file is rejected as an image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadImage {
    /// The file is too long.
    #[error("has more than {MAX_IMAGE_BYTES} bytes")]
    TooLarge,
    /// The content is in none of the supported formats.
    #[error("is not a PNG, JPEG, GIF or WebP image")]
    NotAnImage,
    /// The file name or the declared format contradicts the content.
    #[error("is called {said}, but its content is {is}")]
    Misnamed {
        /// The format by file name or declaration.
        said: ImageFormat,
        /// The format of the content.
        is: ImageFormat,
    },
    /// The dimensions are zero or too large.
    #[error(transparent)]
    Dimensions(#[from] InvalidDimensions),
    /// Decoding would take too much memory.
    #[error("takes too much memory to read")]
    Memory,
    /// The file is truncated or corrupt.
    #[error("is broken: {0}")]
    Broken(String),
}

/// Decodes and resizes images.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait ImageReader: Send + Sync {
    /// Decodes an image completely and makes smaller sizes. An image whose header announces more
    /// memory than the limit MUST be refused before decoding. Sizes contain no metadata, such as
    /// position or device.
    ///
    /// # Errors
    ///
    /// The reason why the file is rejected.
    async fn read(&self, format: ImageFormat, file: Bytes) -> Result<DecodedImage, BadImage>;

    /// Makes a file of a part of an image, without metadata. A reader that cannot do so has none.
    ///
    /// # Errors
    ///
    /// As for `read`.
    async fn crop(&self, format: ImageFormat, file: Bytes, crop: Crop) -> Result<Bytes, BadImage> {
        let _ = (format, file, crop);
        Err(BadImage::Broken("it cannot be cropped".to_owned()))
    }
}

/// A file fetched from a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The format that the response declares.
    pub declared: ImageFormat,
    /// The content.
    pub content: Bytes,
}

/// The reason why no image was fetched from a URL. The variants are coarse: an answer must not
/// reveal the server's internal network to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The URL is not public, or holds a user or a password.
    #[error("must be a public address without user and password")]
    Forbidden,
    /// The server did not answer in time with status 200.
    #[error("does not answer")]
    NoAnswer,
    /// The response is not an image in a supported format.
    #[error("does not lead to a PNG, JPEG, GIF or WebP image")]
    NotAnImage,
    /// The response exceeds the limit.
    #[error("leads to a file of more than {0} bytes")]
    TooLarge(usize),
}

/// Fetches images from other servers.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait ImageFetcher: Send + Sync {
    /// Fetches a file of at most `limit` bytes. The fetcher MUST refuse a URL whose name or
    /// redirect leads to an address that is not public, unless the settings allow that.
    ///
    /// # Errors
    ///
    /// [`FetchError`].
    async fn fetch(&self, url: &WebUrl, limit: usize) -> Result<Fetched, FetchError>;

    /// Fetches an HTML page of at most `limit` bytes, under the same rules. A fetcher of images alone has none.
    ///
    /// # Errors
    ///
    /// [`FetchError`].
    async fn fetch_page(&self, url: &WebUrl, limit: usize) -> Result<Bytes, FetchError> {
        let _ = (url, limit);
        Err(FetchError::NoAnswer)
    }
}
