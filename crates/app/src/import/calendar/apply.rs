//! The writes of some events of a file, in one unit of work.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{Event, EventId, Id, Kind, Record as _, Status, policy::Caller};

use super::{
    ImportOptions,
    content::{Content, of_occurrences},
    file::FileEvent,
};
use crate::{
    calendar::{Calendar, Create, Delete, Precondition, Update, Work},
    error::AppError,
    feed::{FeedStatus, Finding, FindingCode, ReadEvent},
    import::{UpdatePolicy, rows::is_of_store},
    input::Fields,
    ports::{ImportedRecord, UnitOfWork},
    request::{Origin, RecordKey, Request},
};

/// The digest of an event that was called off.
const CANCELLED: &str = "cancelled";

/// Separates the identifier of a series from the date from which on it goes on as another one.
const SPLIT: char = '\u{1f}';

/// The identifier of the event itself, of that in the ledger.
pub(super) fn event_uid(uid: &str) -> &str {
    uid.split(SPLIT).next().unwrap_or(uid)
}

/// The effect of one event of a file.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) change: Change,
    pub(super) warnings: Vec<Finding>,
}

/// The result for an event.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Created,
    Updated,
    Unchanged,
    Cancelled,
    Pruned,
    Refused(Finding),
}

impl From<Change> for Step {
    fn from(change: Change) -> Self {
        Self {
            change,
            warnings: Vec::new(),
        }
    }
}

/// The writes of some events of a file.
pub(super) struct Apply<'a> {
    pub(super) calendar: &'a Calendar,
    pub(super) caller: Caller,
    pub(super) options: &'a ImportOptions,
    pub(super) events: &'a [FileEvent],
    /// The events that the file has no longer.
    pub(super) gone: &'a [EventId],
}

impl Apply<'_> {
    /// Stores the events; without effect in a dry run.
    pub(super) async fn run(&self, calendar: &Calendar) -> Result<Vec<Step>, AppError> {
        if !self.options.dry_run {
            return calendar.perform(self).await;
        }
        let unit = calendar.store.begin().await?;
        let steps = Work::run(self, &*unit).await;
        unit.rollback().await?;
        steps
    }
}

#[async_trait]
impl Work for Apply<'_> {
    type Output = Vec<Step>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Vec<Step>, AppError> {
        let uids: Vec<String> = self.events.iter().map(|event| event.uid.clone()).collect();
        let source = &self.options.source;
        let known = unit.imports().find(source, Kind::Event, &uids).await?;
        let known: HashMap<_, _> = known
            .into_iter()
            .map(|one| (one.uid.clone(), one))
            .collect();
        let taken = unit.events().find_uids(&uids).await?;
        let taken: HashMap<_, _> = taken.into_iter().collect();
        let mut steps = Vec::with_capacity(self.events.len() + self.gone.len());
        for event in self.events {
            let known = known.get(&event.uid);
            let is_foreign = known.is_none() && taken.contains_key(&event.uid);
            steps.push(self.one(unit, event, known, is_foreign).await?);
        }
        for gone in self.gone {
            let trashed = self.trash(unit, *gone).await?;
            steps.extend(trashed.then_some(Change::Pruned.into()));
        }
        Ok(steps)
    }
}

/// The event that a step is about, and its state in the ledger.
struct Target<'a> {
    uid: &'a str,
    event: &'a ReadEvent,
    known: Option<&'a ImportedRecord>,
}

impl Apply<'_> {
    /// Imports one event, whole or not at all.
    async fn one(
        &self,
        unit: &dyn UnitOfWork,
        event: &FileEvent,
        known: Option<&ImportedRecord>,
        is_foreign: bool,
    ) -> Result<Step, AppError> {
        let first = of_occurrences(event);
        let (main, occurrences) = match (&event.event, &first) {
            (Some(main), _) => (main, &event.occurrences),
            (None, Some((main, others))) => (main, others),
            // All its occurrences were called off.
            (None, None) => return Ok(Change::Unchanged.into()),
        };
        let target = Target {
            uid: &event.uid,
            event: main,
            known,
        };
        if main.status == FeedStatus::Cancelled {
            return self.cancel(unit, &target).await;
        }
        if is_foreign {
            let refused = main.finding("UID", FindingCode::ForeignUid);
            return Ok(Change::Refused(refused).into());
        }
        if known.is_some_and(|known| is_older(main, known)) {
            return Ok(Change::Unchanged.into());
        }
        let content = match Content::of(main, occurrences) {
            Ok(content) => content,
            Err(finding) => return Ok(Change::Refused(finding).into()),
        };
        let nested = unit.nested().await?;
        let change = match known {
            None => self.create(&*nested, &target, &content).await,
            // Single occurrences say nothing about the rest of a series.
            Some(known) if event.event.is_none() => {
                self.change_occurrences(&*nested, known, &event.occurrences, main)
                    .await
            }
            Some(known) => self.update(&*nested, &target, known, &content).await,
        };
        let change = match change {
            Ok(change) => {
                nested.commit().await?;
                change
            }
            Err(error) if is_of_store(&error) => return Err(error),
            Err(error) => {
                nested.rollback().await?;
                Change::Refused(refusal(main, &error))
            }
        };
        Ok(Step {
            change,
            warnings: content.warnings,
        })
    }

    /// Puts an event into the trash that was called off, if this source brought it.
    async fn cancel(&self, unit: &dyn UnitOfWork, target: &Target<'_>) -> Result<Step, AppError> {
        let Some(known) = target.known else {
            return Ok(Change::Unchanged.into());
        };
        let stays = self.options.policy == UpdatePolicy::Keep
            || known.digest == CANCELLED
            || is_older(target.event, known);
        if stays || !self.trash_all(unit, target.uid, known).await? {
            return Ok(Change::Unchanged.into());
        }
        let id = Id::from_raw(known.id);
        self.remember(unit, target, id, CANCELLED.to_owned())
            .await?;
        Ok(Change::Cancelled.into())
    }

    /// Puts an event into the trash, with the series that it was split into. Returns whether it was not
    /// there already.
    async fn trash_all(
        &self,
        unit: &dyn UnitOfWork,
        uid: &str,
        known: &ImportedRecord,
    ) -> Result<bool, AppError> {
        self.trash_splits(unit, uid).await?;
        self.trash(unit, Id::from_raw(known.id)).await
    }

    /// Puts the series into the trash that an earlier import split off.
    async fn trash_splits(&self, unit: &dyn UnitOfWork, uid: &str) -> Result<(), AppError> {
        let begin = format!("{uid}{SPLIT}");
        let source = &self.options.source;
        let parts = unit
            .imports()
            .page(source, Kind::Event, &begin, 1000)
            .await?;
        for part in parts.iter().take_while(|part| part.uid.starts_with(&begin)) {
            self.trash(unit, Id::from_raw(part.id)).await?;
        }
        Ok(())
    }

    /// Puts an event into the trash. Returns whether it was not there already.
    async fn trash(&self, unit: &dyn UnitOfWork, id: EventId) -> Result<bool, AppError> {
        let found = unit.events().find(id).await?;
        if found.is_none_or(|event| event.is_in_trash()) {
            return Ok(false);
        }
        let none = Fields::default();
        let request = self.calendar.request(self.caller, &none);
        let delete = Delete::<Event>::prepare(request, id.into(), &Precondition::Any)?;
        let nested = unit.nested().await?;
        match delete.run(&*nested).await {
            Ok(_) => {
                nested.commit().await?;
                Ok(true)
            }
            Err(error) if is_of_store(&error) => Err(error),
            Err(_) => {
                nested.rollback().await?;
                Ok(false)
            }
        }
    }

    async fn create(
        &self,
        unit: &dyn UnitOfWork,
        target: &Target<'_>,
        content: &Content,
    ) -> Result<Change, AppError> {
        let origin = origin(target);
        let request = Request {
            origin: Some(&origin),
            ..self.calendar.request(self.caller, &content.fields)
        };
        let created = Create::<Event>::prepare(request)?.run(unit).await?;
        self.write_occurrences(unit, created.id, content).await?;
        self.split(unit, target, created.id, content).await?;
        let digest = content.digest(target.event.sequence);
        self.remember(unit, target, created.id, digest).await?;
        Ok(Change::Created)
    }

    async fn update(
        &self,
        unit: &dyn UnitOfWork,
        target: &Target<'_>,
        known: &ImportedRecord,
        content: &Content,
    ) -> Result<Change, AppError> {
        let digest = content.digest(target.event.sequence);
        let id = EventId::from_raw(known.id);
        let Some(present) = unit.events().find(id).await? else {
            return Ok(Change::Unchanged);
        };
        // An event that a person put into the trash stays there.
        let revives = known.digest == CANCELLED && present.is_in_trash();
        if known.digest == digest || (present.is_in_trash() && !revives) {
            return Ok(Change::Unchanged);
        }
        let policy = self.options.policy;
        let Some(mut fields) = policy.apply(&content.update(), &*present) else {
            return Ok(Change::Unchanged);
        };
        if policy == UpdatePolicy::Overwrite {
            fields
                .body
                .extend(self.status(target.event, &present, revives));
            if present.series().is_some() {
                fields.body.insert("overrides".to_owned(), "reset".into());
            }
        }
        self.write(unit, id.into(), &fields, Some(&origin(target)))
            .await?;
        if policy == UpdatePolicy::Overwrite {
            self.trash_splits(unit, target.uid).await?;
            self.write_occurrences(unit, id, content).await?;
            self.split(unit, target, id, content).await?;
        }
        self.remember(unit, target, id, digest).await?;
        Ok(Change::Updated)
    }

    /// The status of an update: that of its class, if it has another.
    fn status(
        &self,
        event: &ReadEvent,
        present: &Event,
        revives: bool,
    ) -> Option<(String, serde_json::Value)> {
        let present = present.status(self.calendar.now());
        let status = match (event.is_private, present) {
            (true, Status::Private) => return None,
            (true, _) => Status::Private,
            (false, Status::Private) => Status::Publish,
            (false, _) if revives => Status::Publish,
            (false, _) => return None,
        };
        Some(("status".to_owned(), status.name().into()))
    }

    /// Changes single occurrences of a known series, of which the file has nothing else.
    async fn change_occurrences(
        &self,
        unit: &dyn UnitOfWork,
        known: &ImportedRecord,
        occurrences: &[ReadEvent],
        main: &ReadEvent,
    ) -> Result<Change, AppError> {
        let id = EventId::from_raw(known.id);
        let present = unit.events().find(id).await?;
        let Some(series) = present.filter(|event| event.series().is_some()) else {
            return Ok(Change::Unchanged);
        };
        if self.options.policy != UpdatePolicy::Overwrite || series.is_in_trash() {
            return Ok(Change::Unchanged);
        }
        let of_series = ReadEvent {
            when: series.details.when.clone(),
            ..main.clone()
        };
        let mut content = Content {
            fields: Fields::default(),
            occurrences: Vec::new(),
            splits: Vec::new(),
            warnings: Vec::new(),
        };
        if content.add_occurrences(&of_series, occurrences).is_err() {
            return Ok(Change::Unchanged);
        }
        let records = async || -> Result<_, AppError> {
            let ids = unit.occurrences().own_records(id).await?;
            Ok(unit.events().find_many(&ids).await?)
        };
        let before = records().await?;
        self.write_occurrences(unit, id, &content).await?;
        let is_same = records().await? == before;
        Ok(if is_same {
            Change::Unchanged
        } else {
            Change::Updated
        })
    }

    async fn write_occurrences(
        &self,
        unit: &dyn UnitOfWork,
        series: EventId,
        content: &Content,
    ) -> Result<(), AppError> {
        for (date, fields) in &content.occurrences {
            self.write(unit, RecordKey::Slot(series, *date), fields, None)
                .await?;
        }
        Ok(())
    }

    /// Splits a series, from its end to its beginning: so all slots are those of the series until they are
    /// split off.
    async fn split(
        &self,
        unit: &dyn UnitOfWork,
        target: &Target<'_>,
        series: EventId,
        content: &Content,
    ) -> Result<(), AppError> {
        for (date, fields) in content.splits.iter().rev() {
            let key = RecordKey::Slot(series, *date);
            self.write(unit, key, fields, None).await?;
            let found = unit.events().find(series).await?;
            let next = found.and_then(|event| event.series()?.next);
            if let Some(next) = next {
                let target = Target {
                    uid: &format!("{}{SPLIT}{}", target.uid, date.basic()),
                    ..*target
                };
                self.remember(unit, &target, next, String::new()).await?;
            }
        }
        Ok(())
    }

    /// Changes an event or an occurrence.
    async fn write(
        &self,
        unit: &dyn UnitOfWork,
        key: RecordKey<Event>,
        fields: &Fields,
        origin: Option<&Origin>,
    ) -> Result<(), AppError> {
        let request = Request {
            origin,
            ..self.calendar.request(self.caller, fields)
        };
        let update = Update::<Event>::prepare(request, key, &Precondition::Any)?;
        update.run(unit).await.map(drop)
    }

    async fn remember(
        &self,
        unit: &dyn UnitOfWork,
        target: &Target<'_>,
        id: EventId,
        digest: String,
    ) -> Result<(), AppError> {
        let record = ImportedRecord {
            source: self.options.source.clone(),
            kind: Kind::Event,
            uid: target.uid.to_owned(),
            id: id.get(),
            sequence: target.event.sequence,
            stamp: target.event.stamp,
            digest,
        };
        Ok(unit.imports().remember(&record).await?)
    }
}

fn origin(target: &Target<'_>) -> Origin {
    Origin {
        uid: target.uid.to_owned(),
        sequence: target.event.sequence,
    }
}

/// Whether the source had a later state of the event when it was last imported.
fn is_older(event: &ReadEvent, known: &ImportedRecord) -> bool {
    let is_earlier = event.stamp.is_some() && event.stamp < known.stamp;
    event.sequence < known.sequence || (event.sequence == known.sequence && is_earlier)
}

/// The finding for an error: the property of the first field with a fault.
fn refusal(event: &ReadEvent, error: &AppError) -> Finding {
    let field = match error {
        AppError::Missing(fields) => fields.first().copied(),
        AppError::Invalid(faults) => faults.keys().next().map(|name| &**name),
        AppError::Forbidden => return event.finding("UID", FindingCode::Forbidden),
        _ => None,
    };
    let (property, code) = match field {
        Some("title") => ("SUMMARY", FindingCode::BadValue),
        Some("start_date" | "timezone" | "all_day") => ("DTSTART", FindingCode::BadDate),
        Some("end_date") => ("DTEND", FindingCode::BadDate),
        Some("recurrence") => ("RRULE", FindingCode::Recurrence),
        Some("scope") => ("RECURRENCE-ID", FindingCode::Recurrence),
        Some("description") => ("DESCRIPTION", FindingCode::BadValue),
        Some("venue") => ("LOCATION", FindingCode::BadValue),
        Some("organizer") => ("ORGANIZER", FindingCode::BadValue),
        Some("categories") => ("CATEGORIES", FindingCode::BadValue),
        Some("website") => ("URL", FindingCode::BadValue),
        _ => ("VEVENT", FindingCode::BadValue),
    };
    event.finding(property, code)
}
