//! The servers of sources, by HTTP.

use std::{fs, time::Duration};

use adapters_http::{
    HttpClient, RequestError, StatusCode, Timeouts,
    header::{
        ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
    },
};
use adapters_tec::{Access, FindError, Site};
use async_trait::async_trait;
use domain::{
    Secret,
    source::{ReadFault, Source, SourceFailure, Validators},
};
use interchange::{
    SourceSite,
    source::{MAX_SOURCE_BYTES, ReadError, SourceFile, SourceReader},
};
use tokio::time::timeout;

use crate::settings::Settings;

/// Time limits of a request for a file.
const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(10),
    idle: Duration::from_secs(30),
};

/// The time limit of a whole response.
const MAX_DURATION: Duration = Duration::from_mins(1);

/// Longest file with headers, in bytes.
const MAX_HEADER_FILE: u64 = 64 * 1024;

/// Reads sources by HTTP, at public addresses alone unless the settings permit others.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    client: HttpClient,
    allow_private: bool,
    duration: Duration,
}

impl Reader {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self::with(settings.allow_private_hosts, MAX_DURATION)
    }

    fn with(allow_private: bool, duration: Duration) -> Self {
        Self {
            client: HttpClient::new(allow_private, TIMEOUTS),
            allow_private,
            duration,
        }
    }

    async fn fetch(
        &self,
        source: &Source,
        validators: &Validators,
    ) -> Result<SourceFile, ReadError> {
        let mut headers = match &source.header_file {
            Some(file) => own_headers(file)?,
            None => HeaderMap::new(),
        };
        for (name, value) in [
            (IF_NONE_MATCH, &validators.etag),
            (IF_MODIFIED_SINCE, &validators.last_modified),
        ] {
            if let Some(value) = value.as_deref().and_then(|value| value.parse().ok()) {
                headers.insert(name, value);
            }
        }
        let url = adapters_http::parse_url(source.url.expose()).map_err(fault)?;
        let response = self.client.get(&url, headers).await.map_err(fault)?;
        let is_conditional = *validators != Validators::default();
        match response.status() {
            StatusCode::NOT_MODIFIED if is_conditional => return Ok(SourceFile::Unchanged),
            StatusCode::OK => {}
            status => {
                return Err(ReadError {
                    failure: SourceFailure::Status(status.as_u16()),
                    retry_after: response
                        .retry_after()
                        .and_then(|pause| pause.as_secs().try_into().ok()),
                });
            }
        }
        let text = |name: HeaderName| {
            let value = response.headers().get(name)?.to_str().ok()?;
            Some(value.to_owned()).filter(|value| value.len() <= 1000)
        };
        let validators = Validators {
            etag: text(ETAG),
            last_modified: text(LAST_MODIFIED),
        };
        let content = response.read(MAX_SOURCE_BYTES).await.map_err(fault)?;
        Ok(SourceFile::Changed {
            content,
            validators,
        })
    }
}

#[async_trait]
impl SourceReader for Reader {
    async fn file(
        &self,
        source: &Source,
        validators: &Validators,
    ) -> Result<SourceFile, ReadError> {
        let fetched = timeout(self.duration, self.fetch(source, validators)).await;
        fetched.unwrap_or(Err(ReadFault::TooSlow.into()))
    }

    async fn site(&self, source: &Source) -> Result<Box<dyn SourceSite>, ReadError> {
        let access = Access {
            allow_private: self.allow_private,
            ..Access::default()
        };
        match Site::find(source.url.expose(), access).await {
            Ok(site) => Ok(Box::new(site)),
            Err(FindError::NotUrl(_)) => Err(ReadFault::ForbiddenAddress.into()),
            Err(_) => Err(ReadFault::NoCalendar.into()),
        }
    }
}

/// The fault of a request. The text of the error names the address, and is left out.
fn fault(error: RequestError) -> ReadFault {
    match error {
        RequestError::Forbidden | RequestError::ForbiddenRedirect(_) => ReadFault::ForbiddenAddress,
        RequestError::Redirects(_) => ReadFault::Redirects,
        RequestError::TooLarge(_) => ReadFault::TooLarge,
        // A host without a public address has no other error.
        RequestError::NoResponse(reason) if reason.contains("no public address") => {
            ReadFault::ForbiddenAddress
        }
        _ => ReadFault::Unreachable,
    }
}

/// Reads the headers of a file, one in a line. Only the server of the source gets them.
fn own_headers(file: &Secret) -> Result<HeaderMap, ReadError> {
    let unreadable = || ReadError::from(ReadFault::HeaderFile);
    let size = fs::metadata(file.expose()).map_err(|_| unreadable())?.len();
    if size > MAX_HEADER_FILE {
        return Err(unreadable());
    }
    let text = fs::read_to_string(file.expose()).map_err(|_| unreadable())?;
    let mut headers = HeaderMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(unreadable)?;
        let name: HeaderName = name.trim().parse().map_err(|_| unreadable())?;
        let mut value: HeaderValue = value.trim().parse().map_err(|_| unreadable())?;
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
