//! Events by their IDs: those with a record, and occurrences without one.
//!
//! A plain occurrence is a short row, and is shown as its series says. The
//! cache holds short rows beside the records.

use std::collections::{BTreeMap, BTreeSet};

use app::ports::StoreError;
use domain::{Event, EventId, Id, Stored, recurrence::Slot, time::Timestamp};
use sea_orm::{
    EntityName, ExprTrait,
    sea_query::{Expr, Func, Order, Query, SelectStatement, SimpleExpr},
};
use serde::de::DeserializeOwned;

use super::batch_query::BatchQuery;
use crate::{
    cache::{BatchLookup, CacheKey, CacheSnapshot},
    connection::Connection,
    entity::{
        event,
        occurrence::{Column, Entity},
    },
    error::broken_column,
    session::Session,
    sql::{as_number, condition, from, read_json},
    tables::{Extent, ROWS_READ, Table},
};

/// The maximum number of attempts to lock an occurrence that other units of work move to another
/// series.
const ATTEMPTS: usize = 8;

/// A row of an occurrence.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortRow {
    pub(super) id: EventId,
    pub(super) series: EventId,
    pub(super) slot: Slot,
    /// The difference of the revision of the occurrence from that of the series.
    pub(super) revision: i64,
    pub(super) is_override: bool,
}

impl ShortRow {
    /// The occurrence as its series says.
    pub(super) fn shown_by(&self, series: &Stored<Event>) -> Option<Stored<Event>> {
        Some(Stored {
            id: self.id,
            revision: series.revision + self.revision,
            content: series.occurrence_at(self.slot)?,
        })
    }
}

/// The rows of occurrences by their IDs.
type ShortRows = BTreeMap<EventId, ShortRow>;

/// The column of the number of seconds of a slot's wall clock, as if that were UTC.
pub(super) fn slot_seconds(slot: Slot) -> i64 {
    slot.local().and_utc().timestamp()
}

pub(crate) fn slot_of(seconds: i64) -> Result<Slot, StoreError> {
    let time = Timestamp::from_seconds(seconds);
    let time = time.ok_or_else(|| broken_column(Column::Slot, "out of range"))?;
    Ok(Slot::new(time.civil()))
}

/// The key under which caches hold a short row; with 0, whether there are series.
fn key(id: i64) -> CacheKey {
    CacheKey::Record(Entity.table_name(), id)
}

impl Session {
    /// Whether there are series. Lists and reads of a calendar without any do not ask for
    /// occurrences.
    pub(crate) async fn has_series(&self) -> Result<bool, StoreError> {
        self.has_series_over(self.generic_plan()).await
    }

    /// Whether there are series, asked over a connection. A search asks over its own, which stops
    /// the statements of a caller that goes away.
    pub(crate) async fn has_series_over(
        &self,
        connection: &Connection,
    ) -> Result<bool, StoreError> {
        let cache = self.cache().await?;
        if let Some(known) = cache.and_then(|cache| cache.get(&key(0))) {
            return Ok(known);
        }
        let mut select = from(event::Entity);
        select.cond_where(condition::is_series());
        let id = (event::Entity, event::Column::Id);
        // SQLite reads one entry of the index for the least ID, PostgreSQL for the first row.
        if self.is_postgres() {
            select.column(id).order_by(id, Order::Asc).limit(1);
        } else {
            select.expr_as(Func::min(Expr::col(id)), event::Column::Id);
        }
        let first = connection.value::<Option<i64>>(&select).await?;
        let is_there = first.flatten().is_some();
        if let Some(cache) = cache {
            cache.put(key(0), is_there, 0);
        }
        Ok(is_there)
    }

    /// The rows that a query of numbers selects, which the database writes as one text.
    pub(super) async fn numbers<const N: usize>(
        &self,
        mut rows: SelectStatement,
        columns: [SimpleExpr; N],
    ) -> Result<Vec<[i64; N]>, StoreError>
    where
        [i64; N]: DeserializeOwned,
    {
        let text = self.json().table(columns.into());
        let text = self.generic_plan().value(rows.expr_as(text, ROWS_READ));
        let text: Option<Option<String>> = text.await?;
        read_json(text.flatten().as_deref())
    }

    /// Adds the query for the rows of some occurrences to a batch. The plain ones are cached.
    fn add_short_rows<'a>(
        &self,
        ids: &[i64],
        cache: Option<CacheSnapshot<'a>>,
        batch: &mut BatchQuery<'a>,
        rows: &'a mut ShortRows,
    ) {
        let column = |column: Column| Expr::col((Entity, column));
        let columns = vec![
            column(Column::Id),
            column(Column::SeriesId),
            column(Column::Slot),
            column(Column::Revision),
            as_number(column(Column::IsOwn)),
        ];
        let mut select = from(Entity);
        select
            .and_where(self.json().is_one_of((Entity, Column::Id), ids))
            .expr(self.json().table(columns));
        batch.add_text(Entity.table_name(), select, move |text| {
            let found: Vec<[i64; 5]> = read_json(text.as_deref())?;
            for [id, series, slot, revision, is_override] in found {
                let row = ShortRow {
                    id: Id::from_raw(id),
                    series: Id::from_raw(series),
                    slot: slot_of(slot)?,
                    revision,
                    is_override: is_override == 1,
                };
                if let (Some(cache), false) = (cache, row.is_override) {
                    cache.put(key(id), row, 0);
                }
                rows.insert(row.id, row);
            }
            Ok(())
        });
    }

    /// The rows of some occurrences, by ID.
    pub(super) async fn short_rows(&self, ids: &[i64]) -> Result<Vec<ShortRow>, StoreError> {
        let (mut rows, mut batch) = (ShortRows::default(), BatchQuery::default());
        let cache = self.cache().await?;
        self.add_short_rows(ids, cache, &mut batch, &mut rows);
        batch.run(self).await?;
        Ok(rows.into_values().collect())
    }

    /// The row of an occurrence.
    pub(super) async fn short_row(&self, id: EventId) -> Result<Option<ShortRow>, StoreError> {
        Ok(self.short_rows(&[id.get()]).await?.pop())
    }

    /// The events with some IDs, in their order, without those that do not exist. An occurrence without a record
    /// is always whole, as its series is.
    pub(crate) async fn find_events(
        &self,
        ids: &[EventId],
        extent: Extent,
    ) -> Result<Vec<Stored<Event>>, StoreError> {
        let cache = self.cache().await?;
        let mut events = BatchLookup::new(cache, Event::table(), ids.to_vec());
        let known = events.missing.iter().filter_map(|id| {
            let row: ShortRow = cache?.get(&key(*id))?;
            Some((row.id, row))
        });
        let mut rows: ShortRows = known.collect();
        events
            .missing
            .retain(|id| !rows.contains_key(&Id::from_raw(*id)));
        // In a calendar with series, one statement asks for both.
        let mut has_series = cache.and_then(|cache| cache.get::<bool>(&key(0)));
        if !events.missing.is_empty() {
            let (missing, mut batch) = (events.missing.clone(), BatchQuery::default());
            batch.add_missing_in(extent, ROWS_READ, &mut events, self.json());
            if has_series == Some(true) {
                self.add_short_rows(&missing, cache, &mut batch, &mut rows);
            }
            batch.run(self).await?;
        }
        let absent = events.absent();
        let absent = absent.filter(|id| !rows.contains_key(&Id::from_raw(*id)));
        let absent: Vec<i64> = absent.collect();
        if !absent.is_empty() && has_series.is_none() {
            // Without a cache, this is as much work as to ask whether there are series.
            has_series = Some(cache.is_none() || self.has_series().await?);
            if has_series == Some(true) {
                let found = self.short_rows(&absent).await?.into_iter();
                rows.extend(found.map(|row| (row.id, row)));
            }
        }
        rows.retain(|id, _| events.get(*id).is_none());
        if rows.is_empty() {
            return Ok(events.in_order());
        }
        // Some may have become overrides since the records were read.
        let (own, plain): (Vec<_>, Vec<_>) = rows.into_values().partition(|row| row.is_override);
        let series = plain.iter().map(|row| row.series);
        let others: BTreeSet<EventId> = series.chain(own.iter().map(|row| row.id)).collect();
        let mut others = BatchLookup::new(cache, Event::table(), others.into_iter().collect());
        let mut batch = BatchQuery::default();
        batch.add_missing(ROWS_READ, &mut others, self.json());
        batch.run(self).await?;
        for row in plain {
            let series = others.get(row.series);
            events.add_shown(series.and_then(|series| row.shown_by(series)));
        }
        for row in own {
            events.add_shown(others.get(row.id).cloned());
        }
        Ok(events.in_order())
    }

    /// Locks an event until the transaction ends: of an occurrence, its series first. An ID without an
    /// event locks nothing.
    pub(crate) async fn lock_event(&self, id: EventId) -> Result<(), StoreError> {
        let row = |id: EventId| {
            Query::select()
                .column(event::Column::Id)
                .from(event::Entity)
                .and_where(Expr::col(event::Column::Id).eq(id.get()))
                .lock_exclusive()
                .take()
        };
        let mut of_no_series = row(id);
        of_no_series.and_where(Expr::col(event::Column::SeriesId).is_null());
        for _ in 0..ATTEMPTS {
            if self.connection.row(&of_no_series).await?.is_some() {
                return Ok(());
            }
            let Some(before) = self.short_row(id).await? else {
                return Ok(());
            };
            self.connection.rows(&row(before.series)).await?;
            // A unit of work that held the lock may have moved it to another series.
            let after = self.short_row(id).await?;
            if after.is_some_and(|after| after.series == before.series) {
                self.connection.rows(&row(id)).await?;
                return Ok(());
            }
        }
        Err(StoreError::Conflict)
    }
}
