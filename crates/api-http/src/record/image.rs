//! Images as JSON.

use std::collections::HashMap;

use domain::{Image, Language, Stored, text::escape_markup};
use http_service::site::Site;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::values::Url;

/// An image. Unknown fields are left out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Image", extend("required" = ["url", "id", "alt", "extension"]))]
pub(crate) struct ImageRecord {
    /// The URL of the original file.
    url: Url,
    /// The ID.
    id: i64,
    /// The content of the image in words; empty if it has no text.
    alt: String,
    /// The file name extension of its type.
    extension: &'static str,
    /// The width in pixels.
    width: u32,
    /// The height in pixels.
    height: u32,
    /// The file size in bytes.
    filesize: u64,
    /// Smaller sizes by name.
    #[serde(serialize_with = "as_map")]
    #[schemars(with = "HashMap<String, SizeRecord>")]
    sizes: Vec<(&'static str, SizeRecord)>,
}

/// An image in a smaller size.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ImageSize")]
struct SizeRecord {
    /// The width in pixels.
    width: u32,
    /// The height in pixels.
    height: u32,
    /// The media type.
    #[serde(rename = "mime-type")]
    media_type: &'static str,
    /// The file size in bytes.
    filesize: u64,
    /// The URL of the file.
    url: Url,
}

impl ImageRecord {
    pub(crate) fn new(image: &Stored<Image>, language: Language, site: &Site) -> Self {
        let sizes = image.sizes.iter().map(|size| {
            let record = SizeRecord {
                width: size.dimensions.width(),
                height: size.dimensions.height(),
                media_type: size.format.media_type(),
                filesize: size.filesize,
                url: Url(site.file(&image.size_path(size))),
            };
            (size.name.name(), record)
        });
        Self {
            url: Url(site.file(&image.path())),
            id: image.id.get(),
            alt: escape_markup(image.alt.shown(language)).into_owned(),
            extension: image.format.extension(),
            width: image.dimensions.width(),
            height: image.dimensions.height(),
            filesize: image.filesize,
            sizes: sizes.collect(),
        }
    }
}

/// An image, or `false`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum ImageOrFalse {
    Image(ImageRecord),
    None(#[schemars(schema_with = "const_false")] bool),
}

impl From<Option<ImageRecord>> for ImageOrFalse {
    fn from(image: Option<ImageRecord>) -> Self {
        image.map_or(Self::None(false), Self::Image)
    }
}

fn const_false(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": false })
}

/// Writes pairs of names and values as an object, in their order.
fn as_map<S: Serializer>(
    pairs: &[(&str, impl Serialize)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}
