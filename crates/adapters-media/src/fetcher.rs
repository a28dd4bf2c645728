//! Fetches images from other servers.

use std::{sync::Arc, time::Duration};

use adapters_http::{
    HttpClient, RequestError, Response, StatusCode, Timeouts, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use app::ports::{FetchError, Fetched, ImageFetcher};
use async_trait::async_trait;
use bytes::Bytes;
use domain::{image::ImageFormat, web_url::WebUrl};
use tokio::{sync::Semaphore, time::timeout};

/// The timeout of a fetch with all its redirects. A request to this service has 15 s in all.
const FETCH_TIMEOUT: Duration = Duration::from_secs(8);

/// The timeout of a page with all its redirects.
const PAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeout of a connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The maximum number of concurrent fetches.
const MAX_FETCHES: usize = 8;

/// Fetches images over HTTP and HTTPS.
#[derive(Clone, Debug)]
pub(crate) struct Fetcher {
    client: HttpClient,
    room: Arc<Semaphore>,
}

impl Fetcher {
    /// Makes a fetcher. `allow_private` permits requests to addresses that are not public.
    pub(crate) fn new(allow_private: bool) -> Self {
        let timeouts = Timeouts {
            connect: CONNECT_TIMEOUT,
            idle: FETCH_TIMEOUT,
        };
        Self {
            client: HttpClient::new(allow_private, timeouts),
            room: Arc::new(Semaphore::new(MAX_FETCHES)),
        }
    }
}

#[async_trait]
impl ImageFetcher for Fetcher {
    async fn fetch(&self, url: &WebUrl, limit: usize) -> Result<Fetched, FetchError> {
        let url = Url::parse(url.as_str()).map_err(|_| FetchError::Forbidden)?;
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("image/*"))]);
        let fetch = async {
            let _permit = self.room.acquire().await;
            match self.client.get(&url, headers).await {
                Ok(response) => read(response, limit).await,
                Err(RequestError::Forbidden) => Err(FetchError::Forbidden),
                Err(error) => {
                    tracing::info!(%url, %error, "an image was not fetched");
                    Err(FetchError::NoAnswer)
                }
            }
        };
        timeout(FETCH_TIMEOUT, fetch)
            .await
            .unwrap_or(Err(FetchError::NoAnswer))
    }

    async fn fetch_page(&self, url: &WebUrl, limit: usize) -> Result<Bytes, FetchError> {
        let url = Url::parse(url.as_str()).map_err(|_| FetchError::Forbidden)?;
        let accepted = HeaderValue::from_static("text/html, application/xhtml+xml");
        let headers = HeaderMap::from_iter([(ACCEPT, accepted)]);
        let fetch = async {
            let _permit = self.room.acquire().await;
            match self.client.get(&url, headers).await {
                Ok(response) => read_page(response, limit).await,
                Err(RequestError::Forbidden) => Err(FetchError::Forbidden),
                Err(error) => {
                    tracing::info!(%url, %error, "a page was not fetched");
                    Err(FetchError::NoAnswer)
                }
            }
        };
        timeout(PAGE_TIMEOUT, fetch)
            .await
            .unwrap_or(Err(FetchError::NoAnswer))
    }
}

/// Reads a page. Fails once its body exceeds `limit` bytes.
async fn read_page(response: Response, limit: usize) -> Result<Bytes, FetchError> {
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let is_page = ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|one| kind.to_ascii_lowercase().starts_with(one));
    if response.status() != StatusCode::OK || !is_page {
        return Err(FetchError::NoAnswer);
    }
    match response.read(limit).await {
        Ok(content) => Ok(content),
        Err(RequestError::TooLarge(limit)) => Err(FetchError::TooLarge(limit)),
        Err(_) => Err(FetchError::NoAnswer),
    }
}

/// Reads a response. Fails once its body exceeds `limit` bytes.
async fn read(response: Response, limit: usize) -> Result<Fetched, FetchError> {
    if response.status() != StatusCode::OK {
        return Err(FetchError::NoAnswer);
    }
    let declared = response.headers().get(CONTENT_TYPE);
    let declared = declared.and_then(|value| ImageFormat::from_media_type(value.to_str().ok()?));
    let declared = declared.ok_or(FetchError::NotAnImage)?;
    match response.read(limit).await {
        Ok(content) => Ok(Fetched { declared, content }),
        Err(RequestError::TooLarge(limit)) => Err(FetchError::TooLarge(limit)),
        Err(_) => Err(FetchError::NoAnswer),
    }
}
