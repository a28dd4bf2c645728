//! Formats of images.

named_enum! {
    /// The supported file formats.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ImageFormat, name {
        /// Portable Network Graphics.
        Png = "PNG",
        /// JPEG.
        Jpeg = "JPEG",
        /// GIF, animated or not.
        Gif = "GIF",
        /// WebP.
        Webp = "WebP",
    }
}

impl ImageFormat {
    /// The file extension, without a dot.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::image::ImageFormat::Jpeg.extension(), "jpg");
    /// ```
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Gif => "gif",
            Self::Webp => "webp",
        }
    }

    /// The media type.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::image::ImageFormat::Jpeg.media_type(), "image/jpeg");
    /// ```
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// The format of a media type, without regard to its parameters.
    ///
    /// ```
    /// use events_calendar_domain::image::ImageFormat;
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

    /// The format that the extension of a file name indicates.
    ///
    /// ```
    /// use events_calendar_domain::image::ImageFormat;
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

    /// The format of a content, by its first bytes.
    ///
    /// ```
    /// use events_calendar_domain::image::ImageFormat;
    /// assert_eq!(ImageFormat::from_content(b"GIF89a..."), Some(ImageFormat::Gif));
    /// assert_eq!(ImageFormat::from_content(b"<svg>"), None);
    /// ```
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, rest @ ..] if rest.starts_with(b"WEBP") => {
                Some(Self::Webp)
            }
            _ => None,
        }
    }
}
