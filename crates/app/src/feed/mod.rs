//! Calendar files: what feeds and files of single events say, as plain data.
//!
//! A [`CalendarWriter`](crate::ports::CalendarWriter) writes the items of a file one after another,
//! so that a feed of any length needs little memory. The items hold what a caller may see, and
//! nothing else: a writer hides nothing.
//!
//! ```
//! use std::time::Duration;
//!
//! use events_calendar_app::feed::{
//!     CalendarHeader, FeedContent, FeedEvent, FeedHeader, FeedImage, FeedItem, FeedOrganizer,
//!     FeedPlace, FeedStatus, FeedTombstone, InLanguage,
//! };
//! use domain::{
//!     Language, html::RichText, image::ImageFormat, recurrence::DateValue,
//!     time::{EventTime, Zone, parse_civil},
//! };
//!
//! // A feed of the year 2027, with the properties that subscribers read.
//! let feed = FeedHeader {
//!     name: "cal.example".to_owned(),
//!     zone: Zone::utc(),
//!     refresh: Duration::from_secs(3600),
//!     source: None,
//!     url: "https://cal.example/".to_owned(),
//! };
//! let header = CalendarHeader { years: Some(2027..=2027), feed: Some(feed) };
//! assert!(header.is_feed());
//!
//! let [nine, noon] = ["2027-04-17 09:00:00", "2027-04-17 12:00:00"].map(|text| parse_civil(text).unwrap());
//! let when = EventTime::new("Europe/Paris".parse()?, nine, noon, false)?;
//! let stamp = when.start().utc;
//! let mill = FeedPlace {
//!     name: "Old Mill".to_owned(),
//!     address: "3 Quai Vert".to_owned(),
//!     zip: "69002".to_owned(),
//!     city: "Lyon".to_owned(),
//!     country: "France".to_owned(),
//!     ..FeedPlace::default()
//! };
//! assert_eq!(mill.line(), "Old Mill, 3 Quai Vert, 69002 Lyon, France");
//!
//! let club = |email: &str| FeedOrganizer {
//!     name: "Rowing club".to_owned(),
//!     email: email.to_owned(),
//!     ..FeedOrganizer::default()
//! };
//! assert_eq!(club("club@cal.example").line(), "Rowing club, club@cal.example");
//!
//! let content = FeedContent {
//!     description: Some(InLanguage::new(RichText::from_plain("Bring gloves.")?, Language::English)),
//!     place: Some(InLanguage::new(mill, Language::French)),
//!     categories: vec!["Nature".to_owned()],
//!     organizers: vec![club("unknown"), club("club@cal.example")],
//!     image: Some(FeedImage { url: "https://cal.example/mill.png".to_owned(), format: ImageFormat::Png }),
//!     ..FeedContent::new(stamp)
//! };
//! assert_eq!(content.mail_contact().unwrap().email, "club@cal.example");
//!
//! let event = FeedEvent {
//!     uid: "1@cal.example".to_owned(),
//!     stamp,
//!     when,
//!     sequence: 0,
//!     status: FeedStatus::Confirmed,
//!     title: InLanguage::new("River cleanup".to_owned(), Language::English),
//!     url: "https://cal.example/event/river-cleanup/".to_owned(),
//!     content: Some(Box::new(content)),
//! };
//! let gone = FeedTombstone {
//!     uid: "2@cal.example".to_owned(),
//!     stamp,
//!     start: DateValue::Instant(stamp),
//!     sequence: 3,
//! };
//! let items = [FeedItem::from(event), FeedItem::Tombstone(gone)];
//! assert_eq!(items[0].uid(), "1@cal.example");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod event;
mod series;

use std::{ops::RangeInclusive, time::Duration};

use domain::{
    Event, EventId, Image, Stored,
    recurrence::DateValue,
    time::{Timestamp, Zone},
};

pub use event::{
    FeedContent, FeedEvent, FeedImage, FeedOrganizer, FeedPlace, FeedStatus, InLanguage,
};
pub use series::{FeedOverride, FeedSeries};

/// The beginning of a calendar file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalendarHeader {
    /// The years of a feed. Definitions of time zones cover them and the years of the first event of a
    /// zone, with a year before and a year after. Rules that are in force at their end go on.
    pub years: Option<RangeInclusive<i32>>,
    /// The properties of a feed; none in a file of one event.
    pub feed: Option<FeedHeader>,
}

impl CalendarHeader {
    /// Whether the file is a feed, to which calendars subscribe.
    pub fn is_feed(&self) -> bool {
        self.feed.is_some()
    }
}

/// The properties of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedHeader {
    /// The name of the calendar.
    pub name: String,
    /// The zone of the site.
    pub zone: Zone,
    /// The time after which a subscriber should read the feed again.
    pub refresh: Duration,
    /// The URL of the feed; none for a secret feed.
    pub source: Option<String>,
    /// The URL of a page with the same events.
    pub url: String,
}

/// The URLs in calendar files, which depend on how the calendar is published.
///
/// ```
/// use events_calendar_app::feed::FeedUrls;
/// use domain::{Event, EventId, Image};
///
/// struct Urls;
///
/// impl FeedUrls for Urls {
///     fn page(&self, _: &Event, id: Option<EventId>) -> String {
///         id.map_or_else(String::new, |id| format!("https://cal.example/?p={id}"))
///     }
///
///     fn image(&self, image: &Image) -> String {
///         format!("https://cal.example/media/{}", image.name)
///     }
/// }
/// # fn check(_: &dyn FeedUrls) {}
/// # check(&Urls);
/// ```
pub trait FeedUrls: Send + Sync {
    /// The URL of the page of an event. A computed occurrence has no ID.
    fn page(&self, event: &Event, id: Option<EventId>) -> String;

    /// The URL of the file of an image in full size.
    fn image(&self, image: &Image) -> String;
}

/// A part of a calendar file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedItem {
    /// An event that happens once, or one occurrence on its own.
    Event(Box<FeedEvent>),
    /// A series.
    Series(Box<FeedSeries>),
    /// An event that was public.
    Tombstone(FeedTombstone),
}

impl FeedItem {
    /// The unique identifier of the event or series (RFC 5545, 3.8.4.7).
    pub fn uid(&self) -> &str {
        match self {
            Self::Event(event) => &event.uid,
            Self::Series(series) => &series.event.uid,
            Self::Tombstone(gone) => &gone.uid,
        }
    }
}

impl From<FeedEvent> for FeedItem {
    fn from(event: FeedEvent) -> Self {
        Self::Event(Box::new(event))
    }
}

impl From<FeedSeries> for FeedItem {
    fn from(series: FeedSeries) -> Self {
        Self::Series(Box::new(series))
    }
}

/// As [`FeedEvent::from`]; a series is the item of all its occurrences.
impl From<&Stored<Event>> for FeedItem {
    fn from(event: &Stored<Event>) -> Self {
        let item = FeedEvent::from(event);
        match event.series() {
            Some(series) => FeedSeries::new(item, series.recurrence.clone(), Timestamp::MAX).into(),
            None => item.into(),
        }
    }
}

/// An event that everybody could list and now cannot, shown as cancelled and without texts, so that
/// subscribers remove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedTombstone {
    /// The unique identifier.
    pub uid: String,
    /// The time at which the event ceased to be public.
    pub stamp: Timestamp,
    /// The last public start: a day, or an instant.
    pub start: DateValue,
    /// One more than the last public one.
    pub sequence: i64,
}
