//! Changing an image.

use async_trait::async_trait;
use domain::{
    Image, ImageId, Stored,
    policy::{Caller, Capability},
    time::Timestamp,
};

use crate::{
    audit,
    calendar::{Calendar, Precondition, Work, require},
    error::AppError,
    ports::UnitOfWork,
    write::{Change, ImageWrite},
};

struct Update<'a> {
    caller: Caller,
    id: ImageId,
    write: &'a ImageWrite,
    language: domain::Language,
    expected: &'a Precondition,
    now: Timestamp,
}

#[async_trait]
impl Work for Update<'_> {
    type Output = Stored<Image>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Stored<Image>, AppError> {
        let found = unit.images().find_many(&[self.id]).await?.pop();
        let image = found.filter(|image| self.caller.may_change_image_of(image.uploader));
        let image = image.ok_or(AppError::ImageNotFound)?;
        self.expected.check(image.revision, Some(image.modified))?;
        let mut alt = image.alt.clone();
        match &self.write.alt {
            Change::Keep => {}
            Change::Clear => alt.set(self.language, None),
            Change::Set(text) => alt.set(self.language, Some(text.clone())),
        }
        if alt == image.alt {
            return Ok(image);
        }
        let after = unit.images().set_alt(&image, alt, self.now).await?;
        let by = self.caller.user();
        audit::of_image(by, Some(&image), Some(&after), self.now, unit).await?;
        Ok(after)
    }
}

impl Calendar {
    /// Changes the alternative text of an image, in the language of the write or else that of the site.
    ///
    /// ```
    /// use events_calendar_app::{AppError, calendar::Precondition, write::{Change, ImageWrite}};
    /// use domain::ImageId;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let write = ImageWrite { alt: Change::Set("A bench".parse()?), language: None };
    /// let (nothing, any) = (ImageId::from_raw(7), Precondition::Any);
    /// let changed = calendar.update_image(editor, nothing, &write, &any).await;
    /// assert!(matches!(changed, Err(AppError::ImageNotFound)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: no right to change images, no such image, or one of
    /// another user, revision mismatch.
    #[tracing::instrument(name = "app.image.update", skip_all)]
    pub async fn update_image(
        &self,
        caller: Caller,
        id: ImageId,
        write: &ImageWrite,
        expected: &Precondition,
    ) -> Result<Stored<Image>, AppError> {
        require(caller, Capability::Upload)?;
        let update = Update {
            caller,
            id,
            write,
            language: write.language.unwrap_or(self.site.language),
            expected,
            now: self.now(),
        };
        self.in_unit(&update).await
    }
}
