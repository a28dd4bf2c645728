//! The collections to which a token limits its user.

use std::{fmt, str::FromStr};

use crate::{Kind, UnknownName};

named_enum! {
    /// A collection of the interface.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Collection, name {
        /// Events.
        Events = "events",
        /// Venues.
        Venues = "venues",
        /// Organizers.
        Organizers = "organizers",
        /// Categories.
        Categories = "categories",
        /// Tags.
        Tags = "tags",
        /// Images.
        Images = "images",
    }
}

impl From<Kind> for Collection {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Event => Self::Events,
            Kind::Venue => Self::Venues,
            Kind::Organizer => Self::Organizers,
            Kind::Category => Self::Categories,
            Kind::Tag => Self::Tags,
        }
    }
}

/// The collections in which a caller has the rights of its user.
///
/// ```
/// use events_calendar_domain::{Kind, UnknownName, policy::{Collection, Collections}};
/// let some: Collections = [Collection::Venues, Collection::Events].into_iter().collect();
/// assert!(some.hold(Kind::Event) && !some.hold(Kind::Tag));
/// assert_eq!(some.to_string(), "events,venues");
/// assert_eq!("events,venues".parse(), Ok(some));
/// assert_eq!("all".parse(), Ok(Collections::ALL));
/// assert_eq!("events,users".parse::<Collections>(), Err(UnknownName));
/// // Users, sources and settings are in no collection.
/// assert_ne!(Collection::ALL.into_iter().collect::<Collections>(), Collections::ALL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collections(u8);

impl Collections {
    /// No limit: every collection, and what is in none, such as users, sources and settings.
    pub const ALL: Self = Self(u8::MAX);

    const NAME_OF_ALL: &str = "all";

    /// Whether a collection is one of these.
    pub fn hold(self, collection: impl Into<Collection>) -> bool {
        self.0 & Self::bit(collection.into()) != 0
    }

    const fn bit(collection: Collection) -> u8 {
        1 << collection as u8
    }
}

impl FromIterator<Collection> for Collections {
    fn from_iter<I: IntoIterator<Item = Collection>>(collections: I) -> Self {
        let bits = collections.into_iter().map(Self::bit);
        Self(bits.fold(0, |all, one| all | one))
    }
}

impl fmt::Display for Collections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str(Self::NAME_OF_ALL);
        }
        let held = Collection::ALL.into_iter().filter(|one| self.hold(*one));
        f.write_str(&held.map(Collection::name).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Collections {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        if text == Self::NAME_OF_ALL {
            return Ok(Self::ALL);
        }
        text.split(',').map(Collection::from_str).collect()
    }
}

#[cfg(test)]
mod tests;
