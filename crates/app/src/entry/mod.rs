//! The use cases that events, venues and organizers share.
//!
//! ```
//! use events_calendar_app::{entry::{EntryFields, EntryWrite, SentTexts}, place::OrganizerFields, write::Change};
//! use domain::Status;
//!
//! let shared = EntryFields {
//!     title: Change::Set("Green Hands".parse()?),
//!     status: Some(Status::Draft),
//!     html: SentTexts::default(),
//!     ..EntryFields::default()
//! };
//! let write = EntryWrite::new(shared, OrganizerFields::default());
//! assert!(write.own.phone.is_none());
//! # Ok::<(), domain::text::InvalidTitle>(())
//! ```

mod fields;
mod query;

use domain::{
    Entry, FieldName, Stage, Status, Stored, Translation, Translations, entry::Details,
    time::Timestamp,
};

use crate::{
    error::AppError,
    fault::FaultCollector,
    ports::{Repositories, SlugRequests},
    request::Request,
};

pub use fields::{EntryFields, SentTexts};
pub(crate) use fields::{loses_slug, new_entry};
pub(crate) use query::{check_ids, readable_event};

/// A write of an event, a venue or an organizer: the fields that all have, and those of the kind.
#[derive(Clone, Debug, Default)]
pub struct EntryWrite<F> {
    /// The fields that all have.
    pub shared: EntryFields,
    /// The fields of the kind.
    pub own: F,
}

impl<F> EntryWrite<F> {
    /// A write of both.
    pub const fn new(shared: EntryFields, own: F) -> Self {
        Self { shared, own }
    }
}

/// A change of an entry under way: its texts in the language of the request are applied.
pub(crate) struct Changing {
    shared: EntryFields,
    pub(crate) faults: FaultCollector,
    translations: Translations,
    names_translation: Option<bool>,
}

impl Changing {
    /// Begins a change. In a language other than the original's, the texts of the translation are
    /// changed; `translate` moves those of the kind.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub(crate) async fn begin<D: Details>(
        mut shared: EntryFields,
        before: &Stored<Entry<D>>,
        translate: impl FnOnce(&mut Translation) + Send,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Self, AppError> {
        let mut faults = FaultCollector::default();
        let mut translations = before.translations.clone();
        let mut names_translation = None;
        let language = request.language();
        shared.drop_shown(&before.content, request);
        if language == before.language {
            faults.refuse_cleared(FieldName::title_of(D::KIND), &shared.title);
            faults.refuse_cleared(FieldName::Slug, &shared.slug);
        } else {
            let mut translation = translations.take(language);
            names_translation = shared.translate(D::KIND, &mut translation);
            translate(&mut translation);
            translations.put(language, translation);
        }
        shared.check(D::KIND, request, unit, &mut faults).await?;
        Ok(Self {
            shared,
            faults,
            translations,
            names_translation,
        })
    }

    /// The content of the entry after the change, and the slugs to request for it.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for the faults.
    pub(crate) fn end<D: Details>(
        self,
        before: &Stored<Entry<D>>,
        details: D,
        request: &Request<'_>,
    ) -> Result<(Entry<D>, SlugRequests), AppError> {
        self.faults.finish()?;
        let mut entry = Entry {
            details,
            translations: self.translations,
            ..before.content.clone()
        };
        let slugs = self
            .shared
            .apply(&mut entry, false, self.names_translation, request);
        if !slugs.is_empty() || entry != before.content {
            entry.modified = request.now;
        }
        Ok((entry, slugs))
    }
}

/// The content of an entry in the trash, and the slugs to request there.
///
/// # Errors
///
/// [`AppError::InTrash`] if it is there already.
pub(crate) fn trash<D: Details>(
    before: &Entry<D>,
    now: Timestamp,
) -> Result<(Entry<D>, SlugRequests), AppError> {
    if before.stage == Stage::Trashed {
        return Err(AppError::InTrash(D::KIND));
    }
    let mut entry = before.clone();
    entry.move_to(Status::Trash, now);
    entry.modified = now;
    let slugs = fields::into_trash(&mut entry);
    Ok((entry, slugs))
}
