//! The face of a site: its logo, colour, stylesheet and footer on every page.

mod colour;

pub use colour::{Colour, InvalidColour};

use domain::web_url::WebUrl;

use crate::response::asset::Asset;

/// The face of a site: what its pages show besides its calendar.
///
/// ```
/// use events_calendar_http_service::face::Face;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let face = Face::default()
///     .with_colour("#0b5d57".parse()?)
///     .with_logo(b"\x89PNG\r\n\x1a\n".to_vec())?
///     .with_footer("Town of Springfield");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Face {
    /// The picture beside the name.
    pub logo: Option<Asset>,
    /// The stylesheet of the colour.
    pub colour: Option<Asset>,
    /// The stylesheet of the site, after the ones of the program.
    pub stylesheet: Option<Asset>,
    /// The text at the end of each page.
    pub footer: Option<String>,
    /// The address of the imprint.
    pub imprint: Option<WebUrl>,
    /// The address of the privacy policy.
    pub privacy: Option<WebUrl>,
}

impl Face {
    /// Maximum size of a logo, in bytes.
    pub const MAX_LOGO_BYTES: usize = 1024 * 1024;

    /// Maximum size of a stylesheet, in bytes.
    pub const MAX_STYLESHEET_BYTES: usize = 64 * 1024;

    /// The face with the colour of links and buttons.
    #[must_use]
    pub fn with_colour(self, colour: Colour) -> Self {
        let colour = Some(Asset::stylesheet("colour", colour.stylesheet()));
        Self { colour, ..self }
    }

    /// The face with a picture beside the name: PNG, JPEG or WebP.
    ///
    /// # Errors
    ///
    /// [`InvalidFile`] if the file has another format, or more than [`MAX_LOGO_BYTES`](Self::MAX_LOGO_BYTES).
    pub fn with_logo(self, file: Vec<u8>) -> Result<Self, InvalidFile> {
        let size = InvalidFile::TooLarge(Self::MAX_LOGO_BYTES);
        let (extension, media_type) = match &file[..] {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => ("png", "image/png"),
            [0xff, 0xd8, 0xff, ..] => ("jpg", "image/jpeg"),
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
            ] => ("webp", "image/webp"),
            _ => return Err(InvalidFile::NoPicture),
        };
        if file.len() > Self::MAX_LOGO_BYTES {
            return Err(size);
        }
        let logo = Some(Asset::new("logo", extension, media_type, file));
        Ok(Self { logo, ..self })
    }

    /// The face with a stylesheet, which browsers load after the ones of the program.
    ///
    /// # Errors
    ///
    /// [`InvalidFile`] if the file is not UTF-8, or has more than [`MAX_STYLESHEET_BYTES`](Self::MAX_STYLESHEET_BYTES).
    pub fn with_stylesheet(self, file: Vec<u8>) -> Result<Self, InvalidFile> {
        if file.len() > Self::MAX_STYLESHEET_BYTES {
            return Err(InvalidFile::TooLarge(Self::MAX_STYLESHEET_BYTES));
        }
        if str::from_utf8(&file).is_err() {
            return Err(InvalidFile::NoText);
        }
        let stylesheet = Some(Asset::stylesheet("site", file));
        Ok(Self { stylesheet, ..self })
    }

    /// The face with a text at the end of each page.
    #[must_use]
    pub fn with_footer(self, text: &str) -> Self {
        let footer = Some(text.to_owned());
        Self { footer, ..self }
    }

    /// The face with a link to the imprint.
    #[must_use]
    pub fn with_imprint(self, url: WebUrl) -> Self {
        let imprint = Some(url);
        Self { imprint, ..self }
    }

    /// The face with a link to the privacy policy.
    #[must_use]
    pub fn with_privacy(self, url: WebUrl) -> Self {
        let privacy = Some(url);
        Self { privacy, ..self }
    }

    /// The files that pages of this face load.
    pub fn assets(&self) -> impl Iterator<Item = &Asset> {
        let Self {
            logo,
            colour,
            stylesheet,
            ..
        } = self;
        [logo, colour, stylesheet].into_iter().flatten()
    }
}

/// The reason why a file cannot be part of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidFile {
    /// It has more bytes than this.
    #[error("has more than {} KiB", .0 / 1024)]
    TooLarge(usize),
    /// It is not a picture.
    #[error("is neither PNG, JPEG nor WebP")]
    NoPicture,
    /// It is not a text.
    #[error("is not UTF-8")]
    NoText,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logo_is_a_small_picture() {
        let logo = |file: &[u8]| {
            Face::default()
                .with_logo(file.to_vec())
                .map(|face| face.logo.unwrap().name)
                .map(|name| name.rsplit('.').next().unwrap().to_owned())
        };
        let is = |extension: &str| Ok(extension.to_owned());
        assert_eq!(logo(b"\x89PNG\r\n\x1a\nx"), is("png"));
        assert_eq!(logo(b"\xff\xd8\xff\xe0"), is("jpg"));
        assert_eq!(logo(b"RIFF\0\0\0\0WEBPVP8 "), is("webp"));
        assert_eq!(logo(b"<svg/>"), Err(InvalidFile::NoPicture));
        assert_eq!(logo(b""), Err(InvalidFile::NoPicture));
        let mut large = b"\xff\xd8\xff".to_vec();
        large.resize(Face::MAX_LOGO_BYTES, 0);
        assert!(logo(&large).is_ok());
        large.push(0);
        let error = logo(&large).unwrap_err();
        assert_eq!(error.to_string(), "has more than 1024 KiB");
    }

    #[test]
    fn a_stylesheet_is_a_short_text() {
        let style = |file: Vec<u8>| Face::default().with_stylesheet(file).map(drop);
        assert_eq!(style(b"h1 { color: red }".to_vec()), Ok(()));
        assert_eq!(style(vec![0xff]), Err(InvalidFile::NoText));
        assert_eq!(
            style(vec![b' '; 64 * 1024 + 1]),
            Err(InvalidFile::TooLarge(64 * 1024))
        );
    }
}
