//! Links of an event to venues, organizers, categories and tags.

use std::marker::PhantomData;

use domain::{Entry, FieldName, Id, Term, entry::EntryId, term::Taxonomy, text::Title};

use super::{New, WriteInput};
use crate::{
    event::{PlaceRef, TermRef},
    fault::{Fault, FaultCollector, check_count},
    place::Place,
};

/// The link of an event to a category or a tag: from its ID, or from a name.
///
/// An unknown ID is left out. A name also finds the term with that slug; for an unknown one, a term
/// is created, if the caller may create such terms.
#[derive(Clone, Debug)]
pub struct TermLink<X> {
    term: TermRef,
    taxonomy: PhantomData<fn() -> X>,
}

impl<X: Taxonomy> From<Id<Term<X>>> for TermLink<X> {
    fn from(id: Id<Term<X>>) -> Self {
        Self {
            term: TermRef::Id(id.get()),
            taxonomy: PhantomData,
        }
    }
}

impl<X: Taxonomy> From<Title> for TermLink<X> {
    fn from(name: Title) -> Self {
        Self {
            term: TermRef::Name(name),
            taxonomy: PhantomData,
        }
    }
}

/// The links, unless they are too many.
pub(super) fn term_links<X: Taxonomy, L: Into<TermLink<X>>>(
    links: impl IntoIterator<Item = L>,
) -> Result<Vec<TermRef>, Fault> {
    let links: Vec<_> = links.into_iter().map(|link| link.into().term).collect();
    check_count(links.len()).map(|()| links)
}

/// The link of an event to a venue or an organizer: from its ID, or from all its fields.
///
/// A stored one that the caller sees, with the same name and no contradicting field, is linked;
/// without any, a new one is created.
#[derive(Clone, Debug)]
pub struct PlaceLink<D: Place> {
    place: PlaceRef<D>,
    /// The faults of its fields.
    faults: FaultCollector,
}

impl<D: Place> From<EntryId<D>> for PlaceLink<D> {
    fn from(id: EntryId<D>) -> Self {
        Self {
            place: PlaceRef::Id(id.get()),
            faults: FaultCollector::default(),
        }
    }
}

impl<D: Place> From<WriteInput<Entry<D>, New>> for PlaceLink<D> {
    fn from(place: WriteInput<Entry<D>, New>) -> Self {
        Self {
            place: PlaceRef::New(Box::new(place.write)),
            faults: place.faults,
        }
    }
}

impl<D: Place> PlaceLink<D> {
    /// The reference, if the place has no fault; otherwise the fault of the field is reported.
    pub(super) fn checked(
        self,
        field: FieldName,
        faults: &mut FaultCollector,
    ) -> Option<PlaceRef<D>> {
        let is_valid = faults.inline(field, D::KIND, self.faults);
        is_valid.then_some(self.place)
    }
}
