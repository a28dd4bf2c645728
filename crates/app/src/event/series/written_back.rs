//! Ignores fields that a client sends back as an occurrence showed them.

use domain::{Event, FieldName, Record as _, Status, slug::Slug};

use crate::{
    change::Change,
    entry::EntryFields,
    error::AppError,
    event::EventFields,
    fault::{Fault, FaultCollector},
    request::Request,
    site::Site,
};

/// Takes the fields that only a series has out of the changes of one occurrence.
///
/// # Errors
///
/// [`AppError::Invalid`] for those that differ from what the occurrence shows.
pub(super) fn take_fields_of_series(
    shared: &mut EntryFields,
    own: &EventFields,
    before: &Event,
    request: &Request<'_>,
) -> Result<(), AppError> {
    let mut faults = FaultCollector::default();
    let slug_differs = match std::mem::take(&mut shared.slug) {
        Change::Keep => false,
        Change::Clear => before.slug.is_some(),
        Change::Set(slug) => !is_slug_of(&slug, before),
    };
    let author = shared.author.take();
    let author_differs = author.is_some_and(|author| author != before.author);
    let date = shared.publication(before.date, request);
    let date_differs = date.is_some_and(|date| date != before.date);
    let (date, date_utc) = (shared.date.take(), shared.date_utc.take());
    for (field, differs) in [
        (FieldName::Slug, slug_differs),
        (FieldName::Author, author_differs),
        (FieldName::Date, date_differs && date.is_some()),
        (FieldName::DateUtc, date_differs && date_utc.is_some()),
        (FieldName::Password, own.changes_password(before)),
        (FieldName::Recurrence, own.has_recurrence()),
    ] {
        if differs {
            faults.fault(field, Fault::OfSeriesOnly);
        }
    }
    let shown = before.status(request.now);
    let differs =
        |status: Status| status != shown && !matches!(status, Status::Publish | Status::Trash);
    if shared.status.is_some_and(differs) {
        faults.fault(FieldName::Status, Fault::OfSeriesOnly);
    }
    Ok(faults.finish()?)
}

/// Whether a slug as requests have it is a slug of an occurrence.
pub(super) fn is_slug_of(sent: &Slug, occurrence: &Event) -> bool {
    let normalized = |slug: &Slug| Slug::normalize(slug.as_str());
    let mut slugs = occurrence.slugs();
    slugs.any(|(_, slug)| normalized(slug).as_ref() == Some(sent))
}

/// Gives an event the price of `known` if it shows the same.
pub(super) fn keep_price(event: &mut Event, known: &Event, site: &Site) {
    let shown = |event: &Event| {
        let details = &event.details;
        details.cost.shown(details.currency, site.currency)
    };
    if shown(event) == shown(known) {
        event.details.cost.clone_from(&known.details.cost);
    }
}
