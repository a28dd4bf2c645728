//! Adding a record.

use async_trait::async_trait;
use domain::{Stored, policy::Caller, web_url::WebUrl};

use super::idempotency::IdempotentWork;
use super::{
    Calendar, IdempotencyKey, Idempotent, Viewed, Work, checked, read_language, require_write,
};
use crate::{
    error::AppError,
    input::{Fields, Input},
    ports::UnitOfWork,
    request::{FetchedImages, Purpose, Request},
    resource::Resource,
};

/// Creates a record from fields that were read, for a caller who may create such records.
pub(crate) struct Create<'a, R: Resource> {
    request: Request<'a>,
    changes: R::Changes,
}

impl<'a, R: Resource> Create<'a, R> {
    /// Reads the fields and checks the right.
    pub(crate) fn prepare(request: Request<'a>) -> Result<Self, AppError> {
        let mut input = Input::new(request.fields);
        read_language(&mut input);
        let changes = R::read(&mut input, &request, Purpose::Create);
        let right = require_write::<R>(request.caller)
            .and_then(|()| R::authorize(&changes, &request, None));
        let changes = checked::<R>(input, changes, right)?;
        Ok(Self { request, changes })
    }

    fn image_urls(&self) -> Vec<&WebUrl> {
        R::image_urls(&self.changes)
    }

    /// The same work, with the images fetched from the URLs in its fields.
    fn with<'b>(self, images: &'b FetchedImages) -> Create<'b, R>
    where
        'a: 'b,
    {
        let request = Request {
            images,
            ..self.request
        };
        Create {
            request,
            changes: self.changes,
        }
    }
}

#[async_trait]
impl<R: Resource> Work for Create<'_, R> {
    type Output = Stored<R>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Stored<R>, AppError> {
        let repositories = &*unit;
        let (content, slugs) = R::create(self.changes.clone(), &self.request, repositories).await?;
        Ok(R::repository(repositories).insert(content, slugs).await?)
    }
}

impl Calendar {
    /// Adds a record.
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: missing fields, bad fields, no right, fields that
    /// name a record that does not exist.
    #[tracing::instrument(name = "app.create", skip_all, fields(kind = %R::KIND))]
    pub async fn create<R: Resource>(
        &self,
        caller: Caller,
        fields: &Fields,
    ) -> Result<R::View, AppError> {
        let prepare = || Create::<R>::prepare(self.request(caller, fields));
        let prepared = self.cpu_limiter.run(fields.size, prepare).await??;
        let images = self.fetch_images(caller, prepared.image_urls()).await?;
        let work = prepared.with(&images);
        let request = work.request;
        let done = self.perform(&Viewed { work, request }).await;
        self.discard_unused(&images).await;
        done
    }

    /// Adds a record once per idempotency key. A repeated request, also a concurrent one, gets the
    /// stored answer of the first. `answer` makes the stored answer; refusals are not stored.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and [`AppError::KeyReused`] if the key belongs to another
    /// request.
    #[tracing::instrument(name = "app.create_idempotent", skip_all, fields(kind = %R::KIND))]
    pub async fn create_idempotent<R: Resource>(
        &self,
        caller: Caller,
        fields: &Fields,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Idempotent<R::View>, AppError> {
        let prepare = || Create::<R>::prepare(self.request(caller, fields));
        let prepared = self.cpu_limiter.run(fields.size, prepare).await??;
        let images = self.fetch_images(caller, prepared.image_urls()).await?;
        let work = prepared.with(&images);
        let request = work.request;
        let once = IdempotentWork {
            work: Viewed { work, request },
            key,
            request,
            answer,
        };
        let done = self.perform(&once).await;
        self.discard_unused(&images).await;
        done
    }
}
