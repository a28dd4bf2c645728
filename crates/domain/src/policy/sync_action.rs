//! The action of a copy of the records on a changed record.

named_enum! {
    /// The action of a copy of the records on a changed record.
    ///
    /// ```
    /// use events_calendar_domain::policy::SyncAction;
    /// assert_eq!(SyncAction::Upsert.name(), "upsert");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SyncAction, name {
        /// Adds the record, or replaces it.
        Upsert = "upsert",
        /// Removes the record.
        Remove = "remove",
    }
}

impl SyncAction {
    /// The action for a changed record that the caller could list before or not, and can list now or
    /// not; none for a record that the caller never had.
    ///
    /// ```
    /// use events_calendar_domain::policy::SyncAction;
    /// assert_eq!(SyncAction::of(false, true), Some(SyncAction::Upsert));
    /// assert_eq!(SyncAction::of(true, false), Some(SyncAction::Remove));
    /// assert_eq!(SyncAction::of(false, false), None);
    /// ```
    pub fn of(before: bool, now: bool) -> Option<Self> {
        match (before, now) {
            (_, true) => Some(Self::Upsert),
            (true, false) => Some(Self::Remove),
            (false, false) => None,
        }
    }
}
