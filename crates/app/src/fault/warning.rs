//! The parts of a write that had no effect.

use std::sync::{Mutex, PoisonError};

use domain::FieldName;

use super::Fault;

/// A value of a write that had no effect, although the write was done.
///
/// ```
/// use app::{fault::{Fault, ReferenceKind, Warning}, input::Fields, event::EventView};
/// use domain::{Event, Kind};
/// # use serde_json::json;
/// # use app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// let day = json!({ "title": "Fair", "start_date": "2030-03-10", "end_date": "2030-03-10", "tags": [7] });
/// let fields = Fields::from_body(day.as_object().unwrap().clone());
/// let view: EventView = calendar.create::<Event>(editor, &fields).await?;
/// let fault = Fault::UnknownReference(ReferenceKind::Record(Kind::Tag));
/// let warning = Warning { field: "tags", value: "7".to_owned(), fault };
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
