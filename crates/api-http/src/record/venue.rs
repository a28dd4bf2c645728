//! Venues as JSON.

use std::borrow::Cow;

use app::place::PlaceView;
use domain::{VenueDetails, geo::Position, text::escape_markup, web_url::WebUrl};
use http_service::{record::json_ld, site::Site};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Extent, WarningRecord,
    entry::{EntryHead, PlaceTail, PlaceTexts},
    values::{JsonLd, Url},
};

/// A venue. Fields that are empty are left out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Venue")]
pub(crate) struct VenueRecord<'a> {
    /// The ID, unique among records of its kind.
    id: i64,
    #[serde(flatten)]
    head: EntryHead,
    /// The name, plain text.
    venue: Cow<'a, str>,
    #[serde(flatten)]
    texts: PlaceTexts<'a>,
    /// The street and number.
    #[serde(skip_serializing_if = "str::is_empty")]
    address: Cow<'a, str>,
    /// The city.
    #[serde(skip_serializing_if = "str::is_empty")]
    city: Cow<'a, str>,
    /// The country.
    #[serde(skip_serializing_if = "str::is_empty")]
    country: Cow<'a, str>,
    /// The province.
    #[serde(skip_serializing_if = "str::is_empty")]
    province: Cow<'a, str>,
    /// The state.
    #[serde(skip_serializing_if = "str::is_empty")]
    state: Cow<'a, str>,
    /// The postal code.
    #[serde(skip_serializing_if = "str::is_empty")]
    zip: Cow<'a, str>,
    /// The phone number.
    #[serde(skip_serializing_if = "str::is_empty")]
    phone: Cow<'a, str>,
    /// The website.
    #[serde(skip_serializing_if = "Option::is_none")]
    website: Option<Url<&'a str>>,
    /// The state or province as shown.
    #[serde(skip_serializing_if = "str::is_empty")]
    stateprovince: Cow<'a, str>,
    /// The latitude in degrees.
    #[schemars(range(min = -90, max = 90))]
    #[serde(skip_serializing_if = "Option::is_none")]
    geo_lat: Option<f64>,
    /// The longitude in degrees.
    #[schemars(range(min = -180, max = 180))]
    #[serde(skip_serializing_if = "Option::is_none")]
    geo_lng: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<JsonLd>,
    /// Only of a restored revision: what of it had no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningRecord>,
    /// Whether its events show a map.
    show_map: bool,
    /// Whether its events link to a map.
    show_map_link: bool,
    #[serde(flatten)]
    tail: PlaceTail,
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
            id: venue.id.get(),
            head: EntryHead::new(venue.id.get(), venue, view.status, site),
            venue: escape_markup(venue.title.as_str()),
            texts: PlaceTexts::new(view, site),
            address: escape_markup(address),
            city: escape_markup(city),
            country: escape_markup(country),
            province: escape_markup(province),
            state: escape_markup(state),
            zip: escape_markup(zip),
            phone: escape_markup(phone),
            website: website.as_ref().map(WebUrl::as_str).map(Url),
            stateprovince: escape_markup(stateprovince),
            geo_lat: position.map(Position::latitude),
            geo_lng: position.map(Position::longitude),
            json_ld: extent.json_ld(|| json_ld::venue(venue, site)),
            warnings: Vec::new(),
            show_map: *show_map,
            show_map_link: *show_map_link,
            tail: PlaceTail::new(venue, site),
        }
    }
}
