//! Queries of lists, and their filter by status.
//!
//! [`EventFilter::matches`] and its like say which records a list holds, the `compare` functions in
//! which order: a store may get there in any way, but to the same result. They are to be asked of
//! records as the reader sees them, that is [shown in](crate::Record::localized) the language of the
//! [`Visibility`].

use crate::{Status, page::PageRequest, policy::Visibility};

/// The query of a page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query<F> {
    /// The caller, the moment and the language.
    pub visibility: Visibility,
    /// The filter and the sort order.
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
