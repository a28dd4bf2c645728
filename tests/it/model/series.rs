//! Series and their occurrences in the model.

use std::collections::BTreeSet;

use domain::{
    Event, EventId, Id, Kind, Record as _, Stored,
    event::{OccurrenceOf, OverrideField, Renewal, Repetition, Series, SeriesSplit},
    policy::{Caller, Guarded, Visibility},
    recurrence::{Recurrence, Slot},
    time::EventTime,
};

use super::{
    fields::{Fields, Number, rule},
    state::{Expected, Model, Refusal},
    writes::{revised, writable},
};

/// The row of an occurrence, which has a record if it has fields of its own, and else what the series says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) series: EventId,
    pub(super) slot: Slot,
    /// The revision without a record, less the revision of the series.
    offset: i64,
}

/// The repetition of a new series.
pub(super) fn repeating(days: usize, first: &EventTime) -> Repetition {
    let rule = Some(rule(days).parse().unwrap());
    let none = BTreeSet::new;
    let recurrence = Recurrence::from_stored(first.clone(), rule, none(), none());
    Repetition::Series(Box::new(Series::new(recurrence)))
}

impl Model {
    /// An event: its record, or the occurrence that its series makes.
    pub(super) fn event(&self, id: EventId) -> Option<Stored<Event>> {
        self.events.get(&id).cloned().or_else(|| self.plain(id))
    }

    fn plain(&self, id: EventId) -> Option<Stored<Event>> {
        let Row { series, slot, offset } = self.occurrences.get(&id)?;
        let series = self.events.get(series)?;
        let content = series.occurrence_at(*slot)?;
        Some(Stored { id, revision: series.revision + offset, content })
    }

    /// All events, series and occurrences.
    pub(super) fn all_events(&self) -> Vec<Stored<Event>> {
        let plain = self.occurrences.keys().filter(|id| !self.events.contains_key(id));
        let plain = plain.filter_map(|id| self.plain(*id));
        self.events.values().cloned().chain(plain).collect()
    }

    pub(super) fn is_occurrence(&self, number: Number) -> bool {
        self.occurrences.contains_key(&Id::from_raw(number))
    }

    pub(super) fn is_series(&self, kind: Kind, number: Number) -> bool {
        let event = self.events.get(&Id::from_raw(number));
        kind == Kind::Event && event.is_some_and(|event| event.series().is_some())
    }

    /// Whether an occurrence is in the trash neither alone nor with its series.
    pub(super) fn is_held(&self, number: Number) -> bool {
        let row = self.occurrences.get(&Id::from_raw(number));
        row.is_some_and(|row| {
            let series = &self.events[&row.series];
            !series.is_in_trash() && series.series().is_some_and(|one| one.is_held_at(row.slot))
        })
    }

    /// Whether a series can be split before an occurrence.
    pub(super) fn splits(&self, number: Number) -> bool {
        let row = &self.occurrences[&Id::from_raw(number)];
        let series = &self.events[&row.series];
        SeriesSplit::at(series, row.slot, String::new(), self.now).is_ok()
    }

    /// The occurrences of a series that a caller may list, by start.
    pub(super) fn occurrences_of(&self, series: EventId, visibility: &Visibility) -> Vec<Number> {
        let of_series = self.occurrences.iter().filter(|(_, row)| row.series == series);
        let events = of_series.filter_map(|(id, _)| self.event(*id));
        let mut listed: Vec<_> = events
            .filter(|event| {
                let is_hidden = event.details.hide_from_listings;
                event.is_linkable(visibility) && (!is_hidden || visibility.caller.may_edit(event))
            })
            .map(|event| (event.details.when.start().utc, event.id.get()))
            .collect();
        listed.sort_unstable();
        listed.into_iter().map(|(_, number)| number).collect()
    }

    /// Adds the occurrences of a new series. Returns the last number.
    pub(super) fn add_occurrences(&mut self, series: EventId) -> Number {
        let slots = self.events[&series].series().map_or_else(Vec::new, Series::stored_slots);
        let mut last = series.get();
        for slot in slots {
            last += 1;
            self.occurrences.insert(Id::from_raw(last), Row { series, slot, offset: 0 });
        }
        last
    }

    /// Changes one occurrence.
    pub(super) fn write_occurrence(
        &mut self,
        caller: Caller,
        id: EventId,
        expected: Expected,
        fields: &Fields,
    ) -> Result<(), Refusal> {
        let before = self.event(id).ok_or(404_u16)?;
        writable(Some(&*before), caller, fields)?;
        expected.check(before.revision)?;
        let after = self.written_event(Some(&*before), caller, fields)?;
        let series = &self.events[&self.occurrences[&id].series];
        let is_sent = |field: OverrideField| fields.sends(field, before.language);
        let mut content = series.with_overrides(&before, after, is_sent).unwrap();
        content.modified = before.modified;
        if content != before.content {
            content.modified = self.now;
            self.set_override(&before, content);
        }
        Ok(())
    }

    fn set_override(&mut self, before: &Stored<Event>, content: Event) {
        let content = before.override_with(content);
        let own = Stored { id: before.id, revision: before.revision + 1, content };
        self.events.insert(before.id, own);
    }

    /// Puts one occurrence into the trash, or deletes it for good.
    pub(super) fn delete_occurrence(
        &mut self,
        caller: Caller,
        id: EventId,
        expected: Expected,
        force: bool,
    ) -> Result<(), Refusal> {
        let before = self.event(id).ok_or(404_u16)?;
        if !caller.may_edit(&before.content) {
            return Err(403);
        }
        expected.check(before.revision)?;
        let Row { series, slot, .. } = self.occurrences[&id];
        let had_record = self.events.contains_key(&id);
        self.delete_slot(series, slot);
        if force {
            self.occurrences.remove(&id);
            self.events.remove(&id);
        } else if !had_record {
            let before = self.plain(id).unwrap();
            let content = self.events[&series].inherited_by(&before, slot).unwrap();
            self.set_override(&before, content);
        }
        Ok(())
    }

    fn delete_slot(&mut self, series: EventId, slot: Slot) {
        let before = self.events.get(&series).cloned();
        self.change_series(series, |series| {
            let recurrence = &series.recurrence;
            let mut deleted = recurrence.deleted().clone();
            deleted.insert(slot);
            series.recurrence = recurrence.with_dates(recurrence.extra().clone(), deleted);
        });
        if let (Some(series), Some(before)) = (self.events.get_mut(&series), before) {
            series.content.modified = self.now;
            series.content.details.count_change_since(&before.details);
        }
        self.renew(series);
    }

    fn change_series(&mut self, series: EventId, change: impl FnOnce(&mut Series)) {
        if let Some(event) = self.events.get_mut(&series)
            && let Repetition::Series(series) = &mut event.content.details.repetition
        {
            change(series);
            event.revision += 1;
        }
    }

    /// Brings the records of occurrences in line with their changed series.
    pub(super) fn renew(&mut self, series: EventId) {
        let series = self.events[&series].clone();
        let rows = self.occurrences.iter_mut().filter(|(_, row)| row.series == series.id);
        for (id, row) in rows {
            let Some(own) = self.events.get_mut(id) else {
                continue;
            };
            match series.renew(own, None, false) {
                Renewal::Same => {}
                Renewal::Plain => {
                    row.offset = own.revision + 1 - series.revision;
                    self.events.remove(id);
                }
                Renewal::Changed(content) => {
                    own.revision += 1;
                    own.content = *content;
                }
            }
        }
    }

    /// Splits the series of an occurrence before it, and changes the second half, which gets a number. Nothing changes if
    /// that is refused.
    pub(super) fn split(
        &mut self,
        caller: Caller,
        number: Number,
        expected: Expected,
        fields: &Fields,
    ) -> Result<(), Refusal> {
        let id = Id::from_raw(number);
        let before = self.event(id).ok_or(404_u16)?;
        writable(Some(&*before), caller, fields)?;
        expected.check(before.revision)?;
        let mut model = self.clone();
        let Row { series, slot, .. } = model.occurrences[&id];
        let whole = model.events[&series].clone();
        let halves = SeriesSplit::at(&whole, slot, String::new(), model.now).unwrap();
        let second = Id::from_raw(model.created(Kind::Event) + 1);
        model.set_created(Kind::Event, second.get());
        let content = halves.second.clone();
        let next = content.series().and_then(|series| series.next);
        model.events.insert(second, Stored { id: second, revision: 1, content });
        for (id, row) in &mut model.occurrences {
            if row.series == series && row.slot >= slot {
                let own = model.events.get(id).map(|own| own.revision);
                let former = own.unwrap_or(whole.revision + row.offset);
                *row = Row { series: second, slot: row.slot, offset: former };
            }
        }
        model.renew(second);
        let content = halves.first_before(second);
        model.events.insert(series, Stored { id: series, revision: whole.revision + 1, content });
        model.renew(series);
        if let Some(next) = next {
            model.change_series(next, |series| series.previous = Some(second));
        }
        let half = model.events[&second].clone();
        let content = model.written_series(Some(&half.content), caller, fields)?;
        let is_changed = content != half.content;
        model.events.insert(second, revised(Some(&half), second, content));
        if is_changed {
            model.renew(second);
        }
        *self = model;
        Ok(())
    }

    /// Removes a series that was deleted for good, with its occurrences; its neighbours name each other.
    pub(super) fn remove_occurrences(&mut self, series: &Stored<Event>) {
        let Some(own) = series.series() else { return };
        let of_series = self.occurrences.extract_if(.., |_, row| row.series == series.id);
        for (id, _) in of_series {
            self.events.remove(&id);
        }
        if let Some(previous) = own.previous {
            self.change_series(previous, |series| series.next = own.next);
        }
        if let Some(next) = own.next {
            self.change_series(next, |series| series.previous = own.previous);
        }
    }
}

/// The part of an event that only an occurrence has.
pub(super) fn occurrence(event: &mut Event) -> Option<&mut OccurrenceOf> {
    match &mut event.details.repetition {
        Repetition::Occurrence(occurrence) => Some(occurrence),
        Repetition::Once | Repetition::Series(_) => None,
    }
}
