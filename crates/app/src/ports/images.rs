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
#[async_trait]
pub trait ImageRepository: Send + Sync {
    /// The images of some IDs, by ID, without those that do not exist; in one statement.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn find_many(&self, ids: &[ImageId]) -> Result<Vec<Stored<Image>>, StoreError>;

    /// The image of an ID, if the caller may know of it: [`may_see_image_of`] says so, or an entry shows
    /// it that [`links`] and [`opens`] say is open to the caller; in one statement.
    ///
    /// [`may_see_image_of`]: domain::policy::Caller::may_see_image_of
    /// [`links`]: Visibility::links
    /// [`opens`]: Visibility::opens
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn find_shown(
        &self,
        id: ImageId,
        visibility: &Visibility,
    ) -> Result<Option<Stored<Image>>, StoreError>;

    /// The IDs of the images that [`find_shown`](Self::find_shown) would find and that the filter holds:
    /// a page of them, the greatest first.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn list_shown(
        &self,
        filter: &ImageFilter,
        page: &PageRequest,
        visibility: &Visibility,
    ) -> Result<Page<ImageId>, StoreError>;

    /// Whether any entry shows the image of an ID, whoever may see that entry.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn is_shown(&self, id: ImageId) -> Result<bool, StoreError>;

    /// Locks and returns the image of an ID: no other unit of work deletes it before this unit ends.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn lock(&self, id: ImageId) -> Result<Option<Stored<Image>>, StoreError>;

    /// Locks and returns the image that was fetched from an address.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn lock_by_source(&self, source: &WebUrl) -> Result<Option<Stored<Image>>, StoreError>;

    /// Locks and returns the image that has a file at this path.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn lock_by_file(&self, path: &FilePath) -> Result<Option<Stored<Image>>, StoreError>;

    /// Whether files had this name, be it that their image was deleted: what lies at an address never
    /// changes.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn is_name_used(&self, name: &ImageName) -> Result<bool, StoreError>;

    /// Adds an image.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if its name is used, or if one was fetched from the same address;
    /// else as for `find_many`.
    async fn insert(&self, image: Image) -> Result<Stored<Image>, StoreError>;

    /// Removes an image; records that showed it have none, and count as changed at the moment `now`.
    /// Tells whether it was there.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn delete(&self, id: ImageId, now: Timestamp) -> Result<bool, StoreError>;

    /// Where the files of all images lie.
    ///
    /// # Errors
    ///
    /// As for `find_many`.
    async fn paths(&self) -> Result<Vec<FilePath>, StoreError>;
}
