//! The records that earlier runs brought, and the lists that a run read.

use std::{
    any::Any,
    collections::{HashMap, HashSet},
};

use app::{error::AppError, ports::ImportedRecord, resource::Resource};
use domain::{Event, Kind, Status};

use super::Move;
use crate::{import::missing_events::CANCELLED, source_site::SourceRecord};

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
    /// Whether a list had records that could not be read.
    partial: bool,
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

    /// Takes note of a list that has records which could not be read.
    pub(super) fn mark_partial(&mut self) {
        self.partial = true;
    }

    /// Whether all lists were read whole.
    pub(super) fn is_complete(&self) -> bool {
        !self.partial
    }

    /// The rows of the events.
    pub(super) fn of_events(&self) -> impl Iterator<Item = &ImportedRecord> {
        self.rows.values().filter(|row| row.kind == Kind::Event)
    }

    /// The rows of the records that the site did not show in this run, in the order of their kinds and
    /// identifiers.
    pub(super) fn unseen(&self) -> Vec<ImportedRecord> {
        let rows = self.rows.iter().filter(|(key, _)| !self.seen.contains(key));
        let mut rows: Vec<_> = rows.map(|(_, row)| row.clone()).collect();
        rows.sort_unstable_by(|one, other| (one.kind, &one.uid).cmp(&(other.kind, &other.uid)));
        rows
    }

    /// The rows of the copies of a series.
    pub(super) fn of_series(&self, series: i64) -> impl Iterator<Item = &ImportedRecord> {
        let rows = self.of_events();
        rows.filter(move |row| row.id == series && row.slot.is_some())
    }
}

impl Move<'_> {
    /// Reads the ledger of a kind.
    pub(super) async fn load(&mut self, kind: Kind) -> Result<(), AppError> {
        let mut after = String::new();
        loop {
            let imports = self.calendar.store().imports();
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

    /// Whether an earlier run put the record of a row into the trash, as the site did not show it.
    pub(super) fn was_pruned(&self, row: &ImportedRecord) -> bool {
        let known = self.known(row.kind, &row.uid);
        known.is_some_and(|known| known.digest == CANCELLED)
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

    /// Whether the lists that were read would have a record, if the site still had it.
    pub(super) fn would_be_shown<R: Resource>(&self, present: &R) -> bool {
        let event = (present as &dyn Any).downcast_ref::<Event>();
        let is_hidden = event.is_some_and(|event| event.details.hide_from_listings);
        let is_whole = |status: &Status| {
            self.ledger.whole.contains(&(R::KIND, *status))
                && (!is_hidden || self.ledger.named.contains(status))
        };
        let statuses = self.site.statuses();
        let all = statuses.len() > 1 && statuses.iter().all(is_whole);
        let is_published = is_whole(&Status::Publish) && present.is_published(self.calendar.now());
        !present.is_in_trash() && (all || is_published)
    }
}
