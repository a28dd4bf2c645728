//! Writes of programs that store several records together, such as imports.

use std::collections::HashMap;

use domain::{
    Event, EventId, ImageId, Stored, policy::Caller, recurrence::DateValue, slug::Slug,
    time::Timestamp, web_url::WebUrl,
};

use super::{Calendar, Precondition, Prepared, Work as _, writes::begin_change};
use crate::{
    error::AppError,
    event::{OccurrenceBatch, check_parent},
    fault::{Fault, FaultCollector, Warnings},
    hashing::HashKey,
    image::{self, ImageRef},
    ports::{StoreError, UnitOfWork},
    request::{FetchedImages, Origin, RecordKey, Request},
    resource::{Located, Resource},
    write::DeleteOptions,
};

/// The wishes for a new record that imports alone have.
#[derive(Clone, Debug, Default)]
pub struct CreateOptions {
    /// The ID that it gets if no record has it.
    pub id: Option<i64>,
    /// The ID that its new image gets if no image has it.
    pub image_id: Option<i64>,
    /// The slug that it requests in place of one from its name.
    pub slug: Option<Slug>,
    /// Its last change in place of the time of the write.
    pub modified: Option<Timestamp>,
    /// The identity of an event in the calendar that it comes from; updates have it, too.
    pub origin: Option<Origin>,
}

/// The writes of a caller in a unit of work.
///
/// ```
/// use events_calendar_app::{
///     AppError,
///     calendar::{CreateOptions, Prepared, Unit, Updated, Work, require, restore_secret},
///     ports::{StoreError, UnitOfWork},
///     request::{FetchedImages, Origin},
///     write::NewVenue,
/// };
/// use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// use domain::{Role, Venue, policy::Capability};
///
/// struct Both<'a>(&'a events_calendar_app::Calendar, domain::policy::Caller, [Prepared<Venue>; 2]);
///
/// #[async_trait::async_trait]
/// impl Work for Both<'_> {
///     type Output = i64;
///
///     async fn run(&self, unit: &dyn UnitOfWork) -> Result<i64, AppError> {
///         let writes = Unit::new(self.0, self.1, unit);
///         let first = writes.create(&self.2[0], &CreateOptions::default()).await?;
///         let second = writes.create(&self.2[1], &CreateOptions::default()).await?;
///         Ok(first.id.get() + second.id.get())
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let editor = add_user(&store, "ada", Role::Editor).await;
/// let calendar = calendar(store).await;
/// let mill = calendar.check_new(editor, &NewVenue::builder("Old Mill".parse()?).build())?;
/// let barn = calendar.check_new(editor, &NewVenue::builder("Barn".parse()?).build())?;
/// // Both venues are stored, or none.
/// assert_eq!(calendar.in_unit(&Both(&calendar, editor, [mill, barn])).await?, 3);
/// assert!(require(editor, Capability::ReadSettings).is_err());
///
/// /// Whether an update changed a venue.
/// fn is_changed(Updated { before, after }: &Updated<Venue>) -> bool {
///     before.content != after.content
/// }
/// /// An event of another calendar, whose images were fetched.
/// fn of_calendar(uid: &str) -> (CreateOptions, FetchedImages) {
///     let origin = Some(Origin { uid: uid.to_owned(), sequence: 0 });
///     (CreateOptions { origin, ..CreateOptions::default() }, FetchedImages::default())
/// }
/// /// In an empty store, a secret becomes that of the site.
/// async fn restore(unit: &dyn UnitOfWork) -> Result<bool, StoreError> {
///     restore_secret(unit, "64 hexadecimal digits").await
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Unit<'a> {
    calendar: &'a Calendar,
    caller: Caller,
    work: &'a dyn UnitOfWork,
    warnings: Option<&'a Warnings>,
    announces_moves: bool,
    occurrences_before: Option<&'a HashMap<EventId, Event>>,
}

impl std::fmt::Debug for Unit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unit")
            .field("caller", &self.caller)
            .finish_non_exhaustive()
    }
}

/// A record before and after a change.
#[derive(Debug)]
pub struct Updated<R> {
    /// The record before.
    pub before: Located<R>,
    /// The record after.
    pub after: Stored<R>,
}

impl<'a> Unit<'a> {
    /// Writes of a caller in `unit`.
    pub const fn new(calendar: &'a Calendar, caller: Caller, unit: &'a dyn UnitOfWork) -> Self {
        Self {
            calendar,
            caller,
            work: unit,
            warnings: None,
            announces_moves: true,
            occurrences_before: None,
        }
    }

    /// The same writes, which report values without effect.
    #[must_use]
    pub const fn warning(self, warnings: &'a Warnings) -> Self {
        Self {
            warnings: Some(warnings),
            ..self
        }
    }

    /// The same writes; readers learn of the events that they move to another start only if they
    /// `announce` it.
    #[must_use]
    pub const fn announcing_moves(self, announce: bool) -> Self {
        Self {
            announces_moves: announce,
            ..self
        }
    }

    /// The same writes of occurrences that readers know in another state: an earlier write of the same
    /// import made them follow their series.
    #[must_use]
    pub const fn known_as(self, occurrences: &'a HashMap<EventId, Event>) -> Self {
        Self {
            occurrences_before: Some(occurrences),
            ..self
        }
    }

    fn request<R: Resource>(
        &self,
        prepared: &'a Prepared<R>,
        options: &'a CreateOptions,
    ) -> Request<'a> {
        Request {
            wanted_id: options.id,
            wanted_image_id: options.image_id,
            wanted_slug: options.slug.as_ref(),
            wanted_modified: options.modified,
            origin: options.origin.as_ref(),
            ..self.plain(prepared)
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for fields that contradict stored data.
    pub async fn create<R: Resource>(
        &self,
        prepared: &'a Prepared<R>,
        options: &'a CreateOptions,
    ) -> Result<Stored<R>, AppError> {
        let request = self.request(prepared, options);
        R::create((*prepared.write).clone(), &request, self.work).await
    }

    /// Changes a record.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no such record, no right to change it, fields that contradict stored data.
    pub async fn update<R: Resource>(
        &self,
        key: &RecordKey<R>,
        prepared: &'a Prepared<R>,
        options: &'a CreateOptions,
    ) -> Result<Updated<R>, AppError> {
        let request = self.request(prepared, options);
        let (write, any) = (&*prepared.write, Precondition::Any);
        let (before, request) = begin_change(write, key, &any, request, self.work).await?;
        let changed = R::change(write.clone(), before.clone(), &request, self.work).await?;
        Ok(Updated {
            before,
            after: changed.record,
        })
    }

    /// Changes occurrences of a series at dates. Changes of fields of occurrences that have no record of
    /// their own are stored together.
    ///
    /// # Errors
    ///
    /// As for [`update`](Self::update).
    pub async fn update_occurrences(
        &self,
        series: EventId,
        updates: &'a [(DateValue, Prepared<Event>)],
    ) -> Result<(), AppError> {
        if updates.is_empty() {
            return Ok(());
        }
        let dates = updates.iter().map(|(date, _)| *date);
        let mut batch = OccurrenceBatch::read(series, dates, self.caller, self.work).await?;
        let mut others = Vec::new();
        for (date, prepared) in updates {
            let is_taken = match &mut batch {
                Some(batch) => {
                    let request = self.plain(prepared);
                    Event::lock_for(Some(&prepared.write), self.work).await?;
                    let changed = batch.change(*date, &prepared.write, &request, self.work);
                    changed.await?
                }
                None => false,
            };
            if !is_taken {
                others.push((*date, prepared));
            }
        }
        if let Some(batch) = batch {
            let request = self.calendar.request_of(self.caller);
            batch.store(&request, self.work).await?;
        }
        for (date, prepared) in others {
            let key = RecordKey::Slot(series, date);
            let request = self.plain(prepared);
            let (write, any) = (&*prepared.write, Precondition::Any);
            let (before, request) = begin_change(write, &key, &any, request, self.work).await?;
            Event::change(write.clone(), before, &request, self.work).await?;
        }
        Ok(())
    }

    /// A request without wishes.
    fn plain<R: Resource>(&self, prepared: &'a Prepared<R>) -> Request<'a> {
        Request {
            language: prepared.language,
            images: prepared.images(),
            warnings: self.warnings,
            announces_moves: self.announces_moves,
            occurrences_before: self.occurrences_before,
            ..self.calendar.request_of(self.caller)
        }
    }

    /// Puts a record into the trash. Returns whether it was not there already. Terms have no trash.
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`] without the right to delete it.
    pub async fn trash<R: Resource>(&self, key: RecordKey<R>) -> Result<bool, AppError> {
        let found = R::locate(self.work, &key, false).await?;
        if found.is_none_or(|record| record.is_in_trash()) {
            return Ok(false);
        }
        let request = self.calendar.request_of(self.caller);
        let (any, options) = (Precondition::Any, DeleteOptions::default());
        let delete = super::Delete::prepare(request, key, &any, &options)?;
        delete.run(self.work).await?;
        Ok(true)
    }

    /// Whether an event may be the parent of another one, or of a new one.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn may_be_parent(
        &self,
        parent: EventId,
        of: Option<EventId>,
    ) -> Result<bool, AppError> {
        let mut faults = FaultCollector::default();
        let request = self.calendar.request_of(self.caller);
        let field = domain::FieldName::Parent;
        check_parent(field, parent, of, &request, self.work, &mut faults).await?;
        Ok(faults.finish().is_ok())
    }

    /// Records an image that was fetched from a URL. Returns its ID or its fault.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn record_image(
        &self,
        url: &WebUrl,
        images: &'a FetchedImages,
    ) -> Result<Result<ImageId, Fault>, AppError> {
        let request = Request {
            images,
            ..self.calendar.request_of(self.caller)
        };
        image::resolve(&ImageRef::Url(url.clone()), &request, self.work).await
    }
}

/// Stores the secret of another site, with which its event passwords are hashed. Returns false if this
/// site has another one.
///
/// # Errors
///
/// If the store cannot answer.
pub async fn restore_secret(unit: &dyn UnitOfWork, secret: &str) -> Result<bool, StoreError> {
    HashKey::adopt(unit, secret).await
}
