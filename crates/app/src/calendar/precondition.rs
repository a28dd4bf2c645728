//! Preconditions of writes.

use domain::time::Timestamp;

use crate::error::AppError;

/// The states of a record that a write may change.
///
/// ```
/// use events_calendar_app::calendar::Precondition;
/// use domain::time::Timestamp;
///
/// assert_eq!(Precondition::default(), Precondition::Any);
/// let from_if_match = Precondition::OneOf(vec![3]);
/// let from_if_unmodified_since = Precondition::UnmodifiedSince(Timestamp::MIN);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Any state.
    #[default]
    Any,
    /// One of these revisions.
    OneOf(Vec<i64>),
    /// The record was not changed after this instant.
    UnmodifiedSince(Timestamp),
}

impl Precondition {
    /// Checks that the record's revision and last change satisfy the precondition. A record without
    /// a recorded last change counts as unmodified. Call it within the unit of work that locks the
    /// record.
    ///
    /// # Errors
    ///
    /// [`AppError::PreconditionFailed`] if they do not.
    pub(crate) fn check(&self, revision: i64, modified: Option<Timestamp>) -> Result<(), AppError> {
        let holds = match self {
            Self::Any => true,
            Self::OneOf(revisions) => revisions.contains(&revision),
            Self::UnmodifiedSince(since) => modified.is_none_or(|modified| modified <= *since),
        };
        if holds {
            Ok(())
        } else {
            Err(AppError::PreconditionFailed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_of_no_revisions_fits() {
        assert!(Precondition::Any.check(7, None).is_ok());
        assert!(Precondition::OneOf(vec![6, 7]).check(7, None).is_ok());
        assert!(Precondition::OneOf(vec![6, 8]).check(7, None).is_err());
        assert!(Precondition::OneOf(Vec::new()).check(7, None).is_err());
    }

    #[test]
    fn a_change_in_the_same_second_is_not_after_it() {
        let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
        let since = Precondition::UnmodifiedSince(at(5));
        assert!(since.check(7, Some(at(5))).is_ok());
        assert!(since.check(7, Some(at(6))).is_err());
        assert!(since.check(7, None).is_ok());
    }
}
