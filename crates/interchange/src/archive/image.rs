//! Lines of images. Their files are beside the archive.

use domain::{
    Image, ImageId, Language, Stored, UserId,
    image::{AltText, Dimensions, ImageFormat, ImageName, ImageSize, SizeName},
    web_url::WebUrl,
};
use serde::{Deserialize, Serialize};

use super::text::Utc;

/// An image.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ImageLine {
    id: ImageId,
    author: UserId,
    name: String,
    #[serde(flatten)]
    file: FileLine,
    sizes: Vec<SizeLine>,
    date_utc: Utc,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modified_utc: Option<Utc>,
    #[serde(default = "first_revision")]
    revision: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    alt: Vec<AltLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<WebUrl>,
}

/// The revision of an image in an archive that does not say it.
fn first_revision() -> i64 {
    1
}

/// The content of an image in words of a language.
#[derive(Debug, Serialize, Deserialize)]
struct AltLine {
    language: Language,
    text: AltText,
}

/// A file of an image.
#[derive(Debug, Serialize, Deserialize)]
struct FileLine {
    extension: String,
    width: u32,
    height: u32,
    filesize: u64,
}

/// A smaller size of an image.
#[derive(Debug, Serialize, Deserialize)]
struct SizeLine {
    size: SizeName,
    #[serde(flatten)]
    file: FileLine,
}

impl FileLine {
    fn new(format: ImageFormat, dimensions: Dimensions, filesize: u64) -> Self {
        Self {
            extension: format.extension().to_owned(),
            width: dimensions.width(),
            height: dimensions.height(),
            filesize,
        }
    }

    fn format(&self) -> Result<ImageFormat, String> {
        let mut formats = ImageFormat::ALL.into_iter();
        let format = formats.find(|format| format.extension() == self.extension);
        format.ok_or_else(|| format!("extension: {} is none of an image", self.extension))
    }

    fn dimensions(&self) -> Result<Dimensions, String> {
        Dimensions::new(self.width, self.height).map_err(|error| format!("width: {error}"))
    }
}

impl ImageLine {
    pub(super) fn new(image: Stored<Image>) -> Self {
        let Image {
            uploader,
            name,
            format,
            dimensions,
            filesize,
            sizes,
            created,
            modified,
            alt,
            source,
        } = image.content;
        let alt = alt.iter().map(|(language, text)| AltLine {
            language,
            text: text.clone(),
        });
        let sizes = sizes.into_iter().map(|size| SizeLine {
            size: size.name,
            file: FileLine::new(size.format, size.dimensions, size.filesize),
        });
        Self {
            id: image.id,
            author: uploader,
            name: name.as_str().to_owned(),
            file: FileLine::new(format, dimensions, filesize),
            sizes: sizes.collect(),
            date_utc: Utc(created),
            modified_utc: Some(Utc(modified)),
            revision: image.revision,
            alt: alt.collect(),
            source,
        }
    }

    pub(super) fn into_image(self) -> Result<Stored<Image>, String> {
        let name = ImageName::from_stored(&self.name);
        let sizes = self.sizes.into_iter().map(|SizeLine { size, file }| {
            Ok::<_, String>(ImageSize {
                name: size,
                format: file.format()?,
                dimensions: file.dimensions()?,
                filesize: file.filesize,
            })
        });
        let alt = self.alt.into_iter();
        let alt = alt.map(|AltLine { language, text }| (language, text));
        let content = Image {
            uploader: self.author,
            name: name.ok_or_else(|| format!("name: {} is none of an image", self.name))?,
            format: self.file.format()?,
            dimensions: self.file.dimensions()?,
            filesize: self.file.filesize,
            sizes: sizes.collect::<Result<_, _>>()?,
            created: self.date_utc.0,
            modified: self.modified_utc.unwrap_or(self.date_utc).0,
            alt: alt.collect(),
            source: self.source,
        };
        Ok(Stored {
            id: self.id,
            revision: self.revision,
            content,
        })
    }
}
