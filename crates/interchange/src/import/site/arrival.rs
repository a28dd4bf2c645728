//! One record of a site.

use std::any::Any;

use app::{
    calendar::{Calendar, CreateOptions, Prepared, Unit, Work},
    error::AppError,
    fault::Fault,
    ports::{FieldDigests, ImportedRecord, UnitOfWork},
    request::RecordKey,
    resource::Resource,
};
use async_trait::async_trait;
use domain::{
    Event, Id, Kind, Status, Stored, policy::Caller, slug::Slug, time::format_civil,
    web_url::WebUrl,
};
use forms::{Fields, Form, Reading};
use serde_json::{Map, Value, json};

use super::{
    Move, SiteImportError,
    fields::{Arrived, is_required, name_of},
    slugs::WantedSlug,
};
use crate::{
    import::rows::{self, faults_of, texts},
    source_site::SourceRecord,
};

/// The greatest ID that a record keeps.
const MAX_ID: i64 = i32::MAX as i64;

/// The events with a wrong time in UTC that are named.
const WRONG_UTC_NAMED: u64 = 5;

/// The result of the unit of work of a record.
pub(super) struct Written<R> {
    pub(super) record: Stored<R>,
    pub(super) is_changed: bool,
}

/// The unit of work of a record: its creation or change, and its row in the ledger.
struct Arrival<'a, R: Resource> {
    calendar: &'a Calendar,
    caller: Caller,
    write: Prepared<R>,
    options: CreateOptions,
    /// The record here; none for a new one.
    present: Option<RecordKey<R>>,
    /// The rows of the ledger, without the ID of the record.
    ledger: &'a [ImportedRecord],
}

#[async_trait]
impl<R: Resource> Work for Arrival<'_, R> {
    type Output = Written<R>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Written<R>, AppError> {
        let writes = Unit::new(self.calendar, self.caller, unit).announcing_moves(false);
        let mut before = None;
        let written = match &self.present {
            None => Written {
                record: writes.create(&self.write, &self.options).await?,
                is_changed: true,
            },
            Some(key) => {
                let updated = writes.update(key, &self.write, &self.options).await?;
                let is_changed = updated.after.content != updated.before.content;
                before = Some(updated.before.content.clone());
                Written {
                    is_changed,
                    record: updated.after,
                }
            }
        };
        for row in self.ledger {
            let mut row = with_id(row, written.record.id.get());
            // The date of a series has no fields of its own.
            if row.slot.is_none() {
                let after = &written.record.content;
                row.fields = match &before {
                    None => FieldDigests::of(after),
                    Some(before) => row.fields.next(before, after),
                };
            }
            unit.imports().remember(&row).await?;
        }
        Ok(written)
    }
}

/// A row of the ledger with the ID of its record, unless it has one (a slot has the ID of its series).
pub(super) fn with_id(row: &ImportedRecord, id: i64) -> ImportedRecord {
    let id = if row.id == 0 { id } else { row.id };
    ImportedRecord { id, ..row.clone() }
}

/// The digest of a record as the site has it.
pub(super) fn digest(record: &SourceRecord) -> String {
    let mut related: Vec<_> = record
        .related
        .iter()
        .map(|one| (one.kind.name(), one.id))
        .collect();
    related.sort_unstable();
    rows::digest(json!({
        "fields": record.fields,
        "slug": record.slug,
        "author": record.author,
        "parent": record.parent,
        "locked": record.locked,
        "related": related,
    }))
}

impl Move<'_> {
    /// Imports a record.
    pub(super) async fn arrive<R: Form>(
        &mut self,
        record: &SourceRecord,
    ) -> Result<(), SiteImportError> {
        let row = self.row(record, digest(record));
        let known = self.known(record.kind, &row.uid).cloned();
        self.arrive_as::<R>(record, known, &[row]).await
    }

    /// The row of the ledger of a record, without its ID here.
    pub(super) fn row(&self, record: &SourceRecord, digest: String) -> ImportedRecord {
        ImportedRecord {
            source: self.site.name().to_owned(),
            kind: record.kind,
            uid: record.uid(self.site.name()),
            id: 0,
            sequence: 0,
            stamp: None,
            digest,
            slot: None,
            fields: FieldDigests::default(),
        }
    }

    /// Imports a record, for which an earlier run may have written a row of the ledger.
    pub(super) async fn arrive_as<R: Form>(
        &mut self,
        record: &SourceRecord,
        known: Option<ImportedRecord>,
        rows: &[ImportedRecord],
    ) -> Result<(), SiteImportError> {
        let kind = record.kind;
        let arrived = match known {
            Some(known) if known.digest == rows[0].digest => {
                self.report.counts.entry(kind).or_default().unchanged += 1;
                Arrived::Here(known.id)
            }
            known => {
                let mut rows = rows.to_vec();
                if let (Some(row), Some(known)) = (rows.first_mut(), &known) {
                    row.fields = known.fields.clone();
                }
                let present = known.map(|row| RecordKey::Id(Id::from_raw(row.id)));
                self.write::<R>(record, present.as_ref(), &rows).await?
            }
        };
        self.arrived.insert((kind, record.id), arrived);
        Ok(())
    }

    /// Creates or changes a record, if need be without the fields that are not valid here.
    pub(super) async fn write<R: Form>(
        &mut self,
        record: &SourceRecord,
        present: Option<&RecordKey<R>>,
        rows: &[ImportedRecord],
    ) -> Result<Arrived, SiteImportError> {
        let (kind, url) = (record.kind, name_of(record));
        for note in record.notes.iter().filter(|_| present.is_none()) {
            self.remark(&url, note);
        }
        let mut body = self.body(record).await?;
        self.put_status(record, &mut body, present.is_none());
        let mut rows = rows.to_vec();
        let mut here = Arrived::Refused;
        if let Some(key) = present {
            let before = R::locate(self.calendar.store(), key, false).await?;
            let before = before.ok_or_else(R::not_found)?;
            // An occurrence without a record counts as its series.
            if let Some(id) = before.id.or_else(|| key.id()) {
                here = Arrived::Here(id.get());
            }
            let known = rows.first().and_then(|row| self.known(row.kind, &row.uid));
            let mut kept = self.update_of(&before.content, known, &body);
            let was_pruned = rows.first().is_some_and(|row| self.was_pruned(row));
            if was_pruned && before.is_in_trash() {
                let status = self.options.status.unwrap_or(Status::Publish);
                let published = || status.name().into();
                let status = body.get("status").cloned().unwrap_or_else(published);
                kept.get_or_insert_default()
                    .insert("status".to_owned(), status);
            }
            let Some(kept) = kept else {
                self.tally(kind, present, false);
                return Ok(here);
            };
            body = kept;
        }
        if self.options.dry_run {
            // Nothing is fetched either.
            body.remove("image");
        }
        if !self.take_pictures(record, &mut body).await? {
            try_again(&mut rows);
        }
        loop {
            let faults = match self.attempt(record, present, &body, &rows).await {
                Ok(written) => {
                    self.know(&rows, written.record.id.get());
                    let asks = present.is_none() || body.contains_key("slug");
                    return Ok(self.count(record, present, &written, asks));
                }
                Err(AppError::TermExists { term_id }) if present.is_none() => {
                    return Ok(self.adopt(kind, term_id, &rows).await?);
                }
                Err(AppError::Invalid(faults))
                    if faults.values().any(|fault| *fault == Fault::OfSeriesOnly) =>
                {
                    return Ok(Arrived::Misfit);
                }
                Err(AppError::Invalid(faults))
                    if faults.keys().all(|field| {
                        let field = field.split('[').next().unwrap_or_default();
                        !is_required(kind, field) && body.contains_key(field)
                    }) =>
                {
                    faults
                }
                Err(error) => {
                    let faults = faults_of(error)?;
                    self.remark(&url, format_args!("not taken: {}", list(&faults)));
                    self.report.counts.entry(kind).or_default().refused += 1;
                    return Ok(here);
                }
            };
            for field in faults.keys() {
                body.remove(field.split('[').next().unwrap_or_default());
            }
            if faults.contains_key("image") {
                self.report.failed_images += 1;
                try_again(&mut rows);
            }
            self.remark(&url, format_args!("left out: {}", list(&texts(&faults))));
        }
    }

    /// Runs the unit of work of a record, and undoes it in a run that writes nothing.
    pub(super) async fn attempt<R: Form>(
        &self,
        record: &SourceRecord,
        present: Option<&RecordKey<R>>,
        body: &Map<String, Value>,
        ledger: &[ImportedRecord],
    ) -> Result<Written<R>, AppError> {
        let fields = Fields::from_body(body.clone());
        let image = body.get("image").and_then(Value::as_str);
        let image: Option<WebUrl> = image.and_then(|url| url.parse().ok());
        let (calendar, caller) = (self.calendar, self.caller);
        let reading = Reading::of(calendar, caller);
        let write = match present {
            None => calendar.check_new(caller, &forms::create::<R>(&fields, reading))?,
            Some(_) => calendar.check_update(caller, &forms::update::<R>(&fields, reading))?,
        };
        let images = calendar.fetch_images(caller, image.iter().collect(), 1);
        // Venues and organizers have no field for it.
        let is_place = matches!(record.kind, Kind::Venue | Kind::Organizer);
        let slug = record.slug.as_deref().filter(|_| is_place);
        let arrival = Arrival::<R> {
            calendar,
            caller,
            write: write.with_images(images.await?),
            options: CreateOptions {
                id: (1..=MAX_ID).contains(&record.id).then_some(record.id),
                image_id: record.image_id.filter(|id| (1..=MAX_ID).contains(id)),
                slug: slug.and_then(Slug::normalize),
                modified: record.modified,
                origin: None,
            },
            present: present.cloned(),
            ledger,
        };
        let done = self.perform_or_rehearse(&arrival).await;
        calendar.discard_unused(arrival.write.images()).await;
        done
    }

    /// Runs work, and undoes it in a run that writes nothing.
    pub(super) async fn perform_or_rehearse<W: Work>(
        &self,
        work: &W,
    ) -> Result<W::Output, AppError> {
        if self.options.dry_run {
            self.calendar.rehearse(work).await
        } else {
            self.calendar.in_unit(work).await
        }
    }

    /// Uses a term of the same name that is here already.
    async fn adopt(
        &mut self,
        kind: Kind,
        id: i64,
        rows: &[ImportedRecord],
    ) -> Result<Arrived, AppError> {
        self.report.counts.entry(kind).or_default().unchanged += 1;
        if !self.options.dry_run {
            self.calendar.in_unit(&Adoption { id, rows }).await?;
        }
        self.know(rows, id);
        Ok(Arrived::Here(id))
    }

    /// Counts a record by what became of it. A series counts once, whatever its copies.
    pub(super) fn tally<R>(
        &mut self,
        kind: Kind,
        present: Option<&RecordKey<R>>,
        is_changed: bool,
    ) {
        let counts = self.report.counts.entry(kind).or_default();
        match present {
            None => counts.created += 1,
            Some(RecordKey::Slot(series, _)) => {
                *self.series.entry(series.get()).or_default() |= is_changed;
            }
            Some(_) if is_changed => counts.updated += 1,
            Some(_) => counts.unchanged += 1,
        }
    }

    /// Counts a record that was written, and compares it with the site.
    fn count<R: Resource>(
        &mut self,
        record: &SourceRecord,
        present: Option<&RecordKey<R>>,
        written: &Written<R>,
        asks_for_slug: bool,
    ) -> Arrived {
        let (kind, url, id) = (record.kind, name_of(record), written.record.id.get());
        self.tally(kind, present, written.is_changed);
        if present.is_none() || written.is_changed {
            self.brought.put(kind, id, present.is_none());
        }
        if present.is_none() {
            if id != record.id {
                self.report.renumbered += 1;
                self.remark(
                    &url,
                    format_args!("the ID {} is taken: it is {id} here", record.id),
                );
            }
            if let Some(event) = (&written.record.content as &dyn Any).downcast_ref::<Event>() {
                self.compare_utc(record, event);
            }
        }
        let wanted = record.slug.as_deref().and_then(Slug::normalize);
        if let (Some(wanted), Some(slug)) = (wanted, written.record.content.slug())
            && asks_for_slug
            && wanted != *slug
        {
            self.slugs.push(WantedSlug {
                kind,
                id,
                name: url,
                wanted,
                slug: slug.clone(),
            });
        }
        match present {
            None if self.options.dry_run => Arrived::Rehearsed,
            None | Some(_) => Arrived::Here(id),
        }
    }

    /// Compares the instants of an event with those of the site.
    fn compare_utc(&mut self, record: &SourceRecord, event: &Event) {
        let when = &event.details.when;
        let ours = [when.start(), when.end()].map(|moment| format_civil(moment.utc.civil()));
        let Some(theirs) = record.utc.as_ref().filter(|theirs| **theirs != ours) else {
            return;
        };
        self.report.wrong_utc += 1;
        if self.report.wrong_utc <= WRONG_UTC_NAMED {
            let zone = when.zone().name();
            let remark = format!(
                "{} to {} UTC there, {} to {} by {zone}",
                theirs[0], theirs[1], ours[0], ours[1]
            );
            self.remark(name_of(record), remark);
        }
    }
}

/// Lets another run take the record again.
fn try_again(rows: &mut [ImportedRecord]) {
    for row in rows {
        row.digest.clear();
    }
}

/// Rows of the ledger for a record that is here already.
pub(super) struct Adoption<'a> {
    pub(super) id: i64,
    pub(super) rows: &'a [ImportedRecord],
}

#[async_trait]
impl Work for Adoption<'_> {
    type Output = ();

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<(), AppError> {
        for row in self.rows {
            unit.imports().remember(&with_id(row, self.id)).await?;
        }
        Ok(())
    }
}

/// Faults in one line.
fn list(faults: &[(String, String)]) -> String {
    let texts = faults.iter().map(|(field, fault)| {
        if field.is_empty() {
            fault.clone()
        } else {
            format!("{field}: {fault}")
        }
    });
    texts.collect::<Vec<_>>().join("; ")
}
