//! Filters of lists of images.

use crate::{Image, ImageId, Stored};

/// A filter of a list of images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageFilter {
    /// Only these.
    pub include: Option<Vec<ImageId>>,
    /// Only images whose files have this name.
    pub slug: Option<String>,
}

impl ImageFilter {
    /// Whether the list includes an image.
    pub fn holds(&self, image: &Stored<Image>) -> bool {
        let Self { include, slug } = self;
        include.as_ref().is_none_or(|ids| ids.contains(&image.id))
            && slug.as_ref().is_none_or(|slug| image.name.slug() == slug)
    }
}
