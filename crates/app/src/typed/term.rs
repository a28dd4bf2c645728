//! The fields of categories and tags.

use domain::{Term, term::Taxonomy, text::Title};

use super::{Builder, New, NewTerm, Update};

impl<X: Taxonomy> NewTerm<X> {
    /// Starts a category or a tag with this name.
    pub fn builder(name: Title) -> Builder<Term<X>, New> {
        Builder::new().set("name", name.as_str())
    }
}

impl<X: Taxonomy> Builder<Term<X>, Update> {
    /// The name.
    pub fn name(self, name: Title) -> Self {
        self.set("name", name.as_str())
    }

    /// Removes the name of a translation. An original cannot lose its name.
    pub fn clear_name(self) -> Self {
        self.clear("name")
    }
}
