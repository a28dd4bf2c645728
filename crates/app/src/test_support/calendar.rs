//! Use cases for tests.

use std::{
    fmt,
    future::{Future, IntoFuture},
    pin::Pin,
    sync::Arc,
};

use super::FixedClock;
use crate::{
    calendar::Calendar,
    ports::{Clock, ImageFetcher, ImageFiles, ImageReader, Media, Store},
    site::Site,
};

/// The use cases over a store, with a stopped clock, without media, and with the default settings of
/// the site. A method of the builder replaces one of them; `.await` makes the [`Calendar`].
///
/// ```
/// use events_calendar_app::test_support::{FixedClock, InMemoryStore, START, calendar};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let simple = calendar(InMemoryStore::new()).await;
/// assert_eq!(simple.now().to_string(), START);
///
/// let clock = FixedClock::at("2031-02-03 04:05:06");
/// let later = calendar(InMemoryStore::new()).clock(clock.clone()).await;
/// clock.advance_seconds(4);
/// assert_eq!(later.now().to_string(), "2031-02-03 04:05:10");
/// # }
/// ```
pub fn calendar(store: impl Store + 'static) -> CalendarBuilder {
    CalendarBuilder {
        store: Arc::new(store),
        clock: Arc::new(FixedClock::default()),
        media: Media::none(),
        site: Site::default(),
    }
}

/// Builds a [`Calendar`]: [`calendar`]. The page of the [module](super) has a mock in each method.
#[must_use = "`.await` makes the calendar"]
pub struct CalendarBuilder {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    media: Media,
    site: Site,
}

impl CalendarBuilder {
    /// With this clock.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// With this storage of files.
    ///
    /// ```
    /// use events_calendar_app::{ports::{FilesError, MockImageFiles}, test_support::{InMemoryStore, calendar}};
    /// use domain::image::FilePath;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let mut files = MockImageFiles::new();
    /// files.expect_open().returning(|_| Err(FilesError("the disk is gone".to_owned())));
    /// let calendar = calendar(InMemoryStore::new()).files(files).await;
    /// let path = FilePath::parse("2030/06/river.png").unwrap();
    /// assert!(calendar.image_file(&path).await.is_err());
    /// # }
    /// ```
    pub fn files(mut self, files: impl ImageFiles + 'static) -> Self {
        self.media.files = Arc::new(files);
        self
    }

    /// With this decoder of images.
    ///
    /// ```
    /// use events_calendar_app::{ports::{BadImage, MockImageReader}, test_support::{CalendarBuilder, InMemoryStore, calendar}};
    ///
    /// let mut reader = MockImageReader::new();
    /// reader.expect_read().returning(|_, _| Err(BadImage::Memory));
    /// let builder: CalendarBuilder = calendar(InMemoryStore::new()).reader(reader);
    /// ```
    pub fn reader(mut self, reader: impl ImageReader + 'static) -> Self {
        self.media.reader = Arc::new(reader);
        self
    }

    /// With this client that fetches images.
    ///
    /// ```
    /// use events_calendar_app::{ports::{FetchError, MockImageFetcher}, test_support::{InMemoryStore, calendar}};
    ///
    /// let mut fetcher = MockImageFetcher::new();
    /// fetcher.expect_fetch().returning(|_, _| Err(FetchError::Forbidden));
    /// let builder = calendar(InMemoryStore::new()).fetcher(fetcher);
    /// ```
    pub fn fetcher(mut self, fetcher: impl ImageFetcher + 'static) -> Self {
        self.media.fetcher = Arc::new(fetcher);
        self
    }

    /// With these settings of the site.
    ///
    /// ```
    /// use events_calendar_app::{site::Site, test_support::{InMemoryStore, calendar}};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let site = Site::at("https://cal.example");
    /// let calendar = calendar(InMemoryStore::new()).site(site).await;
    /// assert_eq!(calendar.site().host, "cal.example");
    /// # }
    /// ```
    pub fn site(mut self, site: Site) -> Self {
        self.site = site;
        self
    }
}

impl fmt::Debug for CalendarBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CalendarBuilder").finish_non_exhaustive()
    }
}

impl IntoFuture for CalendarBuilder {
    type Output = Calendar;
    type IntoFuture = Pin<Box<dyn Future<Output = Calendar> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let calendar = Calendar::new(self.store, self.clock, self.media, self.site);
        Box::pin(async move { calendar.await.unwrap() })
    }
}
