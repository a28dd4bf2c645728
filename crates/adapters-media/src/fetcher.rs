//! Fetching images from elsewhere, and from nowhere else than it is allowed.

use std::{error::Error, net::SocketAddr, sync::Arc, time::Duration};

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

/// How long one image may take with all its redirects: a request has 15 seconds in all.
const PATIENCE: Duration = Duration::from_secs(8);

/// How long a connection may take.
const CONNECTING: Duration = Duration::from_secs(3);

/// So many redirects are followed.
const REDIRECTS: usize = 3;

/// So many images are fetched at once.
const AT_ONCE: usize = 8;

/// Fetches images.
#[derive(Clone, Debug)]
pub struct Fetcher {
    /// None if nothing can be fetched at all.
    client: Option<Client>,
    allow_private: bool,
    room: Arc<Semaphore>,
}

impl Fetcher {
    /// `allow_private` lets requests leave for addresses that are not public, too.
    pub fn new(allow_private: bool) -> Self {
        crate::files::install_tls();
        let client = Client::builder()
            .user_agent(concat!("events-calendar/", env!("CARGO_PKG_VERSION")))
            .http1_only()
            .redirect(Policy::none())
            // Not even one that the environment names: it would reach what we may not.
            .no_proxy()
            .referer(false)
            .connect_timeout(CONNECTING)
            .pool_max_idle_per_host(0)
            .dns_resolver(Resolver { allow_private })
            .build();
        if let Err(error) = &client {
            tracing::warn!(error = text(error), "images cannot be fetched by address");
        }
        Self {
            client: client.ok(),
            allow_private,
            room: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    async fn follow(&self, client: &Client, url: Url, limit: usize) -> Result<Fetched, FetchError> {
        self.check(&url)?;
        let mut url = url;
        for _ in 0..=REDIRECTS {
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
                tracing::info!(%url, "an image was not fetched: it redirects where nothing is fetched");
                return Err(FetchError::NoAnswer);
            }
        }
        Err(FetchError::NoAnswer)
    }

    /// Whether something may be fetched from an address by what it says itself; a name is asked for
    /// its addresses by [`Resolver`].
    fn check(&self, url: &Url) -> Result<(), FetchError> {
        let may_be_asked = match url.host() {
            None => false,
            Some(Host::Domain(_)) => true,
            Some(Host::Ipv4(address)) => self.allow_private || is_public(address.into()),
            Some(Host::Ipv6(address)) => self.allow_private || is_public(address.into()),
        };
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none();
        if may_be_asked && is_plain {
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
            let _place = self.room.acquire().await;
            self.follow(client, url, limit).await
        };
        timeout(PATIENCE, fetch)
            .await
            .unwrap_or(Err(FetchError::NoAnswer))
    }
}

/// Reads an answer, no further than needed.
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

/// Asks the system for the addresses of a name, and leaves out those that are not public. What is left
/// is what is connected to: nobody asks a second time.
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

/// An error with its causes.
fn text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
