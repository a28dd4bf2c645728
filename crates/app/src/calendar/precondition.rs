//! Preconditions of writes.

use domain::time::Timestamp;

use crate::error::AppError;

/// The states of a record that a write may change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Whichever there is.
    #[default]
    Any,
    /// One of these revisions.
    OneOf(Vec<i64>),
    /// The record was not changed after this instant.
    UnmodifiedSince(Timestamp),
}

impl Precondition {
    /// Whether the write is meant for the record with this revision and this last change. A record
    /// whose last change is not known counts as unmodified. To be asked within the unit of work that
    /// holds the record for itself.
    ///
    /// # Errors
    ///
    /// [`AppError::PreconditionFailed`] if it is not.
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
