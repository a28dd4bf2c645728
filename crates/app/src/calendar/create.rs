//! Adding a record.

use async_trait::async_trait;
use domain::{Stored, policy::Caller, web_url::WebUrl};

use super::once::DoneOnce;
use super::{Calendar, Once, OnceKey, Viewed, Work, read_language, require_write};
use crate::{
    error::AppError,
    image::FetchedImages,
    input::{Beside, Fields, Input},
    ports::UnitOfWork,
    resource::{Purpose, Request, Resource},
};

/// The addition of a record whose fields were read and whose caller may add such records.
pub(crate) struct Create<'a, R: Resource> {
    request: Request<'a>,
    changes: R::Changes,
}

impl<'a, R: Resource> Create<'a, R> {
    /// Reads the fields and asks for the right.
    pub(crate) fn prepare(request: Request<'a>) -> Result<Self, AppError> {
        let mut input = Input::new(request.fields);
        read_language(&mut input);
        let changes = R::read(&mut input, &request, Purpose::Create);
        input.finish_all(Beside::Answered(R::KIND))?;
        require_write::<R>(request.caller)?;
        R::authorize(&changes, &request, None)?;
        Ok(Self { request, changes })
    }

    fn image_urls(&self) -> Vec<&WebUrl> {
        R::image_urls(&self.changes)
    }

    /// The same with what was fetched from the addresses that it names.
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
    /// name what does not exist.
    #[tracing::instrument(name = "app.create", skip_all, fields(kind = %R::KIND))]
    pub async fn create<R: Resource>(
        &self,
        caller: Caller,
        fields: &Fields,
    ) -> Result<R::View, AppError> {
        let prepared = Create::<R>::prepare(self.request(caller, fields))?;
        let images = self.fetch_images(caller, prepared.image_urls()).await?;
        let work = prepared.with(&images);
        let request = work.request;
        let done = self.perform(&Viewed { work, request }).await;
        self.discard_unused(&images).await;
        done
    }

    /// Adds a record once under a key: asked for again, also at the same moment, it answers as it did
    /// the first time. `answer` makes what is kept of that; refusals are not kept.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and [`AppError::KeyReused`] if the key was given to something
    /// else.
    #[tracing::instrument(name = "app.create_once", skip_all, fields(kind = %R::KIND))]
    pub async fn create_once<R: Resource>(
        &self,
        caller: Caller,
        fields: &Fields,
        key: &OnceKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Once<R::View>, AppError> {
        let prepared = Create::<R>::prepare(self.request(caller, fields))?;
        let images = self.fetch_images(caller, prepared.image_urls()).await?;
        let work = prepared.with(&images);
        let request = work.request;
        let once = DoneOnce {
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
