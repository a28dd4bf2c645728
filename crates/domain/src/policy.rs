//! The rules of visibility and of rights, as pure functions.
//!
//! [`Guarded`] decides for lists, single reads, totals, counts and links alike. A store translates
//! [`Visibility::reach`] into a condition of its own, which must select the records that
//! [`Guarded::is_visible`] accepts.
//!
//! ```
//! use events_calendar_domain::{Entry, Kind, Role, Status, UserId, VenueDetails};
//! use events_calendar_domain::policy::{Caller, Capability, Guarded, Unreadable, Visibility};
//! # use events_calendar_domain::time::Timestamp;
//! # let now = Timestamp::from_seconds(0).unwrap();
//!
//! let ann = Caller::of(UserId::from_raw(1), Role::Contributor);
//! let bob = Caller::of(UserId::from_raw(2), Role::Editor);
//! assert!(!ann.can(Capability::Publish));
//! assert_eq!(ann.granted(Kind::Event, Status::Publish), Some(Status::Pending));
//!
//! let mut mill = Entry::new(UserId::from_raw(1), "Old Mill".parse()?, VenueDetails::default(), now);
//! mill.move_to(Status::Pending, now);
//! assert!(ann.may_edit(&mill) && bob.may_edit(&mill));
//! let anybody = Visibility::new(Caller::Anonymous, now);
//! assert_eq!(mill.check_readable(&anybody), Err(Unreadable::Invisible(Kind::Venue)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audience;
mod collections;
mod rights;
mod sync_action;

pub use audience::Audience;
pub use collections::{Collection, Collections};
pub use rights::{Caller, Capability};
pub use sync_action::SyncAction;

use crate::{
    Entry, Kind, Language, Role, Stage, Status, Term, UserId,
    entry::{Details, PasswordHash},
    term::Taxonomy,
    time::Timestamp,
};

/// The caller, time and language that decide which records are visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visibility {
    /// The caller of a request.
    pub caller: Caller,
    /// The time of the request.
    pub now: Timestamp,
    /// Hash of the event password in the request.
    pub password: Option<PasswordHash>,
    /// The language of the request.
    pub language: Language,
}

/// The unpublished entries that a caller sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// None.
    Published,
    /// The caller's own entries.
    Own {
        /// The caller.
        user: UserId,
        /// Includes private entries: for contributors, privacy is an editor's decision.
        private: bool,
    },
    /// All entries.
    All,
}

impl Visibility {
    /// The visibility of `caller` at `now`, without an event password, in the default language.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, policy::{Caller, Reach, Visibility}, time::Timestamp};
    /// let anybody = Visibility::new(Caller::Anonymous, Timestamp::from_seconds(0).unwrap());
    /// assert_eq!(anybody.reach(Kind::Event), Reach::Published);
    /// ```
    pub fn new(caller: Caller, now: Timestamp) -> Self {
        Self {
            caller,
            now,
            password: None,
            language: Language::default(),
        }
    }

    /// The visibility by the rules of a collection: that of an anonymous caller, if the collection is not one of the
    /// caller's.
    ///
    /// ```
    /// # use events_calendar_domain::{Role, UserId, policy::{Caller, Collection, Visibility}, time::Timestamp};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// let limited = editor.limited_to([Collection::Venues].into_iter().collect());
    /// let images = Visibility::new(limited, now).within(Collection::Images);
    /// assert_eq!(images, Visibility::new(Caller::Anonymous, now));
    /// ```
    #[must_use]
    pub fn within(&self, collection: impl Into<Collection>) -> Self {
        Self {
            caller: self.caller.within(collection),
            ..self.clone()
        }
    }

    /// Whether lists of a kind hold the same records for the caller as for an anonymous one.
    ///
    /// ```
    /// # use events_calendar_domain::{Kind, policy::{Caller, Visibility}, time::Timestamp};
    /// let anybody = Visibility::new(Caller::Anonymous, Timestamp::from_seconds(0).unwrap());
    /// assert!(anybody.sees_public_alone(Kind::Venue));
    /// ```
    pub fn sees_public_alone(&self, kind: Kind) -> bool {
        self.reach(kind) == Reach::Published && self.password.is_none()
    }

    /// The unpublished entries of a kind that the caller sees.
    ///
    /// ```
    /// # use events_calendar_domain::{Kind, Role, UserId, policy::{Caller, Reach, Visibility}, time::Timestamp};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// let editor = Visibility::new(editor, Timestamp::from_seconds(0).unwrap());
    /// assert_eq!(editor.reach(Kind::Venue), Reach::All);
    /// ```
    pub fn reach(&self, kind: Kind) -> Reach {
        let Caller::User { id: user, role, .. } = self.caller.within(kind) else {
            return Reach::Published;
        };
        match role {
            Role::Subscriber => Reach::Published,
            Role::Contributor => Reach::Own {
                user,
                private: false,
            },
            Role::Author => Reach::Own {
                user,
                private: true,
            },
            Role::Editor | Role::Administrator => Reach::All,
        }
    }

    /// The unpublished entries of any kind that the caller may see: the greatest [`reach`](Self::reach).
    ///
    /// ```
    /// # use events_calendar_domain::{Role, UserId, policy::{Caller, Collection, Reach, Visibility}, time::Timestamp};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// let limited = editor.limited_to([Collection::Venues].into_iter().collect());
    /// let limited = Visibility::new(limited, Timestamp::from_seconds(0).unwrap());
    /// assert_eq!(limited.greatest_reach(), Reach::All);
    /// ```
    pub fn greatest_reach(&self) -> Reach {
        // Terms are always published.
        let entries = [Kind::Event, Kind::Venue, Kind::Organizer].into_iter();
        let mut reaches = entries.map(|kind| self.reach(kind));
        let unpublished = reaches.find(|reach| *reach != Reach::Published);
        unpublished.unwrap_or(Reach::Published)
    }

    /// Whether the content of an entry is open to the caller: it has no password, the caller sent
    /// the password, or the caller may edit the entry.
    ///
    /// ```
    /// # use events_calendar_domain::{entry::*, event::*, *, policy::*, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// let mut details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// details.password = Some(PasswordHash::from_stored("5f".into()));
    /// let event = Entry::new(UserId::from_raw(1), "Wedding".parse::<Title>()?, details, now);
    /// let mut anybody = Visibility::new(Caller::Anonymous, now);
    /// assert!(!anybody.opens(&event));
    /// anybody.password = Some(PasswordHash::from_stored("5f".into()));
    /// assert!(anybody.opens(&event));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opens<D: Details>(&self, entry: &Entry<D>) -> bool {
        let password = entry.details.password();
        password.is_none() || password == self.password.as_ref() || self.caller.may_edit(entry)
    }

    /// Whether the entry makes its image visible to the caller, by the rules of images: it is visible, not in the
    /// trash, and open.
    ///
    /// ```
    /// # use events_calendar_domain::{*, policy::*, text::Title, time::Timestamp};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// let anybody = Visibility::new(Caller::Anonymous, now);
    /// assert!(!anybody.shows_image_of(&venue));
    /// venue.move_to(Status::Publish, now);
    /// assert!(anybody.shows_image_of(&venue));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shows_image_of<D: Details>(&self, entry: &Entry<D>) -> bool {
        let visibility = self.within(Collection::Images);
        entry.is_linkable(&visibility) && visibility.opens(entry)
    }
}

/// The reason why a caller may not read a record under its own address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is in the trash, where records of its kind cannot be read.
    InTrash,
    /// The caller may not know of the record, which is of this kind.
    Invisible(Kind),
    /// A password locks its content.
    Locked,
}

/// A record with rules about the callers who may see it.
pub trait Guarded {
    /// The facts that decide who may list the record.
    ///
    /// ```
    /// # use events_calendar_domain::{*, policy::*, text::Title, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// assert_eq!(venue.audience().stage, Some(Stage::Draft));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn audience(&self) -> Audience;

    /// Whether the caller may know of the record. Lists also apply their filter by status, which
    /// excludes the trash by default.
    ///
    /// ```
    /// # use events_calendar_domain::{*, policy::*, text::Title, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// let anybody = Visibility::new(Caller::Anonymous, now);
    /// assert!(!venue.is_visible(&anybody));
    /// venue.move_to(Status::Publish, now);
    /// assert!(venue.is_visible(&anybody));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_visible(&self, visibility: &Visibility) -> bool;

    /// Whether the caller sees the record where another record refers to it, and may refer to it:
    /// it is visible and not in the trash.
    ///
    /// ```
    /// # use events_calendar_domain::{*, policy::*, text::Title, time::Timestamp};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// venue.move_to(Status::Trash, now);
    /// let editor = Caller::of(UserId::from_raw(2), Role::Editor);
    /// assert!(!venue.is_linkable(&Visibility::new(editor, now)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_linkable(&self, visibility: &Visibility) -> bool;

    /// Whether the caller may read the record under its own address.
    ///
    /// # Errors
    ///
    /// [`Unreadable`]: the reason why not.
    ///
    /// ```
    /// # use events_calendar_domain::{*, policy::*, text::Title, time::Timestamp};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// venue.move_to(Status::Trash, now);
    /// let editor = Caller::of(UserId::from_raw(2), Role::Editor);
    /// assert!(venue.check_readable(&Visibility::new(editor, now)).is_ok());
    /// let anybody = Visibility::new(Caller::Anonymous, now);
    /// assert_eq!(venue.check_readable(&anybody), Err(Unreadable::Invisible(Kind::Venue)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn check_readable(&self, visibility: &Visibility) -> Result<(), Unreadable>;

    /// Whether the record has a page for people: the caller may read it, or lists show its title
    /// and only its content is locked.
    ///
    /// ```
    /// # use events_calendar_domain::{entry::*, event::*, *, policy::*, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// let mut event = Entry::new(UserId::from_raw(1), "Wedding".parse::<Title>()?, details, now);
    /// event.move_to(Status::Publish, now);
    /// event.details.hide_from_listings = true;
    /// let anybody = Visibility::new(Caller::Anonymous, now);
    /// assert!(event.has_page(&anybody));
    /// event.details.password = Some(PasswordHash::from_stored("5f".into()));
    /// assert!(!event.has_page(&anybody));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn has_page(&self, visibility: &Visibility) -> bool;

    /// Whether search engines are told of the record's page: everybody may read all of it, and lists
    /// do not hide it.
    ///
    /// ```
    /// # use events_calendar_domain::{*, policy::*, text::Title, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// assert!(!venue.is_indexable(now));
    /// venue.move_to(Status::Publish, now);
    /// assert!(venue.is_indexable(now));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_indexable(&self, now: Timestamp) -> bool;
}

impl<D: Details> Guarded for Entry<D> {
    fn audience(&self) -> Audience {
        Audience::of_entry(self)
    }

    fn is_visible(&self, visibility: &Visibility) -> bool {
        self.status(visibility.now) == Status::Publish
            || visibility
                .reach(D::KIND)
                .includes(&Audience::of_entry(self))
    }

    fn is_linkable(&self, visibility: &Visibility) -> bool {
        self.is_visible(visibility) && self.stage != Stage::Trashed
    }

    fn check_readable(&self, visibility: &Visibility) -> Result<(), Unreadable> {
        if self.stage == Stage::Trashed && !D::TRASH_IS_READABLE {
            Err(Unreadable::InTrash)
        } else if !self.is_visible(visibility) {
            Err(Unreadable::Invisible(D::KIND))
        } else if !visibility.opens(self) {
            Err(Unreadable::Locked)
        } else {
            Ok(())
        }
    }

    fn has_page(&self, visibility: &Visibility) -> bool {
        match self.check_readable(visibility) {
            Ok(()) => true,
            Err(Unreadable::Locked) => !self.details.is_hidden(),
            Err(Unreadable::InTrash | Unreadable::Invisible(_)) => false,
        }
    }

    fn is_indexable(&self, now: Timestamp) -> bool {
        let anybody = Visibility::new(Caller::Anonymous, now);
        !self.details.is_hidden() && self.check_readable(&anybody).is_ok()
    }
}

impl<X: Taxonomy> Guarded for Term<X> {
    fn audience(&self) -> Audience {
        Audience::of_term()
    }

    fn is_visible(&self, _: &Visibility) -> bool {
        true
    }

    fn is_linkable(&self, _: &Visibility) -> bool {
        true
    }

    fn check_readable(&self, _: &Visibility) -> Result<(), Unreadable> {
        Ok(())
    }

    fn has_page(&self, _: &Visibility) -> bool {
        true
    }

    fn is_indexable(&self, _: Timestamp) -> bool {
        true
    }
}
