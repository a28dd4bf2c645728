//! The files of images beside a backup or an archive of a calendar: in a folder, or in one `.tar` archive.

mod reading;
mod tar_files;
mod writing;

use std::path::Path;

use app::ports::StoredFile;
use bytes::Bytes;
use futures_util::TryStreamExt as _;

pub(crate) use self::{reading::ImageSource, writing::ImageTarget};

/// The list of digests, as the program `sha256sum` writes and checks it.
const LIST: &str = "SHA256SUMS";

/// Whether a path names one archive of the files rather than a folder.
fn is_tar(path: &Path) -> bool {
    let suffix = path.extension();
    suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("tar")) && !path.is_dir()
}

/// The content of a file. An image has a bounded size.
async fn content_of(file: StoredFile) -> std::io::Result<Vec<u8>> {
    let parts: Vec<Bytes> = file.content.try_collect().await?;
    Ok(parts.concat())
}
