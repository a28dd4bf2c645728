//! Images: uploaded files, and the smaller sizes made of them.
//!
//! ```
//! use events_calendar_domain::image::{AltTexts, Dimensions, ImageFormat, ImageName, ImageSize, SizeName};
//! # use events_calendar_domain::{Image, UserId, time::Timestamp};
//! # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
//!
//! let dimensions = Dimensions::new(1200, 800)?;
//! let format = ImageFormat::from_file_name("Bank.jpeg").unwrap();
//! let made = SizeName::ALL.into_iter().filter_map(|name| {
//!     let dimensions = name.of(dimensions)?;
//!     Some(ImageSize { name, format, dimensions, filesize: 9000 })
//! });
//! let sizes: Vec<_> = made.collect();
//! let image = Image {
//!     uploader: UserId::from_raw(1),
//!     name: ImageName::new(created, "Bank.jpeg"),
//!     format, dimensions, filesize: 120_000, sizes, created, modified: created,
//!     alt: AltTexts::default(), source: None,
//! };
//! assert_eq!(image.path().as_str(), "2027/01/bank.jpg");
//! assert_eq!(image.paths()[2].as_str(), "2027/01/bank-300x200.jpg");
//! # Ok::<(), events_calendar_domain::image::InvalidDimensions>(())
//! ```

mod alt;
mod crop;
mod file;
mod filter;
mod format;
mod size;

use crate::{UserId, time::Timestamp, web_url::WebUrl};

pub use alt::{AltText, AltTexts, InvalidAltText};
pub use crop::{Crop, InvalidCrop, Kept};
pub use file::{FilePath, ImageName, InvalidImageName};
pub use filter::ImageFilter;
pub use format::ImageFormat;
pub use size::{Dimensions, InvalidDimensions, SizeName};

/// An uploaded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The user who uploaded it.
    pub uploader: UserId,
    /// The name of its files.
    pub name: ImageName,
    /// The format of its file, detected by content.
    pub format: ImageFormat,
    /// The displayed dimensions.
    pub dimensions: Dimensions,
    /// The size of its file, in bytes.
    pub filesize: u64,
    /// The smaller sizes made of it.
    pub sizes: Vec<ImageSize>,
    /// The time of the upload.
    pub created: Timestamp,
    /// The time of the last change.
    pub modified: Timestamp,
    /// The content of the image in words.
    pub alt: AltTexts,
    /// The URL that it was fetched from.
    pub source: Option<WebUrl>,
}

/// A smaller size of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageSize {
    /// The name of the size.
    pub name: SizeName,
    /// The format of its file.
    pub format: ImageFormat,
    /// The displayed dimensions.
    pub dimensions: Dimensions,
    /// The size of its file, in bytes.
    pub filesize: u64,
}

impl Image {
    /// The path of the full-size file.
    ///
    /// ```
    /// # use events_calendar_domain::{UserId, image::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// # let image = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.jpeg"),
    /// #     format: ImageFormat::Jpeg, dimensions: Dimensions::new(1200, 800)?, filesize: 9, sizes: vec![],
    /// #     created, modified: created, alt: AltTexts::default(), source: None };
    /// assert_eq!(image.path().as_str(), "2027/01/bank.jpg");
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn path(&self) -> FilePath {
        self.name.file(None, self.format)
    }

    /// The path of the file of one of its sizes.
    ///
    /// ```
    /// # use events_calendar_domain::{UserId, image::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// let size = ImageSize { name: SizeName::Thumbnail, format: ImageFormat::Png,
    ///     dimensions: Dimensions::new(150, 150)?, filesize: 9 };
    /// # let image = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.gif"),
    /// #     format: ImageFormat::Gif, dimensions: Dimensions::new(1200, 800)?, filesize: 9,
    /// #     sizes: vec![size], created, modified: created, alt: AltTexts::default(), source: None };
    /// assert_eq!(image.size_path(&size).as_str(), "2027/01/bank-150x150.png");
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn size_path(&self, size: &ImageSize) -> FilePath {
        self.name.file(Some(size.dimensions), size.format)
    }

    /// The paths of all its files, the full-size one first.
    ///
    /// ```
    /// # use events_calendar_domain::{UserId, image::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// # let image = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.gif"),
    /// #     format: ImageFormat::Gif, dimensions: Dimensions::new(1200, 800)?, filesize: 9, sizes: vec![],
    /// #     created, modified: created, alt: AltTexts::default(), source: None };
    /// assert_eq!(image.paths(), [image.path()]);
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn paths(&self) -> Vec<FilePath> {
        let sizes = self.sizes.iter().map(|size| self.size_path(size));
        std::iter::once(self.path()).chain(sizes).collect()
    }
}
