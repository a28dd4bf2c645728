//! The audit trail: the values of a record by field, the difference between two states, and the way back.
//!
//! [`FieldChange::between`] compares two states of a record. [`FieldChange::redo`] and [`FieldChange::undo`] lead from the
//! values of one state to those of the other, so that a former state is the present one without the changes since.
//!
//! ```
//! use events_calendar_domain::{Tag, audit::{FieldChange, trail_values}, slug::Slug};
//!
//! let loud = Tag::new("Loud".parse()?, Slug::normalize("loud").unwrap());
//! let quiet = Tag { name: "Quiet".parse()?, ..loud.clone() };
//! let changes = FieldChange::between(Some(&loud), Some(&quiet));
//! assert_eq!(changes.len(), 1);
//! assert_eq!(changes[0].to_string(), "name: Loud → Quiet");
//!
//! let mut values = trail_values(&quiet);
//! assert!(changes.iter().all(|change| change.undo(&mut values)));
//! assert_eq!(values, trail_values(&loud));
//! # Ok::<(), events_calendar_domain::text::InvalidTitle>(())
//! ```

mod change;

use crate::{
    FieldName, Kind, Record, UserId, html::RichText, slug::Slug, text::Title, time::Timestamp,
};

pub use crate::record::{FieldKey, TrailReader, TrailValues};
pub use change::{FieldChange, ValueChange};

named_enum! {
    /// The effect of a write on a record.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum AuditAction, name {
        /// The record was added.
        Create = "create",
        /// Fields changed.
        Update = "update",
        /// It was put into the trash.
        Trash = "trash",
        /// It was taken out of the trash.
        Untrash = "untrash",
        /// It was deleted for good.
        Delete = "delete",
    }
}

named_enum! {
    /// The kind of a record of which the trail tells.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum AuditedKind, name {
        /// An event.
        Event = "event",
        /// A venue.
        Venue = "venue",
        /// An organizer.
        Organizer = "organizer",
        /// A category.
        Category = "category",
        /// A tag.
        Tag = "tag",
        /// An image.
        Image = "image",
        /// A user.
        User = "user",
        /// A token of a user.
        Token = "token",
        /// A secret feed.
        Feed = "feed",
        /// A calendar elsewhere that is read on a schedule.
        Source = "source",
        /// The settings of the site; their ID is 0.
        Site = "site",
    }
}

impl From<Kind> for AuditedKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Event => Self::Event,
            Kind::Venue => Self::Venue,
            Kind::Organizer => Self::Organizer,
            Kind::Category => Self::Category,
            Kind::Tag => Self::Tag,
        }
    }
}

named_enum! {
    /// The way on which a write came.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum AuditChannel, name {
        /// A request with a token.
        Token = "token",
        /// A request of a browser that is signed in.
        Session = "session",
        /// A request without credentials.
        Visitor = "visitor",
        /// The command line.
        Command = "command",
        /// A background job.
        Job = "job",
        /// A program that has the libraries built in.
        Program = "program",
    }
}

/// The entries of the trail that a reader wants. Each `None` restricts nothing.
///
/// ```
/// use events_calendar_domain::audit::{AuditFilter, AuditedKind};
/// let of_event = AuditFilter { kind: Some(AuditedKind::Event), record: Some(7), ..AuditFilter::default() };
/// assert_eq!(of_event.user, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// The kind of the record.
    pub kind: Option<AuditedKind>,
    /// The ID of the record, which is one of each kind.
    pub record: Option<i64>,
    /// The user who wrote.
    pub user: Option<UserId>,
    /// The effect on the record.
    pub action: Option<AuditAction>,
    /// The earliest instant.
    pub from: Option<Timestamp>,
    /// The instant before which entries are.
    pub until: Option<Timestamp>,
    /// The number below which entries are.
    pub below: Option<i64>,
}

/// The values of the fields of a record. An occurrence has those alone that differ from its series. A password is not
/// among them.
///
/// ```
/// use events_calendar_domain::{FieldName, Tag, audit::trail_values, slug::Slug};
/// let loud = Tag::new("Loud".parse()?, Slug::normalize("loud").unwrap());
/// assert_eq!(trail_values(&loud)[&(FieldName::Name, None)], "Loud");
/// # Ok::<(), events_calendar_domain::text::InvalidTitle>(())
/// ```
pub fn trail_values<R: Record>(record: &R) -> TrailValues {
    let mut values = TrailValues::new();
    for field in FieldName::ALL {
        if field != FieldName::Password
            && let Some(value) = record.trailed(field)
        {
            values.insert((field, None), value);
        }
    }
    if record.is_trailed(FieldName::Language, None) {
        let language = record.language().code().to_owned();
        values.insert((FieldName::Language, None), language);
    }
    for (language, translation) in record.translations().iter() {
        let texts = [
            (
                FieldName::title_of(R::KIND),
                translation.title.as_ref().map(Title::as_str),
            ),
            (
                FieldName::Description,
                translation.description.as_ref().map(RichText::as_str),
            ),
            (
                FieldName::Excerpt,
                translation.excerpt.as_ref().map(RichText::as_str),
            ),
            (FieldName::Slug, translation.slug.as_ref().map(Slug::as_str)),
        ];
        let others = translation.text_fields.iter();
        let others = others.map(|(field, text)| (FieldName::from(*field), Some(text.as_str())));
        for (field, text) in texts.into_iter().chain(others) {
            if let Some(text) = text
                && record.is_trailed(field, Some(language))
            {
                values.insert((field, Some(language)), text.to_owned());
            }
        }
    }
    values
}

/// The values that a record had before writes, from those that it had after them. The writes come in their order backwards,
/// each with its changes. `None` for changes that do not fit the values, or are known as digests alone.
///
/// ```
/// use events_calendar_domain::{FieldName, audit::{FieldChange, TrailValues, values_before}};
/// let state = |city: &str| TrailValues::from([((FieldName::City, None), city.to_owned())]);
/// let moved = |from: &str, to: &str| FieldChange::of_values(&state(from), &state(to));
/// let (first, second) = (moved("Lyon", "Vienne"), moved("Vienne", "Dole"));
/// let before = values_before(state("Dole"), [second.as_slice(), first.as_slice()]);
/// assert_eq!(before, Some(state("Lyon")));
/// ```
pub fn values_before<'a>(
    mut values: TrailValues,
    writes: impl IntoIterator<Item = &'a [FieldChange]>,
) -> Option<TrailValues> {
    for changes in writes {
        for change in changes.iter().rev() {
            if !change.undo(&mut values) {
                return None;
            }
        }
    }
    Some(values)
}

/// The effect of a write, from the record before and after it.
///
/// ```
/// use events_calendar_domain::{Tag, audit::{AuditAction, action_of}, slug::Slug};
/// let loud = Tag::new("Loud".parse()?, Slug::normalize("loud").unwrap());
/// assert_eq!(action_of(None, Some(&loud)), AuditAction::Create);
/// assert_eq!(action_of(Some(&loud), Some(&loud)), AuditAction::Update);
/// assert_eq!(action_of(Some(&loud), None), AuditAction::Delete);
/// # Ok::<(), events_calendar_domain::text::InvalidTitle>(())
/// ```
pub fn action_of<R: Record>(before: Option<&R>, after: Option<&R>) -> AuditAction {
    match (before, after) {
        (None, _) => AuditAction::Create,
        (Some(_), None) => AuditAction::Delete,
        (Some(before), Some(after)) => match (before.is_in_trash(), after.is_in_trash()) {
            (false, true) => AuditAction::Trash,
            (true, false) => AuditAction::Untrash,
            (true, true) | (false, false) => AuditAction::Update,
        },
    }
}
