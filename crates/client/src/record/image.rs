//! Images.

use std::collections::BTreeMap;

use domain::ImageId;
use serde::{Deserialize, Serialize};

/// An image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageRecord {
    /// The URL of the original file.
    pub url: String,
    /// The ID.
    pub id: ImageId,
    /// The content of the image in words; empty if it has no text.
    pub alt: String,
    /// The file name extension of its type.
    pub extension: String,
    /// The width in pixels.
    pub width: Option<u32>,
    /// The height in pixels.
    pub height: Option<u32>,
    /// The file size in bytes.
    pub filesize: Option<u64>,
    /// Smaller sizes by name.
    #[serde(default)]
    pub sizes: BTreeMap<String, ImageSize>,
}

/// An image in a smaller size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageSize {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The media type.
    #[serde(rename = "mime-type")]
    pub media_type: String,
    /// The file size in bytes.
    pub filesize: u64,
    /// The URL of the file.
    pub url: String,
}
