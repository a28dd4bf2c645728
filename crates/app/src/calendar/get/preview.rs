//! An event that is not stored, as visitors would see it.

use async_trait::async_trait;
use domain::{Event, policy::Caller};

use crate::{
    calendar::{Calendar, Precondition, Prepared, Work, view, writes::begin_change},
    error::AppError,
    event::EventView,
    ports::UnitOfWork,
    request::{RecordKey, Request},
    resource::{Located, Resource},
};

/// A write of which the view of everybody is taken.
struct Preview<'a> {
    request: Request<'a>,
    key: Option<RecordKey<Event>>,
    prepared: &'a Prepared<Event>,
}

#[async_trait]
impl Work for Preview<'_> {
    type Output = EventView;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<EventView, AppError> {
        let write = (*self.prepared.write).clone();
        let record: Located<Event> = match &self.key {
            None => Event::create(write, &self.request, unit).await?.into(),
            Some(key) => {
                let expected = &Precondition::Any;
                let begun = begin_change(&write, key, expected, self.request, unit);
                let (before, request) = begun.await?;
                let changed = Event::change(write, before, &request, unit).await?;
                changed.record.into()
            }
        };
        // As for a visitor who knows the password.
        let password = record.details.password.clone();
        let visitor = Request {
            caller: Caller::Anonymous,
            opened: password.as_ref(),
            ..self.request
        };
        view(unit, &visitor, record, None).await
    }
}

impl Calendar {
    /// The event that a write would make, or would make of the one with a key, as visitors would see it if it were
    /// public: without venue and organizers that are not public. Nothing is stored. A file that was sent with the
    /// write is left out.
    ///
    /// ```
    /// use events_calendar_app::{AppError, request::RecordKey, write::{NewEvent, ReadOptions}};
    /// use domain::{EventId, policy::Caller, time::{EventTime, Zone, parse_civil}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let start = parse_civil("2027-03-09 19:00:00").unwrap();
    /// let when = EventTime::new(Zone::utc(), start, start, false)?;
    /// let write = NewEvent::builder("Jazz night".parse()?, when).build();
    /// let prepared = calendar.check_new(editor, &write)?;
    /// let shown = calendar.preview_event(editor, None, &prepared).await?;
    /// assert_eq!(shown.event.title.as_str(), "Jazz night");
    ///
    /// let first = RecordKey::Id(EventId::from_raw(1));
    /// let stored = calendar.get(editor, first, &ReadOptions::default()).await;
    /// assert!(matches!(stored, Err(AppError::NotFound(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for the write itself.
    pub async fn preview_event(
        &self,
        caller: Caller,
        key: Option<RecordKey<Event>>,
        prepared: &Prepared<Event>,
    ) -> Result<EventView, AppError> {
        let request = prepared.request(self, caller);
        let preview = Preview {
            request,
            key,
            prepared,
        };
        self.rehearse(&preview).await
    }
}
