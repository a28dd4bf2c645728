//! The writes of an event of a file.

use std::{borrow::Cow, collections::HashSet};

use app::{
    calendar::Unit,
    error::AppError,
    feed::FeedStatus,
    ports::{FieldDigests, ImportedRecord, OccurrenceFilter, UnitOfWork},
    request::{Origin, RecordKey},
    write::EventUpdate,
};
use async_trait::async_trait;
use domain::{
    Event, EventId, FieldName, Id, Kind, Record as _, Status, Stored,
    recurrence::{DateValue, InvalidRecurrence, Recurrence, RecurrenceParts, horizon},
    source::UpdatePolicy,
    text::fold,
    time::Timestamp,
};

use super::{
    age::{is_later, is_older, is_older_override},
    content::{Content, Parts, Until, of_overrides, parts, titled, untitled},
    fields::EventBuilder,
    file::FileEvent,
};
use crate::{
    Finding, FindingCode, ReadEvent,
    import::{
        apply::{Applied, Effect, FileRecord, WEIGHT, Writer, with_origin},
        missing_events::CANCELLED,
        policy,
    },
};

/// Begins the digest of an event of which the source had overrides alone: what it has now is all that there
/// is.
const OVERRIDES: &str = "occurrences ";

/// Most occurrences of a series that are counted.
const MAX_OCCURRENCES: usize = 5000;

/// Separates the identifier of a series from the date from which on it goes on as another one.
const SPLIT: char = '\u{1f}';

/// The identifier of the event itself, of that in the ledger.
pub(super) fn event_uid(uid: &str) -> &str {
    uid.split(SPLIT).next().unwrap_or(uid)
}

impl FileEvent {
    /// The master event and its overrides. `None` if the file has overrides alone and all are cancelled.
    fn whole(&self) -> Option<(Cow<'_, ReadEvent>, Cow<'_, [ReadEvent]>)> {
        if let Some(event) = &self.event {
            return Some((Cow::Borrowed(event), Cow::Borrowed(&self.overrides)));
        }
        let (first, others) = of_overrides(self)?;
        Some((Cow::Owned(first), Cow::Owned(others)))
    }
}

#[async_trait]
impl FileRecord for FileEvent {
    fn kind(&self) -> Kind {
        Kind::Event
    }

    fn uid(&self) -> &str {
        &self.uid
    }

    fn weight(&self, horizon: Timestamp, names: &mut HashSet<String>) -> usize {
        let mut weight = WEIGHT * self.overrides.len();
        let Some(event) = &self.event else {
            return weight;
        };
        let categories = event.categories.iter().map(|name| fold(name));
        weight += WEIGHT * (1 + categories.filter(|name| names.insert(name.clone())).count());
        if event.recurrence == RecurrenceParts::default() {
            return weight;
        }
        let recurrence = Recurrence::new(event.when.clone(), event.recurrence.clone());
        weight
            + match recurrence {
                Ok(recurrence) => {
                    let end = if recurrence.is_endless() {
                        horizon
                    } else {
                        Timestamp::MAX
                    };
                    recurrence.count_before(end, MAX_OCCURRENCES)
                }
                // As many dates as fit are taken.
                Err(InvalidRecurrence::TooManySlots | InvalidRecurrence::TooManyDates) => {
                    MAX_OCCURRENCES
                }
                // A rule that is not taken writes nothing.
                Err(_) => 0,
            }
    }

    fn finding(&self, field: Option<&str>, code: FindingCode) -> Finding {
        let property = match field {
            None if code == FindingCode::Forbidden => "UID",
            Some("title") => "SUMMARY",
            Some("start_date" | "timezone" | "all_day") => "DTSTART",
            Some("end_date") => "DTEND",
            Some("recurrence") => "RRULE",
            Some("scope") => "RECURRENCE-ID",
            Some("description") => "DESCRIPTION",
            Some("venue") => "LOCATION",
            Some("organizer") => "ORGANIZER",
            Some("categories") => "CATEGORIES",
            Some("website") => "URL",
            _ => "VEVENT",
        };
        let whole = self.whole();
        let event = whole.as_ref().map(|(event, _)| &**event);
        Finding {
            line: event.map_or(0, |event| event.line),
            uid: event.and_then(|event| event.uid.clone()),
            property: Some(property.to_owned()),
            code,
        }
    }

    async fn apply(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Applied, AppError> {
        let is_whole = match known {
            Some(known) if self.event.is_none() => is_of_overrides(unit, known).await?,
            _ => true,
        };
        let whole = self.whole().filter(|_| is_whole);
        let (event, overrides) = match (whole, self.overrides.first(), known) {
            (Some(whole), ..) => whole,
            // Overrides say nothing about the rest of a series.
            (None, Some(first), Some(known)) => {
                let write = Write::new(self, writer, unit, first, Some(known));
                return write.overrides(known, &self.overrides).await;
            }
            _ => return Ok(Effect::Unchanged.into()),
        };
        let event = titled(&event, untitled(writer.calendar.site().language));
        let mut write = Write::new(self, writer, unit, &event, known);
        if event.status == FeedStatus::Cancelled {
            let effect = write.cancel(known).await?;
            return Ok(write.done(effect, Vec::new()));
        }
        if known.is_none() && write.is_taken().await? {
            let refused = event.finding("UID", FindingCode::ForeignUid);
            return Ok(Effect::Refused(refused).into());
        }
        // An occurrence that is gone may have been the newest one.
        if self.event.is_some() && known.is_some_and(|known| is_older(&event, known)) {
            return Ok(Effect::Unchanged.into());
        }
        let (calendar, now) = (writer.calendar, writer.calendar.now());
        let site = calendar.site();
        let until = Until {
            now,
            horizon: horizon(now, &site.zone, site.recurrence_months),
        };
        let (parent, unknown) = write.parent(known).await?;
        let mut content = match Content::of(&event, &overrides, parent, until) {
            Ok(content) => content,
            Err(finding) => return Ok(Effect::Refused(finding).into()),
        };
        content.warnings.extend(unknown);
        let effect = match known {
            None => write.create(&content).await?,
            Some(known) => write.update(known, &content).await?,
        };
        Ok(write.done(effect, content.warnings))
    }
}

/// Whether an event that the source brought consists of overrides alone.
async fn is_of_overrides(unit: &dyn UnitOfWork, known: &ImportedRecord) -> Result<bool, AppError> {
    if known.digest.starts_with(OVERRIDES) {
        return Ok(true);
    }
    let present = unit.events().find(EventId::from_raw(known.id)).await?;
    Ok(present.is_none_or(|event| event.series().is_none()))
}

/// The writes of one event.
struct Write<'a> {
    writer: &'a Writer<'a>,
    unit: &'a dyn UnitOfWork,
    uid: &'a str,
    event: &'a ReadEvent,
    /// The beginning of its digest.
    mark: &'static str,
    /// Whether the file has a later state than the last import: only such a one announces moves.
    is_later: bool,
    /// The rows that the ledger gets.
    ledger: Vec<ImportedRecord>,
}

impl<'a> Write<'a> {
    fn new(
        of: &'a FileEvent,
        writer: &'a Writer<'a>,
        unit: &'a dyn UnitOfWork,
        event: &'a ReadEvent,
        known: Option<&ImportedRecord>,
    ) -> Self {
        let mark = if of.event.is_none() { OVERRIDES } else { "" };
        Self {
            writer,
            unit,
            uid: &of.uid,
            event,
            mark,
            is_later: known.is_some_and(|known| is_later(of, known)),
            ledger: Vec::new(),
        }
    }

    /// Writes the overrides of a known event.
    async fn overrides(
        mut self,
        known: &ImportedRecord,
        overrides: &[ReadEvent],
    ) -> Result<Applied, AppError> {
        let is_new = |one: &&ReadEvent| !is_older_override(one, known);
        let newer: Vec<_> = overrides.iter().filter(is_new).cloned().collect();
        let present = self.unit.events().find(Id::from_raw(known.id)).await?;
        let effect = match present {
            Some(present) if present.series().is_some() => {
                self.change_overrides(present, known, &newer).await?
            }
            // The only date of the event is called off.
            Some(present) if newer.iter().any(|one| is_of(one, &present)) => {
                self.cancel(Some(known)).await?
            }
            _ => Effect::Unchanged,
        };
        Ok(self.done(effect, Vec::new()))
    }

    fn digest(&self, content: &Content) -> String {
        format!("{}{}", self.mark, content.digest(self.event.sequence))
    }

    fn done(self, effect: Effect, warnings: Vec<Finding>) -> Applied {
        Applied {
            effect,
            ledger: self.ledger,
            warnings,
        }
    }

    /// Whether an event has the identifier that this source did not bring.
    async fn is_taken(&self) -> Result<bool, AppError> {
        let uids = [self.uid.to_owned()];
        Ok(!self.unit.events().find_uids(&uids).await?.is_empty())
    }

    /// Puts the event into the trash that was called off, if this source brought it.
    async fn cancel(&mut self, known: Option<&ImportedRecord>) -> Result<Effect, AppError> {
        let Some(known) = known else {
            return Ok(Effect::Unchanged);
        };
        let stays = self.writer.options.policy == UpdatePolicy::Keep
            || known.digest == CANCELLED
            || is_older(self.event, known);
        if stays {
            return Ok(Effect::Unchanged);
        }
        let id = Id::from_raw(known.id);
        self.trash_splits().await?;
        if !self
            .writer
            .unit(self.unit)
            .trash::<Event>(id.into())
            .await?
        {
            return Ok(Effect::Unchanged);
        }
        self.remember(self.uid, id, CANCELLED, known.fields.clone());
        Ok(Effect::Cancelled)
    }

    /// Puts the series into the trash that an earlier import split off.
    async fn trash_splits(&self) -> Result<(), AppError> {
        let begin = format!("{}{SPLIT}", self.uid);
        let (source, ledger) = (&self.writer.options.source, self.unit.imports());
        let parts = ledger.page(source, Kind::Event, &begin, 1000).await?;
        for part in parts.iter().take_while(|part| part.uid.starts_with(&begin)) {
            self.writer
                .unit(self.unit)
                .trash::<Event>(EventId::from_raw(part.id).into())
                .await?;
        }
        Ok(())
    }

    /// The event that this one is a part of. One that is not here, or that may not be its parent, is a
    /// warning.
    async fn parent(
        &self,
        known: Option<&ImportedRecord>,
    ) -> Result<(Option<EventId>, Option<Finding>), AppError> {
        let Some(uid) = &self.event.parent_uid else {
            return Ok((None, None));
        };
        let event = known.map(|known| Id::from_raw(known.id));
        let uids = std::slice::from_ref(uid);
        let found = self.unit.events().find_uids(uids).await?;
        if let Some((_, parent)) = found.first() {
            let writes = self.writer.unit(self.unit);
            if writes.may_be_parent(*parent, event).await? {
                return Ok((Some(*parent), None));
            }
        } else if self.writer.rehearsed.contains(uid) {
            return Ok((None, None));
        }
        let unknown = self.event.finding("RELATED-TO", FindingCode::UnknownParent);
        Ok((None, Some(unknown)))
    }

    async fn create(&mut self, content: &Content) -> Result<Effect, AppError> {
        let write = content.fields.create(self.writer.options.status);
        let created = self.writer.create(self.unit, &write, Some(self.origin()));
        let created = created.await?;
        let id = created.id;
        self.write_overrides(self.writes(), id, &content.overrides)
            .await?;
        self.split(id, content).await?;
        let mut fields = FieldDigests::of(&created.content);
        if created.series().is_some() {
            // Splits end the series.
            let after = self.unit.events().find(id).await?;
            fields = FieldDigests::of(&after.unwrap_or(created).content);
            fields = self.with_overrides(fields, id, content).await?;
        }
        self.remember(self.uid, id, self.digest(content), fields);
        Ok(Effect::Created)
    }

    async fn update(
        &mut self,
        known: &ImportedRecord,
        content: &Content,
    ) -> Result<Effect, AppError> {
        let digest = self.digest(content);
        if known.digest == digest {
            return Ok(Effect::Unchanged);
        }
        let (writer, id) = (self.writer, EventId::from_raw(known.id));
        // An event that a person put into the trash stays there.
        let may_revive = known.digest == CANCELLED;
        let present = writer.present::<Event>(self.unit, id, may_revive).await?;
        let Some(present) = present else {
            return Ok(Effect::Unchanged);
        };
        let overrides = if present.series().is_some() {
            self.present_overrides(id).await?
        } else {
            Vec::new()
        };
        let dates_follow = self.dates_follow(known, &overrides);
        let Some(write) = self.changes(content, &present, known, dates_follow) else {
            return Ok(Effect::Unchanged);
        };
        let prepared = writer.calendar.check_update(writer.caller, &write)?;
        let options = with_origin(Some(self.origin()));
        self.writes()
            .update(&RecordKey::Id(id), &prepared, &options)
            .await?;
        if dates_follow {
            self.trash_splits().await?;
            let overrides = overrides.into_iter().map(|one| (one.id, one.content));
            let overrides = overrides.collect();
            let unit = self.writes().known_as(&overrides);
            self.write_overrides(unit, id, &content.overrides).await?;
            self.split(id, content).await?;
        }
        let after = self.unit.events().find(id).await?;
        let mut fields = known.fields.clone();
        if let Some(after) = after {
            fields = fields.next(&present.content, &after.content);
        }
        if dates_follow {
            fields = self.with_overrides(fields, id, content).await?;
        }
        self.remember(self.uid, id, digest, fields);
        Ok(Effect::Updated)
    }

    /// Whether the dates of a series that have fields of their own become those of the file.
    fn dates_follow(&self, known: &ImportedRecord, overrides: &[Stored<Event>]) -> bool {
        match self.writer.options.policy {
            UpdatePolicy::Overwrite => true,
            UpdatePolicy::KeepLocal => {
                let present = overrides_text(overrides);
                known
                    .fields
                    .is_same(FieldName::Overrides, present.as_deref())
            }
            UpdatePolicy::Keep | UpdatePolicy::FillBlanks => false,
        }
    }

    /// The digests, with the digest of the overrides that were written.
    async fn with_overrides(
        &self,
        fields: FieldDigests,
        id: EventId,
        content: &Content,
    ) -> Result<FieldDigests, AppError> {
        let overrides = if content.overrides.is_empty() {
            None
        } else {
            overrides_text(&self.present_overrides(id).await?)
        };
        Ok(fields.with(FieldName::Overrides, overrides.as_deref()))
    }

    /// The write of an update; `None` if there is nothing to update.
    fn changes(
        &self,
        content: &Content,
        present: &Event,
        known: &ImportedRecord,
        dates_follow: bool,
    ) -> Option<EventUpdate> {
        let policy = self.writer.options.policy;
        let takes = |field| match field {
            FieldName::Overrides => dates_follow,
            field => policy::takes(policy, field, present, Some(known)),
        };
        let mut fields = content.update(&takes).ok()?;
        if let Some(status) = self.status(present) {
            fields = fields.status(status);
        }
        if present.series().is_some() {
            fields = fields.set(FieldName::Overrides, "reset", EventBuilder::reset_overrides);
        }
        (!fields.json.is_empty()).then(|| fields.update())
    }

    /// The status of an update: that of its class, if it has another.
    fn status(&self, present: &Event) -> Option<Status> {
        let is_in_trash = present.is_in_trash();
        let public = self.writer.options.status.unwrap_or(Status::Publish);
        match (
            self.event.is_private,
            present.status(self.writer.calendar.now()),
        ) {
            (true, Status::Private) => None,
            (true, _) => Some(Status::Private),
            (false, Status::Private) => Some(public),
            (false, _) => is_in_trash.then_some(public),
        }
    }

    /// The writes of the event, which announce its moves if the file is later than the last import.
    fn writes(&self) -> Unit<'_> {
        self.writer.unit(self.unit).announcing_moves(self.is_later)
    }

    async fn present_overrides(&self, series: EventId) -> Result<Vec<Stored<Event>>, AppError> {
        let overrides = OccurrenceFilter::overrides();
        let overrides = self
            .unit
            .occurrences()
            .of_series(series, &overrides)
            .await?;
        let ids: Vec<_> = overrides.iter().map(|one| one.id).collect();
        Ok(self.unit.events().find_many(&ids).await?)
    }

    /// Writes the overrides of a series.
    async fn write_overrides(
        &self,
        unit: Unit<'_>,
        series: EventId,
        parts: &Parts,
    ) -> Result<(), AppError> {
        let Writer {
            calendar, caller, ..
        } = *self.writer;
        let updates = parts.iter().map(|(date, fields)| {
            let prepared = calendar.check_update(caller, &fields.update())?;
            Ok((*date, prepared))
        });
        let updates = updates.collect::<Result<Vec<_>, AppError>>()?;
        unit.update_occurrences(series, &updates).await
    }

    /// Writes the overrides of a known series, of which the file has nothing else.
    async fn change_overrides(
        &mut self,
        series: Stored<Event>,
        known: &ImportedRecord,
        overrides: &[ReadEvent],
    ) -> Result<Effect, AppError> {
        let id = series.id;
        let before = self.present_overrides(id).await?;
        if !self.dates_follow(known, &before) || series.is_in_trash() {
            return Ok(Effect::Unchanged);
        }
        let of_series = ReadEvent {
            when: series.content.details.when,
            ..self.event.clone()
        };
        let Ok([parts, _]) = parts(&of_series, overrides, &mut Vec::new()) else {
            return Ok(Effect::Unchanged);
        };
        self.write_overrides(self.writes(), id, &parts).await?;
        let after = self.present_overrides(id).await?;
        if after == before {
            return Ok(Effect::Unchanged);
        }
        let text = overrides_text(&after);
        let fields = known.fields.clone();
        self.ledger.push(ImportedRecord {
            fields: fields.with(FieldName::Overrides, text.as_deref()),
            ..known.clone()
        });
        Ok(Effect::Updated)
    }

    /// Splits a series, from its end to its beginning: so all slots are those of the series until they are
    /// split off.
    async fn split(&mut self, series: EventId, content: &Content) -> Result<(), AppError> {
        for (date, fields) in content.splits.iter().rev() {
            let (key, write) = (RecordKey::Slot(series, *date), fields.update());
            let update = self.writer.update(self.unit, key, &write, None);
            update.await?;
            let found = self.unit.events().find(series).await?;
            let next = found.and_then(|event| event.series()?.next);
            if let Some(next) = next {
                let uid = format!("{}{SPLIT}{}", self.uid, date.basic());
                self.remember(&uid, next, String::new(), FieldDigests::default());
            }
        }
        Ok(())
    }

    fn origin(&self) -> Origin {
        Origin {
            uid: self.uid.to_owned(),
            sequence: self.event.sequence,
        }
    }

    fn remember(
        &mut self,
        uid: &str,
        id: EventId,
        digest: impl Into<String>,
        fields: FieldDigests,
    ) {
        self.ledger.push(ImportedRecord {
            fields,
            sequence: self.event.sequence,
            stamp: self.event.stamp,
            ..self.writer.row(uid, id, digest)
        });
    }
}

/// The overrides of a series as a text by which two states are compared; none without overrides.
fn overrides_text(overrides: &[Stored<Event>]) -> Option<String> {
    let texts = overrides.iter().map(|one| {
        let slot = one.occurrence().map(|occurrence| occurrence.slot);
        let slot = slot.map(|slot| slot.to_string()).unwrap_or_default();
        let values = FieldName::ALL.into_iter();
        let values = values.filter_map(|field| Some(format!("{field}={}", one.written(field)?)));
        std::iter::once(slot)
            .chain(values)
            .collect::<Vec<_>>()
            .join("\n")
    });
    let mut texts: Vec<_> = texts.collect();
    texts.sort_unstable();
    Some(texts.join("\n\n")).filter(|_| !texts.is_empty())
}

/// Whether a cancelled occurrence belongs to an event that happens once.
fn is_of(occurrence: &ReadEvent, event: &Event) -> bool {
    let when = &event.details.when;
    let id = occurrence.recurrence_id.as_ref();
    occurrence.status == FeedStatus::Cancelled
        && id.is_some_and(|id| match id.value_in(when.zone()) {
            DateValue::Day(day) => day == when.start().local.date(),
            DateValue::Local(local) => local == when.start().local,
            DateValue::Instant(instant) => instant == when.start().utc,
        })
}
