//! Dimensions of images, and their smaller sizes.

/// Width and height in pixels, within the accepted range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The reason why dimensions are rejected: zero or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be 1 to {side} pixels wide and high, with at most {pixels} pixels in all, not {width} by {height}",
    side = Dimensions::MAX_SIDE,
    pixels = Dimensions::MAX_PIXELS
)]
pub struct InvalidDimensions {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Dimensions {
    /// Longest side, in pixels.
    pub const MAX_SIDE: u32 = 10_000;

    /// Most pixels: 5,000 × 8,000. With three bytes each they take 120 MB while smaller sizes are
    /// made.
    pub const MAX_PIXELS: u32 = 40_000_000;

    /// Checks a width and a height.
    ///
    /// # Errors
    ///
    /// [`InvalidDimensions`] if a side is zero, or a limit is exceeded.
    ///
    /// ```
    /// use events_calendar_domain::image::{Dimensions, InvalidDimensions};
    /// let pixels = |side| Dimensions::MAX_PIXELS / side;
    /// assert!(Dimensions::new(8000, pixels(8000)).is_ok());
    /// let refused = InvalidDimensions { width: 8000, height: 5001 };
    /// assert_eq!(Dimensions::new(8000, pixels(8000) + 1), Err(refused));
    /// assert!(Dimensions::new(Dimensions::MAX_SIDE + 1, 1).is_err());
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

    /// The width in pixels.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::image::Dimensions::new(3, 2)?.width(), 3);
    /// # Ok::<(), events_calendar_domain::image::InvalidDimensions>(())
    /// ```
    pub const fn width(self) -> u32 {
        self.width
    }

    /// The height in pixels.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::image::Dimensions::new(3, 2)?.height(), 2);
    /// # Ok::<(), events_calendar_domain::image::InvalidDimensions>(())
    /// ```
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Swaps width and height.
    ///
    /// ```
    /// use events_calendar_domain::image::Dimensions;
    /// assert_eq!(Dimensions::new(3, 2)?.turned(), Dimensions::new(2, 3)?);
    /// # Ok::<(), events_calendar_domain::image::InvalidDimensions>(())
    /// ```
    #[must_use]
    pub const fn turned(self) -> Self {
        Self {
            width: self.height,
            height: self.width,
        }
    }
}

named_enum! {
    /// The smaller sizes that are made of images.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum SizeName, name {
        /// Cropped at the centre to at most 150 × 150.
        Thumbnail = "thumbnail",
        /// Scaled to fit 300 × 300.
        Medium = "medium",
        /// Scaled to fit 1024 × 1024.
        Large = "large",
    }
}

impl SizeName {
    /// The side of the square that contains this size, in pixels.
    const fn side(self) -> u32 {
        match self {
            Self::Thumbnail => 150,
            Self::Medium => 300,
            Self::Large => 1024,
        }
    }

    /// The dimensions of an image in this size; none if the image is not larger.
    ///
    /// ```
    /// use events_calendar_domain::image::{Dimensions, SizeName};
    /// let image = Dimensions::new(1200, 800)?;
    /// assert_eq!(SizeName::Thumbnail.of(image), Some(Dimensions::new(150, 150)?));
    /// assert_eq!(SizeName::Medium.of(image), Some(Dimensions::new(300, 200)?));
    /// assert_eq!(SizeName::Medium.of(Dimensions::new(300, 20)?), None);
    /// # Ok::<(), events_calendar_domain::image::InvalidDimensions>(())
    /// ```
    pub fn of(self, image: Dimensions) -> Option<Dimensions> {
        let side = self.side();
        let longest = image.width.max(image.height);
        if longest <= side {
            return None;
        }
        let shrunk = |length: u32| match self {
            Self::Thumbnail => length.min(side),
            // Rounded; 10,000 × 1024 fits the type easily.
            Self::Medium | Self::Large => ((length * side + longest / 2) / longest).max(1),
        };
        Some(Dimensions {
            width: shrunk(image.width),
            height: shrunk(image.height),
        })
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
        for (width, height, expected) in [
            (150, 150, vec![]),
            (151, 20, vec![("thumbnail", 150, 20)]),
            (300, 200, vec![("thumbnail", 150, 150)]),
            (
                800,
                400,
                vec![("thumbnail", 150, 150), ("medium", 300, 150)],
            ),
        ] {
            assert_eq!(sizes(width, height), expected);
        }
        let [thumbnail, medium, large] = ["thumbnail", "medium", "large"];
        let narrow = [(thumbnail, 150, 150), (medium, 31, 300), (large, 105, 1024)];
        assert_eq!(sizes(1025, 10_000), narrow);
        let flat = [(thumbnail, 150, 1), (medium, 300, 1), (large, 1024, 1)];
        assert_eq!(sizes(10_000, 1), flat);
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
    }
}
