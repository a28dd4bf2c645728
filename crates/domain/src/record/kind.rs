//! The kinds of record.

use crate::{slug::Slug, text::Title};

named_enum! {
    /// The kinds of record that the calendar publishes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Kind, name {
        /// An event: it takes place at a time.
        Event = "event",
        /// A place where events happen.
        Venue = "venue",
        /// A person or organization that runs events.
        Organizer = "organizer",
        /// A class of events in a tree.
        Category = "category",
        /// A class of events without hierarchy.
        Tag = "tag",
    }
}

impl Kind {
    /// The name of the collection: `events`.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::Kind::Category.plural(), "categories");
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

    /// The slug made from a title or name; the name of the kind if the title has no letters and
    /// digits.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, text::Title};
    /// assert_eq!(Kind::Event.slug_of(&"Old Mill".parse::<Title>()?).as_str(), "old-mill");
    /// assert_eq!(Kind::Event.slug_of(&"!!!".parse::<Title>()?).as_str(), "event");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slug_of(self, title: &Title) -> Slug {
        Slug::normalize(title.as_str()).unwrap_or_else(|| Slug::from_stored(self.name().to_owned()))
    }

    /// Whether a slug was made from a title or name, with or without an appended number.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, slug::Slug, text::Title};
    /// let slug = |text| Slug::normalize(text).unwrap();
    /// let title = "Old Mill".parse::<Title>()?;
    /// assert!(Kind::Event.is_slug_of(&slug("old-mill-2"), &title));
    /// assert!(!Kind::Event.is_slug_of(&slug("mill"), &title));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_slug_of(self, slug: &Slug, title: &Title) -> bool {
        let made = self.slug_of(title);
        *slug == made || slug.is_numbered(&made)
    }
}
