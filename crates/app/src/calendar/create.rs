//! Adding a record.

use async_trait::async_trait;
use domain::policy::Caller;

use super::idempotency::IdempotentWork;
use super::{Calendar, IdempotencyKey, Idempotent, Prepared, Work, view};
use crate::{
    error::AppError,
    fault::Warnings,
    ports::UnitOfWork,
    request::Request,
    resource::Resource,
    write::{New, WriteInput},
};

/// Creates a record, and answers with its view. The view is loaded before the commit, so that a committed
/// write is never answered with an error.
struct Create<'a, R: Resource> {
    request: Request<'a>,
    write: &'a R::Write,
}

#[async_trait]
impl<R: Resource> Work for Create<'_, R> {
    type Output = R::View;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<R::View, AppError> {
        let warnings = Warnings::default();
        let request = Request {
            warnings: Some(&warnings),
            ..self.request
        };
        let record = R::create(self.write.clone(), &request, &*unit).await?;
        view(&*unit, &request, record, None).await
    }
}

impl Calendar {
    /// Adds a record.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::NewVenue};
    /// use domain::policy::Caller;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
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
    pub async fn create<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, New>,
    ) -> Result<R::View, AppError> {
        let check = || self.check_new(caller, input);
        let bytes = input.faults.sent_bytes();
        let prepared = self.cpu_limiter.run(bytes, check).await??;
        self.create_prepared(caller, prepared).await
    }

    /// Adds a record whose fields were checked before.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create).
    #[tracing::instrument(name = "app.create", skip_all, fields(kind = %R::KIND))]
    pub async fn create_prepared<R: Resource>(
        &self,
        caller: Caller,
        prepared: Prepared<R>,
    ) -> Result<R::View, AppError> {
        let prepared = self.with_images(caller, prepared).await?;
        let create = Create::<R> {
            request: prepared.request(self, caller),
            write: &prepared.write,
        };
        let done = self.perform(&create).await;
        self.discard_unused(prepared.images()).await;
        done
    }

    /// Adds a record once per idempotency key. A repeated request, also a concurrent one, gets the
    /// stored answer of the first. `answer` makes the stored answer; refusals are not stored.
    ///
    /// ```
    /// use events_calendar_app::{calendar::{Idempotent, IdempotencyKey}, write::NewVenue};
    /// use domain::Venue;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = NewVenue::builder("Old Mill".parse()?).build();
    /// let key = IdempotencyKey::new("POST /venues", "a key of the client", b"the request".to_vec());
    /// let answer = |view: &events_calendar_app::place::PlaceView<_>| format!("created {}", view.entry.id);
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
    pub async fn create_idempotent<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, New>,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Idempotent<R::View>, AppError> {
        let check = || self.check_new(caller, input);
        let bytes = input.faults.sent_bytes();
        let prepared = self.cpu_limiter.run(bytes, check).await??;
        self.create_prepared_idempotent(caller, prepared, key, answer)
            .await
    }

    /// Adds a record whose fields were checked before, once per idempotency key.
    ///
    /// # Errors
    ///
    /// As for [`create_idempotent`](Self::create_idempotent).
    #[tracing::instrument(name = "app.create_idempotent", skip_all, fields(kind = %R::KIND))]
    pub async fn create_prepared_idempotent<R: Resource>(
        &self,
        caller: Caller,
        prepared: Prepared<R>,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Idempotent<R::View>, AppError> {
        let prepared = self.with_images(caller, prepared).await?;
        let request = prepared.request(self, caller);
        let write = &prepared.write;
        let once = IdempotentWork {
            request,
            work: Create::<R> { request, write },
            key,
            answer,
        };
        let done = self.perform(&once).await;
        self.discard_unused(prepared.images()).await;
        done
    }
}
