//! Decodes images within a memory limit.

use std::{borrow::Cow, io::Cursor, sync::Arc};

use app::ports::{BadImage, DecodedImage, ImageReader};
use async_trait::async_trait;
use bytes::Bytes;
use domain::image::{Crop, Dimensions, ImageFormat};
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageReader as Decoder, Limits, metadata::Orientation,
};
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::sizes;

/// The maximum memory for decoding one image, in bytes, without its file: 128 MiB.
const MAX_MEMORY: u64 = 128 * 1024 * 1024;

/// Decodes images, one at a time: the memory limit of one image is the limit of the process.
#[derive(Clone, Debug)]
pub(crate) struct Reader(Arc<Semaphore>);

impl Default for Reader {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl Reader {
    /// Runs the work on an image. A panic of the decoder counts as an error of the file.
    async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, BadImage> + Send + 'static,
    ) -> Result<T, BadImage> {
        let broken = |error: &dyn std::fmt::Display| BadImage::Broken(error.to_string());
        let permit = Arc::clone(&self.0).acquire_owned().await;
        let permit = permit.map_err(|error| broken(&error))?;
        let work = move || {
            let _permit = permit;
            work()
        };
        spawn_blocking(work).await.map_err(|error| broken(&error))?
    }
}

#[async_trait]
impl ImageReader for Reader {
    async fn read(&self, format: ImageFormat, file: Bytes) -> Result<DecodedImage, BadImage> {
        self.alone(move || read(format, &file)).await
    }

    async fn crop(&self, format: ImageFormat, file: Bytes, crop: Crop) -> Result<Bytes, BadImage> {
        self.alone(move || cropped(format, &file, crop)).await
    }
}

/// A decoded picture, as stored: with the orientation in which it is displayed.
struct Decoded {
    picture: DynamicImage,
    stored: Dimensions,
    orientation: Orientation,
}

fn decode(format: ImageFormat, file: &[u8]) -> Result<Decoded, BadImage> {
    let shown = match format {
        ImageFormat::Png => png::shown(file),
        ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::Webp => Cow::Borrowed(file),
    };
    let file = &*shown;
    let mut decoder = Decoder::with_format(Cursor::new(file), codec(format));
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_MEMORY);
    decoder.limits(limits);
    // Reads only the header, with the dimensions.
    let mut decoder = decoder.into_decoder().map_err(bad)?;
    let (width, height) = decoder.dimensions();
    let stored = Dimensions::new(width, height)?;
    if memory(format, file, &decoder) > MAX_MEMORY {
        return Err(BadImage::Memory);
    }
    if format == ImageFormat::Jpeg && !jpeg::has_end(file) {
        // The decoder would fill missing pixels with grey.
        return Err(BadImage::Broken("it ends too early".to_owned()));
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(bad)?;
    Ok(Decoded {
        picture,
        stored,
        orientation,
    })
}

fn read(format: ImageFormat, file: &[u8]) -> Result<DecodedImage, BadImage> {
    let Decoded {
        picture,
        stored,
        orientation,
    } = decode(format, file)?;
    let is_turned = matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    Ok(DecodedImage {
        dimensions: if is_turned { stored.turned() } else { stored },
        sizes: sizes::make(format, &picture, stored, orientation).map_err(bad)?,
    })
}

fn cropped(format: ImageFormat, file: &[u8], crop: Crop) -> Result<Bytes, BadImage> {
    let mut decoded = decode(format, file)?;
    decoded.picture.apply_orientation(decoded.orientation);
    let picture = decoded.picture;
    let kept = crop.of(Dimensions::new(picture.width(), picture.height())?);
    let (width, height) = (kept.dimensions.width(), kept.dimensions.height());
    let part = picture.crop_imm(kept.left, kept.top, width, height);
    sizes::file(format, &part).map_err(bad)
}

/// The codec of a format.
fn codec(format: ImageFormat) -> image::ImageFormat {
    match format {
        ImageFormat::Png => image::ImageFormat::Png,
        ImageFormat::Jpeg => image::ImageFormat::Jpeg,
        ImageFormat::Gif => image::ImageFormat::Gif,
        ImageFormat::Webp => image::ImageFormat::WebP,
    }
}

/// The memory that decoding takes, in bytes: the pixels and the buffers of the decoder.
fn memory(format: ImageFormat, file: &[u8], decoder: &impl ImageDecoder) -> u64 {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let on_the_way = match format {
        // The decoder holds all coefficients of a progressive JPEG before it makes the first pixel.
        ImageFormat::Jpeg if jpeg::is_progressive(file) => pixels * 6,
        ImageFormat::Png | ImageFormat::Jpeg => 0,
        // A frame of a GIF, or the luma and chroma planes of a WebP.
        ImageFormat::Gif | ImageFormat::Webp => pixels * 4,
    };
    decoder.total_bytes().saturating_add(on_the_way)
}

fn bad(error: ImageError) -> BadImage {
    match error {
        ImageError::Limits(_) => BadImage::Memory,
        error => BadImage::Broken(error.to_string()),
    }
}

/// The parts of a PNG that are decoded.
mod png {
    use std::borrow::Cow;

    const SIGNATURE: usize = 8;

    /// Size of the length, type and checksum of a chunk, in bytes.
    const AROUND: usize = 12;

    /// Chunks that the decoder would decompress without a limit, though no pixel depends on them:
    /// the colour profile and texts.
    const HIDDEN: [&[u8]; 4] = [b"iCCP", b"zTXt", b"iTXt", b"tEXt"];

    /// Removes the [`HIDDEN`] chunks of a file. A file that is no sequence of chunks stays
    /// unchanged; the decoder rejects it.
    pub(super) fn shown(file: &[u8]) -> Cow<'_, [u8]> {
        let mut shown = Vec::new();
        let (mut from, mut at) = (0, SIGNATURE);
        while let Some([a, b, c, d, kind @ ..]) = file.get(at..at + 8) {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            let end = at.saturating_add(length).saturating_add(AROUND);
            if HIDDEN.contains(&kind) {
                shown.extend_from_slice(&file[from..at]);
                from = end.min(file.len());
            }
            at = end;
        }
        if from == 0 {
            return Cow::Borrowed(file);
        }
        shown.extend_from_slice(&file[from..]);
        Cow::Owned(shown)
    }
}

/// The properties of a JPEG that are checked before it is decoded.
mod jpeg {
    /// Whether an end-of-image marker follows the last start-of-scan marker.
    pub(super) fn has_end(file: &[u8]) -> bool {
        let last = |marker: u8| file.windows(2).rposition(|pair| pair == [0xff, marker]);
        last(0xd9) > last(0xda)
    }

    /// Whether a JPEG is progressive, by the type of the frame among its segments.
    pub(super) fn is_progressive(file: &[u8]) -> bool {
        let mut rest = file.get(2..).unwrap_or_default();
        loop {
            match rest {
                [0xff, 0xff, ..] => rest = &rest[1..],
                [0xff, 0xc2 | 0xc6 | 0xca | 0xce, ..] => return true,
                [0xff, 0xda | 0xd9, ..] => return false,
                [0xff, _, high, low, ..] => {
                    let length = usize::from(u16::from_be_bytes([*high, *low]));
                    rest = rest.get(2 + length..).unwrap_or_default();
                }
                // A malformed file counts as progressive, which takes more memory.
                _ => return true,
            }
        }
    }
}

#[cfg(test)]
mod tests;
