//! The records that earlier runs brought, and which of them the site no longer has.

use std::{
    any::Any,
    collections::{HashMap, HashSet},
};

use domain::{Category, Event, Id, Kind, Organizer, Status, Tag, Venue, recurrence::DateValue};

use super::{Move, SiteImportError};
use crate::{
    error::AppError,
    ports::{ImportedRecord, SourceRecord},
    request::RecordKey,
    resource::{Changes as _, Resource},
};

/// The rows that are read at once.
const PAGE: u64 = 1000;

/// The rows of the ledger of the site.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    rows: HashMap<(Kind, String), ImportedRecord>,
    /// The identifiers that the site showed in this run.
    seen: HashSet<(Kind, String)>,
    /// The statuses of which the site showed the whole list.
    whole: HashSet<(Kind, Status)>,
    /// The statuses of which the site named all events, hidden ones too.
    named: HashSet<Status>,
}

impl Ledger {
    pub(super) fn see(&mut self, kind: Kind, uid: String) {
        self.seen.insert((kind, uid));
    }

    pub(super) fn is_whole(&mut self, kind: Kind, status: Status) {
        self.whole.insert((kind, status));
    }

    pub(super) fn are_named(&mut self, status: Status) {
        self.named.insert(status);
    }

    /// The rows of the copies of a series.
    pub(super) fn of_series(&self, series: i64) -> impl Iterator<Item = &ImportedRecord> {
        let rows = self.rows.values();
        rows.filter(move |row| row.kind == Kind::Event && row.id == series && row.slot.is_some())
    }
}

impl Move<'_> {
    /// Reads the ledger of a kind.
    pub(super) async fn load(&mut self, kind: Kind) -> Result<(), AppError> {
        let mut after = String::new();
        loop {
            let imports = self.calendar.store.imports();
            let rows = imports.page(self.site.name(), kind, &after, PAGE).await?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after.clone_from(&last.uid);
            let rows = rows.into_iter();
            self.ledger
                .rows
                .extend(rows.map(|row| ((kind, row.uid.clone()), row)));
        }
    }

    /// The row of the ledger of a record.
    pub(super) fn known(&self, kind: Kind, uid: &str) -> Option<&ImportedRecord> {
        self.ledger.rows.get(&(kind, uid.to_owned()))
    }

    /// Takes note of rows that were written, with the ID of their record.
    pub(super) fn know(&mut self, rows: &[ImportedRecord], id: i64) {
        if self.options.dry_run {
            return;
        }
        for row in rows {
            let row = super::arrival::with_id(row, id);
            self.ledger.rows.insert((row.kind, row.uid.clone()), row);
        }
    }

    /// Takes note of a record that the site shows.
    pub(super) fn see(&mut self, record: &SourceRecord) {
        self.ledger.see(record.kind, record.uid(self.site.name()));
    }

    /// Reports the records that the site does not show any more. They stay here.
    pub(super) async fn report_gone(&mut self) -> Result<(), SiteImportError> {
        let gone = self.ledger.rows.iter();
        let gone = gone.filter(|(key, _)| !self.ledger.seen.contains(key));
        let mut gone: Vec<_> = gone.map(|(_, row)| row.clone()).collect();
        gone.sort_unstable_by(|one, other| (one.kind, &one.uid).cmp(&(other.kind, &other.uid)));
        for row in gone {
            match row.kind {
                Kind::Event => self.report_one::<Event>(&row).await?,
                Kind::Venue => self.report_one::<Venue>(&row).await?,
                Kind::Organizer => self.report_one::<Organizer>(&row).await?,
                Kind::Category => self.report_one::<Category>(&row).await?,
                Kind::Tag => self.report_one::<Tag>(&row).await?,
            }
        }
        Ok(())
    }

    /// Whether the lists that were read would have a record, if the site still had it.
    fn would_be_shown<R: Resource>(&self, present: &R) -> bool {
        let event = (present as &dyn Any).downcast_ref::<Event>();
        let is_hidden = event.is_some_and(|event| event.details.hide_from_listings);
        let is_whole = |status: &Status| {
            self.ledger.whole.contains(&(R::KIND, *status))
                && (!is_hidden || self.ledger.named.contains(status))
        };
        let statuses = self.site.statuses();
        let all = statuses.len() > 1 && statuses.iter().all(is_whole);
        let is_public = is_whole(&Status::Publish) && present.is_published(self.calendar.now());
        !present.is_in_trash() && (all || is_public)
    }

    async fn report_one<R: Resource>(&mut self, row: &ImportedRecord) -> Result<(), AppError> {
        let id = Id::<R>::from_raw(row.id);
        let key = match row.slot {
            Some(slot) => RecordKey::Slot(id, DateValue::Local(slot.local())),
            None => RecordKey::Id(id),
        };
        let present = R::Changes::locate(&*self.calendar.store, &key, false).await?;
        let Some(present) = present.filter(|present| self.would_be_shown(&**present)) else {
            return Ok(());
        };
        self.report.gone += 1;
        let date = row.slot.map(|slot| format!(" on {}", slot.day()));
        let title = present.title().as_str();
        let subject = format!(
            "{} {}, {title}{}",
            row.kind,
            row.id,
            date.unwrap_or_default()
        );
        self.remark(subject, "the site does not show it any more: it stays here");
        Ok(())
    }
}
