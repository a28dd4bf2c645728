//! Venues and organizers as JSON, and the fields that they share with events.

use std::{borrow::Cow, sync::Arc};

use app::place::PlaceView;
use domain::{
    Entry, Image, Kind, Language, OrganizerDetails, Status, Stored, VenueDetails, entry::Details,
    geo::Position, slug::Slug, text::escape_markup, web_url::WebUrl,
};
use http_service::{record::json_ld, site::Site};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Extent, ImageRecord, WarningRecord,
    values::{DateTime, JsonLd, LanguageCode, StatusName, Url, languages},
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
            // `revisions::restore` adds them to the JSON.
            warnings: Vec::new(),
            show_map: *show_map,
            show_map_link: *show_map_link,
            tail: PlaceTail::new(venue, site),
        }
    }
}

/// An organizer. Fields that are empty are left out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Organizer")]
pub(crate) struct OrganizerRecord<'a> {
    /// The ID, unique among records of its kind.
    id: i64,
    #[serde(flatten)]
    head: EntryHead,
    /// The name, plain text.
    organizer: Cow<'a, str>,
    #[serde(flatten)]
    texts: PlaceTexts<'a>,
    /// The phone number.
    #[serde(skip_serializing_if = "str::is_empty")]
    phone: Cow<'a, str>,
    /// The website.
    #[serde(skip_serializing_if = "Option::is_none")]
    website: Option<Url<&'a str>>,
    /// The e-mail address.
    #[serde(skip_serializing_if = "str::is_empty")]
    email: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<JsonLd>,
    /// Only of a restored revision: what of it had no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningRecord>,
    #[serde(flatten)]
    tail: PlaceTail,
}

impl<'a> OrganizerRecord<'a> {
    pub(crate) fn new(view: &'a PlaceView<OrganizerDetails>, site: &Site, extent: Extent) -> Self {
        let organizer = &view.entry;
        let OrganizerDetails {
            phone,
            website,
            email,
        } = &organizer.details;
        Self {
            id: organizer.id.get(),
            head: EntryHead::new(organizer.id.get(), organizer, view.status, site),
            organizer: escape_markup(organizer.title.as_str()),
            texts: PlaceTexts::new(view, site),
            phone: escape_markup(phone),
            website: website.as_ref().map(WebUrl::as_str).map(Url),
            email: escape_markup(email),
            json_ld: extent.json_ld(|| json_ld::organizer(organizer)),
            // `revisions::restore` adds them to the JSON.
            warnings: Vec::new(),
            tail: PlaceTail::new(organizer, site),
        }
    }
}

/// The texts and the image of a venue or an organizer, without the empty ones.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlaceTexts<'a> {
    /// The long text, HTML.
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    /// The short text, HTML.
    #[serde(skip_serializing_if = "str::is_empty")]
    excerpt: &'a str,
    /// The slug.
    #[serde(skip_serializing_if = "str::is_empty")]
    slug: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<ImageRecord>,
}

impl<'a> PlaceTexts<'a> {
    pub(super) fn new<D>(view: &'a PlaceView<D>, site: &Site) -> Self {
        let entry = &view.entry;
        Self {
            description: entry.description.as_str(),
            excerpt: entry.excerpt.as_str(),
            slug: entry.slug.as_ref().map_or("", Slug::as_str),
            image: shown_image(view.image.as_ref(), view.language, site),
        }
    }
}

/// The last fields of a venue or an organizer.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlaceTail {
    #[serde(flatten)]
    global_id: GlobalId,
    /// The language of the original texts.
    language: LanguageCode,
    /// The languages of the texts, the original first.
    translations: Vec<LanguageCode>,
}

impl PlaceTail {
    pub(super) fn new<D: Details>(entry: &Stored<Entry<D>>, site: &Site) -> Self {
        Self {
            global_id: GlobalId::new(D::KIND, entry.id.get(), site),
            language: entry.language.into(),
            translations: languages(&entry.content),
        }
    }
}

/// The fields from the author to the page.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EntryHead {
    /// The ID of the user who owns the record.
    author: i64,
    /// The status.
    status: StatusName,
    /// The publication date, in the time zone of the site.
    date: DateTime,
    /// The publication date in UTC.
    date_utc: DateTime,
    /// The time of the last change, in the time zone of the site.
    modified: DateTime,
    /// The time of the last change in UTC.
    modified_utc: DateTime,
    /// The URL of the HTML page.
    url: Url,
}

impl EntryHead {
    pub(super) fn new<D: Details>(id: i64, entry: &Entry<D>, status: Status, site: &Site) -> Self {
        Self {
            author: entry.author.get(),
            status: status.into(),
            date: DateTime(site.local(entry.date)),
            date_utc: entry.date.into(),
            modified: DateTime(site.local(entry.modified)),
            modified_utc: entry.modified.into(),
            url: Url(site.page(D::KIND, id, entry.slug.as_ref())),
        }
    }
}

/// The names across sites.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GlobalId {
    /// The global identifier.
    global_id: String,
    /// All global identifiers that the record has had.
    #[schemars(with = "Vec<String>")]
    global_id_lineage: [String; 1],
}

impl GlobalId {
    /// The name of a record across sites. The name of an event does not contain its kind.
    pub(super) fn new(kind: Kind, id: i64, site: &Site) -> Self {
        let name = match kind {
            Kind::Event => "id",
            other => other.name(),
        };
        Self::of(format!("{}?{name}={id}", site.host))
    }

    /// The name across sites of an occurrence that has no ID.
    pub(super) fn of_slot(series: i64, recurrence_id: &str, site: &Site) -> Self {
        let host = &site.host;
        Self::of(format!("{host}?id={series}&recurrence_id={recurrence_id}"))
    }

    fn of(global_id: String) -> Self {
        Self {
            global_id_lineage: [global_id.clone()],
            global_id,
        }
    }
}

/// The image that a record shows, if it has one.
pub(super) fn shown_image(
    image: Option<&Arc<Stored<Image>>>,
    language: Language,
    site: &Site,
) -> Option<ImageRecord> {
    image.map(|image| ImageRecord::new(image, language, site))
}
