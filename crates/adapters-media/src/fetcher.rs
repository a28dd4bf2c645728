//! Fetches images from other servers, by default only from public addresses.

use std::{error::Error, iter::successors, net::SocketAddr, sync::Arc, time::Duration};

use app::ports::{FetchError, Fetched, ImageFetcher};
use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use domain::{image::ImageFormat, web_url::WebUrl};
use reqwest::{
    Client, Response, StatusCode,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{ACCEPT, CONTENT_TYPE, LOCATION},
    redirect::Policy,
};
use tokio::{sync::Semaphore, time::timeout};
use url::{Host, Url};

use crate::address::is_public;

/// The timeout of a fetch with all its redirects. A request to this service has 15 s in all.
const FETCH_TIMEOUT: Duration = Duration::from_secs(8);

/// The timeout of a connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The maximum number of redirects that are followed.
const MAX_REDIRECTS: usize = 3;

/// The maximum number of concurrent fetches.
const MAX_FETCHES: usize = 8;

/// Fetches images over HTTP and HTTPS.
#[derive(Clone, Debug)]
pub(crate) struct Fetcher {
    /// None if the HTTP client could not be built; then every fetch fails.
    client: Option<Client>,
    allow_private: bool,
    room: Arc<Semaphore>,
}

impl Fetcher {
    /// Makes a fetcher. `allow_private` permits requests to addresses that are not public.
    pub(crate) fn new(allow_private: bool) -> Self {
        crate::files::install_tls();
        let client = Client::builder()
            .user_agent(concat!("events-calendar/", env!("CARGO_PKG_VERSION")))
            .http1_only()
            .redirect(Policy::none())
            // A proxy from the environment could reach addresses that are not public.
            .no_proxy()
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_max_idle_per_host(0)
            .dns_resolver(Resolver { allow_private })
            .build();
        if let Err(error) = &client {
            tracing::warn!(
                error = text(error),
                "images cannot be fetched: the HTTP client was not built"
            );
        }
        Self {
            client: client.ok(),
            allow_private,
            room: Arc::new(Semaphore::new(MAX_FETCHES)),
        }
    }

    async fn follow(&self, client: &Client, url: Url, limit: usize) -> Result<Fetched, FetchError> {
        self.check(&url)?;
        let mut url = url;
        for _ in 0..=MAX_REDIRECTS {
            let answer = client
                .get(url.clone())
                .header(ACCEPT, "image/*")
                .send()
                .await;
            let answer = answer.map_err(|error| {
                tracing::info!(%url, error = text(&error), "an image was not fetched");
                FetchError::NoAnswer
            })?;
            if !answer.status().is_redirection() {
                return read(answer, limit).await;
            }
            let next = answer.headers().get(LOCATION);
            let next = next.and_then(|next| url.join(next.to_str().ok()?).ok());
            url = next.ok_or(FetchError::NoAnswer)?;
            if self.check(&url).is_err() {
                tracing::info!(%url, "an image was not fetched: it redirects to a forbidden address");
                return Err(FetchError::NoAnswer);
            }
        }
        Err(FetchError::NoAnswer)
    }

    /// Checks a URL by its text alone. [`Resolver`] checks the addresses of a host name.
    fn check(&self, url: &Url) -> Result<(), FetchError> {
        let is_allowed = |address| self.allow_private || is_public(address);
        let is_allowed = match url.host() {
            None => false,
            Some(Host::Domain(_)) => true,
            Some(Host::Ipv4(address)) => is_allowed(address.into()),
            Some(Host::Ipv6(address)) => is_allowed(address.into()),
        };
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none();
        if is_allowed && is_plain {
            Ok(())
        } else {
            Err(FetchError::Forbidden)
        }
    }
}

#[async_trait]
impl ImageFetcher for Fetcher {
    async fn fetch(&self, url: &WebUrl, limit: usize) -> Result<Fetched, FetchError> {
        let url = Url::parse(url.as_str()).map_err(|_| FetchError::Forbidden)?;
        let client = self.client.as_ref().ok_or(FetchError::NoAnswer)?;
        let fetch = async {
            let _permit = self.room.acquire().await;
            self.follow(client, url, limit).await
        };
        timeout(FETCH_TIMEOUT, fetch)
            .await
            .unwrap_or(Err(FetchError::NoAnswer))
    }
}

/// Reads a response. Fails once its body exceeds `limit` bytes.
async fn read(mut answer: Response, limit: usize) -> Result<Fetched, FetchError> {
    if answer.status() != StatusCode::OK {
        return Err(FetchError::NoAnswer);
    }
    let declared = answer.headers().get(CONTENT_TYPE);
    let declared = declared.and_then(|value| ImageFormat::from_media_type(value.to_str().ok()?));
    let declared = declared.ok_or(FetchError::NotAnImage)?;
    let too_large = FetchError::TooLarge(limit);
    if answer
        .content_length()
        .is_some_and(|length| length > limit as u64)
    {
        return Err(too_large);
    }
    let mut content = BytesMut::new();
    while let Some(piece) = answer.chunk().await.map_err(|_| FetchError::NoAnswer)? {
        if content.len() + piece.len() > limit {
            return Err(too_large);
        }
        content.extend_from_slice(&piece);
    }
    Ok(Fetched {
        declared,
        content: Bytes::from(content),
    })
}

/// Resolves host names by the system, and drops addresses that are not public. The client connects
/// to the remaining addresses without a second lookup, so that a changed DNS record cannot bypass
/// the check.
#[derive(Clone, Copy, Debug)]
struct Resolver {
    allow_private: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let usable: Vec<SocketAddr> = found
                .filter(|address| allow_private || is_public(address.ip()))
                .collect();
            if usable.is_empty() {
                return Err("no public address".into());
            }
            Ok(Box::new(usable.into_iter()) as Addrs)
        })
    }
}

/// The text of an error with its causes.
fn text(error: &dyn Error) -> String {
    let errors = successors(Some(error), |&error| error.source());
    let texts: Vec<_> = errors.map(ToString::to_string).collect();
    texts.join(": ")
}
