//! Former states of records: how they are found in the audit trail, and what of them is possible today.
//!
//! The state after a revision is the present one without the changes since, undone from the newest on. Restoring a record and
//! reading it as it was both begin here.

use domain::{
    FieldName, ImageId, Language, Record, Status,
    audit::{
        AuditAction, AuditFilter, FieldChange, FieldKey, TrailValues, trail_values, values_before,
    },
    page::PageRequest,
    slug::Slug,
    time::Timestamp,
};

use super::{Located, Resource};
use crate::{
    error::AppError,
    fault::{Fault, ReferenceKind, Warning},
    image::{self, ImageRef},
    ports::{AuditEntry, Repositories, SlugRequest, SlugRequests},
    request::Request,
};

/// The entries that are read at once.
const BATCH: u32 = 100;

/// The state of a record after one of its revisions.
#[derive(Debug)]
pub(crate) struct FormerState {
    pub(crate) values: TrailValues,
    pub(crate) revision: i64,
    pub(crate) at: Timestamp,
}

/// The use of a former state.
///
/// ```
/// use events_calendar_app::{resource::Former, test_support::at};
/// assert_ne!(Former::Restored, Former::Shown(at("2030-01-01 09:00:00")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Former {
    /// It becomes the present one: images are kept until the unit of work ends.
    Restored,
    /// The record is shown as it was at an instant.
    Shown(Timestamp),
}

/// The state of a record after the revision that the first entry has, from the newest on, for which `is_it` holds. `None` if
/// the trail has no such entry, or not all changes since.
pub(crate) async fn state_at<R: Resource>(
    record: &Located<R>,
    is_it: impl Fn(&AuditEntry) -> bool + Send,
    repositories: &dyn Repositories,
) -> Result<Option<FormerState>, AppError> {
    let Some(id) = record.id else {
        return Ok(None);
    };
    let mut filter = AuditFilter {
        kind: Some(R::KIND.into()),
        record: Some(id.get()),
        ..AuditFilter::default()
    };
    let mut later: Vec<Vec<FieldChange>> = Vec::new();
    loop {
        let page = PageRequest::new(1, BATCH.into(), BATCH);
        let found = repositories.audit().page(&filter, page).await?;
        let Some(last) = found.rows.last().map(|entry| entry.number) else {
            return Ok(None);
        };
        for entry in found.rows {
            if entry.revision > record.revision {
                // It came after the record was read.
                continue;
            }
            if is_it(&entry) {
                let changes = later.iter().map(Vec::as_slice);
                let values = values_before(trail_values(&record.content), changes);
                return Ok(values.map(|values| FormerState {
                    values,
                    revision: entry.revision,
                    at: entry.at,
                }));
            }
            if entry.action == AuditAction::Create {
                return Ok(None);
            }
            later.push(entry.changes);
        }
        filter.below = Some(last);
    }
}

/// Warns of a value of a former state that the record does not get.
pub(crate) fn warn(
    field: FieldName,
    value: &(impl ToString + ?Sized),
    fault: Fault,
    request: &Request<'_>,
) {
    request.warn(Warning {
        field,
        value: value.to_string(),
        fault,
    });
}

/// Warns of the fields whose former values are not readable.
pub(crate) fn warn_unread(unread: &[FieldKey], values: &TrailValues, request: &Request<'_>) {
    for key in unread {
        let value = values.get(key).map(String::as_str).unwrap_or_default();
        warn(key.0, value, Fault::NotRestorable, request);
    }
}

/// The slugs of a former state that differ from the present ones. A record in the trash has none, now or then.
pub(crate) fn slugs<R: Record>(present: &R, values: &TrailValues) -> SlugRequests {
    let value = |field, language| values.get(&(field, language)).map(String::as_str);
    let was_in_trash = value(FieldName::Status, None) == Some(Status::Trash.name());
    if present.is_in_trash() || was_in_trash {
        return SlugRequests::default();
    }
    let wanted = |language, present: Option<&Slug>| {
        let text = value(FieldName::Slug, language)?;
        let slug = Slug::normalize(text).filter(|slug| slug.as_str() == text)?;
        (present != Some(&slug)).then(|| SlugRequest::new(slug))
    };
    let mut requests = SlugRequests::from(wanted(None, present.slug()));
    for language in Language::ALL {
        let translation = present.translations().get(language);
        let present = translation.and_then(|translation| translation.slug.as_ref());
        let request = wanted(Some(language), present);
        requests
            .translations
            .extend(request.map(|request| (language, request)));
    }
    requests
}

/// The image of a former state, if it exists and the caller may use it.
pub(crate) async fn image(
    wanted: Option<ImageId>,
    present: Option<ImageId>,
    former: Former,
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<Option<ImageId>, AppError> {
    let Some(id) = wanted.filter(|_| wanted != present) else {
        return Ok(wanted);
    };
    let found = if former == Former::Restored {
        image::resolve(&ImageRef::Id(id), request, repositories).await?
    } else {
        image::find(id, request, repositories).await?
    };
    if found.is_err() {
        let fault = Fault::UnknownReference(ReferenceKind::Image);
        warn(FieldName::Image, &id, fault, request);
    }
    Ok(found.ok())
}
