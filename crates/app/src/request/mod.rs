//! References of requests to records, and the kinds of write.

mod context;

use domain::{Id, recurrence::DateValue, slug::Slug};

pub(crate) use context::Request;
pub use context::{FetchedImages, Origin};

/// The reference of a request to one record.
///
/// ```
/// use events_calendar_app::request::RecordKey;
/// use domain::{Venue, VenueId, slug::Slug};
///
/// let by_id = RecordKey::<Venue>::from(VenueId::from_raw(7));
/// let by_slug = RecordKey::<Venue>::from(Slug::normalize("Old Mill").unwrap());
/// assert_ne!(by_id, by_slug);
/// assert_eq!((by_id.id(), by_slug.id()), (Some(VenueId::from_raw(7)), None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordKey<R> {
    /// By ID.
    Id(Id<R>),
    /// By slug, already normalized.
    Slug(Slug),
    /// By a date of the series with this ID. Events alone have such keys.
    Slot(Id<R>, DateValue),
    /// By a text that is the reference of no record.
    Unknown,
}

impl<R> RecordKey<R> {
    /// The ID in the key.
    pub fn id(&self) -> Option<Id<R>> {
        match self {
            Self::Id(id) | Self::Slot(id, _) => Some(*id),
            Self::Slug(_) | Self::Unknown => None,
        }
    }

    /// The key of the series, if this one names an occurrence by its series.
    pub(crate) fn of_series(&self) -> Option<Self> {
        match self {
            Self::Id(_) | Self::Unknown => None,
            Self::Slug(slug) => slug
                .series_and_label()
                .map(|(series, _)| Self::Slug(series)),
            Self::Slot(id, _) => Some(Self::Id(*id)),
        }
    }
}

impl<R> From<Id<R>> for RecordKey<R> {
    fn from(id: Id<R>) -> Self {
        Self::Id(id)
    }
}

impl<R> From<Slug> for RecordKey<R> {
    fn from(slug: Slug) -> Self {
        Self::Slug(slug)
    }
}

/// The kind of write.
///
/// ```
/// use events_calendar_app::request::Purpose;
///
/// let is_title_required = |purpose| purpose == Purpose::Create;
/// assert!(!is_title_required(Purpose::Update));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The write creates a record: required fields must be sent.
    Create,
    /// The write changes a record: only sent fields change.
    Update,
}
