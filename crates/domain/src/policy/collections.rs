//! The collections to which a token limits its user.

use std::{fmt, str::FromStr};

use super::{Caller, Capability};
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

impl Caller {
    /// The caller limited to some collections: outside of them it is anonymous for every rule.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, Role, UserId, policy::{Caller, Capability, Collection}};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// let limited = editor.limited_to([Collection::Venues].into_iter().collect());
    /// assert!(limited.can(Capability::Write(Kind::Venue)) && !limited.can(Capability::Write(Kind::Tag)));
    /// assert_eq!(limited.within(Kind::Tag), Caller::Anonymous);
    /// assert_eq!(limited.user(), editor.user());
    /// ```
    #[must_use]
    pub fn limited_to(self, to: Collections) -> Self {
        match self {
            Self::Anonymous => self,
            Self::User { id, role, .. } => Self::User {
                id,
                role,
                collections: to,
            },
        }
    }

    /// The caller whom the rules of a collection see: an anonymous one, if the collection is not one of the
    /// caller's.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, Role, UserId, policy::Caller};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// assert_eq!(editor.within(Kind::Tag), editor);
    /// ```
    #[must_use]
    pub fn within(self, collection: impl Into<Collection>) -> Self {
        match self {
            Self::User { collections, .. } if collections.hold(collection) => self,
            Self::User { .. } | Self::Anonymous => Self::Anonymous,
        }
    }

    /// The caller whom the rules of all that is in no collection see: an anonymous one, if the caller is limited to
    /// some collections.
    ///
    /// ```
    /// use events_calendar_domain::{Role, UserId, policy::{Caller, Collection}};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// let limited = editor.limited_to(Collection::ALL.into_iter().collect());
    /// assert_eq!((editor.beyond(), limited.beyond()), (editor, Caller::Anonymous));
    /// ```
    #[must_use]
    pub fn beyond(self) -> Self {
        match self {
            Self::User { collections, .. } if collections == Collections::ALL => self,
            Self::User { .. } | Self::Anonymous => Self::Anonymous,
        }
    }

    /// Whether the caller's role gives a right, in the collection of the right. Rights of several collections, such as
    /// [`Capability::Publish`], are asked by [`can_in`](Self::can_in): a caller who is limited to some collections
    /// does not have them everywhere.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, Role, UserId, policy::{Caller, Capability}};
    /// let author = Caller::of(UserId::from_raw(1), Role::Author);
    /// assert!(author.can(Capability::Write(Kind::Category)));
    /// assert!(!author.can(Capability::Write(Kind::Tag)));
    /// ```
    pub fn can(self, capability: Capability) -> bool {
        let caller = match capability.collection() {
            Some(collection) => self.within(collection),
            None => self.beyond(),
        };
        caller.is_at_least(capability.least_role())
    }

    /// Whether the caller has a right in a collection.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, Role, UserId, policy::{Caller, Capability, Collection}};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// let limited = editor.limited_to([Collection::Venues].into_iter().collect());
    /// assert!(limited.can_in(Kind::Venue, Capability::Publish));
    /// assert!(!limited.can_in(Kind::Event, Capability::Publish) && !limited.can(Capability::Publish));
    /// ```
    pub fn can_in(self, collection: impl Into<Collection>, capability: Capability) -> bool {
        self.within(collection).is_at_least(capability.least_role())
    }
}

impl Capability {
    /// The only collection in which the right is of use; none if it is of use in several, or in none.
    fn collection(self) -> Option<Collection> {
        match self {
            Self::Write(kind) => Some(kind.into()),
            Self::Upload => Some(Collection::Images),
            Self::Publish
            | Self::EditOthers
            | Self::ListUnpublished
            | Self::ReadSettings
            | Self::ManageUsers
            | Self::ChangeSite
            | Self::ManageSources
            | Self::ReadAudit => None,
        }
    }
}

#[cfg(test)]
mod tests;
