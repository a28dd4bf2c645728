//! Adding a record.

use async_trait::async_trait;
use domain::{Stored, policy::Caller};

use super::idempotency::IdempotentWork;
use super::{Calendar, IdempotencyKey, Idempotent, Work, checked, require_write, view};
use crate::{
    error::AppError,
    fault::Warnings,
    ports::{Repositories, UnitOfWork},
    request::{FetchedImages, Purpose, Request},
    resource::Resource,
    write::{New, WriteInput},
};

/// Creates a record from fields that were read, for a caller who may create such records.
struct Create<'a, R: Resource> {
    request: Request<'a>,
    write: R::Write,
}

impl<'a, R: Resource> Create<'a, R> {
    /// Checks the fields and the right.
    fn prepare(request: Request<'a>, input: &WriteInput<R, New>) -> Result<Self, AppError> {
        let right = require_write::<R>(request.caller)
            .and_then(|()| R::authorize(&input.write, request.caller, None));
        let write = checked(input, Purpose::Create, &request, right)?;
        Ok(Self { request, write })
    }

    /// The same work with the images fetched from the URLs in its fields, answered with the view of
    /// the record.
    fn with<'b>(self, images: &'b FetchedImages) -> Viewed<'b, R>
    where
        'a: 'b,
    {
        let request = Request {
            images,
            ..self.request
        };
        Viewed(Create {
            request,
            write: self.write,
        })
    }

    async fn insert(
        &self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<R>, AppError> {
        R::create(self.write.clone(), request, unit).await
    }
}

/// A creation that answers with the view of its record. The view is loaded before the commit, so
/// that a committed write is never answered with an error.
struct Viewed<'a, R: Resource>(Create<'a, R>);

#[async_trait]
impl<R: Resource> Work for Viewed<'_, R> {
    type Output = R::View;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<R::View, AppError> {
        let warnings = Warnings::default();
        let request = Request {
            warnings: Some(&warnings),
            ..self.0.request
        };
        let record = self.0.insert(&request, &*unit).await?;
        view(&*unit, &request, record, None).await
    }
}

impl Calendar {
    /// Adds a record.
    ///
    /// ```
    /// use app::{AppError, write::NewVenue};
    /// use domain::policy::Caller;
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = NewVenue::builder("Old Mill".parse()?).city("Lyon").build();
    /// let view = calendar.create(editor, &mill).await?;
    /// assert_eq!(view.entry.details.city, "Lyon");
    /// let refused = calendar.create(Caller::Anonymous, &mill).await;
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: missing fields, bad fields, no right, fields that
    /// name a record that does not exist.
    #[tracing::instrument(name = "app.create", skip_all, fields(kind = %R::KIND))]
    pub async fn create<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, New>,
    ) -> Result<R::View, AppError> {
        let (create, images) = self.prepare(caller, input).await?;
        let done = self.perform(&create.with(&images)).await;
        self.discard_unused(&images).await;
        done
    }

    /// Adds a record once per idempotency key. A repeated request, also a concurrent one, gets the
    /// stored answer of the first. `answer` makes the stored answer; refusals are not stored.
    ///
    /// ```
    /// use app::{calendar::{Idempotent, IdempotencyKey}, write::NewVenue};
    /// use domain::Venue;
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = NewVenue::builder("Old Mill".parse()?).build();
    /// let key = IdempotencyKey::new("POST /venues", "a key of the client", b"the request".to_vec());
    /// let answer = |view: &app::place::PlaceView<_>| format!("created {}", view.entry.id);
    /// let first = calendar.create_idempotent::<Venue>(editor, &mill, &key, &answer).await?;
    /// assert!(matches!(first, Idempotent::Executed(_)));
    /// let second = calendar.create_idempotent::<Venue>(editor, &mill, &key, &answer).await?;
    /// assert_eq!(second, Idempotent::Replayed("created 1".to_owned()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and [`AppError::KeyReused`] if the key belongs to another
    /// request.
    #[tracing::instrument(name = "app.create_idempotent", skip_all, fields(kind = %R::KIND))]
    pub async fn create_idempotent<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, New>,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Idempotent<R::View>, AppError> {
        let (create, images) = self.prepare(caller, input).await?;
        let once = IdempotentWork {
            request: create.request,
            work: create.with(&images),
            key,
            answer,
        };
        let done = self.perform(&once).await;
        self.discard_unused(&images).await;
        done
    }

    /// Checks the fields and the right, and fetches the images from the URLs in the fields.
    async fn prepare<'a, R: Resource>(
        &'a self,
        caller: Caller,
        input: &'a WriteInput<R, New>,
    ) -> Result<(Create<'a, R>, FetchedImages), AppError> {
        let prepare = || Create::prepare(self.request_to(caller, input), input);
        let create = self.cpu_limiter.run(input.size, prepare).await??;
        let (urls, file) = (R::image_urls(&create.write), input.image_file.as_ref());
        let images = self.images_of_write(caller, urls, file).await?;
        Ok((create, images))
    }
}
