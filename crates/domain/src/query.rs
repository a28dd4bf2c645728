//! Queries of lists, and their filter by status.
//!
//! [`EventFilter::matches`](crate::event::EventFilter::matches) and its counterparts define the
//! records of a list, the `compare` functions their order. A store may compute lists in any way with
//! the same result. Both expect records [localized](crate::Record::localized) to the language of the
//! [`Visibility`].

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

/// The statuses that a list includes; if empty, all but the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses(pub Option<Vec<Status>>);

impl Statuses {
    /// Whether a status is included.
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
