//! The request that a use case answers: caller, fields, moment, language.

use domain::{
    Id, Image, Kind, Language, Record,
    entry::PasswordHash,
    policy::{Caller, Capability, Visibility},
    slug::Slug,
    time::Timestamp,
    web_url::WebUrl,
};
use futures_util::lock::OwnedMutexGuard;

use crate::{
    hashing::HashKey,
    input::{Fault, Fields},
    site::Site,
};

/// The caller, the fields, the moment and the language of a request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The caller.
    pub caller: Caller,
    /// The fields.
    pub fields: &'a Fields,
    /// The moment.
    pub now: Timestamp,
    /// The settings of the site.
    pub site: &'a Site,
    /// The key with which event passwords are hashed.
    pub hash_key: &'a HashKey,
    /// The language that it asks for, by the field `ml_language`, else by its path, else by the slug
    /// of the record that it names.
    pub language: Option<Language>,
    /// The images that were fetched from the addresses in the fields.
    pub images: &'a FetchedImages,
}

impl Request<'_> {
    /// The visibility of the caller, with the event password of the query.
    pub fn visibility(&self) -> Visibility {
        let password = self
            .fields
            .query
            .get("password")
            .and_then(serde_json::Value::as_str);
        Visibility {
            caller: self.caller,
            now: self.now,
            password: password.map(|password| self.hash(password)),
            language: self.language(),
        }
    }

    /// The language of the request: the one it asks for, else the site's.
    pub fn language(&self) -> Language {
        self.language.unwrap_or(self.site.language)
    }

    /// The same request of a record that was found: if it asks for no language, it is in the
    /// language of the slug that it names.
    #[must_use]
    pub fn about<R: Record>(self, key: &RecordKey<R>, record: &R) -> Self {
        let of_slug = match key {
            RecordKey::Slug(slug) => record.language_of(slug, self.site.language),
            RecordKey::Id(_) => None,
        };
        Self {
            language: self.language.or(of_slug),
            ..self
        }
    }

    /// Whether this may be the change of a translation, as far as can be told without the record.
    pub(crate) fn may_translate(&self, kind: Kind, purpose: Purpose) -> bool {
        purpose == Purpose::Update && self.caller.can(Capability::Write(kind))
    }

    /// Hashes an event password.
    pub fn hash(&self, password: &str) -> PasswordHash {
        self.hash_key.hash(password)
    }
}

/// How a request names one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordKey<R> {
    /// By its number.
    Id(Id<R>),
    /// By its slug, already normalised.
    Slug(Slug),
}

/// The kind of write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It makes a new record: required fields must be there.
    Create,
    /// It changes one: only what is sent.
    Update,
}

/// The images fetched from the addresses that a request names, before its unit of work begins.
#[derive(Debug, Default)]
pub struct FetchedImages {
    pub(crate) images: Vec<(WebUrl, Result<Image, Fault>)>,
    /// Another request with the same address waits until this image is recorded, and then uses it.
    pub(crate) _locks: Vec<OwnedMutexGuard<()>>,
}

impl FetchedImages {
    /// Nothing was fetched.
    pub(crate) const NONE: &'static Self = &Self {
        images: Vec::new(),
        _locks: Vec::new(),
    };

    pub(crate) fn get(&self, url: &WebUrl) -> Option<&Result<Image, Fault>> {
        let mut fetched = self.images.iter();
        fetched.find(|(one, _)| one == url).map(|(_, image)| image)
    }
}
