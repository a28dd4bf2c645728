//! The records that earlier runs brought, and that the site does not show any more.

use std::any::Any;

use app::{
    calendar::{Calendar, Unit, Work},
    error::AppError,
    ports::{ImportedRecord, UnitOfWork},
    request::RecordKey,
    resource::Resource,
};
use async_trait::async_trait;
use domain::{
    Category, Event, EventId, Id, Kind, Organizer, Record as _, Stored, Tag, Venue, policy::Caller,
    recurrence::DateValue,
};

use super::{Move, SiteImportError, joined_copies::SlotState};
use crate::import::{
    missing_events::{CANCELLED, ends, is_doubtful, is_of_other},
    rows::faults_of,
};

/// The events that are read at once.
const PAGE: usize = 500;

/// A record that the site does not show any more.
struct Gone {
    row: ImportedRecord,
    /// The series that has the slot of the row now, and the date of the slot.
    slot: Option<(EventId, DateValue)>,
    title: String,
    /// Whether it is an event that has not ended.
    is_coming: bool,
}

impl Gone {
    /// The name of the record in remarks.
    fn name(&self) -> String {
        let (kind, id, title) = (self.row.kind, self.row.id, &self.title);
        match self.row.slot {
            Some(slot) => format!("{kind} {id}, {title} on {}", slot.day()),
            None => format!("{kind} {id}, {title}"),
        }
    }
}

/// The unit of work that puts a record into the trash.
struct Prune<'a, R> {
    calendar: &'a Calendar,
    caller: Caller,
    key: RecordKey<R>,
    /// The row of the ledger. It equals no record, so that the record comes back with that over there.
    row: ImportedRecord,
}

#[async_trait]
impl<R: Resource> Work for Prune<'_, R> {
    type Output = ();

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<(), AppError> {
        let writes = Unit::new(self.calendar, self.caller, unit);
        if !writes.trash(self.key.clone()).await? {
            return Ok(());
        }
        unit.imports().remember(&self.row).await?;
        // A series without dates is nothing.
        if let RecordKey::Slot(series, _) = &self.key {
            let series = EventId::from_raw(series.get());
            let present = unit.events().find(series).await?;
            let left = present.as_ref().and_then(|event| event.series());
            if left.is_some_and(|series| series.recurrence.slots(..).next().is_none()) {
                writes.trash::<Event>(series.into()).await?;
            }
        }
        Ok(())
    }
}

impl Move<'_> {
    /// Reports the records that the site does not show any more, and puts them into the trash if the
    /// options say so.
    pub(super) async fn leave_gone(&mut self) -> Result<(), SiteImportError> {
        let mut gone = Vec::new();
        for row in self.ledger.unseen() {
            let found = match row.kind {
                Kind::Event => self.gone::<Event>(row).await?,
                Kind::Venue => self.gone::<Venue>(row).await?,
                Kind::Organizer => self.gone::<Organizer>(row).await?,
                Kind::Category => self.gone::<Category>(row).await?,
                Kind::Tag => self.gone::<Tag>(row).await?,
            };
            gone.extend(found);
        }
        self.report.gone = gone.len() as u64;
        let prunes = self.options.prune && !gone.is_empty() && self.may_prune(&gone).await?;
        for one in gone {
            if !prunes {
                self.remark_gone(&one, "it stays here");
                continue;
            }
            match one.row.kind {
                Kind::Event => self.prune::<Event>(&one).await?,
                Kind::Venue => self.prune::<Venue>(&one).await?,
                Kind::Organizer => self.prune::<Organizer>(&one).await?,
                Kind::Category | Kind::Tag => {
                    self.remark_gone(&one, "it stays here, as terms have no trash");
                }
            }
        }
        Ok(())
    }

    fn remark_gone(&self, gone: &Gone, result: &str) {
        let remark = format!("the site does not show it any more: {result}");
        self.remark(gone.name(), remark);
    }

    /// The record of a row, if the site would show it.
    async fn gone<R: Resource>(&self, row: ImportedRecord) -> Result<Option<Gone>, AppError> {
        let store = self.calendar.store();
        let mut located = None;
        if let Some(slot) = row.slot {
            let SlotState::Slot(series, slot) = self.slot_state(row.id, slot).await? else {
                return Ok(None);
            };
            let Some(own) = series.series() else {
                return Ok(None);
            };
            located = Some((series.id, own.recurrence.recurrence_id(slot)));
        }
        let key = key_of::<R>(&row, located);
        let present = R::locate(store, &key, false).await?;
        let present = present.filter(|present| self.would_be_shown(&**present));
        // Another source may have brought it, too.
        let rows = store.imports().of_records(row.kind, &[row.id]).await?;
        let is_elsewhere = rows.iter().any(|one| is_of_other(one, &row.source));
        let present = present.filter(|_| !is_elsewhere);
        Ok(present.map(|present| {
            let event = (&present.content as &dyn Any).downcast_ref::<Event>();
            Gone {
                row,
                slot: located,
                title: present.title().as_str().to_owned(),
                is_coming: event.is_some_and(|event| ends(event) > self.calendar.now()),
            }
        }))
    }

    /// Whether records may go to the trash.
    async fn may_prune(&mut self, gone: &[Gone]) -> Result<bool, AppError> {
        let events = gone.iter().filter(|one| one.is_coming).count();
        let reason = if !self.ledger.is_complete() {
            "a list was not complete"
        } else if is_doubtful(events, self.coming().await?) {
            "half of the coming events or more are gone"
        } else {
            return Ok(true);
        };
        self.report.is_prune_refused = true;
        self.remark("prune", format_args!("{reason}: nothing goes to the trash"));
        Ok(false)
    }

    /// The number of events that earlier runs brought, and that have not ended.
    async fn coming(&self) -> Result<usize, AppError> {
        let now = self.calendar.now();
        let mut coming = 0;
        let (copies, events): (Vec<_>, Vec<_>) =
            self.ledger.of_events().partition(|row| row.slot.is_some());
        for rows in events.chunks(PAGE) {
            let ids: Vec<_> = rows.iter().map(|row| EventId::from_raw(row.id)).collect();
            let events = self.calendar.store().events().find_many(&ids).await?;
            let is_coming = |event: &&Stored<Event>| !event.is_in_trash() && ends(event) > now;
            coming += events.iter().filter(is_coming).count();
        }
        for row in copies {
            let Some(slot) = row.slot else { continue };
            if let SlotState::Slot(series, slot) = self.slot_state(row.id, slot).await? {
                let own = series.series();
                let time = own.and_then(|own| own.recurrence.time_at(slot));
                coming += usize::from(time.is_some_and(|time| time.end().utc > now));
            }
        }
        Ok(coming)
    }

    /// Puts a record into the trash.
    async fn prune<R: Resource>(&mut self, gone: &Gone) -> Result<(), SiteImportError> {
        let prune = Prune {
            calendar: self.calendar,
            caller: self.caller,
            key: key_of::<R>(&gone.row, gone.slot),
            row: ImportedRecord {
                digest: CANCELLED.to_owned(),
                ..gone.row.clone()
            },
        };
        match self.perform_or_rehearse(&prune).await {
            Ok(()) => {
                self.report.pruned += 1;
                self.remark_gone(gone, "it goes to the trash");
            }
            Err(error) => {
                let faults = faults_of(error)?;
                let reasons: Vec<_> = faults.into_iter().map(|(_, fault)| fault).collect();
                self.remark_gone(gone, &format!("it stays here: {}", reasons.join("; ")));
            }
        }
        Ok(())
    }
}

/// The key of the record of a row, or of the occurrence at its slot.
fn key_of<R>(row: &ImportedRecord, slot: Option<(EventId, DateValue)>) -> RecordKey<R> {
    match slot {
        Some((series, date)) => RecordKey::Slot(Id::from_raw(series.get()), date),
        None => RecordKey::Id(Id::from_raw(row.id)),
    }
}
