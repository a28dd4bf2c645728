//! Deleting an image, and removing files that no image has.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{
    Image, ImageId, Stored,
    policy::{Caller, Capability, Visibility},
    time::Timestamp,
};

use crate::{
    calendar::{Calendar, Precondition, Work, access_denied},
    error::AppError,
    input::{Fields, Input},
    ports::UnitOfWork,
};

/// Files younger than this many seconds may be of an image that is about to be recorded.
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
        if !self.caller.may_delete_image_of(image.uploader) {
            return Err(AppError::Forbidden);
        }
        self.expected.check(image.revision, Some(image.created))?;
        if !unit.images().delete(self.id, self.now).await? {
            return Err(AppError::ImageNotFound);
        }
        Ok(image)
    }
}

impl Calendar {
    /// Deletes an image for good; records that showed it have none then.
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: bad fields, no right to delete images, no such
    /// image, somebody else's, another revision than expected.
    #[tracing::instrument(name = "app.image.delete", skip_all)]
    pub async fn delete_image(
        &self,
        caller: Caller,
        id: ImageId,
        expected: &Precondition,
        fields: &Fields,
    ) -> Result<Stored<Image>, AppError> {
        let mut input = Input::new(fields);
        input.language();
        input.finish_strict(None)?;
        if !caller.can(Capability::Upload) {
            return Err(access_denied(caller));
        }
        let now = self.now();
        let delete = Delete {
            caller,
            id,
            expected,
            now,
        };
        let image = self.perform(&delete).await?;
        // Only now: had it been undone, the image would be there without its files.
        self.remove_files(&image.paths()).await;
        Ok(image)
    }

    /// Whether the caller may delete an image, as far as it may know: of one that does not exist, or
    /// that it may not see, its role alone tells.
    pub async fn may_delete_image(&self, caller: Caller, id: ImageId) -> bool {
        if !caller.can(Capability::Upload) || caller.can(Capability::EditOthers) {
            return caller.can(Capability::Upload);
        }
        let visibility = Visibility::new(caller, self.now());
        match self.store.images().find_shown(id, &visibility).await {
            Ok(Some(image)) => caller.may_delete_image_of(image.uploader),
            Ok(None) | Err(_) => true,
        }
    }

    /// Removes the files of an image that was to be kept, if it was not.
    pub(super) async fn remove_files_unless_recorded(&self, image: &Image) {
        match self.store.images().is_name_used(&image.name).await {
            Ok(true) => {}
            Ok(false) => self.remove_files(&image.paths()).await,
            Err(error) => {
                tracing::warn!(%error, path = image.path().as_str(), "files may be of no image");
            }
        }
    }

    /// Removes the files that no image has, such as those of uploads that broke off; tells how many.
    /// The newest may be of uploads under way and stay.
    ///
    /// # Errors
    ///
    /// If the store or the files are not to be had.
    pub async fn remove_lost_files(&self) -> Result<usize, AppError> {
        let before = self.now().saturating_add(-GRACE_SECONDS);
        let mut lost = self.media.files.written_before(before).await?;
        // Asked after the files: what was recorded meanwhile is among them.
        let kept: HashSet<_> = self.store.images().paths().await?.into_iter().collect();
        lost.retain(|path| !kept.contains(path));
        for path in &lost {
            self.media.files.remove(path).await?;
        }
        Ok(lost.len())
    }
}
