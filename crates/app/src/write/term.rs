//! The fields of categories and tags.

use domain::{Category, CategoryId, FieldName, Term, slug::Slug, text::Title};

use super::{Builder, Change, New, NewTerm, Update};
use crate::term::TermKind;

impl<X: TermKind> NewTerm<X> {
    /// Starts a category or a tag with this name.
    pub fn builder(name: Title) -> Builder<Term<X>, New> {
        Builder::<Term<X>, New>::new().set(FieldName::Name, |changes| changes.set_name(Some(name)))
    }
}

impl<X: TermKind> Builder<Term<X>, Update> {
    /// The name.
    pub fn name(self, name: Title) -> Self {
        self.set(FieldName::Name, |changes| changes.set_name(Some(name)))
    }

    /// Removes the name of a translation. An original cannot lose its name.
    pub fn clear_name(self) -> Self {
        self.set(FieldName::Name, |changes| changes.set_name(None))
    }
}

impl<X: TermKind, P> Builder<Term<X>, P> {
    /// The slug; without one, it is made from the name.
    pub fn slug(self, slug: Slug) -> Self {
        self.check(FieldName::Slug, |changes, faults| {
            changes.slug = faults.slug(FieldName::Slug, &slug);
        })
    }
}

impl<X: TermKind> Builder<Term<X>, Update> {
    /// Removes the slug of a translation. An original cannot lose its slug.
    pub fn clear_slug(self) -> Self {
        self.set(FieldName::Slug, |changes| changes.slug = Change::Clear)
    }
}

impl<P> Builder<Category, P> {
    /// The category above.
    pub fn parent(self, parent: CategoryId) -> Self {
        self.set(FieldName::Parent, |changes| {
            changes.parent = Change::Set(parent);
        })
    }
}

impl Builder<Category, Update> {
    /// Moves the category to the top.
    pub fn clear_parent(self) -> Self {
        self.set(FieldName::Parent, |changes| changes.parent = Change::Clear)
    }
}
