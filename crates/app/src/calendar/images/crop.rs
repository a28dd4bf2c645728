//! Making an image of a part of another one.

use domain::{
    FieldName, Image, ImageId, Stored,
    image::Crop,
    policy::{Caller, Capability},
};
use futures_util::TryStreamExt as _;

use crate::{
    calendar::{Calendar, require},
    error::AppError,
    fault::Fault,
    ports::FilesError,
    write::{ReadOptions, Upload},
};

impl Calendar {
    /// Stores a part of an image as a new image, which has the name and the alternative texts of the
    /// first one. That one stays.
    ///
    /// ```
    /// use events_calendar_app::AppError;
    /// use domain::{ImageId, image::Crop};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let left_half = Crop::new(0, 0, 50, 0)?;
    /// let made = calendar.crop_image(editor, ImageId::from_raw(7), left_half).await;
    /// assert!(matches!(made, Err(AppError::ImageNotFound)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: no right to upload, no such image, or one of another
    /// user, and errors of the files and the store. Nothing is stored then.
    #[tracing::instrument(name = "app.image.crop", skip_all)]
    pub async fn crop_image(
        &self,
        caller: Caller,
        id: ImageId,
        crop: Crop,
    ) -> Result<Stored<Image>, AppError> {
        require(caller, Capability::Upload)?;
        let image = self.image(caller, id, ReadOptions::default()).await?;
        if !caller.may_change_image_of(image.uploader) {
            return Err(AppError::ImageNotFound);
        }
        let file = self.image_file(&image.path()).await?.content;
        let file = file.try_fold(Vec::new(), async |mut whole, chunk| {
            whole.extend_from_slice(&chunk);
            Ok(whole)
        });
        let file = file.await.map_err(|error| FilesError(error.to_string()))?;
        let cropped = self
            .media
            .reader
            .crop(image.format, file.into(), crop)
            .await;
        let content =
            cropped.map_err(|bad| AppError::invalid(FieldName::File, Fault::Image(bad)))?;
        let upload = Upload {
            file_name: Some(image.name.slug().to_owned()),
            declared: None,
            content,
            alt: image.alt.clone(),
        };
        self.upload_image(caller, upload).await
    }
}
