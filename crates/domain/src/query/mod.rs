//! What the filters of lists mean, without a database.
//!
//! [`EventFilter::matches`] and its like say which records a list holds, the `compare` functions in
//! which order: a store may get there in any way, but to the same result. They are to be asked of
//! records as the reader sees them, that is [shown in](crate::Record::localized) the language of the
//! [`Visibility`].

mod events;
mod images;
mod places;
mod terms;

use crate::{Event, Stage, Status, page::PageRequest, policy::Visibility};

pub use events::{EventFilter, EventSort, Window};
pub use images::ImageFilter;
pub use places::{LinkedEvents, PlaceFilter};
pub use terms::{TermFilter, TermSort};

/// A list that somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query<F> {
    /// Who asks, when, and in which language.
    pub visibility: Visibility,
    /// What the list is narrowed and ordered by.
    pub filter: F,
    /// Which page of it.
    pub page: PageRequest,
}

/// Which statuses a list holds; none named: all but the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses(pub Option<Vec<Status>>);

impl Statuses {
    /// Whether an entry with this status is held.
    ///
    /// ```
    /// use domain::{Status, query::Statuses};
    /// assert!(!Statuses::default().hold(Status::Trash));
    /// assert!(Statuses(Some(vec![Status::Trash])).hold(Status::Trash));
    /// ```
    pub fn hold(&self, status: Status) -> bool {
        match &self.0 {
            None => status != Status::Trash,
            Some(named) => named.contains(&status),
        }
    }
}

/// Whether an event counts for the venues, organizers and terms that it names: the reader may list
/// it, and no password locks what it names.
///
/// ```
/// # use domain::{event::*, *, policy::*, query::counts_for_links, text::Title, time::*};
/// # let now = Timestamp::from_seconds(0).unwrap();
/// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
/// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
/// let draft = Entry::new(UserId::from_raw(1), Title::parse("River cleanup")?, details, now);
/// assert!(!counts_for_links(&draft, &Visibility::new(Caller::Anonymous, now)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn counts_for_links(event: &Event, visibility: &Visibility) -> bool {
    visibility.sees(event)
        && event.stage != Stage::Trashed
        && !event.details.hide_from_listings
        && visibility.opens(event)
}
