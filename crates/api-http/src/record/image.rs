//! Images as JSON.

use std::sync::Arc;

use domain::{Image, Stored};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::urls::Site;

/// An image as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct ImageRecord {
    url: String,
    id: i64,
    extension: &'static str,
    width: u32,
    height: u32,
    filesize: u64,
    sizes: Sizes,
}

/// Smaller sizes, by their names.
#[derive(Debug)]
struct Sizes(Vec<(&'static str, SizeRecord)>);

#[derive(Debug, Serialize)]
struct SizeRecord {
    width: u32,
    height: u32,
    #[serde(rename = "mime-type")]
    media_type: &'static str,
    filesize: u64,
    url: String,
}

impl Serialize for Sizes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, size) in &self.0 {
            map.serialize_entry(name, size)?;
        }
        map.end()
    }
}

impl ImageRecord {
    pub(crate) fn new(image: &Stored<Image>, site: &Site) -> Self {
        let sizes = image.sizes.iter().map(|size| {
            let record = SizeRecord {
                width: size.dimensions.width(),
                height: size.dimensions.height(),
                media_type: size.format.media_type(),
                filesize: size.filesize,
                url: site.file(&image.size_path(size)),
            };
            (size.name.name(), record)
        });
        Self {
            url: site.file(&image.path()),
            id: image.id.get(),
            extension: image.format.extension(),
            width: image.dimensions.width(),
            height: image.dimensions.height(),
            filesize: image.filesize,
            sizes: Sizes(sizes.collect()),
        }
    }

    /// The image that a record shows, if it has one.
    pub(super) fn shown(image: Option<&Arc<Stored<Image>>>, site: &Site) -> Option<Self> {
        image.map(|image| Self::new(image, site))
    }
}

/// An image, or `false`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum ImageOrFalse {
    Image(ImageRecord),
    None(bool),
}

impl From<Option<ImageRecord>> for ImageOrFalse {
    fn from(image: Option<ImageRecord>) -> Self {
        image.map_or(Self::None(false), Self::Image)
    }
}
