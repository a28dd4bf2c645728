//! Reading a page of another server, which describes events.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use domain::{
    FieldName, UserId,
    policy::{Caller, Capability},
    web_url::WebUrl,
};

use crate::{
    calendar::{Calendar, require},
    error::AppError,
    fault::Fault,
    ports::MAX_PAGE_BYTES,
};

/// The most pages that a user fetches in a minute.
const MAX_PAGES: usize = 10;

const MINUTE: Duration = Duration::from_mins(1);

/// The times at which users fetched pages in the last minute.
#[derive(Debug, Default)]
pub(crate) struct PageFetches(Mutex<HashMap<UserId, Vec<Duration>>>);

impl PageFetches {
    /// Counts a fetch at a time of the monotonic clock. Returns whether the user had a fetch left in this minute.
    fn count(&self, user: UserId, now: Duration) -> bool {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        users.retain(|_, times| {
            times.retain(|time| *time + MINUTE > now);
            !times.is_empty()
        });
        let times = users.entry(user).or_default();
        let is_free = times.len() < MAX_PAGES;
        if is_free {
            times.push(now);
        }
        is_free
    }
}

impl Calendar {
    /// The content of a page of another server, for callers who may upload images by URL. A user fetches at most
    /// ten pages a minute.
    ///
    /// ```
    /// use events_calendar_app::AppError;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::{Role, policy::Caller};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let author = add_user(&store, "ada", Role::Author).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let url = "https://fair.example/".parse()?;
    /// let refused = calendar.fetch_page(Caller::Anonymous, &url).await;
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// // This calendar reaches no other server.
    /// for _ in 0..10 {
    ///     assert!(matches!(calendar.fetch_page(author, &url).await, Err(AppError::Invalid(_))));
    /// }
    /// assert!(matches!(calendar.fetch_page(author, &url).await, Err(AppError::Overloaded)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, too many pages, or a page that cannot be read.
    pub async fn fetch_page(&self, caller: Caller, url: &WebUrl) -> Result<Bytes, AppError> {
        require(caller, Capability::Upload)?;
        let user = caller.user().ok_or(AppError::Unauthenticated)?;
        if !self.page_fetches.count(user, self.clock.monotonic()) {
            return Err(AppError::Overloaded);
        }
        let page = self.media.fetcher.fetch_page(url, MAX_PAGE_BYTES).await;
        page.map_err(|error| AppError::invalid(FieldName::Website, Fault::Fetch(error)))
    }
}
