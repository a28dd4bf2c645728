//! What a request sends, read field by field so that every bad one is reported at once.

mod read;

use domain::{
    Kind, Language,
    cost::InvalidCost,
    html::TooLong,
    text::InvalidTitle,
    time::{InvalidDate, InvalidEventTime, InvalidZone},
    web_url::InvalidWebUrl,
};
use serde_json::{Map, Value};

use crate::{
    error::{AppError, Faults},
    patch::Patch,
};

pub(crate) use read::*;

/// At most this many values in a list that a request sends.
pub const MAX_LIST: usize = 100;

/// At most this many characters in a one-line text other than a title.
pub const MAX_LINE_CHARS: usize = 1000;

/// What a request sends: its body and its query, fields by name.
///
/// A field with the value `null` counts as not sent.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// From the body, which wins.
    pub body: Map<String, Value>,
    /// From the query.
    pub query: Map<String, Value>,
    /// The language that the path names.
    pub language: Option<Language>,
}

impl Fields {
    /// Fields that come from a body alone.
    pub fn from_body(body: Map<String, Value>) -> Self {
        Self {
            body,
            ..Self::default()
        }
    }

    /// The value of a field, if it was sent.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let sent =
            |fields: &'_ Map<String, Value>| fields.get(name).is_some_and(|value| !value.is_null());
        if sent(&self.body) {
            self.body.get(name)
        } else if sent(&self.query) {
            self.query.get(name)
        } else {
            None
        }
    }
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another type is wanted.
    #[error("must be {0}")]
    Type(&'static str),
    /// It is empty.
    #[error("must not be empty")]
    Empty,
    /// It is not one of the known words.
    #[error("must be one of {}", .0.join(", "))]
    NotOneOf(Vec<&'static str>),
    /// It is known, and not for this caller.
    #[error("may not be set to this value by the caller")]
    NotAllowed,
    /// It is too small or too great.
    #[error("must be {0}")]
    OutOfRange(&'static str),
    /// It is too long.
    #[error("must have at most {0} characters")]
    TooLong(usize),
    /// The list is too long.
    #[error("must have at most {MAX_LIST} values")]
    TooMany,
    /// It cannot be a title or a name.
    #[error(transparent)]
    Title(#[from] InvalidTitle),
    /// It cannot be a text with formatting.
    #[error(transparent)]
    RichText(#[from] TooLong),
    /// It is not a date.
    #[error(transparent)]
    Date(#[from] InvalidDate),
    /// It does not fit the other date.
    #[error(transparent)]
    EventTime(#[from] InvalidEventTime),
    /// It is not a time zone.
    #[error(transparent)]
    Zone(#[from] InvalidZone),
    /// It is not a web address.
    #[error(transparent)]
    WebUrl(#[from] InvalidWebUrl),
    /// It is not a price.
    #[error(transparent)]
    Cost(#[from] InvalidCost),
    /// Nothing usable is left of a slug.
    #[error("must contain a letter or a digit")]
    Slug,
    /// It names a record that does not exist, or that the caller may not see.
    #[error("names no {0} that exists")]
    Unknown(&'static str),
    /// A record given in full is not usable.
    #[error("is not usable as {kind}: {reason}")]
    Inline {
        /// What it was to be.
        kind: Kind,
        /// Which of its fields are missing or wrong, and why.
        reason: String,
    },
}

impl Fault {
    /// The code of what is to be told beside the text, if the fault has one.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Type(_) => Some("rest_invalid_type"),
            Self::NotOneOf(_) => Some("rest_not_in_enum"),
            _ => None,
        }
    }
}

/// Reads fields and collects what is wrong with them.
#[derive(Debug)]
pub struct Input<'a> {
    fields: &'a Fields,
    missing: Vec<&'static str>,
    faults: Faults,
}

impl<'a> Input<'a> {
    /// Starts to read.
    pub fn new(fields: &'a Fields) -> Self {
        Self {
            fields,
            missing: Vec::new(),
            faults: Faults::new(),
        }
    }

    /// Notes that a field is required; if it was not sent, that is reported.
    pub fn require(&mut self, name: &'static str) {
        if self.fields.get(name).is_none() {
            self.missing.push(name);
        }
    }

    /// Notes what is wrong with a field.
    pub fn fault(&mut self, name: &'static str, fault: impl Into<Fault>) {
        self.faults.entry(name).or_insert_with(|| fault.into());
    }

    /// Reads a field that was sent.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Option<T> {
        let value = self.fields.get(name)?;
        match read(value) {
            Ok(value) => Some(value),
            Err(fault) => {
                self.fault(name, fault);
                None
            }
        }
    }

    /// Reads a field that can be emptied by an empty text.
    pub fn patch<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Patch<T> {
        match self.fields.get(name) {
            None => Patch::Keep,
            Some(Value::String(text)) if text.is_empty() => Patch::Clear,
            Some(_) => self.read(name, read).map_or(Patch::Keep, Patch::Set),
        }
    }

    /// The value of a field as it was sent.
    pub fn raw(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name)
    }

    /// The language in which the request speaks, if it says so.
    pub fn language(&mut self) -> Option<Language> {
        self.read("ml_language", |value| {
            Language::from_code(text(value)?).ok_or_else(|| {
                Fault::NotOneOf(Language::ALL.iter().map(|one| one.code()).collect())
            })
        })
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// [`AppError::Missing`] if a required field was not sent; else [`AppError::Invalid`] if
    /// something is wrong with one.
    pub fn finish(self) -> Result<(), AppError> {
        if !self.missing.is_empty() {
            return Err(AppError::Missing(self.missing));
        }
        if !self.faults.is_empty() {
            return Err(AppError::Invalid(self.faults));
        }
        Ok(())
    }
}
