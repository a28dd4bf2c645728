//! The guarded client.

use std::{
    error::Error,
    iter::successors,
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::{Bytes, BytesMut};
use reqwest::{
    Client, StatusCode,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{AUTHORIZATION, DATE, HeaderMap, LOCATION, RETRY_AFTER},
    redirect::Policy,
};
use url::{Host, Url};

use crate::address::is_global;

/// The maximum number of redirects that are followed.
const MAX_REDIRECTS: usize = 3;

/// The reasons for which a request has no usable response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The URL is not one of HTTP or HTTPS, has credentials, or names an address that is not public.
    #[error(
        "the URL must be one of http or https at a public address, without credentials; the setting \
        allow-private-hosts permits private addresses"
    )]
    Forbidden,
    /// A redirect leads to a URL that is forbidden.
    #[error("{0} redirects to a forbidden URL")]
    ForbiddenRedirect(Url),
    /// The server redirected too often, or to nothing that is a URL.
    #[error("{0} has too many redirects, or one that is invalid")]
    Redirects(Url),
    /// There was no complete response; the text is the reason.
    #[error("{0}")]
    NoResponse(String),
    /// The body is longer than this number of bytes.
    #[error("the response is longer than {0} bytes")]
    TooLarge(usize),
}

/// The timeouts of a request. The caller bounds the time of the whole response.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// The time for a connection attempt.
    pub connect: Duration,
    /// The time between two pieces of a response.
    pub idle: Duration,
}

/// An HTTP client for URLs that somebody else chose. It sends no request to an address that is not
/// public unless that is allowed, uses no proxy, and follows a few redirects, each checked again.
#[derive(Clone, Debug)]
pub struct HttpClient {
    /// The client, or the reason for which it could not be built. The first request builds it, as
    /// that reads the certificates of the system.
    client: Arc<OnceLock<Result<Client, String>>>,
    timeouts: Timeouts,
    allow_private: bool,
}

impl HttpClient {
    /// Makes a client. `allow_private` permits requests to addresses that are not public.
    pub fn new(allow_private: bool, timeouts: Timeouts) -> Self {
        Self {
            client: Arc::default(),
            timeouts,
            allow_private,
        }
    }

    fn client(&self) -> Result<&Client, RequestError> {
        let build = || self.build().map_err(|error| text(&error));
        let client = self.client.get_or_init(build).as_ref();
        client.map_err(|reason| RequestError::NoResponse(reason.clone()))
    }

    fn build(&self) -> reqwest::Result<Client> {
        install_tls();
        let allow_private = self.allow_private;
        Client::builder()
            .user_agent(concat!("events-calendar/", env!("CARGO_PKG_VERSION")))
            .http1_only()
            .redirect(Policy::none())
            // A proxy from the environment could reach addresses that are not public.
            .no_proxy()
            .referer(false)
            .connect_timeout(self.timeouts.connect)
            .read_timeout(self.timeouts.idle)
            .pool_max_idle_per_host(0)
            .dns_resolver(Resolver { allow_private })
            .build()
    }

    /// Requests a URL with `GET`. `Authorization` and the headers with values that are sensitive are sent
    /// to the origin of `url` alone, not to others after a redirect. The response can have any status, but that of a redirect.
    ///
    /// # Errors
    ///
    /// If the URL is forbidden, or there is no response.
    pub async fn get(&self, url: &Url, headers: HeaderMap) -> Result<Response, RequestError> {
        self.check(url)?;
        let client = self.client()?;
        let mut headers = headers;
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let request = client.get(url.clone()).headers(headers.clone());
            let answer = request.send().await.map_err(|error| no_response(&error))?;
            let is_redirect = answer.status().is_redirection();
            if !is_redirect || answer.status() == StatusCode::NOT_MODIFIED {
                return Ok(Response { url, answer });
            }
            let next = answer.headers().get(LOCATION);
            let next = next.and_then(|next| with_scheme(url.join(next.to_str().ok()?).ok()?).ok());
            let next = next.ok_or_else(|| RequestError::Redirects(url.clone()))?;
            if self.check(&next).is_err() {
                return Err(RequestError::ForbiddenRedirect(url));
            }
            if next.origin() != url.origin() {
                headers.remove(AUTHORIZATION);
                headers = harmless(&headers);
            }
            url = next;
        }
        Err(RequestError::Redirects(url))
    }

    /// Checks a URL by its text alone. [`Resolver`] checks the addresses of a host name.
    fn check(&self, url: &Url) -> Result<(), RequestError> {
        let is_allowed = |address| self.allow_private || is_global(address);
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
            Err(RequestError::Forbidden)
        }
    }
}

/// The headers with values that any server may learn.
fn harmless(headers: &HeaderMap) -> HeaderMap {
    let all = headers.iter().filter(|(_, value)| !value.is_sensitive());
    all.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The beginning of a response. Its body arrives with [`Response::read`] or [`Response::chunk`].
#[derive(Debug)]
pub struct Response {
    url: Url,
    answer: reqwest::Response,
}

/// The pause that a server asks for by `Retry-After`, in seconds or as a date. The server's own clock (`Date`)
/// measures the date.
///
/// ```
/// use std::time::Duration;
///
/// use events_calendar_adapters_http::{header, retry_after};
///
/// let mut headers = header::HeaderMap::new();
/// headers.insert(header::DATE, header::HeaderValue::from_static("Fri, 01 Jan 2027 12:00:00 GMT"));
/// headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static("Fri, 01 Jan 2027 12:00:07 GMT"));
/// assert_eq!(retry_after(&headers), Some(Duration::from_secs(7)));
/// ```
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let asked = text(RETRY_AFTER)?;
    if let Ok(seconds) = asked.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let now = httpdate::parse_http_date(text(DATE)?).ok()?;
    let then = httpdate::parse_http_date(asked).ok()?;
    Some(then.duration_since(now).unwrap_or_default())
}

impl Response {
    /// The URL after all redirects.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.answer.status()
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        self.answer.headers()
    }

    /// The pause that the server asks for: [`retry_after`].
    pub fn retry_after(&self) -> Option<Duration> {
        retry_after(self.headers())
    }

    /// The next piece of the body, none at its end.
    ///
    /// # Errors
    ///
    /// If the connection breaks, or nothing arrives in time.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, RequestError> {
        let chunk = self.answer.chunk().await;
        chunk.map_err(|error| no_response(&error))
    }

    /// Reads the body. A body of more than `limit` bytes is not read to its end.
    ///
    /// # Errors
    ///
    /// If the body is too long, the connection breaks, or nothing arrives in time.
    pub async fn read(mut self, limit: usize) -> Result<Bytes, RequestError> {
        let declared = self.answer.content_length();
        if declared.is_some_and(|length| length > limit as u64) {
            return Err(RequestError::TooLarge(limit));
        }
        let mut content = BytesMut::new();
        while let Some(piece) = self.chunk().await? {
            if content.len() + piece.len() > limit {
                return Err(RequestError::TooLarge(limit));
            }
            content.extend_from_slice(&piece);
        }
        Ok(content.freeze())
    }
}

/// Parses a URL. `webcal` and `webcals`, by which calendars are subscribed to, mean `https`.
///
/// # Errors
///
/// [`RequestError::Forbidden`] if the text is not a URL.
pub fn parse_url(text: &str) -> Result<Url, RequestError> {
    with_scheme(Url::parse(text.trim()).map_err(|_| RequestError::Forbidden)?)
}

/// The URL with the scheme that is meant.
fn with_scheme(url: Url) -> Result<Url, RequestError> {
    match url.scheme() {
        // `Url::set_scheme` refuses to change a scheme of unknown rules into one of the Web.
        scheme @ ("webcal" | "webcals") => {
            let rest = &url.as_str()[scheme.len()..];
            Url::parse(&format!("https{rest}")).map_err(|_| RequestError::Forbidden)
        }
        _ => Ok(url),
    }
}

/// Selects the TLS provider of the process. With two providers built in, rustls has no default.
pub fn install_tls() {
    // An error means that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
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
                .filter(|address| allow_private || is_global(address.ip()))
                .collect();
            if usable.is_empty() {
                return Err("no public address".into());
            }
            Ok(Box::new(usable.into_iter()) as Addrs)
        })
    }
}

fn no_response(error: &dyn Error) -> RequestError {
    RequestError::NoResponse(text(error))
}

/// The text of an error with its causes.
fn text(error: &dyn Error) -> String {
    let errors = successors(Some(error), |&error| error.source());
    let texts: Vec<_> = errors.map(ToString::to_string).collect();
    texts.join(": ")
}

#[cfg(test)]
mod tests;
