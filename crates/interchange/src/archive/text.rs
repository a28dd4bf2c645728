//! Values of lines as texts that people can read.

use std::{borrow::Cow, collections::BTreeMap};

use domain::{
    Language, Record, TextField, Translation, Translations,
    html::RichText,
    slug::Slug,
    text::Title,
    time::{Timestamp, parse_civil},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A time in UTC: `2027-01-04 07:30:00`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Utc(pub(super) Timestamp);

impl Serialize for Utc {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Utc {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        let time = parse_civil(&text).map(|civil| civil.and_utc().timestamp());
        let time = time.and_then(Timestamp::from_seconds).map(Self);
        time.ok_or_else(|| Error::custom("a time has the form 2027-01-04 07:30:00"))
    }
}

/// A slug, also one of an occurrence.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(super) struct SlugText(pub(super) Slug);

impl<'de> Deserialize<'de> for SlugText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let slug = Slug::from_stored(text);
        let own = slug.series_and_label().map(|(series, _)| series);
        let own = own.as_ref().unwrap_or(&slug);
        let is_slug = Slug::normalize(own.as_str()).as_ref() == Some(own);
        let is_slug = is_slug && slug.as_str().len() <= 8 * Slug::MAX_CHARS;
        if is_slug {
            Ok(Self(slug))
        } else {
            Err(Error::custom("must be a slug, such as river-cleanup"))
        }
    }
}

/// The texts of a record in another language than its own.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct TranslationLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<Title>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug: Option<SlugText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug_before_trash: Option<SlugText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<RichText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<RichText>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    fields: BTreeMap<TextField, String>,
}

/// The translations of a record, by language.
pub(super) type TranslationLines = BTreeMap<Language, TranslationLine>;

/// The lines of translations.
pub(super) fn translation_lines(record: &impl Record) -> TranslationLines {
    let translations = record.translations().iter();
    let lines = translations.map(|(language, translation)| {
        let Translation {
            title,
            slug,
            former_slug,
            description,
            excerpt,
            text_fields,
        } = translation.clone();
        let line = TranslationLine {
            title,
            slug: slug.map(SlugText),
            slug_before_trash: former_slug.map(SlugText),
            description,
            excerpt,
            fields: text_fields,
        };
        (language, line)
    });
    lines.collect()
}

/// The translations of lines.
pub(super) fn translations(lines: TranslationLines) -> Translations {
    let translations = lines.into_iter().map(|(language, line)| {
        let translation = Translation {
            title: line.title,
            slug: line.slug.map(|slug| slug.0),
            former_slug: line.slug_before_trash.map(|slug| slug.0),
            description: line.description,
            excerpt: line.excerpt,
            text_fields: line.fields,
        };
        (language, translation)
    });
    translations.collect()
}

/// A slug that a record gave up, which still leads to it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FormerSlugLine {
    pub(super) slug: SlugText,
    pub(super) language: Language,
}
