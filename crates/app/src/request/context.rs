//! The request of a use case: caller, time, language.

use std::collections::HashMap;

use domain::{
    Event, EventId, Image, Language, Record, Secret, Stored,
    entry::PasswordHash,
    policy::{Caller, Visibility},
    slug::Slug,
    time::Timestamp,
    web_url::WebUrl,
};
use futures_util::lock::OwnedMutexGuard;

use super::RecordKey;
use crate::{
    fault::{Fault, Warning, Warnings},
    hashing::HashKey,
    site::Site,
};

/// A request: caller, time, language and settings.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The caller.
    pub caller: Caller,
    /// The password that opens a locked event.
    pub password: Option<Secret<&'a str>>,
    /// The hash of the password of an event that a pass opens.
    pub(crate) opened: Option<&'a PasswordHash>,
    /// The time of the request.
    pub now: Timestamp,
    /// The settings of the site.
    pub site: &'a Site,
    /// The key with which event passwords are hashed.
    pub hash_key: &'a HashKey,
    /// The requested language: the field `ml_language`, else the language of the path, else that of
    /// the slug in the request.
    pub language: Option<Language>,
    /// The images fetched from the URLs in the fields.
    pub images: &'a FetchedImages,
    /// The ID that a new record gets if no record has it. An import alone asks for one.
    pub wanted_id: Option<i64>,
    /// The ID that a new image gets if no image has it. An import alone asks for one.
    pub wanted_image_id: Option<i64>,
    /// The slug that a new record requests in place of one from its name. An import alone asks for one.
    pub wanted_slug: Option<&'a Slug>,
    /// The last change of a new event, venue or organizer in place of the time of the request. An import
    /// alone asks for one.
    pub wanted_modified: Option<Timestamp>,
    /// The identity of the event in the calendar that it is imported from.
    pub(crate) origin: Option<&'a Origin>,
    /// Whether readers learn that an event was moved to another start.
    pub(crate) announces_moves: bool,
    /// Occurrences as they were before an earlier write of the same import.
    pub(crate) occurrences_before: Option<&'a HashMap<EventId, Event>>,
    /// The warnings of the write, if its answer has them.
    pub(crate) warnings: Option<&'a Warnings>,
}

/// The identity of an imported event in the calendar that it comes from.
///
/// ```
/// use events_calendar_app::request::{FetchedImages, Origin};
///
/// let origin = Origin { uid: "1@old.example".to_owned(), sequence: 3 };
/// let none = FetchedImages::default();
/// assert_eq!(origin.sequence, 3);
/// ```
#[derive(Clone, Debug)]
pub struct Origin {
    /// The unique identifier across calendars, which a new event keeps.
    pub uid: String,
    /// The number of changes that matter to guests, below which the event's own does not stay.
    pub sequence: i64,
}

impl Request<'_> {
    /// Reports a value that has no effect.
    pub(crate) fn warn(&self, warning: Warning) {
        if let Some(warnings) = self.warnings {
            warnings.add(warning);
        }
    }

    /// The event as readers know it: as it was before the import or, outside of imports, the write.
    pub(crate) fn known<'a>(&'a self, before: &'a Stored<Event>) -> &'a Event {
        let known = self.occurrences_before.and_then(|all| all.get(&before.id));
        known.unwrap_or(before)
    }

    /// The visibility of the caller, with the event password of the query or the one that a pass stands
    /// for.
    pub fn visibility(&self) -> Visibility {
        let sent = self.password.map(|password| self.hash(password.expose()));
        Visibility {
            caller: self.caller,
            now: self.now,
            password: sent.or_else(|| self.opened.cloned()),
            language: self.language(),
        }
    }

    /// The language of the request: the requested one, or else the site's.
    pub fn language(&self) -> Language {
        self.language.unwrap_or(self.site.language)
    }

    /// The same request after its record was found: without a requested language, it gets the
    /// language of the slug that it names.
    #[must_use]
    pub fn about<R: Record>(self, key: &RecordKey<R>, record: &R) -> Self {
        let of_slug = match key {
            RecordKey::Slug(slug) => record.language_of(slug, self.site.language),
            RecordKey::Id(_) | RecordKey::Slot(..) | RecordKey::Unknown => None,
        };
        Self {
            language: self.language.or(of_slug),
            ..self
        }
    }

    /// Hashes an event password.
    pub fn hash(&self, password: &str) -> PasswordHash {
        self.hash_key.hash(password)
    }
}

/// The images fetched from the URLs in a request, and the file in it. They are stored before its unit
/// of work begins.
#[derive(Debug, Default)]
pub struct FetchedImages {
    pub(crate) images: Vec<(WebUrl, Result<Image, Fault>)>,
    /// The file that was sent with the record.
    pub(crate) sent: Option<Result<Image, Fault>>,
    /// Held until the images are recorded: another request with the same URL waits, and then uses
    /// them.
    pub(crate) _locks: Vec<OwnedMutexGuard<()>>,
}

impl FetchedImages {
    /// No images.
    pub(crate) const NONE: &'static Self = &Self {
        images: Vec::new(),
        sent: None,
        _locks: Vec::new(),
    };

    pub(crate) fn get(&self, url: &WebUrl) -> Option<&Result<Image, Fault>> {
        let mut fetched = self.images.iter();
        fetched.find(|(one, _)| one == url).map(|(_, image)| image)
    }
}
