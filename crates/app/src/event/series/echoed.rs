//! Ignores fields that a client sends back as an occurrence showed them.

use domain::{Event, Record as _, Status, slug::Slug};

use crate::{
    entry::EntryChanges,
    error::AppError,
    event::changes::EventChanges,
    input::{Fault, FaultCollector, FieldChange},
    request::Request,
    site::Site,
};

/// Takes the fields that only a series has out of the changes of one occurrence.
///
/// # Errors
///
/// [`AppError::Invalid`] for those that differ from what the occurrence shows.
pub(super) fn take_fields_of_series(
    shared: &mut EntryChanges,
    own: &EventChanges,
    before: &Event,
    request: &Request<'_>,
) -> Result<(), AppError> {
    let mut faults = FaultCollector::default();
    let slug_differs = match std::mem::take(&mut shared.slug) {
        FieldChange::Unchanged => false,
        FieldChange::Clear => before.slug.is_some(),
        FieldChange::Set(slug) => !is_slug_of(&slug, before),
    };
    let author = shared.author.take();
    let author_differs = author.is_some_and(|author| author != before.author);
    let [sends_date, sends_date_utc] = shared.sends_dates;
    let date = shared.date.take();
    let date_differs = date.is_some_and(|date| {
        let shown = request.site.zone.at(before.date);
        date.beside([shown]).utc != before.date
    });
    for (field, differs) in [
        ("slug", slug_differs),
        ("author", author_differs),
        ("date", date_differs && sends_date),
        ("date_utc", date_differs && sends_date_utc),
        ("password", own.changes_password(before)),
        ("recurrence", own.has_recurrence()),
    ] {
        if differs {
            faults.fault(field, Fault::OfSeriesOnly);
        }
    }
    let shown = before.status(request.now);
    let differs =
        |status: Status| status != shown && !matches!(status, Status::Publish | Status::Trash);
    if shared.status.is_some_and(differs) {
        faults.fault("status", Fault::OfSeriesOnly);
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
