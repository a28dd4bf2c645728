//! Venues as JSON.

use std::borrow::Cow;

use app::place::PlaceView;
use domain::{Kind, VenueDetails, geo::Position, slug::Slug, text::escape_markup, web_url::WebUrl};
use serde::Serialize;
use serde_json::Value;

use super::{
    Extent, ImageRecord, json_ld, languages,
    place::{GlobalId, Head, is_empty},
};
use crate::urls::Site;

/// A venue as JSON, without its empty fields.
#[derive(Debug, Serialize)]
pub(crate) struct VenueRecord<'a> {
    #[serde(flatten)]
    head: Head,
    venue: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    excerpt: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    slug: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<ImageRecord>,
    #[serde(skip_serializing_if = "is_empty")]
    address: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    city: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    country: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    province: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    state: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    zip: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    phone: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    website: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    stateprovince: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    geo_lat: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    geo_lng: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<Value>,
    show_map: bool,
    show_map_link: bool,
    #[serde(flatten)]
    global_id: GlobalId,
    language: &'static str,
    translations: Vec<&'static str>,
}

impl<'a> VenueRecord<'a> {
    pub(crate) fn new(view: &'a PlaceView<VenueDetails>, site: &Site, extent: Extent) -> Self {
        let venue = &view.entry;
        let VenueDetails {
            address,
            city,
            country,
            province,
            state,
            stateprovince,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = &venue.details;
        Self {
            head: Head::new(view, site),
            venue: escape_markup(venue.title.as_str()),
            description: venue.description.as_str(),
            excerpt: venue.excerpt.as_str(),
            slug: venue.slug.as_ref().map_or("", Slug::as_str),
            image: ImageRecord::shown(view.image.as_ref(), site),
            address: escape_markup(address),
            city: escape_markup(city),
            country: escape_markup(country),
            province: escape_markup(province),
            state: escape_markup(state),
            zip: escape_markup(zip),
            phone: escape_markup(phone),
            website: website.as_ref().map_or("", WebUrl::as_str),
            stateprovince: escape_markup(stateprovince),
            geo_lat: position.map(Position::latitude),
            geo_lng: position.map(Position::longitude),
            json_ld: (extent == Extent::WithJsonLd).then(|| json_ld::venue(venue, site)),
            show_map: *show_map,
            show_map_link: *show_map_link,
            global_id: GlobalId::new(Kind::Venue, venue.id.get(), site),
            language: venue.language.code(),
            translations: languages(&venue.content),
        }
    }
}
