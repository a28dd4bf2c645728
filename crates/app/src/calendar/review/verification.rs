//! Events that their authors verify.

use async_trait::async_trait;
use domain::{Event, Kind, policy::Caller};

use crate::{
    calendar::{Calendar, Work, find_for_change, require_write, view},
    error::AppError,
    event::EventView,
    ports::UnitOfWork,
    request::{RecordKey, Request},
    resource,
    write::ReadOptions,
};

/// Notes that an event is still right.
struct Verify<'a> {
    request: Request<'a>,
    key: &'a RecordKey<Event>,
}

#[async_trait]
impl Work for Verify<'_> {
    type Output = EventView;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<EventView, AppError> {
        let event = find_for_change(unit, self.key, self.request.caller).await?;
        let request = self.request.about(self.key, &event.content);
        let series = event.occurrence().map(|one| one.series);
        if let Some(id) = series.or(event.id) {
            unit.reviews().verify(id, request.now).await?;
        }
        view(unit, &request, event, None).await
    }
}

impl Calendar {
    /// Notes that an event is still right. It is no change: revision and time of the last change stay, and readers
    /// learn nothing. An occurrence is verified with its series.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::{NewEvent, ReadOptions}};
    /// use domain::{policy::Caller, time::{EventTime, Zone, parse_civil}};
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
    /// let fair = calendar.create(editor, &NewEvent::builder("Fair".parse()?, when).build()).await?;
    /// let id = fair.event.id.unwrap();
    /// let verified = calendar.verify(editor, id.into(), &ReadOptions::default()).await?;
    /// assert_eq!(verified.verified_at, Some(calendar.now()));
    /// assert_eq!(verified.event.revision, fair.event.revision);
    /// let refused = calendar.verify(Caller::Anonymous, id.into(), &ReadOptions::default()).await;
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// assert!(calendar.events_to_verify(editor, &ReadOptions::default(), 10).await?.is_empty());
    /// assert_eq!(calendar.count_events_to_verify(editor, 10).await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: no right to change events, no such event, no right to change this one.
    #[tracing::instrument(name = "app.verify", skip_all)]
    pub async fn verify(
        &self,
        caller: Caller,
        key: RecordKey<Event>,
        options: &ReadOptions,
    ) -> Result<EventView, AppError> {
        require_write::<Event>(caller)?;
        let request = self.request_with(caller, options);
        self.in_unit(&Verify { request, key: &key }).await
    }

    /// The events of the caller that are to be verified, those changed longest ago first, at most `limit`.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn events_to_verify(
        &self,
        caller: Caller,
        options: &ReadOptions,
        limit: u32,
    ) -> Result<Vec<EventView>, AppError> {
        let Some(user) = caller.within(Kind::Event).user() else {
            return Ok(Vec::new());
        };
        let request = self.request_with(caller, options);
        let repositories = self.store.repositories();
        let due = repositories.reviews().to_verify(user, request.now, limit);
        let events = repositories.events().find_many(&due.await?).await?;
        resource::load(events, &request.visibility(), repositories).await
    }

    /// The number of the events of the caller that are to be verified, at most `limit`.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn count_events_to_verify(
        &self,
        caller: Caller,
        limit: u32,
    ) -> Result<usize, AppError> {
        let Some(user) = caller.within(Kind::Event).user() else {
            return Ok(0);
        };
        let reviews = self.store.repositories().reviews();
        Ok(reviews.to_verify(user, self.now(), limit).await?.len())
    }
}
