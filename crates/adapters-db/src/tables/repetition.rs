//! The columns with the repetition of an event.

use std::{collections::BTreeSet, fmt::Display};

use app::ports::StoreError;
use domain::{
    CategoryId, Event, EventId, Id, TagId,
    event::{OccurrenceOf, Repetition, Series},
    recurrence::{Recurrence, Rule, Slot, Start},
    time::{EventTime, Timestamp},
};
use serde::{Deserialize, Serialize};

use crate::{
    entity::event::Column,
    error::{broken_column, broken_row},
    sql::{ColumnValue, Row, set},
};

/// A repetition in JSON. An event that happens once has none.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    Series(StoredSeries),
    Occurrence(StoredSlot),
}

/// The values that [`Recurrence::from_stored`] needs besides the time of the event, and the rest of a series.
#[derive(Debug, Serialize, Deserialize)]
struct StoredSeries {
    slot: String,
    length: i64,
    rule: Option<String>,
    extra: Vec<String>,
    deleted: Vec<String>,
    kept_until: Option<i64>,
    previous: Option<i64>,
    next: Option<i64>,
}

/// The slot of an occurrence in its series, and what is its own.
#[derive(Debug, Serialize, Deserialize)]
struct StoredSlot {
    series: i64,
    slot: String,
    own: String,
    categories: Vec<i64>,
    tags: Vec<i64>,
}

impl From<&Series> for StoredSeries {
    fn from(series: &Series) -> Self {
        let recurrence = &series.recurrence;
        let slots = |slots: &BTreeSet<Slot>| slots.iter().map(Slot::to_string).collect();
        Self {
            slot: recurrence.start().slot().to_string(),
            length: recurrence.start().length(),
            rule: recurrence.rule().map(Rule::to_string),
            extra: slots(recurrence.extra()),
            deleted: slots(recurrence.deleted()),
            kept_until: series.kept_until.map(Timestamp::seconds),
            previous: series.previous.map(Id::get),
            next: series.next.map(Id::get),
        }
    }
}

impl From<&OccurrenceOf> for StoredSlot {
    fn from(occurrence: &OccurrenceOf) -> Self {
        let raw = |ids: &[CategoryId]| ids.iter().map(|id| id.get()).collect();
        Self {
            series: occurrence.series.get(),
            slot: occurrence.slot.to_string(),
            own: occurrence.overridden.to_string(),
            categories: raw(&occurrence.own_categories),
            tags: occurrence.own_tags.iter().map(|id| id.get()).collect(),
        }
    }
}

/// The repetition of an event as text, and the instant up to which the occurrences of an endless series
/// are stored, in seconds.
pub(crate) fn stored_repetition(event: &Event) -> (Option<String>, Option<i64>) {
    let (stored, kept_until) = match &event.details.repetition {
        Repetition::Once => (None, None),
        Repetition::Series(series) => (
            Some(Stored::Series(StoredSeries::from(&**series))),
            series.kept_until,
        ),
        Repetition::Occurrence(occurrence) => (
            Some(Stored::Occurrence(StoredSlot::from(&**occurrence))),
            None,
        ),
    };
    let text = stored.map(|stored| serde_json::json!(stored).to_string());
    (text, kept_until.map(Timestamp::seconds))
}

/// The neighbours of a series, as the column of its repetition has them.
pub(crate) fn stored_neighbours(repetition: &str) -> Result<Vec<EventId>, StoreError> {
    let stored = serde_json::from_str(repetition);
    let stored = stored.map_err(|error| broken_column(Column::Repetition, error))?;
    Ok(match stored {
        Stored::Series(series) => {
            let neighbours = series.previous.into_iter().chain(series.next);
            neighbours.map(EventId::from_raw).collect()
        }
        Stored::Occurrence(_) => Vec::new(),
    })
}

/// The columns of an event that repeats, and of one that does not: then all are null.
fn columns(event: &Event) -> [ColumnValue; 3] {
    let (text, kept_until) = stored_repetition(event);
    let series = event.occurrence().map(|one| one.series);
    [
        set(Column::Repetition, text),
        set(Column::SeriesId, series.map(Id::get)),
        set(Column::KeptUntilUtc, kept_until),
    ]
}

/// The columns to write after a change of the repetition, or with a new event that has one. Those of
/// an event that happens once are null, and not written.
pub(super) fn changed_columns(before: &Repetition, event: &Event) -> Vec<ColumnValue> {
    if *before == event.details.repetition {
        return Vec::new();
    }
    columns(event).into()
}

/// Reads the repetition of an event with a time.
pub(super) fn read(row: &Row<'_>, when: &EventTime) -> Result<Repetition, StoreError> {
    let Some(text) = row.get::<Option<String>>(Column::Repetition)? else {
        return Ok(Repetition::Once);
    };
    let broken = |error: &dyn Display| broken_row(row.table, Column::Repetition, error);
    let slot = |text: &String| text.parse::<Slot>().map_err(|error| broken(&error));
    let slots = |texts: &[String]| texts.iter().map(slot).collect::<Result<BTreeSet<_>, _>>();
    let stored = serde_json::from_str(&text).map_err(|error| broken(&error))?;
    Ok(match stored {
        Stored::Series(stored) => {
            let rule = stored.rule.as_deref().map(Rule::from_stored).transpose();
            let start = Start::from_stored(when.clone(), slot(&stored.slot)?, stored.length);
            let recurrence = Recurrence::from_stored(
                start,
                rule.map_err(|error| broken(&error))?,
                slots(&stored.extra)?,
                slots(&stored.deleted)?,
            );
            let kept_until = stored.kept_until.map(|seconds| {
                Timestamp::from_seconds(seconds).ok_or_else(|| broken(&"out of range"))
            });
            Repetition::Series(Box::new(Series {
                recurrence,
                kept_until: kept_until.transpose()?,
                previous: stored.previous.map(EventId::from_raw),
                next: stored.next.map(EventId::from_raw),
            }))
        }
        Stored::Occurrence(stored) => Repetition::Occurrence(Box::new(OccurrenceOf {
            series: EventId::from_raw(stored.series),
            slot: slot(&stored.slot)?,
            overridden: stored.own.parse().map_err(|error| broken(&error))?,
            own_categories: stored
                .categories
                .into_iter()
                .map(CategoryId::from_raw)
                .collect(),
            own_tags: stored.tags.into_iter().map(TagId::from_raw).collect(),
        })),
    })
}
