//! Deleting an image, and removing files that no image has.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{
    Image, ImageId, Stored,
    policy::{Caller, Capability, Collection, Visibility},
    time::Timestamp,
};

use crate::{
    audit,
    calendar::{Calendar, Precondition, Work, require},
    error::AppError,
    ports::UnitOfWork,
};

/// Minimum age of a file without image before removal, in seconds: an upload may be about to record
/// its image.
const GRACE_SECONDS: i64 = 3600;

struct Delete<'a> {
    caller: Caller,
    id: ImageId,
    expected: &'a Precondition,
    now: Timestamp,
}

#[async_trait]
impl Work for Delete<'_> {
    type Output = Stored<Image>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Stored<Image>, AppError> {
        let found = unit.images().lock(self.id).await?;
        let image = found.ok_or(AppError::ImageNotFound)?;
        if !self.caller.may_change_image_of(image.uploader) {
            return Err(AppError::Forbidden);
        }
        self.expected.check(image.revision, Some(image.modified))?;
        if !unit.images().delete(self.id, self.now).await? {
            return Err(AppError::ImageNotFound);
        }
        audit::of_image(self.caller.user(), Some(&image), None, self.now, unit).await?;
        Ok(image)
    }
}

impl Calendar {
    /// Deletes an image permanently; records that showed it have no image afterwards.
    ///
    /// ```
    /// use events_calendar_app::{AppError, calendar::Precondition};
    /// use domain::ImageId;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let (nothing, any) = (ImageId::from_raw(7), Precondition::Any);
    /// let deleted = calendar.delete_image(editor, nothing, &any).await;
    /// assert!(matches!(deleted, Err(AppError::ImageNotFound)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: bad fields, no right to delete images, no such
    /// image, another user's image, revision mismatch.
    #[tracing::instrument(name = "app.image.delete", skip_all)]
    pub async fn delete_image(
        &self,
        caller: Caller,
        id: ImageId,
        expected: &Precondition,
    ) -> Result<Stored<Image>, AppError> {
        require(caller, Capability::Upload)?;
        let now = self.now();
        let delete = Delete {
            caller,
            id,
            expected,
            now,
        };
        let image = self.in_unit(&delete).await?;
        // Removed after the commit: a rollback would leave the image without its files.
        self.remove_files(&image.paths()).await;
        Ok(image)
    }

    /// Whether the caller may change and delete an image, as far as the caller may know. For an image that
    /// does not exist or is not visible to the caller, only the role decides.
    ///
    /// ```
    /// use domain::{ImageId, policy::Caller};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// assert!(!calendar.may_change_image(Caller::Anonymous, ImageId::from_raw(7)).await);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn may_change_image(&self, caller: Caller, id: ImageId) -> bool {
        let edits_all = caller.can_in(Collection::Images, Capability::EditOthers);
        if !caller.can(Capability::Upload) || edits_all {
            return caller.can(Capability::Upload);
        }
        let visibility = Visibility::new(caller, self.now());
        match self.store.images().find_visible(id, &visibility).await {
            Ok(Some(image)) => caller.may_change_image_of(image.uploader),
            Ok(None) | Err(_) => true,
        }
    }

    /// Removes the files of an image that was to be recorded, unless it was.
    ///
    /// While writes fail they stay: a commit whose sync failed is refused, but a start after a crash may
    /// find it in the log of the database. [`remove_lost_files`](Self::remove_lost_files) removes them later.
    pub(super) async fn remove_files_unless_recorded(&self, image: &Image) {
        if self.writes_are_failing() {
            tracing::warn!(
                path = image.path().as_str(),
                "files of a refused image remain"
            );
            return;
        }
        match self.store.images().is_name_used(&image.name).await {
            Ok(true) => {}
            Ok(false) => self.remove_files(&image.paths()).await,
            Err(error) => {
                tracing::warn!(%error, path = image.path().as_str(), "files without an image may remain");
            }
        }
    }

    /// Removes files without an image, such as those of aborted uploads, and returns their number.
    /// Files younger than an hour may belong to running uploads and stay.
    ///
    /// ```
    /// use events_calendar_app::{ports::MockImageFiles, test_support};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut files = MockImageFiles::new();
    /// files.expect_written_before().returning(|_| Ok(Vec::new()));
    /// let calendar = test_support::calendar(test_support::InMemoryStore::new()).files(files).await;
    /// assert_eq!(calendar.remove_lost_files().await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store or the files are unavailable.
    pub async fn remove_lost_files(&self) -> Result<usize, AppError> {
        let before = self.now().saturating_add(-GRACE_SECONDS);
        let mut lost = self.media.files.written_before(before).await?;
        // Queried after the files were listed, so that an image recorded meanwhile is included.
        let recorded: HashSet<_> = self.store.images().paths().await?.into_iter().collect();
        lost.retain(|path| !recorded.contains(path));
        for path in &lost {
            self.media.files.remove(path).await?;
        }
        Ok(lost.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use domain::{
        Role,
        image::{AltTexts, Dimensions},
    };

    use super::*;
    use crate::{
        calendar::Upload,
        ports::{DecodedImage, MockImageFiles, MockImageReader, StoreError},
        test_support::{FailingStep, InMemoryStore, add_user, calendar},
    };

    /// Uploads an image whose commit fails. Returns how often files were removed.
    async fn removals_after(error: StoreError) -> usize {
        let store = InMemoryStore::new();
        let editor = add_user(&store, "ada", Role::Editor).await;
        let mut reader = MockImageReader::new();
        reader.expect_read().returning(|_, _| {
            Ok(DecodedImage {
                dimensions: Dimensions::new(1, 1).unwrap(),
                sizes: Vec::new(),
            })
        });
        let removals = Arc::new(AtomicUsize::new(0));
        let mut files = MockImageFiles::new();
        files.expect_add().returning(|_, _| Ok(true));
        let counter = Arc::clone(&removals);
        files.expect_remove().returning(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        let calendar = calendar(store.clone()).files(files).reader(reader).await;
        store.fail(FailingStep::Commit, vec![error; 8]);
        let upload = Upload {
            file_name: Some("bank.png".to_owned()),
            declared: None,
            content: (&b"\x89PNG\r\n\x1a\n"[..]).into(),
            alt: AltTexts::default(),
        };
        let refused = calendar.upload_image(editor, upload).await;
        assert!(matches!(refused, Err(AppError::Store(_))), "{refused:?}");
        removals.load(Ordering::Relaxed)
    }

    /// After a sync that failed, a start may find the commit in the log: the image must have its file then.
    #[tokio::test]
    async fn a_commit_that_failed_keeps_its_files() {
        let failed = StoreError::Unavailable("disk I/O error".to_owned());
        assert_eq!(removals_after(failed).await, 0);
        assert_eq!(removals_after(StoreError::Conflict).await, 1);
    }
}
