//! The fields that some kinds of record share.

use domain::{Category, Event, Id, Organizer, Term, Venue, slug::Slug, term::Taxonomy};

use super::{Builder, Update};

/// Records whose slug a write may choose: events, categories and tags.
///
/// ```
/// fn is_allowed<R: app::typed::HasSlug>() {}
/// is_allowed::<domain::Event>();
/// is_allowed::<domain::Tag>();
/// ```
pub trait HasSlug {}
impl HasSlug for Event {}
impl<X: Taxonomy> HasSlug for Term<X> {}

/// Records below another one of their kind: events and categories.
///
/// ```
/// fn is_allowed<R: app::typed::HasParent>() {}
/// is_allowed::<domain::Category>();
/// ```
pub trait HasParent {}
impl HasParent for Event {}
impl HasParent for Category {}

/// Records whose pages show a map: events and venues.
///
/// ```
/// fn is_allowed<R: app::typed::HasMap>() {}
/// is_allowed::<domain::Venue>();
/// ```
pub trait HasMap {}
impl HasMap for Event {}
impl HasMap for Venue {}

/// Records with a telephone number: venues and organizers.
///
/// ```
/// fn is_allowed<R: app::typed::HasPhone>() {}
/// is_allowed::<domain::Organizer>();
/// ```
pub trait HasPhone {}
impl HasPhone for Venue {}
impl HasPhone for Organizer {}

impl<R: HasSlug, P> Builder<R, P> {
    /// The slug; without one, it is made from the title.
    pub fn slug(self, slug: Slug) -> Self {
        self.set("slug", slug.as_str())
    }
}

impl<R: HasSlug> Builder<R, Update> {
    /// Removes the slug of a translation. An original cannot lose its slug.
    pub fn clear_slug(self) -> Self {
        self.clear("slug")
    }
}

impl<R: HasParent, P> Builder<R, P> {
    /// The record above.
    pub fn parent(self, parent: Id<R>) -> Self {
        self.set("parent", parent.get())
    }
}

impl<R: HasParent> Builder<R, Update> {
    /// Moves the record to the top.
    pub fn clear_parent(self) -> Self {
        self.set("parent", 0)
    }
}

impl<R: HasMap, P> Builder<R, P> {
    /// Whether pages show a map.
    pub fn show_map(self, show: bool) -> Self {
        self.set("show_map", show)
    }

    /// Whether pages link to a map.
    pub fn show_map_link(self, show: bool) -> Self {
        self.set("show_map_link", show)
    }
}

impl<R: HasPhone, P> Builder<R, P> {
    /// The telephone number; an empty text removes it.
    pub fn phone(self, phone: impl Into<String>) -> Self {
        self.set("phone", phone.into())
    }
}
