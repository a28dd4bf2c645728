//! Secret feeds as JSON.

use app::ports::SecretFeed;
use domain::Secret;
use http_service::site::{Site, webcal};
use schemars::JsonSchema;
use serde::Serialize;

use super::values::{DateTime, Url};

/// A secret feed. The URLs are in the response to its creation alone.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Feed")]
pub(crate) struct SecretFeedRecord {
    /// The ID.
    id: i64,
    /// The ID of the user whose events it shows.
    owner: i64,
    /// The name.
    name: String,
    /// The query of the list that it shows.
    query: String,
    /// The time of creation, UTC.
    created_utc: DateTime,
    /// The last day on which it was read, UTC; empty if it was not read yet.
    last_used: String,
    /// The URL of the calendar file, with the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Url>,
    /// The same URL for calendar programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    webcal_url: Option<Url>,
}

impl SecretFeedRecord {
    /// A feed without its URLs.
    pub(crate) fn new(feed: &SecretFeed) -> Self {
        let details = &feed.details;
        Self {
            id: feed.id.get(),
            owner: details.owner.get(),
            name: details.name.clone(),
            query: details.query.clone(),
            created_utc: details.created.into(),
            last_used: feed
                .last_used
                .map(|day| day.to_string())
                .unwrap_or_default(),
            url: None,
            webcal_url: None,
        }
    }

    /// The same feed with its URLs.
    pub(crate) fn with_key(self, key: &Secret, site: &Site) -> Self {
        let url = site.secret_feed_file(key.expose());
        Self {
            webcal_url: Some(Url(webcal(&url))),
            url: Some(Url(url)),
            ..self
        }
    }
}
