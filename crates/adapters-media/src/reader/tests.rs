use domain::image::SizeName;
use image::{ImageEncoder as _, Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

/// A picture that is red on the left and blue on the right.
fn picture(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| {
        let shade = u8::try_from(y % 64).unwrap();
        if x < width / 2 {
            Rgb([200, shade, 0])
        } else {
            Rgb([0, shade, 200])
        }
    }))
}

fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, codec(format)).unwrap();
    file.into_inner()
}

fn summary(read: &DecodedImage) -> Vec<(SizeName, ImageFormat, u32, u32)> {
    let sizes = read.sizes.iter();
    sizes
        .map(|size| {
            let shown = size.dimensions;
            let content = image::load_from_memory(&size.content).unwrap();
            assert_eq!(ImageFormat::from_content(&size.content), Some(size.format));
            assert_eq!(
                (content.width(), content.height()),
                (shown.width(), shown.height())
            );
            (size.name, size.format, shown.width(), shown.height())
        })
        .collect()
}

#[test]
fn each_format_is_read() {
    use SizeName::{Large, Medium, Thumbnail};
    for (format, small) in [
        (ImageFormat::Png, ImageFormat::Png),
        (ImageFormat::Jpeg, ImageFormat::Jpeg),
        (ImageFormat::Gif, ImageFormat::Png),
        (ImageFormat::Webp, ImageFormat::Jpeg),
    ] {
        let bytes = file(&picture(1200, 800), format);
        assert_eq!(ImageFormat::from_content(&bytes), Some(format));
        let read = read(format, &bytes).unwrap();
        assert_eq!(read.dimensions, Dimensions::new(1200, 800).unwrap());
        assert_eq!(
            summary(&read),
            [
                (Thumbnail, small, 150, 150),
                (Medium, small, 300, 200),
                (Large, small, 1024, 683)
            ]
        );
    }
    let tiny = file(&picture(3, 2), ImageFormat::Png);
    assert_eq!(read(ImageFormat::Png, &tiny).unwrap().sizes, []);
}

#[test]
fn a_narrow_image_has_a_thumbnail_of_its_middle() {
    let bytes = file(&picture(4000, 400), ImageFormat::Png);
    let read = read(ImageFormat::Png, &bytes).unwrap();
    let thumbnail = image::load_from_memory(&read.sizes[0].content)
        .unwrap()
        .to_rgb8();
    assert_eq!(thumbnail.dimensions(), (150, 150));
    assert!(thumbnail.get_pixel(5, 5)[0] > 150, "the left is red");
    assert!(thumbnail.get_pixel(145, 5)[2] > 150, "the right is blue");
}

#[test]
fn transparency_is_kept() {
    let glass = RgbaImage::from_pixel(400, 400, Rgba([10, 20, 30, 0]));
    let bytes = file(&DynamicImage::ImageRgba8(glass), ImageFormat::Webp);
    let read = read(ImageFormat::Webp, &bytes).unwrap();
    assert_eq!(read.sizes[0].format, ImageFormat::Png);
    let small = image::load_from_memory(&read.sizes[0].content).unwrap();
    assert_eq!(small.to_rgba8().get_pixel(75, 75)[3], 0);
}

/// A photograph of a camera held upright, with a description in its EXIF metadata.
#[test]
fn sizes_are_upright_and_have_no_metadata() {
    // TIFF, big endian: orientation 6 (turn right), and a description.
    let mut exif = b"MM\0*\0\0\0\x08\0\x02".to_vec();
    exif.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0");
    exif.extend(b"\x01\x0e\0\x02\0\0\0\x07\0\0\0\x26");
    exif.extend(b"\0\0\0\0SECRET\0");
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::jpeg::JpegEncoder::new(&mut bytes);
    encoder.set_exif_metadata(exif).unwrap();
    encoder.encode_image(&picture(800, 400)).unwrap();
    assert!(bytes.windows(6).any(|window| window == b"SECRET"));
    let read = read(ImageFormat::Jpeg, &bytes).unwrap();
    assert_eq!(read.dimensions, Dimensions::new(400, 800).unwrap());
    assert_eq!(read.sizes[1].dimensions, Dimensions::new(150, 300).unwrap());
    for size in &read.sizes {
        assert!(!size.content.windows(6).any(|window| window == b"SECRET"));
    }
    // The left side, which is red, is now the top.
    let medium = image::load_from_memory(&read.sizes[1].content)
        .unwrap()
        .to_rgb8();
    assert!(medium.get_pixel(75, 20)[0] > 150);
    assert!(medium.get_pixel(75, 280)[2] > 150);
}

#[test]
fn broken_files_are_refused() {
    for format in ImageFormat::ALL {
        let whole = file(&picture(300, 200), format);
        for length in [12, whole.len() / 2, whole.len() * 9 / 10] {
            let error = read(format, &whole[..length]).unwrap_err();
            assert!(
                matches!(error, BadImage::Broken(_)),
                "{format} {length}: {error:?}"
            );
        }
    }
}

#[test]
fn progressive_jpegs_are_recognized() {
    let baseline = file(&picture(64, 64), ImageFormat::Jpeg);
    assert!(!jpeg::is_progressive(&baseline));
    let frame = baseline
        .windows(2)
        .position(|pair| pair == [0xff, 0xc0])
        .unwrap();
    let mut progressive = baseline;
    progressive[frame + 1] = 0xc2;
    assert!(jpeg::is_progressive(&progressive));
    assert!(jpeg::is_progressive(&[0xff, 0xd8]));
}

/// A PNG of a few bytes whose header declares these dimensions, and `bits` in each of four
/// channels.
fn bomb(width: u32, height: u32, bits: u8) -> Vec<u8> {
    let mut bytes = file(&picture(1, 1), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    bytes[24..26].copy_from_slice(&[bits, 6]);
    // The checksum of the first chunk.
    let mut crc = !0_u32;
    for byte in &bytes[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    bytes[29..33].copy_from_slice(&(!crc).to_be_bytes());
    bytes
}

#[test]
fn decompression_bombs_are_refused_by_their_headers() {
    let error = read(ImageFormat::Png, &bomb(50_000, 50_000, 8)).unwrap_err();
    let said = domain::image::InvalidDimensions {
        width: 50_000,
        height: 50_000,
    };
    assert_eq!(error, BadImage::Dimensions(said));
    // Valid dimensions, but 8 bytes for each pixel.
    let error = read(ImageFormat::Png, &bomb(6000, 5000, 16)).unwrap_err();
    assert_eq!(error, BadImage::Memory);
}

#[test]
fn a_part_is_cut_out_of_each_format() {
    // The left half and the upper quarter go.
    let crop = Crop::new(50, 25, 0, 0).unwrap();
    for (format, cropped_as) in [
        (ImageFormat::Png, ImageFormat::Png),
        (ImageFormat::Jpeg, ImageFormat::Jpeg),
        (ImageFormat::Gif, ImageFormat::Png),
        (ImageFormat::Webp, ImageFormat::Jpeg),
    ] {
        let part = cropped(format, &file(&picture(400, 200), format), crop).unwrap();
        assert_eq!(ImageFormat::from_content(&part), Some(cropped_as));
        let part = image::load_from_memory(&part).unwrap().to_rgb8();
        assert_eq!((part.width(), part.height()), (200, 150));
        let Rgb([red, _, blue]) = *part.get_pixel(0, 75);
        assert!(red < 60 && blue > 150, "{format}: {red} {blue}");
    }
    let broken = cropped(ImageFormat::Png, b"\x89PNG\r\n\x1a\n", crop);
    assert!(matches!(broken, Err(BadImage::Broken(_))));
}
