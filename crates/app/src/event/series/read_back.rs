//! Fields of an occurrence that are sent as they were read.

use domain::{Event, Record as _, Status, Stored, slug::Slug};

use crate::{
    entry::EntryChanges,
    error::AppError,
    event::changes::EventChanges,
    input::{Fault, FieldChange, Input},
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
    before: &Stored<Event>,
    request: &Request<'_>,
) -> Result<(), AppError> {
    let mut input = Input::new(request.fields);
    let slug_differs = match std::mem::take(&mut shared.slug) {
        FieldChange::Unchanged => false,
        FieldChange::Clear => before.slug.is_some(),
        FieldChange::Set(slug) => !is_slug_of(&slug, before),
    };
    let author = shared.author.take();
    let author_differs = author.is_some_and(|author| author != before.author);
    let date = shared.date.take();
    let date_differs = date.is_some_and(|date| {
        let shown = request.site.zone.at(before.date);
        date.beside([shown]).utc != before.date
    });
    for (field, differs) in [
        ("slug", slug_differs),
        ("author", author_differs),
        ("date", date_differs),
        ("date_utc", date_differs),
        ("password", own.changes_password(before)),
        ("recurrence", own.has_recurrence()),
    ] {
        if differs && request.fields.get(field).is_some() {
            input.fault(field, Fault::OfSeriesOnly);
        }
    }
    let shown = before.status(request.now);
    let differs =
        |status: Status| status != shown && !matches!(status, Status::Publish | Status::Trash);
    if shared.status.is_some_and(differs) {
        input.fault("status", Fault::OfSeriesOnly);
    }
    Ok(input.finish()?)
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

/// Whether a URL is that of the page of an occurrence, which shows as its website if it has none.
pub(super) fn is_page_of(url: &str, occurrence: &Event, site: &Site) -> bool {
    let path = || {
        let (authority, path) = url.split_once("://")?.1.split_once('/')?;
        let without_port = authority.trim_end_matches(|c: char| c.is_ascii_digit());
        let host = without_port.strip_suffix(':').unwrap_or(authority);
        let page = format!("{host}/{path}");
        let path = page.strip_prefix(&site.host)?.strip_suffix('/')?;
        let (before, slug) = path.rsplit_once('/')?;
        before.ends_with("/event").then(|| slug.to_owned())
    };
    let Some(named) = path() else { return false };
    let mut slugs = occurrence.slugs();
    slugs.any(|(_, slug)| slug.percent_encoded() == named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::event;

    #[test]
    fn the_page_of_an_occurrence() {
        let site = Site {
            host: "cal.example".to_owned(),
            ..Site::default()
        };
        let mut third = event("Jazz night").build();
        third.slug = Slug::of_url("jazz-night~2027-03-16");
        for (url, is_page) in [
            ("https://cal.example/event/jazz-night~2027-03-16/", true),
            (
                "http://cal.example:8080/fr/event/jazz-night~2027-03-16/",
                true,
            ),
            ("https://cal.example/event/jazz-night~2027-03-23/", false),
            ("https://cal.example/venue/jazz-night~2027-03-16/", false),
            ("https://other.example/event/jazz-night~2027-03-16/", false),
            ("https://cal.example/", false),
        ] {
            assert_eq!(is_page_of(url, &third, &site), is_page, "{url}");
        }
    }
}
