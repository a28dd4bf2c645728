//! Former addresses: a slug that a record gave up, an ID that was merged, a date that a split moved.

use domain::{
    Event, EventId, Id,
    policy::{Caller, Guarded as _},
    recurrence::DateValue,
    slug::Slug,
};

use crate::calendar::{Calendar, view};
use crate::{
    error::AppError,
    event::locate_split,
    request::{RecordKey, Request},
    resource::{Resource, present_of},
    write::ReadOptions,
};

impl Calendar {
    /// The record that last gave up a slug, if no record has the slug now and the caller may read
    /// that record. Call it only after no record was found under the slug.
    ///
    /// ```
    /// use events_calendar_app::{calendar::Precondition, write::{EventUpdate, NewEvent, ReadOptions}};
    /// use domain::{Event, policy::Caller, slug::Slug, time::{EventTime, Zone, parse_civil}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
    /// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    ///
    /// let fair = calendar.create(editor, &NewEvent::builder("Fair".parse()?, when).build()).await?.event.id.unwrap();
    /// let [old, new] = ["fair", "fun-fair"].map(|text| Slug::normalize(text).unwrap());
    /// let update = EventUpdate::builder().slug(new).build();
    /// calendar.update(editor, fair.into(), &Precondition::Any, &update).await?;
    ///
    /// let options = ReadOptions::default();
    /// let moved = calendar.resolve_former_slug::<Event>(Caller::Anonymous, &old, &options).await?;
    /// assert_eq!(moved, Some(fair));
    /// let page = calendar.get_public_by_former_slug::<Event>(&old, &options).await?;
    /// assert_eq!(page.event.id, Some(fair));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    #[tracing::instrument(name = "app.resolve_former_slug", skip_all, fields(kind = %R::KIND))]
    pub async fn resolve_former_slug<R: Resource>(
        &self,
        caller: Caller,
        slug: &Slug,
        options: &ReadOptions,
    ) -> Result<Option<Id<R>>, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.reads().await?;
        let found = R::locate_former(&*reads, slug).await?;
        let readable =
            found.filter(|(record, _)| record.check_readable(&request.visibility()).is_ok());
        Ok(readable.and_then(|(record, _)| record.id))
    }

    /// The record into which one was merged, if the caller may read it. Call it only after no record was found under the ID.
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn resolve_merged<R: Resource>(
        &self,
        caller: Caller,
        id: Id<R>,
        options: &ReadOptions,
    ) -> Result<Option<Id<R>>, AppError> {
        let visibility = self.request_with(caller, options).visibility();
        let reads = self.store.reads().await?;
        let Some(present) = present_of(id, &*reads).await? else {
            return Ok(None);
        };
        let found = R::locate(&*reads, &present.into(), false).await?;
        let readable = found.filter(|record| record.check_readable(&visibility).is_ok());
        Ok(readable.map(|_| present))
    }

    /// The key of the occurrence that a date of a series names now, if a later half of the series has it and the caller
    /// may read it. Call it only after no record was found at the date.
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn resolve_split(
        &self,
        caller: Caller,
        series: EventId,
        date: DateValue,
        options: &ReadOptions,
    ) -> Result<Option<RecordKey<Event>>, AppError> {
        let visibility = self.request_with(caller, options).visibility();
        let reads = self.store.reads().await?;
        let found = locate_split(&*reads, series, date, &visibility).await?;
        let readable = found.filter(|(event, _)| event.check_readable(&visibility).is_ok());
        Ok(readable.map(|(event, slot)| event.id.map_or(slot, RecordKey::Id)))
    }

    /// The same record as its public page shows it, by default in the language of the slug.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::ReadOptions};
    /// use domain::{Event, slug::Slug};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let unknown = Slug::normalize("fair").unwrap();
    /// let page = calendar.get_public_by_former_slug::<Event>(&unknown, &ReadOptions::default()).await;
    /// assert!(matches!(page, Err(AppError::NotFound(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::NotFound`] if there is none, or none that is public.
    #[tracing::instrument(name = "app.get_public_by_former_slug", skip_all, fields(kind = %R::KIND))]
    pub async fn get_public_by_former_slug<R: Resource>(
        &self,
        slug: &Slug,
        options: &ReadOptions,
    ) -> Result<R::View, AppError> {
        let request = self.request_with(Caller::Anonymous, options);
        let reads = self.store.reads().await?;
        let found = R::locate_former(&*reads, slug).await?;
        let shown = found.filter(|(record, _)| record.has_page(&request.visibility()));
        let (record, language) = shown.ok_or_else(R::not_found)?;
        let request = Request {
            language: request.language.or(Some(language)),
            ..request
        };
        view(&*reads, &request, record, None).await
    }
}
