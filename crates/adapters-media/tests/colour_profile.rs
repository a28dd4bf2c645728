//! A picture whose colour profile is small in its file and large once decompressed.
//!
//! This test is a program of its own, as it measures the memory of the whole process.

#![expect(clippy::unwrap_used, reason = "it is a test")]

use std::io::Cursor;

use domain::image::ImageFormat;
use events_calendar_adapters_media::{Files, media};
use flate2::{Compress, Compression, Crc, FlushCompress};
use image::{DynamicImage, RgbImage};

const MIB: usize = 1024 * 1024;

/// Size of the decompressed profile, in MiB.
const PROFILE_MIB: usize = 255;

/// A zlib stream of zeros: the same compressed piece, repeated.
fn packed() -> Vec<u8> {
    let mut piece = Vec::with_capacity(MIB);
    let mut compress = Compress::new(Compression::best(), false);
    compress
        .compress_vec(&vec![0; MIB], &mut piece, FlushCompress::Full)
        .unwrap();
    let mut stream = vec![0x78, 0xda];
    for _ in 0..PROFILE_MIB {
        stream.extend(&piece);
    }
    // An empty last block, and the Adler-32 checksum of the zeros.
    stream.extend([0x03, 0x00]);
    let sum = u32::try_from(PROFILE_MIB * MIB % 65_521).unwrap() << 16 | 1;
    stream.extend(sum.to_be_bytes());
    stream
}

/// A PNG with that profile behind its header.
fn picture() -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(RgbImage::new(400, 300))
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    let mut file = file.into_inner();
    let mut chunk = b"iCCPprofile\0\0".to_vec();
    chunk.extend(packed());
    let length = u32::try_from(chunk.len() - 4).unwrap();
    let mut sum = Crc::new();
    sum.update(&chunk);
    chunk.extend(sum.sum().to_be_bytes());
    chunk.splice(0..0, length.to_be_bytes());
    let behind_header = 8 + 25;
    file.splice(behind_header..behind_header, chunk);
    file
}

/// The peak memory of this process, in MiB; none where the system does not report it.
fn most_mib() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

#[tokio::test]
async fn a_packed_profile_takes_no_memory() {
    let file = picture();
    assert!(file.len() < 2 * MIB, "{}", file.len());
    let before = most_mib();
    let reader = media(Files::in_memory(), false).reader;
    let read = reader.read(ImageFormat::Png, file.into()).await;
    let read = read.expect("a picture");
    assert_eq!(
        (read.dimensions.width(), read.dimensions.height()),
        (400, 300)
    );
    if let (Some(before), Some(after)) = (before, most_mib()) {
        assert!(after - before < 32, "{} MiB", after - before);
    }
}
