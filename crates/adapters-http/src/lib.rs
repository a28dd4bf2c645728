//! The HTTP client for requests to other servers. Requests go to public addresses only, unless
//! others are allowed; redirects, times and sizes are bounded.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use events_calendar_adapters_http::{HttpClient, Timeouts};
//!
//! # async fn example() -> Result<(), events_calendar_adapters_http::RequestError> {
//! let timeouts = Timeouts {
//!     connect: Duration::from_secs(3),
//!     idle: Duration::from_secs(8),
//! };
//! let client = HttpClient::new(false, timeouts);
//! let url = events_calendar_adapters_http::parse_url("webcal://calendar.example/feed.ics")?;
//! assert_eq!(url.as_str(), "https://calendar.example/feed.ics");
//! let response = client.get(&url, Default::default()).await?;
//! let content = response.read(1024 * 1024).await?;
//! # Ok(())
//! # }
//! ```

mod address;
mod client;

pub use client::{
    HttpClient, RequestError, Response, Timeouts, install_tls, parse_url, retry_after,
};
pub use reqwest::{StatusCode, header};
pub use url::Url;
