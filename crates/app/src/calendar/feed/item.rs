//! Events as items of calendar files.

use std::collections::HashMap;

use domain::{
    Entry, EventId, Language, OrganizerDetails, Status, Translation, VenueDetails, entry::Details,
    web_url::WebUrl,
};

use crate::{
    event::EventView,
    feed::{
        FeedContent, FeedEvent, FeedImage, FeedOrganizer, FeedPlace, FeedStatus, FeedUrls,
        InLanguage,
    },
    place::PlaceView,
};

/// An event as a calendar file shows it. `parents` has the unique identifiers of parents.
pub(super) fn event_of(
    view: &EventView,
    parents: &HashMap<EventId, String>,
    urls: &dyn FeedUrls,
) -> FeedEvent {
    let event = &view.event;
    let details = &event.details;
    let status = match view.status {
        _ if view.open && details.cancelled => FeedStatus::Cancelled,
        Status::Publish => FeedStatus::Confirmed,
        _ => FeedStatus::Tentative,
    };
    FeedEvent {
        uid: details.uid.clone(),
        stamp: view.last_change(),
        when: details.when.clone(),
        sequence: details.sequence,
        status,
        title: shown(
            event,
            view.language,
            event.title.as_str().to_owned(),
            |one| one.title.is_some(),
        ),
        url: urls.page(event, event.id),
        content: view.open.then(|| Box::new(content(view, parents, urls))),
    }
}

fn content(
    view: &EventView,
    parents: &HashMap<EventId, String>,
    urls: &dyn FeedUrls,
) -> FeedContent {
    let event = &view.event;
    let description = (!event.description.as_str().is_empty()).then(|| {
        shown(event, view.language, event.description.clone(), |one| {
            one.description.is_some()
        })
    });
    let categories = view.categories.iter().map(|view| view.term.name.as_str());
    let tags = view.tags.iter().map(|view| view.term.name.as_str());
    FeedContent {
        description,
        place: view.venue.as_deref().map(place),
        categories: categories.chain(tags).map(str::to_owned).collect(),
        is_private: view.status != Status::Publish,
        organizers: view.organizers.iter().map(|one| organizer(one)).collect(),
        parent_uid: view.parent.and_then(|id| parents.get(&id).cloned()),
        image: view.image.as_deref().map(|image| FeedImage {
            url: urls.image(image),
            format: image.format,
        }),
        ..FeedContent::new(event.date)
    }
}

/// A text of a localized entry with its language: that of the answer if the entry has the text in it,
/// else that of the original.
fn shown<D: Details, T>(
    entry: &Entry<D>,
    language: Language,
    text: T,
    is_there: impl Fn(&Translation) -> bool,
) -> InLanguage<T> {
    // The original of a text that a translation replaced is among the translations.
    let original = entry.language;
    let is_replaced = entry.translations.get(original).is_some_and(is_there);
    InLanguage::new(text, if is_replaced { language } else { original })
}

fn place(view: &PlaceView<VenueDetails>) -> InLanguage<FeedPlace> {
    let venue = &view.entry;
    let VenueDetails {
        address,
        city,
        country,
        stateprovince,
        zip,
        position,
        ..
    } = &venue.details;
    let place = FeedPlace {
        name: venue.title.as_str().to_owned(),
        address: address.clone(),
        zip: zip.clone(),
        city: city.clone(),
        stateprovince: stateprovince.clone(),
        country: country.clone(),
        position: *position,
    };
    shown(venue, view.language, place, |one| one.title.is_some())
}

fn organizer(view: &PlaceView<OrganizerDetails>) -> FeedOrganizer {
    let OrganizerDetails {
        phone,
        website,
        email,
    } = &view.entry.details;
    FeedOrganizer {
        name: view.entry.title.as_str().to_owned(),
        phone: phone.clone(),
        email: email.clone(),
        website: website.as_ref().map_or("", WebUrl::as_str).to_owned(),
    }
}
