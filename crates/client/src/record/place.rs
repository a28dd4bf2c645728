//! Venues and organizers.

use domain::{
    Language, OrganizerId, Status, UserId, VenueId,
    time::{NaiveDateTime, Timestamp},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ImageRecord, Warning,
    values::{utc, wall},
};

/// A venue. Fields that are empty are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VenueRecord {
    /// The ID, unique among records of its kind.
    pub id: VenueId,
    /// The user who owns the record.
    pub author: UserId,
    /// The status.
    pub status: Status,
    /// The publication date, in the time zone of the site.
    #[serde(with = "wall")]
    pub date: NaiveDateTime,
    /// The publication date in UTC.
    #[serde(with = "utc")]
    pub date_utc: Timestamp,
    /// The time of the last change, in the time zone of the site.
    #[serde(with = "wall")]
    pub modified: NaiveDateTime,
    /// The time of the last change in UTC.
    #[serde(with = "utc")]
    pub modified_utc: Timestamp,
    /// The URL of the HTML page.
    pub url: String,
    /// The name.
    pub venue: String,
    /// The long text, HTML.
    pub description: Option<String>,
    /// The short text, HTML.
    pub excerpt: Option<String>,
    /// The slug.
    pub slug: Option<String>,
    /// The image.
    pub image: Option<ImageRecord>,
    /// The street and number.
    pub address: Option<String>,
    /// The city.
    pub city: Option<String>,
    /// The country.
    pub country: Option<String>,
    /// The province.
    pub province: Option<String>,
    /// The state.
    pub state: Option<String>,
    /// The postal code.
    pub zip: Option<String>,
    /// The phone number.
    pub phone: Option<String>,
    /// The website.
    pub website: Option<String>,
    /// The state or province as shown.
    pub stateprovince: Option<String>,
    /// The latitude in degrees.
    pub geo_lat: Option<f64>,
    /// The longitude in degrees.
    pub geo_lng: Option<f64>,
    /// The record in the vocabulary of schema.org; only of the read of one record.
    pub json_ld: Option<Value>,
    /// The parts of a restored revision that had no effect; a restored record alone has them.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// Whether its events show a map.
    pub show_map: bool,
    /// Whether its events link to a map.
    pub show_map_link: bool,
    /// The global identifier.
    pub global_id: String,
    /// All global identifiers that the record has had.
    pub global_id_lineage: Vec<String>,
    /// The language of the original texts.
    pub language: Language,
    /// The languages of the texts, the original first.
    pub translations: Vec<Language>,
}

/// An organizer. Fields that are empty are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrganizerRecord {
    /// The ID, unique among records of its kind.
    pub id: OrganizerId,
    /// The user who owns the record.
    pub author: UserId,
    /// The status.
    pub status: Status,
    /// The publication date, in the time zone of the site.
    #[serde(with = "wall")]
    pub date: NaiveDateTime,
    /// The publication date in UTC.
    #[serde(with = "utc")]
    pub date_utc: Timestamp,
    /// The time of the last change, in the time zone of the site.
    #[serde(with = "wall")]
    pub modified: NaiveDateTime,
    /// The time of the last change in UTC.
    #[serde(with = "utc")]
    pub modified_utc: Timestamp,
    /// The URL of the HTML page.
    pub url: String,
    /// The name.
    pub organizer: String,
    /// The long text, HTML.
    pub description: Option<String>,
    /// The short text, HTML.
    pub excerpt: Option<String>,
    /// The slug.
    pub slug: Option<String>,
    /// The image.
    pub image: Option<ImageRecord>,
    /// The phone number.
    pub phone: Option<String>,
    /// The website.
    pub website: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The record in the vocabulary of schema.org; only of the read of one record.
    pub json_ld: Option<Value>,
    /// The parts of a restored revision that had no effect; a restored record alone has them.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// The global identifier.
    pub global_id: String,
    /// All global identifiers that the record has had.
    pub global_id_lineage: Vec<String>,
    /// The language of the original texts.
    pub language: Language,
    /// The languages of the texts, the original first.
    pub translations: Vec<Language>,
}
