//! The repository of images.

use async_trait::async_trait;
use domain::{
    Image, ImageId, Stored,
    image::{AltTexts, FilePath, ImageFilter, ImageName},
    page::{Page, PageRequest},
    policy::Visibility,
    time::Timestamp,
    web_url::WebUrl,
};

use super::StoreError;

/// Stores the records of images. [`ImageFiles`](super::ImageFiles) stores their files.
///
/// ```
/// use events_calendar_app::{
///     ports::{ImageRepository, Repositories, Store},
///     test_support::{InMemoryStore, add_user, at},
/// };
/// use domain::{
///     Image, Language, Role, UserId,
///     image::{AltTexts, Dimensions, ImageFilter, ImageFormat, ImageName},
///     page::PageRequest,
///     policy::{Caller, Visibility},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let ada = add_user(&store, "ada", Role::Author).await;
/// let unit = store.begin().await?;
/// let images: &dyn ImageRepository = unit.images();
/// let now = at("2030-01-01 00:00:00");
/// let image = Image {
///     uploader: UserId::from_raw(1),
///     name: ImageName::new(now, "Bank.gif"),
///     format: ImageFormat::Gif,
///     dimensions: Dimensions::new(1200, 800)?,
///     filesize: 9,
///     sizes: Vec::new(),
///     created: now,
///     modified: now,
///     alt: AltTexts::default(),
///     source: Some("https://img.example/bank.gif".parse()?),
/// };
/// let bank = images.insert(image.clone()).await?;
/// assert_eq!(images.find_many(&[bank.id]).await?, [bank.clone()]);
///
/// // Nobody but the uploader and editors knows of an image that no entry shows.
/// let (own, nobody) = (Visibility::new(ada, now), Visibility::new(Caller::Anonymous, now));
/// assert!(images.find_visible(bank.id, &own).await?.is_some());
/// assert!(images.find_visible(bank.id, &nobody).await?.is_none());
/// let page = PageRequest::new(1, 10, 100);
/// let listed = images.list_visible(&ImageFilter::default(), &page, &own).await?;
/// assert_eq!(listed.rows, [bank.id]);
///
/// // Its alternative text.
/// let mut alt = AltTexts::default();
/// alt.set(Language::English, Some("A bench".parse()?));
/// let bank = images.set_alt(&bank, alt, now).await?;
/// assert_eq!((bank.revision, bank.alt.shown(Language::English)), (2, "A bench"));
///
/// // Locks, and the checks before a new file is named.
/// assert_eq!(images.lock(bank.id).await?, Some(bank.clone()));
/// assert_eq!(images.lock_by_file(&image.path()).await?, Some(bank.clone()));
/// assert_eq!(images.lock_by_source(image.source.as_ref().unwrap()).await?, Some(bank.clone()));
/// assert!(images.is_name_used(&image.name).await?);
/// assert!(!images.is_used(bank.id).await?);
/// assert_eq!(images.paths().await?, image.paths());
/// assert!(images.delete(bank.id, now).await?);
///
/// // A given ID.
/// let name = ImageName::new(now, "mill.gif");
/// let mill = domain::Stored {
///     id: domain::ImageId::from_raw(7),
///     revision: 1,
///     content: Image { name, source: None, ..image },
/// };
/// images.insert_at(mill.clone()).await?;
/// assert_eq!(images.find_many(&[mill.id]).await?, [mill]);
/// # Ok(())
/// # }
/// ```
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

    /// Adds an image with its positive ID. Later images get greater IDs.
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert), and [`StoreError::Conflict`] if the ID is taken.
    async fn insert_at(&self, image: Stored<Image>) -> Result<(), StoreError>;

    /// Replaces the alternative texts of an image that is as it was read. Its revision grows, and records
    /// that show it have an entry in the journal.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if the image has changed since or does not exist; else as for
    /// `find_many`.
    async fn set_alt(
        &self,
        image: &Stored<Image>,
        alt: AltTexts,
        now: Timestamp,
    ) -> Result<Stored<Image>, StoreError>;

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
