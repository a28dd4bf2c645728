//! The event passwords that a request tries.

use domain::{
    Event, EventId, Kind,
    entry::PasswordHash,
    policy::{Caller, Capability},
};

use super::Calendar;
use crate::{error::AppError, request::RecordKey, resource::Resource, write::ReadOptions};

/// At most this many events count as tried by one request.
const MAX_TRIED: usize = 10;

/// A password, and the events for which a request tries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordAttempt {
    /// The keyed hash of the password.
    pub password: PasswordHash,
    /// Events that it does not open; at most ten.
    pub locked: Vec<EventId>,
    /// Events that it opens; at most ten.
    pub opened: Vec<EventId>,
}

impl Calendar {
    /// The events for which a request tries a password: the event that it names, or else all
    /// password-protected events that the caller may know of. None if the request has no password,
    /// or if the caller needs none.
    ///
    /// ```
    /// use events_calendar_app::{calendar::PasswordAttempt, write::{NewEvent, ReadOptions}};
    /// use domain::{Secret, policy::Caller, time::{EventTime, Zone, parse_civil}};
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
    /// let wedding = NewEvent::builder("Wedding".parse()?, when);
    /// let wedding = wedding.password(Secret::new("let me in".to_owned())).build();
    /// let wedding = calendar.create(editor, &wedding).await?.event.id.unwrap();
    /// let wrong = ReadOptions::default().password(Secret::new("12345".to_owned()));
    /// let attempt = calendar.password_attempt(Caller::Anonymous, &wrong, None).await?;
    /// let PasswordAttempt { locked, opened, .. } = attempt.unwrap();
    /// assert_eq!((locked, opened.len()), (vec![wedding], 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn password_attempt(
        &self,
        caller: Caller,
        options: &ReadOptions,
        event: Option<&RecordKey<Event>>,
    ) -> Result<Option<PasswordAttempt>, AppError> {
        let visibility = self.request_with(caller, options).visibility();
        let Some(password) = visibility.password.clone() else {
            return Ok(None);
        };
        if caller.can_in(Kind::Event, Capability::EditOthers) {
            return Ok(None);
        }
        let reads = self.store.reads().await?;
        let events = reads.events();
        let id = match event {
            None => None,
            // An unknown slug may be a former slug: then all events count.
            Some(key) => match Event::locate(&*reads, key, false).await? {
                // The occurrences of a series have its password.
                Some(event) => event.occurrence().map(|one| one.series).or(event.id),
                None => key.id(),
            },
        };
        let found = events
            .find_password_protected(id, &visibility, 2 * MAX_TRIED)
            .await?;
        let ids = |is_open: bool| {
            let matching = found.iter().filter(|(_, open)| *open == is_open);
            matching.map(|(id, _)| *id).take(MAX_TRIED).collect()
        };
        Ok(Some(PasswordAttempt {
            password,
            locked: ids(false),
            opened: ids(true),
        }))
    }
}
