//! The logo of a site.

use std::fmt;

use crate::image::ImageFormat;

/// The logo of a site: the file of a picture, which is shown as it is.
///
/// ```
/// use events_calendar_domain::{image::ImageFormat, site::{InvalidLogo, Logo}};
///
/// let logo = Logo::new(b"\x89PNG\r\n\x1a\n".to_vec())?;
/// assert_eq!((logo.format(), logo.content().len()), (ImageFormat::Png, 8));
/// assert_eq!(Logo::new(b"<svg/>".to_vec()), Err(InvalidLogo::Format));
/// let large = [b"\xff\xd8\xff".to_vec(), vec![0; Logo::MAX_BYTES]].concat();
/// assert_eq!(Logo::new(large), Err(InvalidLogo::TooLarge));
/// # Ok::<(), InvalidLogo>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Logo {
    format: ImageFormat,
    content: Vec<u8>,
}

impl fmt::Debug for Logo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Logo({}, {} bytes)", self.format, self.content.len())
    }
}

/// The reason why a file is not a [`Logo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLogo {
    /// It has more than [`Logo::MAX_BYTES`].
    #[error("has more than {} KiB", Logo::MAX_BYTES / 1024)]
    TooLarge,
    /// It is no picture of these formats.
    #[error("is neither PNG, JPEG nor WebP")]
    Format,
}

impl Logo {
    /// Largest file, in bytes.
    pub const MAX_BYTES: usize = 1024 * 1024;

    /// The logo with the content of a file.
    ///
    /// # Errors
    ///
    /// [`InvalidLogo`], naming the rule that the file breaks.
    pub fn new(content: Vec<u8>) -> Result<Self, InvalidLogo> {
        let format = ImageFormat::from_content(&content);
        let format = format.filter(|format| *format != ImageFormat::Gif);
        let format = format.ok_or(InvalidLogo::Format)?;
        if content.len() > Self::MAX_BYTES {
            return Err(InvalidLogo::TooLarge);
        }
        Ok(Self { format, content })
    }

    /// The format of the file.
    pub fn format(&self) -> ImageFormat {
        self.format
    }

    /// The content of the file.
    pub fn content(&self) -> &[u8] {
        &self.content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logo_is_a_small_picture() {
        let logo = |file: &[u8]| Logo::new(file.to_vec()).map(|logo| logo.format());
        assert_eq!(logo(b"\x89PNG\r\n\x1a\nx"), Ok(ImageFormat::Png));
        assert_eq!(logo(b"\xff\xd8\xff\xe0"), Ok(ImageFormat::Jpeg));
        assert_eq!(logo(b"RIFF\0\0\0\0WEBPVP8 "), Ok(ImageFormat::Webp));
        assert_eq!(logo(b"GIF89a"), Err(InvalidLogo::Format));
        assert_eq!(logo(b"<svg/>"), Err(InvalidLogo::Format));
        assert_eq!(logo(b""), Err(InvalidLogo::Format));
        let mut large = b"\xff\xd8\xff".to_vec();
        large.resize(Logo::MAX_BYTES, 0);
        assert!(logo(&large).is_ok());
        large.push(0);
        let error = logo(&large).unwrap_err();
        assert_eq!(error.to_string(), "has more than 1024 KiB");
    }
}
