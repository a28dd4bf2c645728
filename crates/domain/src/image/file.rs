//! Names and paths of the files of images.

use std::str::FromStr;

use super::{Dimensions, ImageFormat};
use crate::{slug::Slug, time::Timestamp};

/// The common part of the paths of an image's files, relative to the media folder, without size and
/// extension: `2027/01/k3f9/bank`, or `2027/01/bank` as named by earlier versions. The first two
/// folders are year and month of the upload.
///
/// A name consists of ASCII letters, digits, `-`, `_` and slashes, whatever the name of the
/// uploaded file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageName(String);

text_value!(ImageName, events_calendar_domain::image::ImageName::from_stored("2027/01/bank").unwrap() => "2027/01/bank");

impl ImageName {
    /// Longest part of the uploaded file's name that is used, in characters.
    const MAX_CHARS: usize = 80;

    /// Longest name, in bytes.
    const MAX_BYTES: usize = 200;

    /// Makes a name from the name of an uploaded file, or from a path to it.
    ///
    /// ```
    /// # use events_calendar_domain::{image::ImageName, time::Timestamp};
    /// let january = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// let name = |file| ImageName::new(january, file).as_str().to_owned();
    /// assert_eq!(name("C:\\Photos\\Été à la mer.JPG"), "2027/01/ete-a-la-mer");
    /// assert_eq!(name("../../etc/passwd"), "2027/01/passwd");
    /// assert_eq!(name("東京.png"), "2027/01/image");
    /// ```
    pub fn new(created: Timestamp, file_name: &str) -> Self {
        let file = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let slug = Slug::normalize(stem);
        let slug = slug.as_ref().map_or("", Slug::as_str);
        let plain: String = slug
            .chars()
            .filter(|&c| is_plain(c))
            .take(Self::MAX_CHARS)
            .collect();
        let plain = plain.trim_matches(['-', '_']);
        let plain = if plain.is_empty() { "image" } else { plain };
        let month = created.civil().format("%Y/%m");
        Self(format!("{month}/{plain}"))
    }

    /// The same name in a folder of its own; a random folder makes the path unguessable.
    ///
    /// ```
    /// # use events_calendar_domain::{image::ImageName, time::Timestamp};
    /// let name = ImageName::new(Timestamp::from_seconds(1_800_000_000).unwrap(), "bank.png");
    /// assert_eq!(name.within("k3f9").as_str(), "2027/01/k3f9/bank");
    /// ```
    #[must_use]
    pub fn within(&self, folder: &str) -> Self {
        let folder: String = folder
            .chars()
            .filter(|&c| is_plain(c))
            .take(Self::MAX_CHARS)
            .collect();
        match self.0.rsplit_once('/') {
            Some((month, stem)) if !folder.is_empty() => Self(format!("{month}/{folder}/{stem}")),
            _ => self.clone(),
        }
    }

    /// Checks a stored name; none if it is invalid.
    ///
    /// ```
    /// use events_calendar_domain::image::ImageName;
    /// assert!(ImageName::from_stored("2027/01/k3f9/bank").is_some());
    /// assert!(ImageName::from_stored("2027/01/bank").is_some());
    /// assert!(ImageName::from_stored("2027/../bank").is_none());
    /// ```
    pub fn from_stored(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let is_number = |part: Option<&str>, digits: usize| {
            part.is_some_and(|part| {
                part.len() >= digits && part.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        let is_plain = |part: &str| !part.is_empty() && part.chars().all(is_plain);
        let is_name = text.len() <= Self::MAX_BYTES
            && is_number(parts.next(), 4)
            && is_number(parts.next(), 2)
            && parts.next().is_some_and(is_plain)
            && parts.next().is_none_or(is_plain)
            && parts.next().is_none();
        is_name.then(|| Self(text.to_owned()))
    }

    /// The last part of the name, by which clients may find the image.
    ///
    /// ```
    /// # use events_calendar_domain::image::ImageName;
    /// assert_eq!(ImageName::from_stored("2027/01/bank").unwrap().slug(), "bank");
    /// ```
    pub fn slug(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn file(&self, dimensions: Option<Dimensions>, format: ImageFormat) -> FilePath {
        let size = dimensions.map_or_else(String::new, |Dimensions { width, height }| {
            format!("-{width}x{height}")
        });
        FilePath {
            path: format!("{}{size}.{}", self.0, format.extension()),
            format,
        }
    }
}

impl FromStr for ImageName {
    type Err = InvalidImageName;

    /// ```
    /// use events_calendar_domain::image::{ImageName, InvalidImageName};
    /// assert!("2027/01/k3f9/bank".parse::<ImageName>().is_ok());
    /// assert_eq!("2027/../bank".parse::<ImageName>(), Err(InvalidImageName));
    /// assert_eq!(InvalidImageName.to_string(), "must be the name of an image, such as 2027/01/bank");
    /// ```
    fn from_str(text: &str) -> Result<Self, InvalidImageName> {
        Self::from_stored(text).ok_or(InvalidImageName)
    }
}

/// Error: the text is no name of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be the name of an image, such as 2027/01/bank")]
pub struct InvalidImageName;

fn is_plain(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '-' | '_')
}

/// The path of a file: `2027/01/bank-150x150.jpg`. No path leads out of the media folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePath {
    path: String,
    format: ImageFormat,
}

impl FilePath {
    /// Parses a path; none if no file of an image can have it.
    ///
    /// ```
    /// use events_calendar_domain::image::{FilePath, ImageFormat};
    /// let path = FilePath::parse("2027/01/bank-150x150.jpg").unwrap();
    /// assert_eq!(path.format(), ImageFormat::Jpeg);
    /// assert_eq!(FilePath::parse(&format!("2027/01/{}.jpg", "a".repeat(300))), None);
    /// for bad in ["../bank.jpg", "2027/01/..", "2027/01/bank.txt", "2027/01/a/b/c.jpg", "2027/01/.jpg"] {
    ///     assert_eq!(FilePath::parse(bad), None);
    /// }
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (name, extension) = text.rsplit_once('.')?;
        let format = ImageFormat::ALL
            .into_iter()
            .find(|format| format.extension() == extension)?;
        ImageName::from_stored(name)?;
        Some(Self {
            path: text.to_owned(),
            format,
        })
    }

    /// The path as text, with `/` between its parts.
    ///
    /// ```
    /// # use events_calendar_domain::image::FilePath;
    /// assert_eq!(FilePath::parse("2027/01/a.png").unwrap().as_str(), "2027/01/a.png");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.path
    }

    /// The format of the file.
    ///
    /// ```
    /// # use events_calendar_domain::image::{FilePath, ImageFormat};
    /// assert_eq!(FilePath::parse("2027/01/a.webp").unwrap().format(), ImageFormat::Webp);
    /// ```
    pub fn format(&self) -> ImageFormat {
        self.format
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_file_name_makes_a_path(file: String, folder: String, seconds in 0..4_102_444_800_i64) {
            let name = ImageName::new(Timestamp::from_seconds(seconds).unwrap(), &file);
            for name in [name.within(&folder), name] {
                prop_assert_eq!(name.to_string().parse(), Ok(name.clone()));
                let path = name.file(None, ImageFormat::Gif);
                prop_assert_eq!(FilePath::parse(path.as_str()), Some(path));
            }
        }
    }
}
