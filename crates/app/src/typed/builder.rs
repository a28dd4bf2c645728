//! The builder of the fields of a write.

use std::marker::PhantomData;

use domain::Language;
use serde_json::Value;

use crate::input::{Fields, text_bytes};

/// Marks the fields of a new record.
#[derive(Clone, Copy, Debug)]
pub enum New {}

/// Marks the fields of a change.
#[derive(Clone, Copy, Debug)]
pub enum Update {}

/// Fields of a write of records `R`; `P` is [`New`] or [`Update`].
///
/// The fields of a request, whose names nobody has checked, may be of any write. A [`WriteInput`]
/// is of one.
pub trait WriteFields<R, P>: Sync {
    /// The fields.
    fn fields(&self) -> &Fields;
}

impl<R, P> WriteFields<R, P> for Fields {
    fn fields(&self) -> &Fields {
        self
    }
}

/// The fields of a write of a record `R`, made by a [`Builder`]; `P` is [`New`] or [`Update`].
///
/// `Debug` shows names without values.
#[derive(Clone, Debug)]
pub struct WriteInput<R, P> {
    fields: Fields,
    write: PhantomData<fn() -> (R, P)>,
}

impl<R, P> WriteFields<R, P> for WriteInput<R, P> {
    fn fields(&self) -> &Fields {
        &self.fields
    }
}

impl<R> WriteInput<R, Update> {
    /// Starts an update that changes nothing.
    pub fn builder() -> Builder<R, Update> {
        Builder::new()
    }
}

/// Sets the fields of a write of a record `R`; `P` is [`New`] or [`Update`].
///
/// If a field is set twice, the last value counts.
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder<R, P>(WriteInput<R, P>);

impl<R, P> Builder<R, P> {
    pub(super) fn new() -> Self {
        Self(WriteInput {
            fields: Fields::default(),
            write: PhantomData,
        })
    }

    /// Sets a field by its name.
    pub(super) fn set(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.fields.body.insert(name.to_owned(), value.into());
        self
    }

    /// Clears a field that an empty text clears.
    pub(super) fn clear(self, name: &'static str) -> Self {
        self.set(name, "")
    }

    /// The language of the texts; by default, that of the site.
    ///
    /// In an update, another language than that of the record changes its translation. A place that
    /// is linked in full has the language of its event.
    pub fn language(mut self, language: Language) -> Self {
        self.0.fields.language = Some(language);
        self
    }

    /// The long text, as HTML; an empty one removes it. See [`RichText`](domain::html::RichText).
    pub fn description(self, html: impl Into<String>) -> Self {
        self.set("description", html.into())
    }

    /// The fields that were set.
    pub fn build(self) -> WriteInput<R, P> {
        let mut input = self.0;
        // A long text is parsed off the worker threads.
        input.fields.size = input.fields.body.values().map(text_bytes).sum();
        input
    }
}
