//! Links of an event to venues, organizers, categories and tags.

use std::marker::PhantomData;

use domain::{Entry, Id, Term, entry::EntryId, term::Taxonomy, text::Title};
use serde_json::Value;

use super::{New, WriteFields, WriteInput};

/// The link of an event to a category or a tag: from its ID, or from a name.
///
/// An unknown ID is left out. A name also finds the term with that slug; for an unknown one, a term
/// is created, if the caller may create such terms.
#[derive(Clone, Debug)]
pub struct TermLink<X> {
    pub(super) value: Value,
    taxonomy: PhantomData<fn() -> X>,
}

impl<X: Taxonomy> From<Id<Term<X>>> for TermLink<X> {
    fn from(id: Id<Term<X>>) -> Self {
        Self {
            value: id.get().into(),
            taxonomy: PhantomData,
        }
    }
}

impl<X: Taxonomy> From<Title> for TermLink<X> {
    fn from(name: Title) -> Self {
        Self {
            // Digits alone would be read as an ID. Markup is removed from a name.
            value: format!("<b>{name}").into(),
            taxonomy: PhantomData,
        }
    }
}

/// The link of an event to a venue or an organizer: from its ID, or from all its fields.
///
/// A stored one that the caller sees, with the same name and no contradicting field, is linked;
/// without any, a new one is created.
#[derive(Clone, Debug)]
pub struct PlaceLink<D> {
    pub(super) value: Value,
    kind: PhantomData<fn() -> D>,
}

impl<D> From<EntryId<D>> for PlaceLink<D> {
    fn from(id: EntryId<D>) -> Self {
        Self {
            value: id.get().into(),
            kind: PhantomData,
        }
    }
}

impl<D> From<WriteInput<Entry<D>, New>> for PlaceLink<D> {
    fn from(place: WriteInput<Entry<D>, New>) -> Self {
        Self {
            value: place.fields().body.clone().into(),
            kind: PhantomData,
        }
    }
}
