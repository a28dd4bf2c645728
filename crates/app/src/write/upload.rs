//! A file of a request.

use bytes::Bytes;
use domain::image::{AltTexts, ImageFormat};

/// A file as it was sent.
///
/// ```
/// use events_calendar_app::write::Upload;
/// use domain::image::AltTexts;
///
/// let upload = Upload { file_name: Some("bank.gif".to_owned()), declared: None, content: (&b"GIF89a"[..]).into(), alt: AltTexts::default() };
/// assert_eq!(upload.content.len(), 6);
/// ```
#[derive(Clone, Debug)]
pub struct Upload {
    /// The file name that the client sent.
    pub file_name: Option<String>,
    /// The format that the client declared.
    pub declared: Option<ImageFormat>,
    /// The content.
    pub content: Bytes,
    /// The content of the image in words.
    pub alt: AltTexts,
}
