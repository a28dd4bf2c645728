//! Organizers as JSON.

use std::borrow::Cow;

use app::place::PlaceView;
use domain::{OrganizerDetails, text::escape_markup, web_url::WebUrl};
use http_service::{record::json_ld, site::Site};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Extent, WarningRecord,
    entry::{EntryHead, PlaceTail, PlaceTexts},
    values::{JsonLd, Url},
};

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
            warnings: Vec::new(),
            tail: PlaceTail::new(organizer, site),
        }
    }
}
