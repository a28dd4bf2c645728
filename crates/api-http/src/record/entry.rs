//! Fields that events, venues and organizers share.

use std::sync::Arc;

use app::place::PlaceView;
use domain::{Entry, Image, Kind, Language, Status, Stored, entry::Details, slug::Slug};
use http_service::site::Site;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ImageRecord,
    values::{DateTime, LanguageCode, StatusName, Url, languages},
};

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

/// The image that a record shows, if it has one.
pub(super) fn shown_image(
    image: Option<&Arc<Stored<Image>>>,
    language: Language,
    site: &Site,
) -> Option<ImageRecord> {
    image.map(|image| ImageRecord::new(image, language, site))
}
