//! The part of an image that a crop keeps.

use super::Dimensions;

/// The margins that a crop cuts off an image, in percent of its displayed width or height.
///
/// ```
/// use events_calendar_domain::image::{Crop, Dimensions, InvalidCrop, Kept};
/// let [left, top, right, bottom] = [10, 0, 40, 50];
/// let crop = Crop::new(left, top, right, bottom)?;
/// let kept: Kept = crop.of(Dimensions::new(1200, 800).unwrap());
/// assert_eq!((kept.left, kept.top), (120, 0));
/// assert_eq!(kept.dimensions, Dimensions::new(600, 400).unwrap());
/// assert_eq!(Crop::new(60, 0, 40, 0), Err(InvalidCrop::Nothing));
/// # Ok::<(), InvalidCrop>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crop {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

/// The reason why a crop is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCrop {
    /// Nothing of the image would be left.
    #[error("must leave a part of the image")]
    Nothing,
    /// Nothing is cut off.
    #[error("must cut something off")]
    Everything,
}

/// The rectangle that a crop keeps, in pixels of the displayed image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The distance from the left side.
    pub left: u32,
    /// The distance from the top.
    pub top: u32,
    /// The size of the rectangle.
    pub dimensions: Dimensions,
}

impl Crop {
    /// Checks the four margins: together, those of opposite sides are below 100.
    ///
    /// # Errors
    ///
    /// [`InvalidCrop`] if nothing is cut off, or nothing would be left.
    pub const fn new(left: u32, top: u32, right: u32, bottom: u32) -> Result<Self, InvalidCrop> {
        if left.saturating_add(right) >= 100 || top.saturating_add(bottom) >= 100 {
            Err(InvalidCrop::Nothing)
        } else if left == 0 && top == 0 && right == 0 && bottom == 0 {
            Err(InvalidCrop::Everything)
        } else {
            Ok(Self {
                left,
                top,
                right,
                bottom,
            })
        }
    }

    /// The rectangle that stays of an image: at least one pixel.
    pub fn of(self, image: Dimensions) -> Kept {
        let (left, width) = part(image.width, self.left, self.right);
        let (top, height) = part(image.height, self.top, self.bottom);
        Kept {
            left,
            top,
            dimensions: Dimensions { width, height },
        }
    }
}

/// Begin and length of what stays of a length.
fn part(length: u32, before: u32, after: u32) -> (u32, u32) {
    let begin = (length * before / 100).min(length - 1);
    let end = (length - length * after / 100).max(begin + 1);
    (begin, end - begin)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_part_of_the_image_stays(
            width in 1..=Dimensions::MAX_SIDE,
            height in 1..=Dimensions::MAX_PIXELS / Dimensions::MAX_SIDE,
            margins: [u8; 4],
        ) {
            let image = Dimensions::new(width, height).unwrap();
            let [left, top, right, bottom] = margins.map(u32::from);
            if let Ok(crop) = Crop::new(left, top, right, bottom) {
                let Kept { left, top, dimensions } = crop.of(image);
                prop_assert!(Dimensions::new(dimensions.width, dimensions.height).is_ok());
                prop_assert!(left + dimensions.width <= width && top + dimensions.height <= height);
            } else {
                prop_assert!(left + right >= 100 || top + bottom >= 100 || margins == [0; 4]);
            }
        }
    }
}
