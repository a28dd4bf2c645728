//! The callers who may list a record, as a few stored values say.

use super::{Reach, Visibility};
use crate::{Entry, Kind, Stage, UserId, entry::Details, time::Timestamp};

/// The facts that decide who may list a record at one moment. A journal stores it before and after each
/// change, so that it can tell who saw the record then.
///
/// The default is the audience of a record that does not exist: nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Audience {
    /// The stage; none if the record does not exist.
    pub stage: Option<Stage>,
    /// The instant from which a published record is public.
    pub due: Option<Timestamp>,
    /// The author; terms have none.
    pub author: Option<UserId>,
    /// Whether public lists leave the record out.
    pub hidden: bool,
}

impl Audience {
    /// The audience of a category or a tag: everybody.
    ///
    /// ```
    /// use events_calendar_domain::policy::Audience;
    /// assert!(Audience::of_term().is_public());
    /// ```
    pub fn of_term() -> Self {
        Self {
            stage: Some(Stage::Published),
            ..Self::default()
        }
    }

    /// The audience of an event, a venue or an organizer.
    ///
    /// ```
    /// use events_calendar_domain::{Entry, Status, UserId, VenueDetails, policy::Audience, text::Title, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// assert!(!Audience::of_entry(&venue).is_public());
    /// venue.move_to(Status::Publish, now);
    /// assert_eq!(Audience::of_entry(&venue).due, Some(now));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_entry<D: Details>(entry: &Entry<D>) -> Self {
        Self {
            stage: Some(entry.stage),
            due: entry.published_at,
            author: Some(entry.author),
            hidden: entry.details.is_hidden(),
        }
    }

    /// Whether everybody may list the record, at once or from [`Audience::due`] on.
    ///
    /// ```
    /// use events_calendar_domain::policy::Audience;
    /// assert!(!Audience::default().is_public());
    /// assert!(!Audience { hidden: true, ..Audience::of_term() }.is_public());
    /// ```
    pub fn is_public(&self) -> bool {
        self.stage == Some(Stage::Published) && !self.hidden
    }
}

impl Reach {
    /// Whether a caller of this reach gets to a record by its author and stage, published or not. The record is as it is, or
    /// as it was until a change. A published one that is due is for every caller, also of [`Reach::Published`].
    ///
    /// ```
    /// use events_calendar_domain::{Stage, UserId, policy::{Audience, Reach}};
    /// let (me, other) = (UserId::from_raw(1), UserId::from_raw(2));
    /// let of = |author| Audience { stage: Some(Stage::Draft), author: Some(author), ..Audience::default() };
    /// let own = Reach::Own { user: me, private: false };
    /// assert!(own.includes(&of(me)) && !own.includes(&of(other)));
    /// assert!(Reach::All.includes(&of(other)) && !Reach::Published.includes(&of(me)));
    /// ```
    pub fn includes(&self, audience: &Audience) -> bool {
        match self {
            Self::Published => false,
            Self::Own { user, private } => {
                audience.author == Some(*user)
                    && (*private || audience.stage != Some(Stage::Private))
            }
            Self::All => true,
        }
    }
}

impl Visibility {
    /// Whether the caller may list the record of a kind: with its ID in `include` and every status, the list
    /// holds it.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, Role, Stage, UserId, policy::{Audience, Caller, Visibility}, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let me = UserId::from_raw(1);
    /// let draft = Audience { stage: Some(Stage::Draft), author: Some(me), ..Audience::default() };
    /// let author = Caller::of(me, Role::Author);
    /// assert!(Visibility::new(author, now).includes(Kind::Event, &draft));
    /// assert!(!Visibility::new(Caller::Anonymous, now).includes(Kind::Event, &draft));
    /// assert!(Visibility::new(Caller::Anonymous, now).includes(Kind::Tag, &Audience::of_term()));
    /// ```
    pub fn includes(&self, kind: Kind, audience: &Audience) -> bool {
        let Some(stage) = audience.stage.filter(|stage| *stage != Stage::Trashed) else {
            return false;
        };
        let is_own = audience.author.is_some() && self.caller.user() == audience.author;
        let is_due = audience.due.is_none_or(|due| due <= self.now);
        let is_visible =
            (stage == Stage::Published && is_due) || self.reach(kind).includes(audience);
        is_visible && (!audience.hidden || self.caller.edits(kind, is_own, stage, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Role, Status, VenueDetails,
        policy::{Caller, Guarded},
        text::Title,
    };

    /// The audience decides like the entry itself, for each caller and each status.
    #[test]
    fn an_audience_sees_what_is_linkable() {
        let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
        let author = UserId::from_raw(1);
        let title: Title = "Old Mill".parse().unwrap();
        let roles = [
            Role::Subscriber,
            Role::Contributor,
            Role::Author,
            Role::Editor,
            Role::Administrator,
        ];
        let users = [1, 2].map(UserId::from_raw).into_iter();
        let callers = users.flat_map(|id| roles.map(|role| Caller::of(id, role)));
        for caller in callers.chain([Caller::Anonymous]) {
            let visibility = Visibility::new(caller, at(1_000));
            for (status, published) in [
                (Status::Publish, 500),
                (Status::Publish, 2_000),
                (Status::Draft, 500),
                (Status::Pending, 500),
                (Status::Private, 500),
                (Status::Trash, 500),
            ] {
                let details = VenueDetails::default();
                let mut venue = Entry::new(author, title.clone(), details, at(0));
                venue.move_to(status, at(published));
                assert_eq!(
                    visibility.includes(Kind::Venue, &Audience::of_entry(&venue)),
                    venue.is_linkable(&visibility),
                    "{caller:?} {status:?} {published}"
                );
            }
        }
    }
}
