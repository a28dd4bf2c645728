//! Records by their keys.

use std::ops::Deref;

use domain::{Id, Language, Stored};

use super::Resource;
use crate::error::AppError;

/// A record that a key names: it is stored, or it is an occurrence that its series computes.
///
/// It dereferences to the content: `event.author`.
///
/// ```
/// use events_calendar_app::{resource::Located, test_support::venue};
/// use domain::{Id, Stored, Venue};
///
/// let mill = Stored { id: Id::from_raw(1), revision: 1, content: venue("Old Mill").build() };
/// let located: Located<Venue> = mill.clone().into();
/// assert_eq!((located.id, located.title.as_str()), (Some(mill.id), "Old Mill"));
/// assert_eq!(located.stored()?, mill);
/// # Ok::<(), events_calendar_app::AppError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<R> {
    /// The ID; `None` for an occurrence that is computed.
    pub id: Option<Id<R>>,
    /// The number of changes, from 1. A computed occurrence has the revision of its series.
    pub revision: i64,
    /// The content.
    pub content: R,
}

impl<R: Resource> Located<R> {
    /// The stored record.
    ///
    /// # Errors
    ///
    /// [`AppError::NotFound`] if it is a computed occurrence.
    pub fn stored(self) -> Result<Stored<R>, AppError> {
        let Self {
            id,
            revision,
            content,
        } = self;
        let id = id.ok_or_else(R::not_found)?;
        Ok(Stored {
            id,
            revision,
            content,
        })
    }

    /// Whether it is an occurrence that was deleted for good: nothing of it is in the trash.
    pub(crate) fn is_gone(&self) -> bool {
        self.id.is_none() && self.is_in_trash()
    }

    pub(crate) fn localized(self, language: Language) -> Self {
        Self {
            content: self.content.localized(language),
            ..self
        }
    }
}

/// The records of a kind that has no occurrences.
pub(crate) fn all_stored<R: Resource>(
    records: Vec<impl Into<Located<R>>>,
) -> Result<Vec<Stored<R>>, AppError> {
    let records = records.into_iter();
    records.map(|record| record.into().stored()).collect()
}

impl<R> From<Stored<R>> for Located<R> {
    fn from(stored: Stored<R>) -> Self {
        Self {
            id: Some(stored.id),
            revision: stored.revision,
            content: stored.content,
        }
    }
}

impl<R> Deref for Located<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.content
    }
}
