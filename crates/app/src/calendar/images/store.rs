//! Storing the files of an image.

use bytes::Bytes;
use domain::{
    Image, UserId,
    image::{AltTexts, FilePath, ImageFormat, ImageName, ImageSize},
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    calendar::Calendar,
    error::AppError,
    hashing::random_hex,
    ports::{BadImage, DecodedImage, FilesError, MAX_IMAGE_BYTES},
};

/// Attempts to find a free file name.
const NAMES: usize = 4;

/// Hexadecimal digits of an image's folder: 96 random bits, which cannot be guessed.
const FOLDER: usize = 24;

/// A file to be stored as an image.
#[derive(Clone, Debug)]
pub(super) struct IncomingFile<'a> {
    pub(super) uploader: UserId,
    pub(super) file_name: &'a str,
    pub(super) declared: Option<ImageFormat>,
    pub(super) source: Option<&'a WebUrl>,
    pub(super) content: Bytes,
    pub(super) alt: AltTexts,
    pub(super) now: Timestamp,
}

/// The format of a file, by its content; an error if the file name or the declared format
/// contradicts it.
fn check(content: &[u8], said: Option<ImageFormat>) -> Result<ImageFormat, BadImage> {
    if content.len() > MAX_IMAGE_BYTES {
        return Err(BadImage::TooLarge);
    }
    let is = ImageFormat::from_content(content).ok_or(BadImage::NotAnImage)?;
    match said {
        Some(said) if said != is => Err(BadImage::Misnamed { said, is }),
        _ => Ok(is),
    }
}

impl Calendar {
    /// Decodes a file, then writes it and its smaller sizes, before the image is recorded. A
    /// recorded image therefore always has its files; files without an image are harmless.
    pub(super) async fn store_image(
        &self,
        incoming: IncomingFile<'_>,
    ) -> Result<Result<Image, BadImage>, AppError> {
        let IncomingFile {
            uploader,
            file_name,
            declared,
            source,
            content,
            alt,
            now,
        } = incoming;
        let format = match check(&content, declared) {
            Ok(format) => format,
            Err(bad) => return Ok(Err(bad)),
        };
        let DecodedImage { dimensions, sizes } =
            match self.media.reader.read(format, content.clone()).await {
                Ok(read) => read,
                Err(bad) => return Ok(Err(bad)),
            };
        let name = ImageName::new(now, file_name);
        let mut image = Image {
            uploader,
            name: name.clone(),
            format,
            dimensions,
            filesize: content.len() as u64,
            sizes: sizes
                .iter()
                .map(|size| ImageSize {
                    name: size.name,
                    format: size.format,
                    dimensions: size.dimensions,
                    filesize: size.content.len() as u64,
                })
                .collect(),
            created: now,
            modified: now,
            alt,
            source: source.cloned(),
        };
        let contents: Vec<_> = std::iter::once(content)
            .chain(sizes.into_iter().map(|size| size.content))
            .collect();
        let images = self.store.images();
        for _ in 0..NAMES {
            let folder: String = random_hex().chars().take(FOLDER).collect();
            image.name = name.within(&folder);
            if !images.is_name_used(&image.name).await?
                && self.write(&image.paths(), &contents).await?
            {
                return Ok(Ok(image));
            }
        }
        Err(FilesError("every name that was tried is taken".to_owned()).into())
    }

    /// Writes the files of one image. Returns false, and leaves none of them, if one of the paths
    /// is taken.
    async fn write(&self, paths: &[FilePath], contents: &[Bytes]) -> Result<bool, FilesError> {
        for (index, (path, content)) in paths.iter().zip(contents).enumerate() {
            let added = self.media.files.add(path, content.clone()).await;
            if !matches!(added, Ok(true)) {
                self.remove_files(&paths[..index]).await;
                return added;
            }
        }
        Ok(true)
    }

    /// Removes files without an image. Files that cannot be removed are logged; `clean-media`
    /// removes them later.
    pub(super) async fn remove_files(&self, paths: &[FilePath]) {
        for path in paths {
            if let Err(error) = self.media.files.remove(path).await {
                tracing::warn!(%error, path = path.as_str(), "a file without an image was not removed");
            }
        }
    }
}
