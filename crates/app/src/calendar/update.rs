//! Changing a record.

use async_trait::async_trait;
use domain::{Event, EventId, policy::Caller, recurrence::DateValue};

use super::{Calendar, Precondition, Work, checked, find, find_for_change, require_write, view};
use crate::{
    error::AppError,
    event::OccurrenceBatch,
    input::Warnings,
    ports::UnitOfWork,
    request::{Purpose, RecordKey, Request},
    resource::{Changed, Changes, Resource, View as _},
    typed::{self, Sent, WriteFields},
};

/// Changes a record by fields that were read, for a caller who may write such records.
pub(crate) struct Update<'a, R: Resource> {
    request: Request<'a>,
    key: RecordKey<R>,
    expected: &'a Precondition,
    changes: R::Changes,
}

impl<'a, R: Resource> Update<'a, R> {
    /// Reads the fields and checks the right to write such records.
    pub(crate) fn prepare(
        request: Request<'a>,
        sent: Sent<'_, R, typed::Update>,
        key: RecordKey<R>,
        expected: &'a Precondition,
    ) -> Result<Self, AppError> {
        let right = require_write::<R>(request.caller);
        let changes = checked::<R>(sent.read(&request, Purpose::Update), right)?;
        Ok(Self {
            request,
            key,
            expected,
            changes,
        })
    }
}

impl Update<'_, Event> {
    /// Changes occurrences of a series, whose dates the keys of the updates have. Changes of fields of
    /// occurrences that have no record of their own are stored together.
    pub(crate) async fn run_on_occurrences(
        series: EventId,
        updates: &[Self],
        unit: &dyn UnitOfWork,
    ) -> Result<(), AppError> {
        let Some(first) = updates.first() else {
            return Ok(());
        };
        let dates = updates.iter().filter_map(Self::date);
        let caller = first.request.caller;
        let mut batch = OccurrenceBatch::read(series, dates, caller, unit).await?;
        let mut others = Vec::new();
        for update in updates {
            let is_taken = match (&mut batch, update.date()) {
                (Some(batch), Some(date)) => {
                    Changes::<Event>::lock_for(Some(&update.changes), unit).await?;
                    let changed = batch.change(date, &update.changes, &update.request, unit);
                    changed.await?
                }
                _ => false,
            };
            if !is_taken {
                others.push(update);
            }
        }
        if let Some(batch) = batch {
            batch.store(unit).await?;
        }
        for update in others {
            update.run(unit).await?;
        }
        Ok(())
    }

    fn date(&self) -> Option<DateValue> {
        match self.key {
            RecordKey::Slot(_, date) => Some(date),
            RecordKey::Id(_) | RecordKey::Slug(_) | RecordKey::Unknown => None,
        }
    }
}

#[async_trait]
impl<R: Resource> Work for Update<'_, R> {
    type Output = R::View;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<R::View, AppError> {
        let repositories = &*unit;
        R::Changes::lock_for(Some(&self.changes), repositories).await?;
        let before = find_for_change(repositories, &self.key, self.request.caller).await?;
        let warnings = Warnings::default();
        let request = Request {
            warnings: Some(&warnings),
            ..self.request.about(&self.key, &before.content)
        };
        self.changes.authorize(&request, Some(&before.content))?;
        self.expected.check(before.revision, before.modified())?;
        let changes = self.changes.clone();
        let Changed { record, slots } =
            R::Changes::change(changes, before, &request, repositories).await?;
        let view = view(repositories, &request, record).await?;
        Ok(view.with_slots(slots))
    }
}

impl Calendar {
    /// Changes the fields of a record that were sent, and no others.
    ///
    /// ```
    /// use app::{AppError, calendar::Precondition, typed::{NewVenue, VenueUpdate}};
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
        input: &impl WriteFields<R, typed::Update>,
    ) -> Result<R::View, AppError> {
        let sent = input.sent();
        let prepare = || Update::prepare(self.request_to(caller, sent), sent, key, expected);
        let update = self.cpu_limiter.run(sent.size(), prepare).await??;
        let urls = update.changes.image_urls();
        if !urls.is_empty() || sent.image_file().is_some() {
            // Nothing is fetched or stored for a caller who may not change the record.
            let before = find(&*self.store, &update.key).await?;
            if !before.may_edit(caller) {
                return Err(AppError::Forbidden);
            }
            let changes = &update.changes;
            changes.authorize(&update.request, Some(&before.content))?;
        }
        let images = self
            .images_of_write(caller, urls, sent.image_file())
            .await?;
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
