//! Images: uploaded files, and the smaller sizes made of them.

use crate::{UserId, slug::Slug, time::Timestamp, web_url::WebUrl};
use std::fmt;

/// An uploaded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Who brought it.
    pub uploader: UserId,
    /// What its files are called.
    pub name: ImageName,
    /// What its file is, by its content.
    pub format: ImageFormat,
    /// How large it is shown.
    pub dimensions: Dimensions,
    /// Bytes of its file.
    pub filesize: u64,
    /// The smaller sizes made of it.
    pub sizes: Vec<ImageSize>,
    /// Since when it is here.
    pub created: Timestamp,
    /// Where it was fetched.
    pub source: Option<WebUrl>,
}

/// A smaller size of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageSize {
    /// Which one.
    pub name: SizeName,
    /// What its file is.
    pub format: ImageFormat,
    /// How large it is shown.
    pub dimensions: Dimensions,
    /// Bytes of its file.
    pub filesize: u64,
}

impl Image {
    /// Where its file lies.
    ///
    /// ```
    /// # use domain::{UserId, image::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// # let image = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.jpeg"),
    /// #     format: ImageFormat::Jpeg, dimensions: Dimensions::new(1200, 800)?, filesize: 9, sizes: vec![],
    /// #     created, source: None };
    /// assert_eq!(image.path().as_str(), "2027/01/bank.jpg");
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn path(&self) -> FilePath {
        self.name.file(None, self.format)
    }

    /// Where the file of one of its sizes lies.
    ///
    /// ```
    /// # use domain::{UserId, image::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// let size = ImageSize { name: SizeName::Thumbnail, format: ImageFormat::Png,
    ///     dimensions: Dimensions::new(150, 150)?, filesize: 9 };
    /// # let image = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.gif"),
    /// #     format: ImageFormat::Gif, dimensions: Dimensions::new(1200, 800)?, filesize: 9,
    /// #     sizes: vec![size], created, source: None };
    /// assert_eq!(image.size_path(&size).as_str(), "2027/01/bank-150x150.png");
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn size_path(&self, size: &ImageSize) -> FilePath {
        self.name.file(Some(size.dimensions), size.format)
    }

    /// Where all its files lie, the full one first.
    ///
    /// ```
    /// # use domain::{UserId, image::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// # let image = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.gif"),
    /// #     format: ImageFormat::Gif, dimensions: Dimensions::new(1200, 800)?, filesize: 9, sizes: vec![],
    /// #     created, source: None };
    /// assert_eq!(image.paths(), [image.path()]);
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn paths(&self) -> Vec<FilePath> {
        let sizes = self.sizes.iter().map(|size| self.size_path(size));
        std::iter::once(self.path()).chain(sizes).collect()
    }
}

/// Kinds of file that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImageFormat {
    /// Portable Network Graphics.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF, animated or not.
    Gif,
    /// WebP.
    Webp,
}

impl ImageFormat {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Png, Self::Jpeg, Self::Gif, Self::Webp];

    /// What files of it are called behind the dot.
    ///
    /// ```
    /// assert_eq!(domain::image::ImageFormat::Jpeg.extension(), "jpg");
    /// ```
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Gif => "gif",
            Self::Webp => "webp",
        }
    }

    /// Its media type.
    ///
    /// ```
    /// assert_eq!(domain::image::ImageFormat::Jpeg.media_type(), "image/jpeg");
    /// ```
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// The format that a media type names, without regard to its parameters.
    ///
    /// ```
    /// use domain::image::ImageFormat;
    /// assert_eq!(ImageFormat::from_media_type("Image/JPG; q=1"), Some(ImageFormat::Jpeg));
    /// assert_eq!(ImageFormat::from_media_type("image/svg+xml"), None);
    /// ```
    pub fn from_media_type(text: &str) -> Option<Self> {
        let essence = text.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "image/png" | "image/x-png" => Some(Self::Png),
            "image/jpeg" | "image/jpg" | "image/pjpeg" => Some(Self::Jpeg),
            "image/gif" => Some(Self::Gif),
            "image/webp" => Some(Self::Webp),
            _ => None,
        }
    }

    /// The format that the name of a file speaks of.
    ///
    /// ```
    /// use domain::image::ImageFormat;
    /// assert_eq!(ImageFormat::from_file_name("Bank.JPEG"), Some(ImageFormat::Jpeg));
    /// assert_eq!(ImageFormat::from_file_name("jpg"), None);
    /// ```
    pub fn from_file_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "jpg" | "jpeg" | "jpe" | "jfif" => Some(Self::Jpeg),
            "gif" => Some(Self::Gif),
            "webp" => Some(Self::Webp),
            _ => None,
        }
    }

    /// The format that a file has by its first bytes.
    ///
    /// ```
    /// use domain::image::ImageFormat;
    /// assert_eq!(ImageFormat::from_content(b"GIF89a..."), Some(ImageFormat::Gif));
    /// assert_eq!(ImageFormat::from_content(b"<svg>"), None);
    /// ```
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Some(Self::Webp),
            _ => None,
        }
    }
}

impl fmt::Display for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        })
    }
}

/// Width and height in pixels, within what is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    width: u32,
    height: u32,
}

/// Why an image is too large, or nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be 1 to {side} pixels wide and high, with at most {pixels} pixels in all, not {width} by {height}",
    side = Dimensions::MAX_SIDE,
    pixels = Dimensions::MAX_PIXELS
)]
pub struct InvalidDimensions {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl Dimensions {
    /// Longest side, in pixels.
    pub const MAX_SIDE: u32 = 10_000;

    /// Most pixels: 5,000 × 8,000. With three bytes each they take 120 MB for the moment in which
    /// smaller sizes are made.
    pub const MAX_PIXELS: u32 = 40_000_000;

    /// Checks a width and a height.
    ///
    /// # Errors
    ///
    /// [`InvalidDimensions`] if there is nothing, or too much.
    ///
    /// ```
    /// use domain::image::Dimensions;
    /// assert!(Dimensions::new(8000, 5000).is_ok());
    /// assert!(Dimensions::new(8000, 5001).is_err());
    /// assert!(Dimensions::new(10_001, 1).is_err());
    /// assert!(Dimensions::new(0, 1).is_err());
    /// ```
    pub const fn new(width: u32, height: u32) -> Result<Self, InvalidDimensions> {
        let fits = width >= 1
            && height >= 1
            && width <= Self::MAX_SIDE
            && height <= Self::MAX_SIDE
            && width * height <= Self::MAX_PIXELS;
        if fits {
            Ok(Self { width, height })
        } else {
            Err(InvalidDimensions { width, height })
        }
    }

    /// Pixels from left to right.
    ///
    /// ```
    /// assert_eq!(domain::image::Dimensions::new(3, 2)?.width(), 3);
    /// # Ok::<(), domain::image::InvalidDimensions>(())
    /// ```
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Pixels from top to bottom.
    ///
    /// ```
    /// assert_eq!(domain::image::Dimensions::new(3, 2)?.height(), 2);
    /// # Ok::<(), domain::image::InvalidDimensions>(())
    /// ```
    pub const fn height(self) -> u32 {
        self.height
    }

    /// The same on its side.
    ///
    /// ```
    /// use domain::image::Dimensions;
    /// assert_eq!(Dimensions::new(3, 2)?.turned(), Dimensions::new(2, 3)?);
    /// # Ok::<(), domain::image::InvalidDimensions>(())
    /// ```
    #[must_use]
    pub const fn turned(self) -> Self {
        Self {
            width: self.height,
            height: self.width,
        }
    }
}

/// The smaller sizes that are made of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SizeName {
    /// At most 150 × 150, the middle cut out.
    Thumbnail,
    /// As a whole within 300 × 300.
    Medium,
    /// As a whole within 1024 × 1024.
    Large,
}

impl SizeName {
    /// Every size, from the smallest on.
    pub const ALL: [Self; 3] = [Self::Thumbnail, Self::Medium, Self::Large];

    /// Its name: `medium`.
    ///
    /// ```
    /// assert_eq!(domain::image::SizeName::Medium.name(), "medium");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Thumbnail => "thumbnail",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }

    /// The size of a name.
    ///
    /// ```
    /// use domain::image::SizeName;
    /// assert_eq!(SizeName::from_name("large"), Some(SizeName::Large));
    /// assert_eq!(SizeName::from_name("huge"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.name() == name)
    }

    /// The side of the square within which it lies.
    const fn side(self) -> u32 {
        match self {
            Self::Thumbnail => 150,
            Self::Medium => 300,
            Self::Large => 1024,
        }
    }

    /// How large an image becomes in this size; none if it is not larger.
    ///
    /// ```
    /// use domain::image::{Dimensions, SizeName};
    /// let image = Dimensions::new(1200, 800)?;
    /// assert_eq!(SizeName::Thumbnail.of(image), Some(Dimensions::new(150, 150)?));
    /// assert_eq!(SizeName::Medium.of(image), Some(Dimensions::new(300, 200)?));
    /// assert_eq!(SizeName::Medium.of(Dimensions::new(300, 20)?), None);
    /// # Ok::<(), domain::image::InvalidDimensions>(())
    /// ```
    pub fn of(self, image: Dimensions) -> Option<Dimensions> {
        let side = self.side();
        let longest = image.width.max(image.height);
        if longest <= side {
            return None;
        }
        let shrunk = |length: u32| match self {
            Self::Thumbnail => length.min(side),
            // Rounded; 10,000 × 1024 is far from the end of the type.
            Self::Medium | Self::Large => ((length * side + longest / 2) / longest).max(1),
        };
        Some(Dimensions {
            width: shrunk(image.width),
            height: shrunk(image.height),
        })
    }
}

/// What the files of an image are called, below the folder of the month in which it came, and
/// without what follows: `2027/01/bank`.
///
/// It is made of ASCII letters, digits, `-`, `_` and two slashes, whatever the uploader called the
/// file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageName(String);

impl ImageName {
    /// Longest part that is taken from the name of a file, in characters.
    const MAX_CHARS: usize = 80;

    /// The name made of the name of a file, or of a path to one.
    ///
    /// ```
    /// # use domain::{image::ImageName, time::Timestamp};
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

    /// The same with something behind it.
    ///
    /// ```
    /// # use domain::{image::ImageName, time::Timestamp};
    /// let name = ImageName::new(Timestamp::from_seconds(1_800_000_000).unwrap(), "bank.png");
    /// assert_eq!(name.with_suffix("2f").as_str(), "2027/01/bank-2f");
    /// ```
    #[must_use]
    pub fn with_suffix(&self, suffix: &str) -> Self {
        let plain: String = suffix.chars().filter(|&c| is_plain(c)).collect();
        Self(format!("{}-{plain}", self.0))
    }

    /// A name as it was kept; none if it cannot be one.
    ///
    /// ```
    /// use domain::image::ImageName;
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
        let is_name = is_number(parts.next(), 4)
            && is_number(parts.next(), 2)
            && parts
                .next()
                .is_some_and(|stem| !stem.is_empty() && stem.chars().all(is_plain))
            && parts.next().is_none();
        is_name.then(|| Self(text.to_owned()))
    }

    /// As text.
    ///
    /// ```
    /// # use domain::image::ImageName;
    /// assert_eq!(ImageName::from_stored("2027/01/bank").unwrap().as_str(), "2027/01/bank");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn file(&self, dimensions: Option<Dimensions>, format: ImageFormat) -> FilePath {
        let size = dimensions.map_or_else(String::new, |Dimensions { width, height }| {
            format!("-{width}x{height}")
        });
        FilePath {
            path: format!("{}{size}.{}", self.0, format.extension()),
            format,
        }
    }
}

fn is_plain(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '-' | '_')
}

/// Where a file lies: `2027/01/bank-150x150.jpg`. No such path leads out of its folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePath {
    path: String,
    format: ImageFormat,
}

impl FilePath {
    /// Parses a path; none if no file of an image can lie there.
    ///
    /// ```
    /// use domain::image::{FilePath, ImageFormat};
    /// let path = FilePath::parse("2027/01/bank-150x150.jpg").unwrap();
    /// assert_eq!(path.format(), ImageFormat::Jpeg);
    /// for bad in ["../bank.jpg", "2027/01/..", "2027/01/bank.txt", "2027/01/a/b.jpg", "2027/01/.jpg"] {
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

    /// As text, with `/` between its parts.
    ///
    /// ```
    /// # use domain::image::FilePath;
    /// assert_eq!(FilePath::parse("2027/01/a.png").unwrap().as_str(), "2027/01/a.png");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.path
    }

    /// What the file is.
    ///
    /// ```
    /// # use domain::image::{FilePath, ImageFormat};
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

    fn sizes(width: u32, height: u32) -> Vec<(&'static str, u32, u32)> {
        let image = Dimensions::new(width, height).unwrap();
        SizeName::ALL
            .into_iter()
            .filter_map(|name| {
                let size = name.of(image)?;
                Some((name.name(), size.width, size.height))
            })
            .collect()
    }

    #[test]
    fn only_smaller_sizes_are_made() {
        assert_eq!(sizes(150, 150), []);
        assert_eq!(sizes(151, 20), [("thumbnail", 150, 20)]);
        assert_eq!(sizes(300, 200), [("thumbnail", 150, 150)]);
        assert_eq!(
            sizes(800, 400),
            [("thumbnail", 150, 150), ("medium", 300, 150)]
        );
        assert_eq!(
            sizes(1025, 10_000),
            [
                ("thumbnail", 150, 150),
                ("medium", 31, 300),
                ("large", 105, 1024)
            ]
        );
        assert_eq!(
            sizes(10_000, 1),
            [
                ("thumbnail", 150, 1),
                ("medium", 300, 1),
                ("large", 1024, 1)
            ]
        );
    }

    proptest! {
        #[test]
        fn a_size_lies_within_its_square(
            width in 1..=Dimensions::MAX_SIDE,
            height in 1..=Dimensions::MAX_PIXELS / Dimensions::MAX_SIDE,
        ) {
            let image = Dimensions::new(width, height).unwrap();
            for name in SizeName::ALL {
                if let Some(size) = name.of(image) {
                    prop_assert!(Dimensions::new(size.width, size.height).is_ok());
                    prop_assert!(size.width.max(size.height) <= name.side());
                    prop_assert!(size.width <= width && size.height <= height && size != image);
                    prop_assert_eq!(name.of(image.turned()), Some(size.turned()));
                }
            }
        }

        #[test]
        fn any_file_name_makes_a_path(file: String, suffix: String, seconds in 0..4_102_444_800_i64) {
            let name = ImageName::new(Timestamp::from_seconds(seconds).unwrap(), &file);
            for name in [name.with_suffix(&suffix), name] {
                prop_assert_eq!(ImageName::from_stored(name.as_str()), Some(name.clone()));
                let path = name.file(None, ImageFormat::Gif);
                prop_assert_eq!(FilePath::parse(path.as_str()), Some(path));
            }
        }
    }
}
