//! Uploading an image.

use async_trait::async_trait;
use domain::{
    FieldName, Image, Stored, UserId,
    image::ImageFormat,
    policy::{Caller, Capability},
};

use super::store::IncomingFile;
use crate::{
    audit,
    calendar::{Calendar, IdempotencyKey, Idempotent, IdempotentWork, Work, require},
    error::AppError,
    fault::Fault,
    ports::{BadImage, UnitOfWork},
    write::Upload,
};

struct Insert {
    image: Image,
}

#[async_trait]
impl Work for Insert {
    type Output = Stored<Image>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Stored<Image>, AppError> {
        let added = unit.images().insert(self.image.clone()).await?;
        let (by, at) = (Some(added.uploader), added.modified);
        audit::of_image(by, None, Some(&added), at, unit).await?;
        Ok(added)
    }
}

impl Calendar {
    /// Whether the caller may upload images; check it before reading a long body.
    ///
    /// ```
    /// use events_calendar_app::AppError;
    /// use domain::policy::Caller;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let refused = calendar.authorize_upload(Caller::Anonymous);
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] or [`AppError::Forbidden`] without the right.
    pub fn authorize_upload(&self, caller: Caller) -> Result<(), AppError> {
        require(caller, Capability::Upload)
    }

    /// Stores an image with its smaller sizes.
    ///
    /// ```
    /// use events_calendar_app::{AppError, calendar::Upload, ports::BadImage};
    /// use domain::image::AltTexts;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let content = (&b"not an image"[..]).into();
    /// let upload = Upload { file_name: Some("bank.gif".to_owned()), declared: None, content, alt: AltTexts::default() };
    /// let refused = calendar.upload_image(editor, upload).await;
    /// assert!(matches!(refused, Err(AppError::BadImage(BadImage::NotAnImage))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, a bad file, or a store failure. Nothing is stored then.
    #[tracing::instrument(name = "app.image.upload", skip_all)]
    pub async fn upload_image(
        &self,
        caller: Caller,
        upload: Upload,
    ) -> Result<Stored<Image>, AppError> {
        let insert = Insert {
            image: self.store_upload(caller, upload).await?,
        };
        let inserted = self.in_unit(&insert).await;
        if inserted.is_err() {
            self.remove_files_unless_recorded(&insert.image).await;
        }
        inserted
    }

    /// Stores an image once per idempotency key. A repeated request, also a concurrent one, gets
    /// the stored answer of the first, and nothing more is stored. `answer` makes the stored
    /// answer.
    ///
    /// ```
    /// use events_calendar_app::calendar::{IdempotencyKey, Upload};
    /// use domain::image::AltTexts;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let key = IdempotencyKey::new("POST /media", "a key of the client", b"digest of the file".to_vec());
    /// let upload = Upload { file_name: None, declared: None, content: (&b"not an image"[..]).into(), alt: AltTexts::default() };
    /// let refused = calendar.upload_image_idempotent(editor, upload, &key, &|image| image.id.to_string());
    /// assert!(refused.await.is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`upload_image`](Self::upload_image), and [`AppError::KeyReused`] if the key belongs
    /// to another request.
    #[tracing::instrument(name = "app.image.upload_idempotent", skip_all)]
    pub async fn upload_image_idempotent(
        &self,
        caller: Caller,
        upload: Upload,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&Stored<Image>) -> String + Sync),
    ) -> Result<Idempotent<Stored<Image>>, AppError> {
        let once = IdempotentWork {
            work: Insert {
                image: self.store_upload(caller, upload).await?,
            },
            key,
            request: self.request_of(caller),
            answer,
        };
        let done = self.in_unit(&once).await;
        if !matches!(done, Ok(Idempotent::Executed(_))) {
            self.remove_files_unless_recorded(&once.work.image).await;
        }
        done
    }

    /// Stores the files of an upload, for an image that is recorded next.
    async fn store_upload(&self, caller: Caller, upload: Upload) -> Result<Image, AppError> {
        self.authorize_upload(caller)?;
        let uploader = caller.user().ok_or(AppError::Unauthenticated)?;
        self.store_file(uploader, upload)
            .await?
            .map_err(|bad| match bad {
                BadImage::TooLarge | BadImage::NotAnImage | BadImage::Misnamed { .. } => {
                    AppError::BadImage(bad)
                }
                BadImage::Dimensions(_) | BadImage::Memory | BadImage::Broken(_) => {
                    AppError::invalid(FieldName::File, Fault::Image(bad))
                }
            })
    }

    /// Stores the files of an upload of a user who may upload.
    pub(super) async fn store_file(
        &self,
        uploader: UserId,
        upload: Upload,
    ) -> Result<Result<Image, BadImage>, AppError> {
        let file_name = upload.file_name.as_deref().unwrap_or_default();
        let placed = self.store_image(IncomingFile {
            uploader,
            file_name,
            declared: upload
                .declared
                .or_else(|| ImageFormat::from_file_name(file_name)),
            source: None,
            content: upload.content,
            alt: upload.alt,
            now: self.now(),
        });
        placed.await
    }
}
