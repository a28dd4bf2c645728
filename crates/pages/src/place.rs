//! The pages of venues and organizers.

use app::place::PlaceView;
use domain::{
    Organizer, OrganizerDetails, Stored, Venue, VenueDetails, entry::Details, web_url::WebUrl,
};
use http_service::{record::json_ld, site::Site};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value as Json, json};

use super::{
    content::{Content, Picture, Value},
    files::ListFilter,
    record::HasPage,
    request::PageRequest,
    words::{Word, kind},
};

impl HasPage for Venue {
    fn content(view: &PlaceView<VenueDetails>, request: &PageRequest) -> Content {
        let details = &view.entry.details;
        let mut content = head(view, request);
        let mut lines = address(details);
        lines.extend(maps(&view.entry, request));
        content.fact(request.word(Word::ADDRESS), lines);
        content.contact(&details.phone, details.website.as_ref(), request);
        content
    }

    fn summary(view: &PlaceView<VenueDetails>, _request: &PageRequest) -> String {
        view.entry.description.plain()
    }

    fn structured_data(view: &PlaceView<VenueDetails>, site: &Site) -> Option<Json> {
        Some(in_context(json_ld::venue(&view.entry, site)))
    }

    fn list_filter(view: &PlaceView<VenueDetails>) -> Option<ListFilter> {
        Some(ListFilter::Venue(view.entry.id))
    }

    fn place(view: &PlaceView<VenueDetails>) -> String {
        view.entry.details.city.clone()
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

    fn summary(view: &PlaceView<OrganizerDetails>, _request: &PageRequest) -> String {
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
            .map(|image| Picture::large(image, view.language, &request.site)),
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
    let town = [
        ("p-postal-code", venue.zip.as_str()),
        ("p-locality", &venue.city),
    ];
    let lines = [
        Value::line([("p-street-address", venue.address.as_str())]),
        Value::line(town),
        Value::line([("p-region", venue.stateprovince.as_str())]),
        Value::line([("p-country-name", venue.country.as_str())]),
    ];
    lines.into_iter().flatten().collect()
}

/// Links to a map on the web and to the map program of the reader, by the coordinates of the venue or
/// else by its address; none if it has neither, or hides them.
pub(super) fn maps(venue: &Stored<Venue>, request: &PageRequest) -> Vec<Value> {
    let details = &venue.details;
    let urls = match details.position {
        _ if !details.show_map_link => return Vec::new(),
        Some(position) => {
            let (latitude, longitude) = (position.latitude(), position.longitude());
            let at = format!("{latitude}/{longitude}");
            [
                format!(
                    "https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=16/{at}"
                ),
                format!("geo:{latitude},{longitude}"),
            ]
        }
        None => {
            let town = format!("{} {}", details.zip, details.city);
            let parts = [&*details.address, town.trim(), &details.country];
            if parts[..2].iter().all(|part| part.is_empty()) {
                return Vec::new();
            }
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            let address = parts.collect::<Vec<_>>().join(", ");
            let address = utf8_percent_encode(&address, NON_ALPHANUMERIC);
            [
                format!("https://www.openstreetmap.org/search?query={address}"),
                format!("geo:0,0?q={address}"),
            ]
        }
    };
    let words = [Word::MAP, Word::MAP_PROGRAM];
    let links = urls.into_iter().zip(words);
    links
        .map(|(url, word)| Value::link(url, request.word(word)))
        .collect()
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
