//! Events that look like one that somebody is about to write.

use domain::{
    Event, EventId, Status, duplicate::Sketch, event::EventFilter, page::PageRequest,
    policy::Caller, query::Statuses,
};

use super::Calendar;
use crate::{error::AppError, event::EventView, search_queue::Client, write::ReadOptions};

/// The most events that are compared.
const MAX_COMPARED: u32 = 500;

/// The most events of an answer.
const MAX_FOUND: usize = 5;

impl Calendar {
    /// The events that look like one, of those that the caller may see: at most five. The trash is left out, and so is a
    /// stored event itself with its occurrences.
    ///
    /// ```
    /// use events_calendar_app::write::{NewEvent, ReadOptions};
    /// use domain::{duplicate::Sketch, time::{EventTime, Zone, parse_civil}};
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
    /// let jazz = NewEvent::builder("Jazz night".parse()?, when.clone()).build();
    /// let stored = calendar.create(editor, &jazz).await?;
    /// let wanted = Sketch::of_plan("JAZZ night", &when, None);
    /// let options = ReadOptions::default();
    /// let alike = calendar.similar_events(editor, None, &wanted, None, &options).await?;
    /// assert_eq!(alike[0].event.id, stored.event.id);
    /// let others = calendar.similar_events(editor, None, &wanted, stored.event.id, &options).await?;
    /// assert!(others.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: too many searches.
    pub async fn similar_events(
        &self,
        caller: Caller,
        client: Client,
        wanted: &Sketch,
        except: Option<EventId>,
        options: &ReadOptions,
    ) -> Result<Vec<EventView>, AppError> {
        let statuses = Status::ALL.into_iter();
        let statuses = statuses.filter(|status| *status != Status::Trash);
        let filter = EventFilter {
            statuses: Statuses(Some(statuses.collect())),
            window: wanted.window().unwrap_or_default(),
            with_hidden: true,
            ..EventFilter::default()
        };
        let page = PageRequest::new(1, MAX_COMPARED.into(), MAX_COMPARED);
        let found = self.query::<Event>(caller, client, filter, page, options);
        let mut found = found.await?.rows;
        found.retain(|view| {
            let event = &view.event;
            let series = event.occurrence().map(|one| one.series);
            let is_other = except.is_none_or(|except| ![event.id, series].contains(&Some(except)));
            let venue = view.venue.as_ref().map(|venue| &venue.entry.content);
            let found = || Sketch::of_event(&event.content, venue);
            is_other && wanted.compare(&found()).is_some()
        });
        found.truncate(MAX_FOUND);
        Ok(found)
    }
}
