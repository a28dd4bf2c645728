//! The parts of a write that had no effect.

use std::sync::{Mutex, PoisonError};

use domain::FieldName;

use super::Fault;

/// A value of a write that had no effect, although the write was done.
///
/// ```
/// use events_calendar_app::{event::EventView, fault::{Fault, ReferenceKind, Warning}, test_support::series};
/// use domain::{FieldName, Kind, TagId};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// let fair = series("Fair", "2030-03-10 09:00:00", "FREQ=DAILY;COUNT=2").tags([TagId::from_raw(7)]);
/// let view: EventView = calendar.create(editor, &fair.build()).await?;
/// let fault = Fault::UnknownReference(ReferenceKind::Record(Kind::Tag));
/// let warning = Warning { field: FieldName::Tags, value: "7".to_owned(), fault };
/// assert_eq!(view.warnings, [warning]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The name of the field.
    pub field: FieldName,
    /// The value, as text.
    pub value: String,
    /// The reason.
    pub fault: Fault,
}

/// Collects the warnings of a write.
#[derive(Debug, Default)]
pub struct Warnings(Mutex<Vec<Warning>>);

impl Warnings {
    /// Adds a warning. A write on a series meets the same value in several events.
    pub fn add(&self, warning: Warning) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&warning) {
            all.push(warning);
        }
    }

    /// The warnings so far, which are removed.
    pub fn take(&self) -> Vec<Warning> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
