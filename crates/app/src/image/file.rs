//! Reading images and their files.

use domain::{Image, ImageId, Stored, image::FilePath};

use crate::{
    calendar::Calendar,
    error::AppError,
    input::{Fields, Input},
    ports::KeptFile,
};

impl Calendar {
    /// An image: they are for everybody, as their files are.
    ///
    /// # Errors
    ///
    /// [`AppError`]: bad fields, no such image.
    #[tracing::instrument(name = "app.image.get", skip_all)]
    pub async fn image(&self, id: ImageId, fields: &Fields) -> Result<Stored<Image>, AppError> {
        let mut input = Input::new(fields);
        input.language();
        input.finish()?;
        let found = self.store.images().find_many(&[id]).await?;
        found.into_iter().next().ok_or(AppError::ImageNotFound)
    }

    /// The file at a path.
    ///
    /// # Errors
    ///
    /// [`AppError::ImageNotFound`]; or if the files are not to be had.
    pub async fn image_file(&self, path: &FilePath) -> Result<KeptFile, AppError> {
        let file = self.media.files.open(path).await?;
        file.ok_or(AppError::ImageNotFound)
    }
}
