//! Changing a record.

use async_trait::async_trait;
use domain::policy::Caller;

use super::{Calendar, Precondition, Work, checked, find, require_write, unit::begin_change, view};
use crate::{
    error::AppError,
    fault::Warnings,
    ports::UnitOfWork,
    request::{Purpose, RecordKey, Request},
    resource::{Changed, Resource},
    write::{self, WriteInput},
};

/// Changes a record, for a caller who may write such records.
struct Update<'a, R: Resource> {
    request: Request<'a>,
    key: RecordKey<R>,
    expected: &'a Precondition,
    write: R::Write,
}

impl<'a, R: Resource> Update<'a, R> {
    /// Checks the fields, and the right to write such records.
    fn prepare(
        request: Request<'a>,
        input: &WriteInput<R, write::Update>,
        key: RecordKey<R>,
        expected: &'a Precondition,
    ) -> Result<Self, AppError> {
        let right = require_write::<R>(request.caller);
        let write = checked(input, Purpose::Update, &request, right)?;
        Ok(Self {
            request,
            key,
            expected,
            write,
        })
    }
}

#[async_trait]
impl<R: Resource> Work for Update<'_, R> {
    type Output = R::View;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<R::View, AppError> {
        let warnings = Warnings::default();
        let request = Request {
            warnings: Some(&warnings),
            ..self.request
        };
        let (write, key) = (&self.write, &self.key);
        let (before, request) = begin_change(write, key, self.expected, request, unit).await?;
        let Changed { record, slots } = R::change(write.clone(), before, &request, unit).await?;
        view(&*unit, &request, record, slots).await
    }
}

impl Calendar {
    /// Changes the fields of a record that were sent, and no others.
    ///
    /// ```
    /// use app::{AppError, calendar::Precondition, write::{NewVenue, VenueUpdate}};
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).city("Lyon").build()).await?;
    /// let key = || mill.entry.id.into();
    /// let moved = VenueUpdate::builder().city("Vienne").build();
    /// let view = calendar.update(editor, key(), &Precondition::Any, &moved).await?;
    /// assert_eq!(view.entry.details.city, "Vienne");
    /// assert_eq!(view.entry.title.as_str(), "Old Mill");
    ///
    /// let expected = Precondition::OneOf(vec![mill.entry.revision]);
    /// let late = calendar.update(editor, key(), &expected, &moved).await;
    /// assert!(matches!(late, Err(AppError::PreconditionFailed)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: bad fields, no right to change such records, no
    /// such record, no right to change this one, revision mismatch, fields that contradict stored
    /// data.
    #[tracing::instrument(name = "app.update", skip_all, fields(kind = %R::KIND))]
    pub async fn update<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        expected: &Precondition,
        input: &WriteInput<R, write::Update>,
    ) -> Result<R::View, AppError> {
        let prepare = || Update::prepare(self.request_to(caller, input), input, key, expected);
        let update = self.cpu_limiter.run(input.size, prepare).await??;
        let (urls, file) = (R::image_urls(&update.write), input.image_file.as_ref());
        if !urls.is_empty() || file.is_some() {
            // Nothing is fetched or stored for a caller who may not change the record.
            let before = find(&*self.store, &update.key).await?;
            if !before.may_edit(caller) {
                return Err(AppError::Forbidden);
            }
            R::authorize(&update.write, caller, Some(&before.content))?;
        }
        let images = self.images_of_write(caller, urls, file).await?;
        let request = Request {
            images: &images,
            ..update.request
        };
        let work = Update { request, ..update };
        let done = self.perform(&work).await;
        self.discard_unused(&images).await;
        done
    }
}
