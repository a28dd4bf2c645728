//! What a client expects of the record that it changes.

use crate::error::AppError;

/// Which revisions of a record a write is meant for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    /// Whichever there is.
    #[default]
    Any,
    /// One of these.
    OneOf(Vec<i64>),
}

impl Expected {
    /// Whether the write is meant for this revision. To be asked within the unit of work that holds
    /// the record for itself.
    ///
    /// # Errors
    ///
    /// [`AppError::PreconditionFailed`] if it is not.
    pub(crate) fn check(&self, revision: i64) -> Result<(), AppError> {
        match self {
            Self::OneOf(revisions) if !revisions.contains(&revision) => {
                Err(AppError::PreconditionFailed)
            }
            Self::Any | Self::OneOf(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_of_no_revisions_fits() {
        assert!(Expected::Any.check(7).is_ok());
        assert!(Expected::OneOf(vec![6, 7]).check(7).is_ok());
        assert!(Expected::OneOf(vec![6, 8]).check(7).is_err());
        assert!(Expected::OneOf(Vec::new()).check(7).is_err());
    }
}
