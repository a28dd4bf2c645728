//! Events of calendar files.

use domain::{
    EmailAddress, Event, Language, Stage, Stored,
    geo::Position,
    html::RichText,
    image::ImageFormat,
    time::{EventTime, Timestamp},
};

/// A text with the language in which it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InLanguage<T> {
    /// The text.
    pub text: T,
    /// Its language.
    pub language: Language,
}

impl<T> InLanguage<T> {
    /// A text in a language.
    pub fn new(text: T, language: Language) -> Self {
        Self { text, language }
    }
}

/// The state of an event in a calendar file (RFC 5545, 3.8.1.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedStatus {
    /// It takes place.
    Confirmed,
    /// It is not published yet.
    Tentative,
    /// It was called off.
    Cancelled,
}

/// An event of a calendar file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedEvent {
    /// The unique identifier across calendars.
    pub uid: String,
    /// The latest change of the event, and of the venue and the organizers shown.
    pub stamp: Timestamp,
    /// Start and end.
    pub when: EventTime,
    /// The number of changes that matter to guests.
    pub sequence: i64,
    /// The state.
    pub status: FeedStatus,
    /// The title, plain text.
    pub title: InLanguage<String>,
    /// The URL of its page; empty if it has none.
    pub url: String,
    /// The content; none while a password locks it.
    pub content: Option<Box<FeedContent>>,
}

/// The part of an entry that the stored event alone determines, in its own language: without URL, venue, organizers and image. A
/// scheduled event counts as published. The content of an event with a password stays locked.
///
/// ```
/// use events_calendar_app::feed::{FeedEvent, FeedStatus};
/// use events_calendar_app::test_support::at;
/// use domain::{Event, EventId, Stored, UserId, event::EventDetails, time::{EventTime, Zone}};
///
/// let now = at("2027-03-10 09:00:00");
/// let when = EventTime::new(Zone::utc(), now.civil(), now.civil(), false)?;
/// let details = EventDetails::new(when, "1@cal.example".to_owned());
/// let content = Event::new(UserId::from_raw(1), "Fair".parse()?, details, now);
/// let stored = Stored { id: EventId::from_raw(1), revision: 1, content };
///
/// let fair = FeedEvent { url: "https://cal.example/fair".to_owned(), ..FeedEvent::from(&stored) };
/// assert_eq!((&*fair.uid, fair.status), ("1@cal.example", FeedStatus::Tentative));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<&Stored<Event>> for FeedEvent {
    fn from(event: &Stored<Event>) -> Self {
        let details = &event.details;
        let is_published = event.stage == Stage::Published;
        let content = details.password.is_none().then(|| {
            let description = event.description.clone();
            let has_text = !description.as_str().is_empty();
            Box::new(FeedContent {
                description: has_text.then(|| InLanguage::new(description, event.language)),
                is_private: !is_published,
                ..FeedContent::new(event.date)
            })
        });
        Self {
            uid: details.uid.clone(),
            stamp: event.modified,
            when: details.when.clone(),
            sequence: details.sequence,
            status: match content {
                Some(_) if details.cancelled => FeedStatus::Cancelled,
                _ if is_published => FeedStatus::Confirmed,
                _ => FeedStatus::Tentative,
            },
            title: InLanguage::new(event.title.as_str().to_owned(), event.language),
            url: String::new(),
            content,
        }
    }
}

/// The part of an event that a password locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedContent {
    /// The time at which it was made.
    pub created: Timestamp,
    /// The description.
    pub description: Option<InLanguage<RichText>>,
    /// The venue, if the caller may see it.
    pub place: Option<InLanguage<FeedPlace>>,
    /// The names of its categories, then of its tags, each by name.
    pub categories: Vec<String>,
    /// Whether it is not public.
    pub is_private: bool,
    /// The organizers that the caller may see, in the order of the event.
    pub organizers: Vec<FeedOrganizer>,
    /// The unique identifier of its parent, if the caller may see that one.
    pub parent_uid: Option<String>,
    /// Its image.
    pub image: Option<FeedImage>,
}

impl FeedContent {
    /// Public content without any text.
    pub fn new(created: Timestamp) -> Self {
        Self {
            created,
            description: None,
            place: None,
            categories: Vec::new(),
            is_private: false,
            organizers: Vec::new(),
            parent_uid: None,
            image: None,
        }
    }

    /// The first organizer with a well-formed e-mail address.
    pub fn mail_contact(&self) -> Option<&FeedOrganizer> {
        let is_mailable = |one: &&FeedOrganizer| one.email.parse::<EmailAddress>().is_ok();
        self.organizers.iter().find(is_mailable)
    }
}

/// The venue of an event of a calendar file. An empty text is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedPlace {
    /// The name.
    pub name: String,
    /// Street and number.
    pub address: String,
    /// The postal code.
    pub zip: String,
    /// The city.
    pub city: String,
    /// The state or the province.
    pub stateprovince: String,
    /// The country.
    pub country: String,
    /// The position.
    pub position: Option<Position>,
}

impl FeedPlace {
    /// Name, address, postal code with city, state or province, and country, separated by commas.
    pub fn line(&self) -> String {
        let city = format!("{} {}", self.zip, self.city);
        join([
            &*self.name,
            &self.address,
            city.trim(),
            &self.stateprovince,
            &self.country,
        ])
    }
}

/// An organizer of an event of a calendar file. An empty text is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedOrganizer {
    /// The name.
    pub name: String,
    /// The phone number.
    pub phone: String,
    /// The e-mail address as stored, which need not be well-formed.
    pub email: String,
    /// The URL of the web site.
    pub website: String,
}

impl FeedOrganizer {
    /// Name, phone number, e-mail address and web site, separated by commas.
    pub fn line(&self) -> String {
        join([&*self.name, &self.phone, &self.email, &self.website])
    }
}

/// The texts that are not empty, separated by commas.
fn join<const N: usize>(texts: [&str; N]) -> String {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(", ")
}

/// The image of an event of a calendar file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedImage {
    /// The URL of the file in full size.
    pub url: String,
    /// The format of the file.
    pub format: ImageFormat,
}
