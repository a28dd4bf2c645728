//! Reading images and their files.

use domain::{Image, ImageId, Stored, image::FilePath, policy::Caller};

use crate::{
    calendar::{Calendar, check_fields},
    error::AppError,
    input::Fields,
    ports::StoredFile,
};

impl Calendar {
    /// An image, if the caller uploaded it, is an editor, or may read a record that shows it.
    ///
    /// # Errors
    ///
    /// [`AppError`]: bad fields; no such image, or one that the caller may not see.
    #[tracing::instrument(name = "app.image.get", skip_all)]
    pub async fn image(
        &self,
        caller: Caller,
        id: ImageId,
        options: &(impl AsRef<Fields> + Sync),
    ) -> Result<Stored<Image>, AppError> {
        let fields = options.as_ref();
        check_fields(fields)?;
        let visibility = self.request(caller, fields).visibility();
        let images = self.store.repositories().images();
        let found = images.find_visible(id, &visibility).await?;
        found.ok_or(AppError::ImageNotFound)
    }

    /// The file at a path.
    ///
    /// # Errors
    ///
    /// [`AppError::ImageNotFound`], or if the files are unavailable.
    pub async fn image_file(&self, path: &FilePath) -> Result<StoredFile, AppError> {
        let file = self.media.files.open(path).await?;
        file.ok_or(AppError::ImageNotFound)
    }
}
