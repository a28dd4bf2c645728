//! Overrides: occurrences with content of their own. The others are plain.

use super::super::{Event, OverriddenFields, Repetition};
use crate::{Stored, recurrence::Slot};

/// The state of an override after a change of its series.
///
/// ```
/// use events_calendar_domain::{Event, Stored, event::Renewal};
///
/// /// The new content of an override, if it stays one and changes.
/// fn renewed(series: &Stored<Event>, own: &Stored<Event>) -> Option<Event> {
///     match series.renew(own, None, false) {
///         Renewal::Changed(content) => Some(own.override_with(*content)),
///         Renewal::Same | Renewal::Plain => None,
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// It stays as it is.
    Same,
    /// Its record goes: the occurrence has nothing of its own.
    Plain,
    /// It gets new content.
    Changed(Box<Event>),
}

impl Stored<Event> {
    /// The fate of an override of this series after a change of the series. `slot` is its present
    /// slot if that has changed; `resets` makes it lose its own fields.
    pub fn renew(&self, own: &Event, slot: Option<Slot>, resets: bool) -> Renewal {
        let Some(occurrence) = own.occurrence() else {
            return Renewal::Same;
        };
        let slot = slot.unwrap_or(occurrence.slot);
        let mut source = own.clone();
        if resets && let Repetition::Occurrence(occurrence) = &mut source.details.repetition {
            occurrence.overridden = OverriddenFields::default();
        }
        let Some(content) = self.inherited_by(&source, slot) else {
            return Renewal::Same;
        };
        let is_plain = content
            .occurrence()
            .is_some_and(|one| one.overridden.is_empty());
        let is_held = self.series().is_some_and(|one| one.is_held_at(slot));
        match () {
            () if is_plain && is_held => Renewal::Plain,
            () if content == *own => Renewal::Same,
            () => Renewal::Changed(Box::new(content)),
        }
    }

    /// The content of the record of this occurrence. Its UID has its ID instead of its slot, so that two
    /// occurrences whose slots move onto each other keep different UIDs.
    pub fn override_with(&self, mut content: Event) -> Event {
        let uid = content.details.uid.split_once('.');
        if let Some((_, of_series)) = uid {
            content.details.uid = format!("{}.{of_series}", self.id);
        }
        content
    }
}
