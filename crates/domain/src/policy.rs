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
mod sync_action;

pub use audience::Audience;
pub use collections::{Collection, Collections};
pub use sync_action::SyncAction;

use std::{fmt, str::FromStr};

use crate::{
    Entry, Kind, Language, Role, Stage, Status, Term, UnknownName, UserId,
    entry::{Details, PasswordHash},
    term::Taxonomy,
    time::Timestamp,
};

/// The caller of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A caller without credentials.
    Anonymous,
    /// An authenticated user.
    User {
        /// The user.
        id: UserId,
        /// The role of the user, as far as the credentials grant it.
        role: Role,
        /// The collections in which the caller has the rights of the role.
        collections: Collections,
    },
}

impl Caller {
    /// A user with all rights of a role.
    ///
    /// ```
    /// use events_calendar_domain::{Role, UserId, policy::Caller};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// assert_eq!(editor.user(), Some(UserId::from_raw(1)));
    /// ```
    pub const fn of(id: UserId, role: Role) -> Self {
        Self::User {
            id,
            role,
            collections: Collections::ALL,
        }
    }

    /// The user, unless the caller is anonymous.
    ///
    /// ```
    /// use events_calendar_domain::policy::Caller;
    /// assert_eq!(Caller::Anonymous.user(), None);
    /// ```
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::Anonymous => None,
            Self::User { id, .. } => Some(id),
        }
    }

    /// Whether the caller has this role or a greater one.
    ///
    /// ```
    /// use events_calendar_domain::{Role, UserId, policy::Caller};
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// assert!(editor.is_at_least(Role::Author));
    /// assert!(!Caller::Anonymous.is_at_least(Role::Subscriber));
    /// ```
    pub fn is_at_least(self, least: Role) -> bool {
        matches!(self, Self::User { role, .. } if role >= least)
    }

    /// Whether the caller may change or delete this entry.
    ///
    /// Below editor, callers may only change their own entries. A contributor may not change an
    /// entry that is published or private, nor one that was moved to the trash after its
    /// publication.
    ///
    /// ```
    /// # use events_calendar_domain::{*, policy::Caller, text::Title, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let me = UserId::from_raw(1);
    /// let mut venue = Entry::new(me, "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// let contributor = Caller::of(me, Role::Contributor);
    /// assert!(contributor.may_edit(&venue));
    /// venue.move_to(Status::Publish, now);
    /// assert!(!contributor.may_edit(&venue));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn may_edit<D: Details>(self, entry: &Entry<D>) -> bool {
        let was_public = entry.stage == Stage::Trashed && entry.published_at.is_some();
        let is_own = self.user() == Some(entry.author);
        self.edits(D::KIND, is_own, entry.stage, was_public)
    }

    /// Whether the caller may change an entry of a kind, the caller's own or another one, at a stage.
    fn edits(self, kind: Kind, is_own: bool, stage: Stage, was_public: bool) -> bool {
        let Self::User { role, .. } = self.within(kind) else {
            return false;
        };
        let is_open = !matches!(stage, Stage::Published | Stage::Private) && !was_public;
        match role {
            Role::Subscriber => false,
            Role::Contributor => is_own && is_open,
            Role::Author => is_own,
            Role::Editor | Role::Administrator => true,
        }
    }

    /// Whether the caller may change and delete an image of this uploader.
    ///
    /// ```
    /// use events_calendar_domain::{Role, UserId, policy::Caller};
    /// let (me, other) = (UserId::from_raw(1), UserId::from_raw(2));
    /// let author = Caller::of(me, Role::Author);
    /// assert!(author.may_change_image_of(me));
    /// assert!(!author.may_change_image_of(other));
    /// ```
    pub fn may_change_image_of(self, uploader: UserId) -> bool {
        self.can_in(Collection::Images, Capability::EditOthers)
            || self.can(Capability::Upload) && self.user() == Some(uploader)
    }

    /// Whether the caller may see the record of an image of this uploader, whether or not a visible
    /// record shows the image.
    ///
    /// ```
    /// use events_calendar_domain::{Role, UserId, policy::Caller};
    /// let (me, other) = (UserId::from_raw(1), UserId::from_raw(2));
    /// let author = Caller::of(me, Role::Author);
    /// assert!(author.may_see_image_of(me));
    /// assert!(!author.may_see_image_of(other));
    /// ```
    pub fn may_see_image_of(self, uploader: UserId) -> bool {
        let caller = self.within(Collection::Images);
        caller.is_at_least(Capability::EditOthers.least_role()) || caller.user() == Some(uploader)
    }

    /// The status that an entry of a kind gets if this caller requests `wanted`; none if the caller may not
    /// request it.
    ///
    /// Below author, a request to publish becomes `pending`.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, Role, Status, UserId, policy::Caller};
    /// let contributor = Caller::of(UserId::from_raw(1), Role::Contributor);
    /// assert_eq!(contributor.granted(Kind::Event, Status::Publish), Some(Status::Pending));
    /// assert_eq!(contributor.granted(Kind::Event, Status::Private), None);
    /// ```
    pub fn granted(self, kind: Kind, wanted: Status) -> Option<Status> {
        if self.can_in(kind, Capability::Publish) {
            return Some(wanted);
        }
        match wanted {
            Status::Publish | Status::Future | Status::Pending => Some(Status::Pending),
            Status::Draft => Some(Status::Draft),
            Status::Private | Status::Trash => None,
        }
    }

    /// The status of a new entry of a kind if none is requested.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, Role, Status, UserId, policy::Caller};
    /// let contributor = Caller::of(UserId::from_raw(1), Role::Contributor);
    /// assert_eq!(contributor.default_status(Kind::Venue), Status::Draft);
    /// ```
    pub fn default_status(self, kind: Kind) -> Status {
        if self.can_in(kind, Capability::Publish) {
            Status::Publish
        } else {
            Status::Draft
        }
    }
}

/// A right that a role grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Create records of a kind, and change the records that the caller may edit.
    Write(Kind),
    /// Publish the caller's own entries, make them private, move them to the trash by status.
    Publish,
    /// Change entries of other users, and set the author.
    EditOthers,
    /// List entries that are not published.
    ListUnpublished,
    /// Upload images, also by URL.
    Upload,
    /// Read the settings of the site.
    ReadSettings,
    /// Add users, give them roles, disable them, and invite them to choose a password.
    ManageUsers,
    /// Change the settings of the site that people see.
    ChangeSite,
    /// Add, change, pause and remove sources, and see their whole address.
    ManageSources,
    /// Read the audit trail.
    ReadAudit,
}

impl Capability {
    /// All rights.
    ///
    /// ```
    /// use events_calendar_domain::policy::Capability;
    /// assert!(Capability::ALL.iter().all(|one| one.to_string().parse() == Ok(*one)));
    /// ```
    pub const ALL: [Self; 14] = [
        Self::Write(Kind::Event),
        Self::Write(Kind::Venue),
        Self::Write(Kind::Organizer),
        Self::Write(Kind::Category),
        Self::Write(Kind::Tag),
        Self::Publish,
        Self::EditOthers,
        Self::ListUnpublished,
        Self::Upload,
        Self::ReadSettings,
        Self::ManageUsers,
        Self::ChangeSite,
        Self::ManageSources,
        Self::ReadAudit,
    ];

    /// The name of the right; `FromStr` reads it, in this letter case.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, UnknownName, policy::Capability};
    /// assert_eq!(Capability::Write(Kind::Event).name(), "write-event");
    /// assert_eq!("edit-others".parse(), Ok(Capability::EditOthers));
    /// assert_eq!("write".parse::<Capability>(), Err(UnknownName));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Write(Kind::Event) => "write-event",
            Self::Write(Kind::Venue) => "write-venue",
            Self::Write(Kind::Organizer) => "write-organizer",
            Self::Write(Kind::Category) => "write-category",
            Self::Write(Kind::Tag) => "write-tag",
            Self::Publish => "publish",
            Self::EditOthers => "edit-others",
            Self::ListUnpublished => "list-unpublished",
            Self::Upload => "upload",
            Self::ReadSettings => "read-settings",
            Self::ManageUsers => "manage-users",
            Self::ChangeSite => "change-site",
            Self::ManageSources => "manage-sources",
            Self::ReadAudit => "read-audit",
        }
    }

    /// The lowest role that grants the right.
    ///
    /// ```
    /// use events_calendar_domain::{Role, policy::Capability};
    /// assert_eq!(Capability::ListUnpublished.least_role(), Role::Contributor);
    /// ```
    pub const fn least_role(self) -> Role {
        match self {
            Self::Write(Kind::Event | Kind::Venue | Kind::Organizer) | Self::ListUnpublished => {
                Role::Contributor
            }
            Self::Write(Kind::Category) | Self::Publish | Self::Upload => Role::Author,
            Self::Write(Kind::Tag) | Self::EditOthers => Role::Editor,
            Self::ReadSettings
            | Self::ManageUsers
            | Self::ChangeSite
            | Self::ManageSources
            | Self::ReadAudit => Role::Administrator,
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Capability {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name() == text).ok_or(UnknownName)
    }
}

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
