//! Passes: what a browser keeps after a reader entered the password of an event on its page.
//!
//! A pass names the hour of its issue, and has a keyed hash of the event, of the hash of its password
//! and of that hour. No store holds it: it ends after twelve hours, and with the password.

use domain::{
    Event, EventId, Secret,
    entry::PasswordHash,
    policy::{Caller, Guarded as _},
    time::Timestamp,
};

use crate::{
    calendar::{Calendar, find},
    error::AppError,
    request::RecordKey,
    resource::{Located, Resource as _},
    write::ReadOptions,
};

/// The hours after that of its issue in which a pass is valid.
const HOURS: i64 = 12;

/// The purpose of the key. Passwords are one line, so that no hash of a password equals the key.
const PURPOSE: &str = "pass\nof an event";

/// The proof that a reader knows the password of an event.
///
/// [`Calendar::event_pass`] gives it, and [`Calendar::with_pass`] takes its text.
///
/// ```
/// use events_calendar_app::calendar::EventPass;
/// use domain::{EventId, Secret};
///
/// let pass = EventPass { event: EventId::from_raw(7), text: Secret::new("500000.5f".to_owned()) };
/// assert!(!format!("{pass:?}").contains("5f"));
/// ```
#[derive(Clone, Debug)]
pub struct EventPass {
    /// The event; for an occurrence, its series.
    pub event: EventId,
    /// The text that the browser keeps.
    pub text: Secret,
}

impl Calendar {
    /// A pass for the password of a public event; none if the password is wrong, or the event has none.
    ///
    /// ```
    /// use events_calendar_app::{request::RecordKey, write::{NewEvent, ReadOptions}};
    /// use domain::{Secret, time::{EventTime, Zone, parse_civil}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
    /// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    /// let secret = |text: &str| Secret::new(text.to_owned());
    /// let wedding = NewEvent::builder("Wedding".parse()?, when).password(secret("let me in")).build();
    /// let wedding = RecordKey::Id(calendar.create(editor, &wedding).await?.event.id.unwrap());
    /// assert!(calendar.event_pass(&wedding, &secret("12345")).await?.is_none());
    ///
    /// let pass = calendar.event_pass(&wedding, &secret("let me in")).await?.unwrap();
    /// let kept = |_| Some(pass.text.clone());
    /// let options = calendar.with_pass(&wedding, ReadOptions::default(), kept).await?;
    /// assert!(calendar.get_public(wedding.clone(), &options).await?.open);
    /// assert!(!calendar.get_public(wedding, &ReadOptions::default()).await?.open);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::NotFound`] for an event without a public page, and errors of the store.
    pub async fn event_pass(
        &self,
        key: &RecordKey<Event>,
        password: &Secret,
    ) -> Result<Option<EventPass>, AppError> {
        let event = self.find_public(key).await?;
        let sent = self.hash_key.hash(password.expose());
        let Some((id, hash)) = locked(&event).filter(|(_, hash)| **hash == sent) else {
            return Ok(None);
        };
        let hour = hour(self.clock.now());
        let text = format!("{hour}.{}", self.pass_digest(id, hash, hour));
        Ok(Some(EventPass {
            event: id,
            text: text.into(),
        }))
    }

    /// Options that open an event for a reader whose browser keeps passes, of which `pass` returns the text
    /// for an event. Without a valid one, they are as before.
    ///
    /// # Errors
    ///
    /// [`AppError::NotFound`] for an event without a public page, and errors of the store.
    pub async fn with_pass(
        &self,
        key: &RecordKey<Event>,
        options: ReadOptions,
        pass: impl FnOnce(EventId) -> Option<Secret>,
    ) -> Result<ReadOptions, AppError> {
        let event = self.find_public(key).await?;
        let opened = locked(&event).and_then(|(id, hash)| {
            let is_valid = self.is_valid_pass(id, hash, &pass(id)?);
            is_valid.then(|| hash.clone())
        });
        Ok(ReadOptions { opened, ..options })
    }

    async fn find_public(&self, key: &RecordKey<Event>) -> Result<Located<Event>, AppError> {
        let reads = self.store.reads().await?;
        let event = find(&*reads, key).await?;
        let visibility = self.request_of(Caller::Anonymous).visibility();
        if !event.content.has_page(&visibility) {
            return Err(Event::not_found());
        }
        Ok(event)
    }

    fn is_valid_pass(&self, event: EventId, hash: &PasswordHash, pass: &Secret) -> bool {
        let Some((issued, digest)) = pass.expose().split_once('.') else {
            return false;
        };
        let Ok(issued) = issued.parse::<i64>() else {
            return false;
        };
        let age = hour(self.clock.now()).checked_sub(issued);
        // Hashes of both are compared, so that the time tells nothing about their beginning.
        let is_same = {
            let right = self.pass_digest(event, hash, issued);
            self.hash_key.digest(digest.as_bytes()) == self.hash_key.digest(right.as_bytes())
        };
        is_same && age.is_some_and(|age| (0..=HOURS).contains(&age))
    }

    fn pass_digest(&self, event: EventId, hash: &PasswordHash, hour: i64) -> String {
        let key = self.hash_key.derived(PURPOSE);
        key.digest(format!("{event} {} {hour}", hash.as_str()).as_bytes())
    }
}

/// The event whose password locks an event, and the hash of that password. The occurrences of a series
/// have its password.
fn locked(event: &Located<Event>) -> Option<(EventId, &PasswordHash)> {
    let of_series = event.content.occurrence().map(|one| one.series);
    let id = of_series.or(event.id)?;
    Some((id, event.content.details.password.as_ref()?))
}

fn hour(now: Timestamp) -> i64 {
    now.seconds().div_euclid(3600)
}
