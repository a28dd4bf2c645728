//! The repository of images.

use async_trait::async_trait;
use domain::{
    Image, ImageId, Stored,
    image::{FilePath, ImageFilter, ImageName},
    page::{Page, PageRequest},
    policy::Visibility,
    time::Timestamp,
    web_url::WebUrl,
};

use super::StoreError;

/// Stores the records of images. [`ImageFiles`](super::ImageFiles) stores their files.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait ImageRepository: Send + Sync {
    /// The images with these IDs, sorted by ID, without those that do not exist; in one statement.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn find_many(&self, ids: &[ImageId]) -> Result<Vec<Stored<Image>>, StoreError>;

    /// The image with an ID, if the caller may know of it: [`may_see_image_of`] allows it, or the
    /// image is shown by an entry to which the caller may refer ([`is_linkable`]) and whose content
    /// is open ([`opens`]); in one statement.
    ///
    /// [`may_see_image_of`]: domain::policy::Caller::may_see_image_of
    /// [`is_linkable`]: domain::policy::Guarded::is_linkable
    /// [`opens`]: Visibility::opens
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn find_visible(
        &self,
        id: ImageId,
        visibility: &Visibility,
    ) -> Result<Option<Stored<Image>>, StoreError>;

    /// A page of the IDs of images that [`find_visible`](Self::find_visible) would return and that
    /// match the filter, greatest ID first.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn list_visible(
        &self,
        filter: &ImageFilter,
        page: &PageRequest,
        visibility: &Visibility,
    ) -> Result<Page<ImageId>, StoreError>;

    /// Whether any entry shows the image with an ID, visible to the caller or not.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn is_used(&self, id: ImageId) -> Result<bool, StoreError>;

    /// Locks and returns the image with an ID: no other unit of work can delete it before this unit
    /// ends.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn lock(&self, id: ImageId) -> Result<Option<Stored<Image>>, StoreError>;

    /// Locks and returns the image that was fetched from a URL.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn lock_by_source(&self, source: &WebUrl) -> Result<Option<Stored<Image>>, StoreError>;

    /// Locks and returns the image that has a file at a path.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn lock_by_file(&self, path: &FilePath) -> Result<Option<Stored<Image>>, StoreError>;

    /// Whether an image, also a deleted one, had this name: the file under a URL never changes.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn is_name_used(&self, name: &ImageName) -> Result<bool, StoreError>;

    /// Adds an image.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if the name is used, or if another image was fetched from the same
    /// URL; else as for `find_many`.
    async fn insert(&self, image: Image) -> Result<Stored<Image>, StoreError>;

    /// Deletes an image. Records that showed it have no image then, and count as changed at `now`.
    /// Returns whether the image existed.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn delete(&self, id: ImageId, now: Timestamp) -> Result<bool, StoreError>;

    /// The paths of the files of all images.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn paths(&self) -> Result<Vec<FilePath>, StoreError>;
}
