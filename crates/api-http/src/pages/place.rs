//! The pages of venues and organizers.

use app::place::PlaceView;
use domain::{Organizer, OrganizerDetails, Venue, VenueDetails, entry::Details, web_url::WebUrl};
use serde_json::{Value as Json, json};

use super::{
    HasPage,
    content::{Content, Picture, Value},
    files::ListFilter,
    request::PageRequest,
    words::{Word, kind},
};
use crate::{record::json_ld, site::Site};

impl HasPage for Venue {
    fn content(view: &PlaceView<VenueDetails>, request: &PageRequest) -> Content {
        let details = &view.entry.details;
        let mut content = head(view, request);
        let mut lines = address(details);
        lines.extend(map(details, request));
        content.fact(request.word(Word::ADDRESS), lines);
        content.contact(&details.phone, details.website.as_ref(), request);
        content
    }

    fn summary(view: &PlaceView<VenueDetails>) -> String {
        view.entry.description.plain()
    }

    fn structured_data(view: &PlaceView<VenueDetails>, site: &Site) -> Option<Json> {
        Some(in_context(json_ld::venue(&view.entry, site)))
    }

    fn list_filter(view: &PlaceView<VenueDetails>) -> Option<ListFilter> {
        Some(ListFilter::Venue(view.entry.id))
    }
}

impl HasPage for Organizer {
    fn content(view: &PlaceView<OrganizerDetails>, request: &PageRequest) -> Content {
        let details = &view.entry.details;
        let mut content = head(view, request);
        content.contact(&details.phone, details.website.as_ref(), request);
        content.fact(request.word(Word::EMAIL), email(&details.email));
        content
    }

    fn summary(view: &PlaceView<OrganizerDetails>) -> String {
        view.entry.description.plain()
    }

    fn structured_data(view: &PlaceView<OrganizerDetails>, _site: &Site) -> Option<Json> {
        Some(in_context(json_ld::organizer(&view.entry)))
    }

    fn list_filter(view: &PlaceView<OrganizerDetails>) -> Option<ListFilter> {
        Some(ListFilter::Organizer(view.entry.id))
    }
}

fn head<D: Details>(view: &PlaceView<D>, request: &PageRequest) -> Content {
    Content {
        kind: Some(request.word(kind(D::KIND))),
        title: view.entry.title.as_str().to_owned(),
        picture: view
            .image
            .as_ref()
            .map(|image| Picture::of(image, view.language, &request.site)),
        description: view.entry.description.as_str().to_owned(),
        ..Content::default()
    }
}

impl Content {
    /// Adds the phone number and the website.
    fn contact(&mut self, phone: &str, site: Option<&WebUrl>, request: &PageRequest) {
        self.fact(request.word(Word::PHONE), telephone(phone));
        self.fact(request.word(Word::WEBSITE), site.map(website));
    }
}

/// A link to a venue or an organizer.
pub(super) fn link<D: Details>(view: &PlaceView<D>, site: &Site) -> Value {
    let url = site.page(D::KIND, view.entry.id, view.entry.slug.as_ref());
    Value::link(url, view.entry.title.as_str())
}

/// The lines of an address.
pub(super) fn address(venue: &VenueDetails) -> Vec<Value> {
    let town = format!("{} {}", venue.zip, venue.city);
    let lines = [
        &venue.address,
        town.trim(),
        &venue.stateprovince,
        &venue.country,
    ];
    lines.into_iter().filter_map(Value::text).collect()
}

/// A link to a map, if the venue has coordinates and shows the link.
pub(super) fn map(venue: &VenueDetails, request: &PageRequest) -> Option<Value> {
    let position = venue.position.filter(|_| venue.show_map_link)?;
    let (latitude, longitude) = (position.latitude(), position.longitude());
    let url = format!(
        "https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=16/{latitude}/{longitude}"
    );
    Some(Value::link(url, request.word(Word::MAP)))
}

/// A link to a website, shown without scheme and final slash.
pub(super) fn website(url: &WebUrl) -> Value {
    let url = url.as_str();
    let text = url.split_once("://").map_or(url, |(_, text)| text);
    Value::link(url, text.trim_end_matches('/'))
}

/// A `tel:` link; plain text if it has fewer than 3 digits.
fn telephone(text: &str) -> Option<Value> {
    let number: String = text
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    if number.len() < 3 {
        return Value::text(text);
    }
    Some(Value::link(format!("tel:{number}"), text))
}

/// A `mailto:` link; plain text if it is no plain e-mail address.
fn email(text: &str) -> Option<Value> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_+@".contains(c);
    if text.contains('@') && text.chars().all(is_plain) {
        return Some(Value::link(format!("mailto:{text}"), text));
    }
    Value::text(text)
}

/// Adds the `@context` of a top-level object.
fn in_context(value: Json) -> Json {
    let mut whole = json!({ "@context": "http://schema.org" });
    if let (Some(whole), Json::Object(value)) = (whole.as_object_mut(), value) {
        whole.extend(value);
    }
    whole
}
