//! Organizers as JSON.

use std::borrow::Cow;

use app::place::PlaceView;
use domain::{Kind, OrganizerDetails, slug::Slug, text::escape_markup, web_url::WebUrl};
use serde::Serialize;
use serde_json::Value;

use super::{
    Extent, ImageRecord, json_ld, languages,
    place::{GlobalId, Head, is_empty},
};
use crate::urls::Site;

/// An organizer as JSON, without its empty fields.
#[derive(Debug, Serialize)]
pub(crate) struct OrganizerRecord<'a> {
    #[serde(flatten)]
    head: Head,
    organizer: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    excerpt: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    slug: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<ImageRecord>,
    #[serde(skip_serializing_if = "is_empty")]
    phone: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_empty")]
    website: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    email: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<Value>,
    #[serde(flatten)]
    global_id: GlobalId,
    language: &'static str,
    translations: Vec<&'static str>,
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
            head: Head::new(view, site),
            organizer: escape_markup(organizer.title.as_str()),
            description: organizer.description.as_str(),
            excerpt: organizer.excerpt.as_str(),
            slug: organizer.slug.as_ref().map_or("", Slug::as_str),
            image: ImageRecord::shown(view.image.as_ref(), site),
            phone: escape_markup(phone),
            website: website.as_ref().map_or("", WebUrl::as_str),
            email: escape_markup(email),
            json_ld: (extent == Extent::WithJsonLd).then(|| json_ld::organizer(organizer)),
            global_id: GlobalId::new(Kind::Organizer, organizer.id.get(), site),
            language: organizer.language.code(),
            translations: languages(&organizer.content),
        }
    }
}
