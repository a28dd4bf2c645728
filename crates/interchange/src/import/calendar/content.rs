//! The fields of the writes by which an event of a file becomes one of this calendar.

use std::{borrow::Cow, collections::HashSet};

use app::{feed::FeedStatus, hashing};
use domain::{
    EventId, FieldName, Language, Status,
    event::Scope,
    recurrence::{DateValue, Recurrence, RecurrenceParts, Shortened},
    time::{EventTime, Timestamp},
};
use serde_json::json;

use super::{
    fields::{EventBuilder, Fields, title},
    file::FileEvent,
};
use crate::{Finding, FindingCode, ReadEvent};

/// The present, and the instant up to which the dates of series without an end are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    pub(super) now: Timestamp,
    pub(super) horizon: Timestamp,
}

/// Writes of single occurrences, or of splits, by date.
pub(super) type Parts = Vec<(DateValue, Fields<'static>)>;

/// The writes by which an event of a file becomes one of this calendar.
pub(super) struct Content {
    /// The event without the dates that are too many, and with those of its overrides.
    event: ReadEvent,
    parent: Option<EventId>,
    pub(super) fields: Fields<'static>,
    pub(super) overrides: Parts,
    /// Splits (`RANGE=THISANDFUTURE`), each with the fields of the new series.
    pub(super) splits: Parts,
    pub(super) warnings: Vec<Finding>,
}

impl Content {
    /// Makes the writes of an event and its overrides. A series with too many dates begins later, or
    /// ends earlier.
    pub(super) fn of(
        event: &ReadEvent,
        overrides: &[ReadEvent],
        parent: Option<EventId>,
        until: Until,
    ) -> Result<Self, Finding> {
        let (mut event, mut overrides) = (Cow::Borrowed(event), Cow::Borrowed(overrides));
        let mut is_shortened = false;
        // Overrides at dates that the rule does not give can be too many with the others.
        for is_merged in [false, true] {
            if is_merged && let Some(merged) = merged(&event, &overrides)? {
                event = Cow::Owned(merged);
            }
            if let Some(shortened) = shortened(&event, until)? {
                is_shortened = true;
                overrides = Cow::Owned(left(&shortened, &overrides)?);
                event = Cow::Owned(shortened);
            }
        }
        let mut warnings = Vec::new();
        if is_shortened {
            warnings.push(event.finding("RRULE", FindingCode::TooManyDates));
        }
        let fields = written(Fields::all(), &event, parent, &mut warnings)?;
        let of_periods = event.periods.iter();
        let of_periods = of_periods.map(|(date, when)| (*date, Fields::all().time(when)));
        let mut all: Parts = of_periods.collect();
        let [mut others, splits] = parts(&event, &overrides, &mut warnings)?;
        all.append(&mut others);
        Ok(Self {
            event: event.into_owned(),
            parent,
            fields,
            overrides: all,
            splits,
            warnings,
        })
    }

    /// The fields of an update: what the file has no longer is removed. A parent that is not here removes
    /// nothing.
    pub(super) fn update<'a>(
        &self,
        takes: &'a (dyn Fn(FieldName) -> bool + Sync),
    ) -> Result<Fields<'a>, Finding> {
        let mut fields = Fields::taking(takes).nothing();
        if self.event.parent_uid.is_none() {
            fields = fields.set(FieldName::Parent, 0, EventBuilder::clear_parent);
        }
        written(fields, &self.event, self.parent, &mut Vec::new())
    }

    /// The digest of the content. The sequence number is a part of it, the time of the export is not.
    pub(super) fn digest(&self, sequence: i64) -> String {
        let parts = |all: &Parts| {
            let all = all.iter();
            let all = all.map(|(date, fields)| json!([date.basic(), fields.json]));
            all.collect::<Vec<_>>()
        };
        let whole = json!([
            sequence,
            self.fields.json,
            parts(&self.overrides),
            parts(&self.splits)
        ]);
        hashing::sha256_hex(&whole.to_string())
    }
}

/// Sets the fields that the file has.
fn written<'a>(
    mut fields: Fields<'a>,
    event: &ReadEvent,
    parent: Option<EventId>,
    warnings: &mut Vec<Finding>,
) -> Result<Fields<'a>, Finding> {
    fields = fields.title(&title(event)?).time(&event.when);
    fields = fields.texts(event, warnings)?;
    if event.is_private {
        fields = fields.status(Status::Private);
    }
    if event.recurrence != RecurrenceParts::default() {
        fields = fields.recurrence(&event.recurrence);
    }
    if let Some(id) = parent {
        fields = fields.set(FieldName::Parent, id.get(), |to| to.parent(id));
    }
    Ok(fields)
}

/// The writes of the overrides of an event, and those of splits.
pub(super) fn parts(
    event: &ReadEvent,
    overrides: &[ReadEvent],
    warnings: &mut Vec<Finding>,
) -> Result<[Parts; 2], Finding> {
    let [mut single, mut splits] = [Parts::new(), Parts::new()];
    for one in overrides {
        let Some(id) = &one.recurrence_id else {
            continue;
        };
        let date = id.value_in(event.when.zone());
        let is_off = one.status == FeedStatus::Cancelled;
        // An occurrence inherits what it leaves out from its series.
        let has_title = !one.title.trim().is_empty();
        let mut fields = Fields::all();
        if has_title || !is_off {
            let title = title(&titled(one, &event.title))?;
            if has_title {
                fields = fields.title(&title);
            }
            fields = fields.time(&one.when).texts(one, warnings)?;
        }
        fields = fields.blanks(&one.blanks);
        fields = fields.set(FieldName::Cancelled, is_off, |to| to.cancelled(is_off));
        if id.and_following {
            let scope = Scope::Following;
            fields = fields.set(FieldName::Scope, scope.name(), |to| to.scope(scope));
            splits.push((date, fields));
        } else {
            single.push((date, fields));
        }
    }
    splits.sort_by_key(|(date, _)| date.basic());
    Ok([single, splits])
}

/// The event of a file that has only overrides: the first of them, and the others as extra
/// dates. It is as new as the newest of them.
pub(super) fn of_overrides(event: &FileEvent) -> Option<(ReadEvent, Vec<ReadEvent>)> {
    let mut overrides = event.overrides.clone();
    overrides.retain(|one| one.status != FeedStatus::Cancelled);
    overrides.sort_by_key(|one| one.when.start().utc);
    let all = event.overrides.iter();
    let first = ReadEvent {
        recurrence_id: None,
        sequence: all.clone().map(|one| one.sequence).max()?,
        stamp: all.filter_map(|one| one.stamp).max(),
        ..overrides.first()?.clone()
    };
    Some((first, overrides.split_off(1)))
}

/// The event with a title: its own, or else this one.
pub(super) fn titled<'a>(event: &'a ReadEvent, title: &str) -> Cow<'a, ReadEvent> {
    if !event.title.trim().is_empty() {
        return Cow::Borrowed(event);
    }
    Cow::Owned(ReadEvent {
        title: title.to_owned(),
        ..event.clone()
    })
}

/// The title of an event without one.
pub(super) fn untitled(language: Language) -> &'static str {
    match language {
        Language::Arabic => "بلا عنوان",
        Language::English => "Untitled",
        Language::French => "Sans titre",
    }
}

/// The event without its oldest dates, if it has too many.
fn shortened(event: &ReadEvent, until: Until) -> Result<Option<ReadEvent>, Finding> {
    if event.recurrence == RecurrenceParts::default() {
        return Ok(None);
    }
    let shortened = event
        .recurrence
        .shortened(&event.when, until.now, until.horizon);
    let shortened = shortened.map_err(|_| event.finding("RRULE", FindingCode::Recurrence))?;
    let Some(Shortened { first, parts }) = shortened else {
        return Ok(None);
    };
    let mut event = ReadEvent {
        when: first,
        recurrence: parts,
        ..event.clone()
    };
    let (when, dates) = (event.when.clone(), event.recurrence.extra.iter());
    let dates: HashSet<_> = dates.filter_map(|date| instant(*date, &when)).collect();
    let is_left = |date| instant(date, &when).is_some_and(|instant| dates.contains(&instant));
    event.periods.retain(|(date, _)| is_left(*date));
    Ok(Some(event))
}

/// The overrides that are not before the start of their series.
fn left(series: &ReadEvent, overrides: &[ReadEvent]) -> Result<Vec<ReadEvent>, Finding> {
    let start = series.when.start().utc;
    let is_left = |one: &&ReadEvent| {
        let id = one.recurrence_id.as_ref();
        let instant = id.and_then(|id| instant(id.value_in(series.when.zone()), &series.when));
        instant.is_some_and(|instant| instant >= start)
    };
    let is_split = |one: &ReadEvent| {
        one.recurrence_id
            .as_ref()
            .is_some_and(|id| id.and_following)
    };
    // A change of all following dates holds for the dates that are left, too.
    if overrides.iter().any(|one| is_split(one) && !is_left(&one)) {
        return Err(series.finding("RRULE", FindingCode::Recurrence));
    }
    Ok(overrides.iter().filter(is_left).cloned().collect())
}

/// The instant of a date of a series.
fn instant(date: DateValue, when: &EventTime) -> Option<Timestamp> {
    let local = match date {
        DateValue::Day(day) => day.and_time(when.start().local.time()),
        DateValue::Local(local) => local,
        DateValue::Instant(instant) => return Some(instant),
    };
    when.zone().at_local(local).ok().map(|moment| moment.utc)
}

/// The event with the dates of overrides that its rule does not give; `None` if it gives all.
fn merged(event: &ReadEvent, overrides: &[ReadEvent]) -> Result<Option<ReadEvent>, Finding> {
    let dates: Vec<_> = overrides
        .iter()
        .filter_map(|one| one.recurrence_id.as_ref())
        .map(|id| id.value_in(event.when.zone()))
        .collect();
    if dates.is_empty() {
        return Ok(None);
    }
    let bad = |_| event.finding("RRULE", FindingCode::Recurrence);
    let parts = &event.recurrence;
    let whole = Recurrence::new(event.when.clone(), parts.clone()).map_err(bad)?;
    let (mut extra, mut deleted) = (parts.extra.clone(), whole.deleted().clone());
    let mut is_changed = false;
    for date in dates {
        if let Some(slot) = whole.find(date) {
            is_changed |= deleted.remove(&slot);
        } else {
            extra.push(date);
            is_changed = true;
        }
    }
    let deleted = deleted.into_iter().map(|slot| whole.recurrence_id(slot));
    Ok(is_changed.then(|| ReadEvent {
        recurrence: RecurrenceParts {
            rule: parts.rule.clone(),
            extra,
            deleted: deleted.collect(),
        },
        ..event.clone()
    }))
}
