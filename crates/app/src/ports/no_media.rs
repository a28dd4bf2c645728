//! Ports for media of a calendar without images.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    image::{FilePath, ImageFormat},
    time::Timestamp,
    web_url::WebUrl,
};

use super::{
    BadImage, DecodedImage, FetchError, Fetched, FilesError, ImageFetcher, ImageFiles, ImageReader,
    Media, StoredFile,
};

impl Media {
    /// The ports of a calendar without images: there is no file, each upload is refused as
    /// [`BadImage::NotAnImage`], and each fetch fails with [`FetchError::NoAnswer`].
    ///
    /// ```
    /// use events_calendar_app::ports::Media;
    /// use domain::image::FilePath;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), events_calendar_app::ports::FilesError> {
    /// let path = FilePath::parse("2030/01/mill.png").unwrap();
    /// assert!(Media::none().files.open(&path).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn none() -> Self {
        Self {
            files: Arc::new(Nothing),
            reader: Arc::new(Nothing),
            fetcher: Arc::new(Nothing),
        }
    }
}

struct Nothing;

#[async_trait]
impl ImageFiles for Nothing {
    async fn add(&self, _path: &FilePath, _content: Bytes) -> Result<bool, FilesError> {
        Err(FilesError("this calendar has none".to_owned()))
    }

    async fn open(&self, _path: &FilePath) -> Result<Option<StoredFile>, FilesError> {
        Ok(None)
    }

    async fn remove(&self, _path: &FilePath) -> Result<(), FilesError> {
        Ok(())
    }

    async fn written_before(&self, _moment: Timestamp) -> Result<Vec<FilePath>, FilesError> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl ImageReader for Nothing {
    async fn read(&self, _format: ImageFormat, _file: Bytes) -> Result<DecodedImage, BadImage> {
        Err(BadImage::NotAnImage)
    }
}

#[async_trait]
impl ImageFetcher for Nothing {
    async fn fetch(&self, _url: &WebUrl, _limit: usize) -> Result<Fetched, FetchError> {
        Err(FetchError::NoAnswer)
    }
}
