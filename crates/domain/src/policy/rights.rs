//! The rights of callers, and the statuses that they may set.

use std::{fmt, str::FromStr};

use super::{Collection, Collections};
use crate::{Entry, Kind, Role, Stage, Status, UnknownName, UserId, entry::Details};

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
    pub(super) fn edits(self, kind: Kind, is_own: bool, stage: Stage, was_public: bool) -> bool {
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

    /// The only collection in which the right is of use; none if it is of use in several, or in none.
    pub(super) fn collection(self) -> Option<Collection> {
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
