//! Lines of venues and organizers, and what they share with those of events.

use domain::{
    Entry, ImageId, Language, OrganizerDetails, Stage, Status, Stored, UserId, VenueDetails,
    entry::{Details, EntryId},
    geo::Position,
    html::RichText,
    text::Title,
    web_url::WebUrl,
};
use serde::{Deserialize, Serialize};

use super::text::{
    FormerSlugLine, SlugText, TranslationLines, Utc, translation_lines, translations,
};

/// An event, a venue or an organizer, with the line of the fields that only one kind has. The error of a
/// line says which rule a field breaks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "L: Serialize", deserialize = "L: Deserialize<'de>"))]
pub(super) struct EntryLine<D: Details, L> {
    id: EntryId<D>,
    revision: i64,
    author: UserId,
    status: Status,
    date_utc: Utc,
    #[serde(default)]
    date_is_chosen: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    published_utc: Option<Utc>,
    modified_utc: Utc,
    language: Language,
    title: Title,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slug: Option<SlugText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slug_before_trash: Option<SlugText>,
    description: RichText,
    excerpt: RichText,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    image: Option<ImageId>,
    #[serde(flatten)]
    details: L,
    #[serde(default, skip_serializing_if = "TranslationLines::is_empty")]
    translations: TranslationLines,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    former_slugs: Vec<FormerSlugLine>,
}

/// The status of a stage: a scheduled entry is a published one with a time of publication ahead.
fn status(stage: Stage) -> Status {
    match stage {
        Stage::Published => Status::Publish,
        Stage::Draft => Status::Draft,
        Stage::Pending => Status::Pending,
        Stage::Private => Status::Private,
        Stage::Trashed => Status::Trash,
    }
}

impl<D: Details, L: From<D>> EntryLine<D, L> {
    pub(super) fn new(entry: Stored<Entry<D>>, former_slugs: Vec<FormerSlugLine>) -> Self {
        let translations = translation_lines(&entry.content);
        let Entry {
            author,
            stage,
            date,
            date_is_chosen,
            published_at,
            modified,
            language,
            translations: _,
            title,
            slug,
            former_slug,
            description,
            excerpt,
            image,
            details,
        } = entry.content;
        Self {
            id: entry.id,
            revision: entry.revision,
            author,
            status: status(stage),
            date_utc: Utc(date),
            date_is_chosen,
            published_utc: published_at.map(Utc),
            modified_utc: Utc(modified),
            language,
            title,
            slug: slug.map(SlugText),
            slug_before_trash: former_slug.map(SlugText),
            description,
            excerpt,
            image,
            details: details.into(),
            translations,
            former_slugs,
        }
    }

    /// The record, with the slugs that it gave up.
    pub(super) fn into_record<E>(self) -> Result<(Stored<Entry<D>>, Vec<FormerSlugLine>), E>
    where
        L: TryInto<D, Error = E>,
    {
        let content = Entry {
            author: self.author,
            stage: Stage::of(self.status),
            date: self.date_utc.0,
            date_is_chosen: self.date_is_chosen,
            published_at: self.published_utc.map(|time| time.0),
            modified: self.modified_utc.0,
            language: self.language,
            translations: translations(self.translations),
            title: self.title,
            slug: self.slug.map(|slug| slug.0),
            former_slug: self.slug_before_trash.map(|slug| slug.0),
            description: self.description,
            excerpt: self.excerpt,
            image: self.image,
            details: self.details.try_into()?,
        };
        let (id, revision) = (self.id, self.revision);
        let record = Stored {
            id,
            revision,
            content,
        };
        Ok((record, self.former_slugs))
    }
}

/// The fields that only a venue has.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VenueLine {
    address: String,
    city: String,
    country: String,
    province: String,
    state: String,
    stateprovince: String,
    zip: String,
    phone: String,
    website: Option<WebUrl>,
    show_map: bool,
    show_map_link: bool,
    /// Latitude and longitude in degrees, as texts: a number of JSON may lose its last digit.
    position: Option<[String; 2]>,
}

impl From<VenueDetails> for VenueLine {
    fn from(details: VenueDetails) -> Self {
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
        } = details;
        let degrees = |position: Position| {
            [position.latitude(), position.longitude()].map(|degrees| degrees.to_string())
        };
        Self {
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
            position: position.map(degrees),
        }
    }
}

impl TryFrom<VenueLine> for VenueDetails {
    type Error = String;

    fn try_from(line: VenueLine) -> Result<Self, String> {
        let position = line.position.map(|[latitude, longitude]| {
            let degrees = |text: &str| {
                text.parse::<f64>()
                    .map_err(|error| format!("position: {error}"))
            };
            Position::new(degrees(&latitude)?, degrees(&longitude)?)
                .map_err(|error| format!("position: {error}"))
        });
        Ok(Self {
            address: line.address,
            city: line.city,
            country: line.country,
            province: line.province,
            state: line.state,
            stateprovince: line.stateprovince,
            zip: line.zip,
            phone: line.phone,
            website: line.website,
            show_map: line.show_map,
            show_map_link: line.show_map_link,
            position: position.transpose()?,
        })
    }
}

/// The fields that only an organizer has.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OrganizerLine {
    phone: String,
    website: Option<WebUrl>,
    email: String,
}

impl From<OrganizerDetails> for OrganizerLine {
    fn from(details: OrganizerDetails) -> Self {
        let OrganizerDetails {
            phone,
            website,
            email,
        } = details;
        Self {
            phone,
            website,
            email,
        }
    }
}

impl TryFrom<OrganizerLine> for OrganizerDetails {
    type Error = String;

    fn try_from(line: OrganizerLine) -> Result<Self, String> {
        Ok(Self {
            phone: line.phone,
            website: line.website,
            email: line.email,
        })
    }
}
