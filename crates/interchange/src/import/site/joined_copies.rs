//! Copies that an earlier run joined to a series.

use std::collections::BTreeSet;

use app::{error::AppError, ports::ImportedRecord, request::RecordKey, resource::Resource};
use domain::{
    Event, EventId, Kind, Record as _, Status, Stored,
    recurrence::{Recurrence, Rule, Slot},
    time::{NaiveDate, NaiveDateTime, parse_civil},
};
use serde_json::{Map, Value, json};

use super::{
    Arrived, Move, SiteImportError,
    arrival::{Adoption, digest},
    fields::name_of,
};
use crate::{import::rows::faults_of, source_site::SourceRecord};

/// The fields of a copy that its series has instead of it.
const OF_SERIES: [&str; 3] = ["slug", "date", "date_utc"];

/// The fields in which copies differ, because they follow from their dates.
const OF_DATES: [&str; 2] = ["start_date", "end_date"];

/// Most series that came from one by splits.
const MAX_SPLITS: usize = 100;

/// A copy without what its series has instead of it.
fn as_occurrence(copy: &SourceRecord) -> SourceRecord {
    let mut copy = SourceRecord {
        slug: None,
        author: None,
        ..copy.clone()
    };
    copy.fields.retain(|name, _| !OF_SERIES.contains(&&**name));
    copy
}

/// The values that a copy has in common with the others.
pub(super) fn content_of(copy: &SourceRecord) -> SourceRecord {
    let mut copy = as_occurrence(copy);
    copy.fields.retain(|name, _| !OF_DATES.contains(&&**name));
    copy
}

/// The digest of a copy as the site has it.
pub(super) fn digest_of_copy(copy: &SourceRecord) -> String {
    digest(&as_occurrence(copy))
}

/// Start and end of an event, as the site has them.
pub(super) fn dates(record: &SourceRecord) -> Option<(NaiveDateTime, NaiveDateTime)> {
    let date = |name| parse_civil(record.fields.get(name)?.as_str()?);
    date("start_date").zip(date("end_date"))
}

/// The state of the slot of a copy in the calendar.
pub(super) enum SlotState {
    /// A slot of this series.
    Slot(Box<Stored<Event>>, Slot),
    /// Nowhere: this series has deleted the slot, or is deleted.
    Deleted(Box<Stored<Event>>),
    /// The series has no such slot any more.
    Lost,
}

/// The key of an occurrence.
fn key(series: EventId, recurrence: &Recurrence, slot: Slot) -> RecordKey<Event> {
    RecordKey::Slot(series, recurrence.recurrence_id(slot))
}

impl Move<'_> {
    /// The state of a slot. A series that was split goes on as others.
    pub(super) async fn slot_state(&self, series: i64, slot: Slot) -> Result<SlotState, AppError> {
        let store = self.calendar.store();
        let mut next = Some(EventId::from_raw(series));
        for _ in 0..MAX_SPLITS {
            let Some(id) = next else { break };
            let Some(event) = store.events().find(id).await? else {
                break;
            };
            if event.is_in_trash() {
                return Ok(SlotState::Deleted(Box::new(event)));
            }
            let Some(own) = event.series() else { break };
            if own.recurrence.has_slot(slot) {
                let key = key(id, &own.recurrence, slot);
                let found = Event::locate(store, &key, false).await?;
                let is_there = found.is_some_and(|one| !one.is_in_trash());
                return Ok(if is_there {
                    SlotState::Slot(Box::new(event), slot)
                } else {
                    SlotState::Deleted(Box::new(event))
                });
            }
            next = own.next;
        }
        Ok(SlotState::Lost)
    }

    /// Compares a copy with its slot. Returns the series, if the copy is at the date of its slot.
    pub(super) async fn arrive_at_slot(
        &mut self,
        record: &SourceRecord,
        row: ImportedRecord,
    ) -> Result<Option<EventId>, SiteImportError> {
        let Some(slot) = row.slot else {
            return Ok(None);
        };
        let is_at_slot = dates(record).is_some_and(|(start, _)| start == slot.local());
        if row.digest == digest_of_copy(record) {
            self.series.entry(row.id).or_default();
            let here = Arrived::Here(row.id);
            self.arrived.insert((Kind::Event, record.id), here);
            return Ok(is_at_slot.then_some(EventId::from_raw(row.id)));
        }
        match self.slot_state(row.id, slot).await? {
            SlotState::Slot(series, slot) => self.change_slot(record, &series, slot).await?,
            SlotState::Deleted(series) if self.was_pruned(&row) && may_revive(&series, slot) => {
                self.revive_slot(record, &series, slot).await?;
                return Ok(is_at_slot.then_some(series.id));
            }
            SlotState::Deleted(_) => {
                self.series.entry(row.id).or_default();
                let remark = "changed there, and deleted here: it stays deleted";
                self.remark(name_of(record), remark);
                let row = self.row_of_slot(record, row.id, slot);
                self.remember(row).await?;
            }
            SlotState::Lost => {
                let remark = format!(
                    "its series has no {} any more: an event of its own",
                    slot.day()
                );
                self.remark(name_of(record), remark);
                let row = self.row(record, digest(record));
                self.arrive_as::<Event>(record, None, &[row]).await?;
            }
        }
        Ok(None)
    }

    /// Brings the occurrence of a copy back that an earlier run put into the trash, with its series if that
    /// is there, too.
    async fn revive_slot(
        &mut self,
        record: &SourceRecord,
        series: &Stored<Event>,
        slot: Slot,
    ) -> Result<(), SiteImportError> {
        if series.is_in_trash() {
            let key = RecordKey::Id(series.id);
            let status = Value::from(Status::Publish.name());
            let body = [("status".to_owned(), status)].into_iter().collect();
            self.attempt(record, Some(&key), &body, &[]).await?;
            if self.options.dry_run {
                self.series.insert(series.id.get(), true);
                let here = Arrived::Here(series.id.get());
                self.arrived.insert((Kind::Event, record.id), here);
                return Ok(());
            }
        }
        self.change_slot(record, series, slot).await
    }

    /// Changes the occurrence of a copy that changed. One that cannot have the values of the copy becomes
    /// an event of its own.
    async fn change_slot(
        &mut self,
        record: &SourceRecord,
        series: &Stored<Event>,
        slot: Slot,
    ) -> Result<(), SiteImportError> {
        let Some(own) = series.series() else {
            return Ok(());
        };
        let key = key(series.id, &own.recurrence, slot);
        let row = self.row_of_slot(record, series.id.get(), slot);
        let occurrence = as_occurrence(record);
        let mut arrived = self.write(&occurrence, Some(&key), &[row]).await?;
        if matches!(arrived, Arrived::Misfit) {
            let remark = "its series cannot have what it is now: an event of its own";
            self.remark(name_of(record), remark);
            // An empty digest equals no record, so that an interrupted run is continued here.
            let row = self.row(record, String::new());
            let body = [("detach".to_owned(), Value::Bool(true))];
            let body: Map<_, _> = body.into_iter().collect();
            let detached = self
                .attempt(record, Some(&key), &body, std::slice::from_ref(&row))
                .await?;
            let id = detached.record.id.get();
            self.know(&[row], id);
            if self.options.dry_run {
                self.tally::<Event>(Kind::Event, Some(&RecordKey::Id(series.id)), true);
                arrived = Arrived::Rehearsed;
            } else {
                return self.arrive::<Event>(record).await;
            }
        }
        self.arrived.insert((Kind::Event, record.id), arrived);
        Ok(())
    }

    /// Writes a row of the ledger, and nothing else.
    async fn remember(&mut self, row: ImportedRecord) -> Result<(), AppError> {
        let (id, rows) = (row.id, [row]);
        if !self.options.dry_run {
            self.calendar.in_unit(&Adoption { id, rows: &rows }).await?;
        }
        self.know(&rows, id);
        Ok(())
    }

    /// Adds new copies to a series.
    pub(super) async fn extend(
        &mut self,
        series: EventId,
        copies: &[SourceRecord],
    ) -> Result<(), SiteImportError> {
        let store = self.calendar.store();
        let present = store.events().find(series).await;
        let present = present.map_err(AppError::from)?;
        let present = present.filter(|event| !event.is_in_trash());
        let Some(own) = present.as_ref().and_then(|event| event.series()) else {
            return self.alone(copies.iter(), "its series is not here").await;
        };
        let recurrence = &own.recurrence;
        let rows = self.ledger.of_series(series.get());
        let mut taken: BTreeSet<Slot> = rows.filter_map(|row| row.slot).collect();
        let is_as_imported = is_regular(recurrence, &taken);
        let (mut added, mut apart) = (Vec::new(), Vec::new());
        for copy in copies {
            match dates(copy).map(|(start, _)| Slot::new(start)) {
                Some(slot) if taken.insert(slot) => added.push((copy, slot)),
                _ => apart.push(copy),
            }
        }
        let rows = added
            .iter()
            .map(|(copy, slot)| self.row_of_slot(copy, series.get(), *slot));
        let rows: Vec<_> = rows.collect();
        let is_new = |slot: &Slot| !own.is_held_at(*slot);
        let new: BTreeSet<Slot> = added.iter().map(|(_, slot)| *slot).filter(is_new).collect();
        let body = body(recurrence, &new, is_as_imported.then_some(&taken));
        if new.is_empty() {
            for row in &rows {
                self.remember(row.clone()).await?;
            }
        } else {
            let key = RecordKey::Id(series);
            match self.attempt(added[0].0, Some(&key), &body, &rows).await {
                Ok(_) => {
                    self.series.insert(series.get(), true);
                }
                Err(error) => {
                    let faults = faults_of(error)?;
                    let faults = faults.iter().map(|(_, fault)| &**fault);
                    let reason = faults.collect::<Vec<_>>().join("; ");
                    let reason = format!("its series cannot have its date ({reason})");
                    return self.alone(copies.iter(), &reason).await;
                }
            }
        }
        self.know(&rows, series.get());
        self.report.joined += rows.len() as u64;
        let here = Arrived::Here(series.get());
        for (copy, _) in added {
            self.remark(name_of(copy), "a further date of its series");
            self.arrived.insert((Kind::Event, copy.id), here);
        }
        self.alone(apart.into_iter(), "another copy has its date")
            .await
    }

    /// Imports copies one by one, for a reason.
    async fn alone(
        &mut self,
        copies: impl Iterator<Item = &SourceRecord> + Send,
        reason: &str,
    ) -> Result<(), SiteImportError> {
        for copy in copies {
            self.remark(name_of(copy), format_args!("it stays separate: {reason}"));
            self.arrive::<Event>(copy).await?;
        }
        Ok(())
    }
}

/// Whether a series with a deleted slot may get it back: it is not in the trash, or it is because its last
/// slot was deleted.
fn may_revive(series: &Event, slot: Slot) -> bool {
    let own = series.series().map(|own| &own.recurrence);
    own.is_some_and(|own| {
        own.has_slot(slot) && (!series.is_in_trash() || own.slots(..).next().is_none())
    })
}

/// The days of slots, in their order.
fn days(slots: &BTreeSet<Slot>) -> Vec<NaiveDate> {
    slots.iter().map(|slot| slot.day()).collect()
}

/// Whether a series has the rule and the dates with which an import of these slots made it.
fn is_regular(recurrence: &Recurrence, slots: &BTreeSet<Slot>) -> bool {
    let Some((rule, missing)) = Rule::of_dates(&days(slots)) else {
        return false;
    };
    let deleted = recurrence.deleted().iter().map(|slot| slot.day());
    let is_same = recurrence.rule().map(Rule::to_string) == Some(rule.to_string());
    is_same && recurrence.extra().is_empty() && deleted.eq(missing)
}

/// The recurrence with further slots: by a rule, if all slots of the series are known and regular, or else
/// as extra dates.
fn body(
    recurrence: &Recurrence,
    new: &BTreeSet<Slot>,
    all: Option<&BTreeSet<Slot>>,
) -> Map<String, Value> {
    let first = recurrence.first_slot();
    let all = all.filter(|all| all.first() == Some(&first));
    let recurrence = if let Some((rule, missing)) = all.and_then(|all| Rule::of_dates(&days(all))) {
        let missing: Vec<_> = missing.iter().map(ToString::to_string).collect();
        json!({ "rrule": rule.to_string(), "rdate": [], "exdate": missing })
    } else {
        let text = |slot: &Slot| recurrence.recurrence_id(*slot).to_string();
        let ruled = |slot: &&Slot| recurrence.has_rule_slot(**slot);
        let extra = recurrence
            .extra()
            .iter()
            .chain(new.iter().filter(|slot| !ruled(slot)));
        let extra: BTreeSet<_> = extra.map(text).collect();
        let deleted = recurrence.deleted().difference(new).map(text);
        json!({ "rdate": extra, "exdate": deleted.collect::<Vec<_>>() })
    };
    [("recurrence".to_owned(), recurrence)]
        .into_iter()
        .collect()
}
