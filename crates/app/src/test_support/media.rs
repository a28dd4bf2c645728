//! Ports for media that are unavailable.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    image::{FilePath, ImageFormat},
    time::Timestamp,
    web_url::WebUrl,
};

use crate::ports::{
    BadImage, DecodedImage, FetchError, Fetched, FilesError, ImageFetcher, ImageFiles, ImageReader,
    Media, StoredFile,
};

/// Ports that neither store nor fetch files, for tests without images.
pub fn no_media() -> Media {
    Media {
        files: Arc::new(Nothing),
        reader: Arc::new(Nothing),
        fetcher: Arc::new(Nothing),
    }
}

struct Nothing;

fn away<T>() -> Result<T, FilesError> {
    Err(FilesError("there are none in this test".to_owned()))
}

#[async_trait]
impl ImageFiles for Nothing {
    async fn add(&self, _path: &FilePath, _content: Bytes) -> Result<bool, FilesError> {
        away()
    }

    async fn open(&self, _path: &FilePath) -> Result<Option<StoredFile>, FilesError> {
        away()
    }

    async fn remove(&self, _path: &FilePath) -> Result<(), FilesError> {
        away()
    }

    async fn written_before(&self, _moment: Timestamp) -> Result<Vec<FilePath>, FilesError> {
        away()
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
