//! The files of images: each recorded one is there, and no other.

use std::collections::HashSet;

use adapters_db::{Check, Difference};
use app::ports::{Clock as _, FilesError, ImageFiles, StoredFile, SystemClock};
use axum::body::{Body, HttpBody as _};
use domain::{
    Image, Stored,
    image::{FilePath, ImageFormat},
};

/// A file may wait this long for the record of its image, in seconds.
const GRACE_SECONDS: i64 = 3_600;

/// Each recorded file of an image, with its length.
pub(crate) fn files_of(image: &Image) -> Vec<(FilePath, u64)> {
    let original = (image.path(), image.filesize);
    let sizes = image.sizes.iter();
    let sizes = sizes.map(|size| (image.size_path(size), size.filesize));
    std::iter::once(original).chain(sizes).collect()
}

/// Compares images with their files.
///
/// # Errors
///
/// If the storage of files fails.
pub(crate) async fn compare(
    files: &dyn ImageFiles,
    images: &[Stored<Image>],
) -> Result<Vec<Difference>, FilesError> {
    let mut differences = Vec::new();
    let mut add = |record: String, found: String, expected: String, is_derived| {
        differences.push(Difference {
            check: Check::Images,
            record,
            found,
            expected,
            is_derived,
        });
    };
    // Listed first: a file that comes later belongs to no image of the snapshot.
    let before = SystemClock.now().saturating_add(-GRACE_SECONDS);
    let listed = files.written_before(before).await?;
    let mut recorded = HashSet::new();
    for image in images {
        for (path, length) in files_of(image) {
            let record = format!("file {} of image {}", path.as_str(), image.id);
            match files.open(&path).await? {
                None => add(record, "nothing".to_owned(), "a file".to_owned(), false),
                Some(file) if file.length != length => {
                    let found = format!("{} bytes", file.length);
                    add(record, found, format!("{length} bytes"), false);
                }
                Some(file) => {
                    let is = format_of(file).await;
                    if is != Some(path.format()) {
                        let found = is.map_or("no image", ImageFormat::extension);
                        let expected = path.format().extension().to_owned();
                        add(record, found.to_owned(), expected, false);
                    }
                }
            }
            recorded.insert(path);
        }
    }
    for path in listed {
        if !recorded.contains(&path) {
            let record = format!("file {}", path.as_str());
            add(
                record,
                "a file".to_owned(),
                "an image with it".to_owned(),
                true,
            );
        }
    }
    Ok(differences)
}

/// The format that the first bytes of a file tell.
async fn format_of(file: StoredFile) -> Option<ImageFormat> {
    let mut body = Box::pin(Body::from_stream(file.content));
    let part = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await;
    let part = part?.ok()?.into_data().ok()?;
    ImageFormat::from_content(&part)
}
