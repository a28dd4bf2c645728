//! The time of an event that is not stored yet, for forms that show it.

use domain::{Event, FieldName, Stored, event::Repetition, policy::Caller, time::EventTime};

use super::{Calendar, Prepared};
use crate::{
    error::AppError,
    fault::{Fault, FaultCollector},
};

impl Prepared<Event> {
    /// The time of the event after the write, and whether and how it repeats. `before` is the stored event of a change.
    /// Nothing is stored.
    ///
    /// ```
    /// use events_calendar_app::write::NewEvent;
    /// use domain::{event::Repetition, recurrence::RecurrenceParts, time::{EventTime, Zone, parse_civil}};
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
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = RecurrenceParts { rule, ..RecurrenceParts::default() };
    /// let write = NewEvent::builder("Jazz night".parse()?, when.clone()).recurrence(six).build();
    /// let (time, repetition) = calendar.check_new(editor, &write)?.times(&calendar, editor, None)?;
    /// assert_eq!(time, when);
    /// assert!(matches!(repetition, Repetition::Series(series) if series.recurrence.total() == Some(6)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for a time or a rule that the write would be refused for.
    pub fn times(
        &self,
        calendar: &Calendar,
        caller: Caller,
        before: Option<&Stored<Event>>,
    ) -> Result<(EventTime, Repetition), AppError> {
        let mut faults = FaultCollector::default();
        let request = self.request(calendar, caller);
        let own = &self.write.own;
        let stored = before.map(|event| &event.details.when);
        let when = own.when(stored, &request, &mut faults);
        let when = when.or_else(|| stored.cloned());
        let when = when.ok_or_else(|| AppError::invalid(FieldName::StartDate, Fault::Empty));
        let repetition = match &when {
            Ok(when) => own.repetition(before, when, &request, &mut faults),
            Err(_) => None,
        };
        faults.finish()?;
        Ok((when?, repetition.unwrap_or(Repetition::Once)))
    }
}
