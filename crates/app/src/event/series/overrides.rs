//! Overrides: occurrences with a record of their own.

use std::collections::HashMap;

use domain::{
    Event, EventId, Stored,
    event::{OwnFields, Repetition},
    recurrence::Slot,
};

use crate::{
    error::AppError,
    ports::{Repositories, SlugRequests},
};

/// Gives an occurrence a record of its own.
pub(super) async fn set_own(
    before: &Stored<Event>,
    content: Event,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let content = with_own_uid(before, content);
    Ok(unit.occurrences().set_own(before, content).await?)
}

/// The content of the record of an occurrence. Its UID has its ID instead of its slot, so that two
/// occurrences whose slots move onto each other keep different UIDs.
pub(super) fn with_own_uid(before: &Stored<Event>, mut content: Event) -> Event {
    let uid = content.details.uid.split_once('.');
    if let Some((_, of_series)) = uid {
        content.details.uid = format!("{}.{of_series}", before.id);
    }
    content
}

/// Renews own records of a series. `slots` are the present slots of those whose slots have changed.
pub(super) async fn renew_all(
    series: &Stored<Event>,
    own: Vec<Stored<Event>>,
    slots: &HashMap<EventId, Slot>,
    resets: bool,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let (mut cleared, mut changed) = (Vec::new(), Vec::new());
    for own in own {
        match renewed(series, &own, slots.get(&own.id).copied(), resets) {
            Renewed::Same => {}
            Renewed::Plain => cleared.push(own),
            Renewed::Changed(content) => changed.push((own, *content)),
        }
    }
    if !cleared.is_empty() || !changed.is_empty() {
        unit.occurrences().renew(series, &cleared, &changed).await?;
    }
    Ok(())
}

/// Renews one own record, and returns the occurrence.
pub(super) async fn renew_one(
    series: &Stored<Event>,
    own: Stored<Event>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    Ok(match renewed(series, &own, None, false) {
        Renewed::Same => own,
        Renewed::Plain => unit.occurrences().clear_own(series, &own).await?,
        Renewed::Changed(content) => {
            let none = SlugRequests::default();
            unit.events().update(&own, *content, none).await?
        }
    })
}

/// The state of an own record after a change of its series.
enum Renewed {
    /// It stays as it is.
    Same,
    /// It goes: the occurrence has nothing of its own.
    Plain,
    /// It gets new content.
    Changed(Box<Event>),
}

fn renewed(series: &Stored<Event>, own: &Event, slot: Option<Slot>, resets: bool) -> Renewed {
    let Some(occurrence) = own.occurrence() else {
        return Renewed::Same;
    };
    let slot = slot.unwrap_or(occurrence.slot);
    let mut source = own.clone();
    if resets && let Repetition::Occurrence(occurrence) = &mut source.details.repetition {
        occurrence.own = OwnFields::default();
    }
    let Some(content) = series.inherited_by(&source, slot) else {
        return Renewed::Same;
    };
    let is_plain = content.occurrence().is_some_and(|one| one.own.is_empty());
    let is_held = series.series().is_some_and(|one| one.is_held_at(slot));
    match () {
        () if is_plain && is_held => Renewed::Plain,
        () if content == *own => Renewed::Same,
        () => Renewed::Changed(Box::new(content)),
    }
}
