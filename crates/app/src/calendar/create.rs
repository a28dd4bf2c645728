//! Adding a record.

use async_trait::async_trait;
use domain::{Stored, policy::Caller};

use super::idempotency::IdempotentWork;
use super::{Calendar, IdempotencyKey, Idempotent, Work, checked, require_write, view};
use crate::{
    error::AppError,
    input::Warnings,
    ports::{Repositories, UnitOfWork},
    request::{FetchedImages, Purpose, Request},
    resource::{Changes, Resource},
    typed::{New, Sent, WriteFields},
};

/// Creates a record from fields that were read, for a caller who may create such records.
pub(crate) struct Create<'a, R: Resource> {
    request: Request<'a>,
    changes: R::Changes,
}

impl<'a, R: Resource> Create<'a, R> {
    /// Reads the fields and checks the right.
    pub(crate) fn prepare(request: Request<'a>, sent: Sent<'_, R, New>) -> Result<Self, AppError> {
        let read = sent.read(&request, Purpose::Create);
        let right =
            require_write::<R>(request.caller).and_then(|()| read.0.authorize(&request, None));
        let changes = checked::<R>(read, right)?;
        Ok(Self { request, changes })
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
            changes: self.changes,
        })
    }

    async fn insert(
        &self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<R>, AppError> {
        R::Changes::insert(self.changes.clone(), request, unit).await
    }
}

#[async_trait]
impl<R: Resource> Work for Create<'_, R> {
    type Output = Stored<R>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Stored<R>, AppError> {
        self.insert(&self.request, &*unit).await
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
        view(&*unit, &request, record).await
    }
}

impl Calendar {
    /// Adds a record: a [`typed`](crate::typed) one, or one from the fields of a request.
    ///
    /// ```
    /// use app::{AppError, input::Fields, typed::NewVenue};
    /// use domain::{Venue, policy::Caller};
    /// # use serde_json::json;
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
    ///
    /// // The fields of a request.
    /// let body = json!({ "venue": "Old Mill", "zip": 69001 }).as_object().unwrap().clone();
    /// let refused = calendar.create::<Venue>(editor, &Fields::from_body(body)).await;
    /// assert!(matches!(refused, Err(AppError::Invalid(faults)) if faults.contains_key("zip")));
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
        input: &impl WriteFields<R, New>,
    ) -> Result<R::View, AppError> {
        let (create, images) = self.prepare(caller, input.sent()).await?;
        let done = self.perform(&create.with(&images)).await;
        self.discard_unused(&images).await;
        done
    }

    /// Adds a record once per idempotency key. A repeated request, also a concurrent one, gets the
    /// stored answer of the first. `answer` makes the stored answer; refusals are not stored.
    ///
    /// ```
    /// use app::{calendar::{Idempotent, IdempotencyKey}, typed::NewVenue};
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
        input: &impl WriteFields<R, New>,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Idempotent<R::View>, AppError> {
        let (create, images) = self.prepare(caller, input.sent()).await?;
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

    /// Reads the fields, checks the right, and fetches the images from the URLs in the fields.
    async fn prepare<'a, R: Resource>(
        &'a self,
        caller: Caller,
        sent: Sent<'a, R, New>,
    ) -> Result<(Create<'a, R>, FetchedImages), AppError> {
        let prepare = || Create::prepare(self.request_to(caller, sent), sent);
        let create = self.cpu_limiter.run(sent.size(), prepare).await??;
        let file = sent.image_file();
        let images = self.images_of_write(caller, create.changes.image_urls(), file);
        let images = images.await?;
        Ok((create, images))
    }
}
