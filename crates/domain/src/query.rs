//! Queries of lists, and their filter by status.
//!
//! A list is defined by a filter, and by the caller, the time and the language of a [`Visibility`].
//! [`EventFilter::matches`](crate::event::EventFilter::matches) and its counterparts say which
//! records are in the list, the `compare` functions their order. Both expect records
//! [localized](crate::Record::localized) to the language of the [`Visibility`]. The functions `list`
//! do all of it, for records in memory; [`Page::of`](crate::page::Page::of) cuts the list.
//!
//! A store may compute a [`Query`] in any way with the same result. Random events and filters
//! compare each store with these functions.
//!
//! ```
//! use events_calendar_domain::{Status, event::EventFilter, page::PageRequest, policy::{Caller, Visibility},
//!     query::{Query, Statuses}, time::Timestamp};
//! # let now = Timestamp::from_seconds(1_800_000_000).unwrap();
//!
//! let drafts = Statuses(Some(vec![Status::Draft, Status::Pending]));
//! let query = Query {
//!     visibility: Visibility::new(Caller::Anonymous, now),
//!     filter: EventFilter { statuses: drafts, ..EventFilter::default() },
//!     page: PageRequest::new(1, 20, 100),
//! };
//! assert!(!query.filter.statuses.hold(Status::Publish));
//! ```

use crate::{Status, page::PageRequest, policy::Visibility};

/// A query for a page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query<F> {
    /// The caller, the time and the language.
    pub visibility: Visibility,
    /// The filter and the sort order.
    pub filter: F,
    /// The requested page.
    pub page: PageRequest,
}

/// The statuses that a list includes; `None` for all but the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses(pub Option<Vec<Status>>);

impl Statuses {
    /// Whether a status is included.
    ///
    /// ```
    /// use events_calendar_domain::{Status, query::Statuses};
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
