//! Changing a record.

use async_trait::async_trait;
use domain::policy::Caller;

use super::{Calendar, Precondition, Prepared, Work, find, unit::begin_change, view};
use crate::{
    error::AppError,
    fault::Warnings,
    ports::UnitOfWork,
    request::{RecordKey, Request},
    resource::{Changed, Resource},
    write::{self, WriteInput},
};

/// Changes a record, for a caller who may write such records.
struct Update<'a, R: Resource> {
    request: Request<'a>,
    key: &'a RecordKey<R>,
    expected: &'a Precondition,
    write: &'a R::Write,
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
        let (write, key) = (self.write, self.key);
        let (before, request) = begin_change(write, key, self.expected, request, unit).await?;
        let Changed { record, slots } = R::change(write.clone(), before, &request, unit).await?;
        view(&*unit, &request, record, slots).await
    }
}

impl Calendar {
    /// Changes the fields of a record that were sent, and no others.
    ///
    /// ```
    /// use events_calendar_app::{AppError, calendar::Precondition, write::{NewVenue, VenueUpdate}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
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
    pub async fn update<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        expected: &Precondition,
        input: &WriteInput<R, write::Update>,
    ) -> Result<R::View, AppError> {
        let check = || self.check_update(caller, input);
        let bytes = input.faults.sent_bytes();
        let prepared = self.cpu_limiter.run(bytes, check).await??;
        self.update_prepared(caller, key, expected, prepared).await
    }

    /// Changes the fields of a record by a write that was checked before.
    ///
    /// # Errors
    ///
    /// As for [`update`](Self::update).
    #[tracing::instrument(name = "app.update", skip_all, fields(kind = %R::KIND))]
    pub async fn update_prepared<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        expected: &Precondition,
        prepared: Prepared<R>,
    ) -> Result<R::View, AppError> {
        let write = &prepared.write;
        if !R::image_urls(write).is_empty() || prepared.image_file.is_some() {
            // Nothing is fetched or stored for a caller who may not change the record.
            let before = find(&*self.store, &key).await?;
            if !before.may_edit(caller) {
                return Err(AppError::Forbidden);
            }
            R::authorize(write, caller, Some(&before.content))?;
        }
        let prepared = self.with_images(caller, prepared).await?;
        let update = Update {
            request: prepared.request(self, caller),
            key: &key,
            expected,
            write: &prepared.write,
        };
        let done = self.perform(&update).await;
        self.discard_unused(prepared.images()).await;
        done
    }
}
