//! Writes of images.

use domain::{Language, image::AltText};

use super::Change;

/// The change of an image.
///
/// ```
/// use events_calendar_app::write::{Change, ImageWrite};
/// use domain::Language;
///
/// let french = ImageWrite {
///     alt: Change::Set("Un banc".parse()?),
///     language: Some(Language::French),
/// };
/// assert_ne!(french, ImageWrite::default());
/// # Ok::<(), domain::image::InvalidAltText>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageWrite {
    /// The alternative text.
    pub alt: Change<AltText>,
    /// The language of the text.
    pub language: Option<Language>,
}
