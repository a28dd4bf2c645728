//! What the five kinds of record have in common.

use std::{fmt, ops::Deref};

use crate::Id;

/// The kinds of record that the calendar publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Something that happens.
    Event,
    /// Where it happens.
    Venue,
    /// Who runs it.
    Organizer,
    /// A class of events, in a tree.
    Category,
    /// A class of events, flat.
    Tag,
}

impl Kind {
    /// Every kind, in the order in which the interface lists them.
    pub const ALL: [Self; 5] = [
        Self::Event,
        Self::Venue,
        Self::Organizer,
        Self::Category,
        Self::Tag,
    ];

    /// The name of one record: `event`.
    ///
    /// ```
    /// assert_eq!(domain::Kind::Category.name(), "category");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Venue => "venue",
            Self::Organizer => "organizer",
            Self::Category => "category",
            Self::Tag => "tag",
        }
    }

    /// The name of the collection: `events`.
    ///
    /// ```
    /// assert_eq!(domain::Kind::Category.plural(), "categories");
    /// ```
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Event => "events",
            Self::Venue => "venues",
            Self::Organizer => "organizers",
            Self::Category => "categories",
            Self::Tag => "tags",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A type whose values the calendar keeps under IDs.
pub trait Record: Clone + fmt::Debug + Send + Sync + Sized + 'static {
    /// Which kind it is.
    const KIND: Kind;

    /// What a list of this kind can be narrowed and ordered by.
    type Filter: Clone + fmt::Debug + Send + Sync;
}

/// A record as it is kept: its content under an ID, with the number of its last change.
///
/// It derefs to the content, so that `event.author` reads well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored<R> {
    /// The number it is kept under.
    pub id: Id<R>,
    /// Counts the changes, from 1.
    pub revision: i64,
    /// What is kept.
    pub content: R,
}

impl<R> Deref for Stored<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.content
    }
}
