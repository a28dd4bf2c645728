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

/// Who asks for what, and when.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Who asks.
    pub caller: Caller,
    /// What was sent.
    pub fields: &'a Fields,
    /// When.
    pub now: Timestamp,
    /// What the service is set to.
    pub site: &'a Site,
    /// What event passwords are hashed with.
    pub hash_key: &'a HashKey,
    /// The language that it asks for, by the field `ml_language`, else by its path, else by the slug
    /// of the record that it names.
    pub language: Option<Language>,
    /// What was fetched from the addresses of images that it names.
    pub images: &'a FetchedImages,
}

impl Request<'_> {
    /// What the caller may see, with the event password that the query brought.
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

/// What a write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It makes a new record: required fields must be there.
    Create,
    /// It changes one: only what is sent.
    Update,
}

/// What became of the addresses that a request names, before its unit of work begins.
#[derive(Debug, Default)]
pub struct FetchedImages {
    pub(crate) images: Vec<(WebUrl, Result<Image, Fault>)>,
    /// Who names the same address waits until this is recorded, and need not fetch it.
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
