//! Makes the smaller sizes of an image.

use app::ports::ResizedImage;
use bytes::Bytes;
use domain::image::{Dimensions, ImageFormat, SizeName};
use image::{
    DynamicImage, ImageResult,
    codecs::{jpeg::JpegEncoder, png::PngEncoder},
    imageops::FilterType,
    metadata::Orientation,
};

/// The JPEG quality of smaller sizes, of 100. Artefacts become visible below it.
const QUALITY: u8 = 82;

/// The JPEG quality of a part of an image, which stands for the image itself.
const FULL_QUALITY: u8 = 92;

/// Makes the smaller sizes of a picture with the dimensions `stored`, turned by `orientation`.
pub(crate) fn make(
    format: ImageFormat,
    picture: &DynamicImage,
    stored: Dimensions,
    orientation: Orientation,
) -> ImageResult<Vec<ResizedImage>> {
    let is_photo = is_photo(format, picture);
    let large = SizeName::Large.of(stored);
    let large = large.map(|size| picture.thumbnail_exact(size.width(), size.height()));
    let mut sizes = Vec::new();
    for name in SizeName::ALL {
        let Some(size) = name.of(stored) else {
            continue;
        };
        // The large size is the source of the smaller ones, as it has fewer pixels.
        let source = large.as_ref().unwrap_or(picture);
        let mut small = match name {
            SizeName::Large => source.clone(),
            SizeName::Medium => scaled(source, size),
            SizeName::Thumbnail
                if source.width() < size.width() || source.height() < size.height() =>
            {
                scaled(&middle(picture, size), size)
            }
            SizeName::Thumbnail => scaled(&middle(source, size), size),
        };
        small.apply_orientation(orientation);
        let (format, content) = encode(&small, is_photo.then_some(QUALITY))?;
        let shown = Dimensions::new(small.width(), small.height());
        sizes.extend(shown.ok().map(|dimensions| ResizedImage {
            name,
            format,
            dimensions,
            content,
        }));
    }
    Ok(sizes)
}

fn scaled(picture: &DynamicImage, size: Dimensions) -> DynamicImage {
    picture.resize_exact(size.width(), size.height(), FilterType::Triangle)
}

/// Crops a picture around its centre to the aspect ratio of `form`.
fn middle(picture: &DynamicImage, form: Dimensions) -> DynamicImage {
    let (width, height) = (picture.width(), picture.height());
    // At most 10,000 × 150, so that the products fit into `u32`.
    let (part_width, part_height) = if width * form.height() > height * form.width() {
        ((height * form.width() / form.height()).max(1), height)
    } else {
        (width, (width * form.height() / form.width()).max(1))
    };
    let (left, top) = ((width - part_width) / 2, (height - part_height) / 2);
    picture.crop_imm(left, top, part_width, part_height)
}

/// The file of a part of an image in a format.
pub(crate) fn file(format: ImageFormat, part: &DynamicImage) -> ImageResult<Bytes> {
    let quality = is_photo(format, part).then_some(FULL_QUALITY);
    Ok(encode(part, quality)?.1)
}

/// Whether a picture may be compressed with further loss: it is lossy and opaque.
fn is_photo(format: ImageFormat, picture: &DynamicImage) -> bool {
    match format {
        ImageFormat::Jpeg => true,
        ImageFormat::Webp => !picture.color().has_alpha(),
        ImageFormat::Png | ImageFormat::Gif => false,
    }
}

/// Encodes a picture, without the metadata of its file: as JPEG of a quality, or as PNG.
fn encode(picture: &DynamicImage, quality: Option<u8>) -> ImageResult<(ImageFormat, Bytes)> {
    let mut file = Vec::new();
    if let Some(quality) = quality {
        JpegEncoder::new_with_quality(&mut file, quality).encode_image(&picture.to_rgb8())?;
        return Ok((ImageFormat::Jpeg, file.into()));
    }
    let eight_bits: DynamicImage = if picture.color().has_alpha() {
        picture.to_rgba8().into()
    } else {
        picture.to_rgb8().into()
    };
    eight_bits.write_with_encoder(PngEncoder::new(&mut file))?;
    Ok((ImageFormat::Png, file.into()))
}
