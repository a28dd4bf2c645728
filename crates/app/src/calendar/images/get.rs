//! Reading images and their files.

use domain::{Image, ImageId, Stored, image::FilePath, policy::Caller};

use crate::{calendar::Calendar, error::AppError, ports::StoredFile, write::ReadOptions};

impl Calendar {
    /// An image, if the caller uploaded it, is an editor, or may read a record that shows it.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::ReadOptions};
    /// use domain::ImageId;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let nothing = calendar.image(editor, ImageId::from_raw(7), &ReadOptions::default()).await;
    /// assert!(matches!(nothing, Err(AppError::ImageNotFound)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: no such image, or one that the caller may not see.
    #[tracing::instrument(name = "app.image.get", skip_all)]
    pub async fn image(
        &self,
        caller: Caller,
        id: ImageId,
        options: impl Into<ReadOptions> + Send,
    ) -> Result<Stored<Image>, AppError> {
        let options = options.into();
        let visibility = self.request_with(caller, &options).visibility();
        let images = self.store.repositories().images();
        let found = images.find_visible(id, &visibility).await?;
        found.ok_or(AppError::ImageNotFound)
    }

    /// The file at a path.
    ///
    /// ```
    /// use events_calendar_app::{AppError, ports::MockImageFiles, test_support};
    /// use domain::image::FilePath;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut files = MockImageFiles::new();
    /// files.expect_open().returning(|_| Ok(None));
    /// let calendar = test_support::calendar(test_support::InMemoryStore::new()).files(files).await;
    /// let nothing = calendar.image_file(&FilePath::parse("2030/01/bank.gif").unwrap()).await;
    /// assert!(matches!(nothing, Err(AppError::ImageNotFound)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::ImageNotFound`], or if the files are unavailable.
    pub async fn image_file(&self, path: &FilePath) -> Result<StoredFile, AppError> {
        let file = self.media.files.open(path).await?;
        file.ok_or(AppError::ImageNotFound)
    }
}
