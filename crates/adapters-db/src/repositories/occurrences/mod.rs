//! The repository of occurrences.

mod overrides;
mod rows;

use app::ports::{
    GivenOccurrence, OccurrenceFilter, OccurrencePlan, OccurrenceRepository, Repository,
    StoreError, StoredOccurrence,
};
use async_trait::async_trait;
use domain::{Event, EventId, Id, Stored, recurrence::Slot, time::Timestamp};
use sea_orm::{
    ColumnTrait, ExprTrait,
    sea_query::{Expr, Func, LockBehavior, LockType, Order, Query, SelectStatement, SimpleExpr},
};

use self::rows::{lists, own, published};
use super::occurrence_lookup::{slot_of, slot_seconds};
use crate::{
    entity::{
        event,
        occurrence::{Column, Entity},
    },
    session::Session,
    sql::{as_number, condition, from, optional_time_column, time_column},
    tables::Extent,
};

/// The alias of the events that name an occurrence as their parent.
const PART: &str = "part";

/// The start, the end and the duration class of an occurrence of a series.
pub(crate) fn occurrence_row(
    series: &Stored<Event>,
    id: EventId,
    slot: Slot,
) -> Result<[i64; 3], StoreError> {
    let [_, _, start, end, class] = rows::row_of(rows::series_of(series)?, id, slot)?;
    Ok([start, end, class])
}

impl Session {
    /// Deletes occurrences, also overrides.
    async fn remove(&self, ids: &[EventId]) -> Result<(), StoreError> {
        if ids.is_empty() {
            return Ok(());
        }
        let raw: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let is_removed = || self.json().is_one_of((Entity, Column::Id), &raw);
        let with_record = from(Entity)
            .column(Column::Id)
            .and_where(is_removed())
            .and_where(own(Column::IsOwn))
            .take();
        for id in self.ids::<Event>(&with_record).await? {
            Repository::<Event>::delete(self, id).await?;
        }
        let delete = Query::delete()
            .from_table(Entity)
            .and_where(is_removed())
            .take();
        self.connection.execute_deferred(&delete).await
    }

    /// Deletes the row of one occurrence.
    pub(crate) async fn delete_occurrence(&self, id: EventId) -> Result<(), StoreError> {
        let delete = Query::delete()
            .from_table(Entity)
            .and_where(Expr::col(Column::Id).eq(id.get()))
            .take();
        self.connection.execute_deferred(&delete).await
    }

    /// Deletes the overrides of a series.
    pub(crate) async fn delete_overrides(&self, series: EventId) -> Result<(), StoreError> {
        let own = from(event::Entity)
            .column(event::Column::Id)
            .and_where(event::Column::SeriesId.eq(series.get()))
            .take();
        let mut ids = self.ids::<Event>(&own).await?;
        ids.sort_unstable();
        for id in ids {
            Repository::<Event>::delete(self, id).await?;
        }
        Ok(())
    }

    /// Copies to its occurrences whether lists hold those of a series.
    pub(crate) async fn update_listing(
        &self,
        id: EventId,
        series: &Event,
    ) -> Result<(), StoreError> {
        let update = Query::update()
            .table(Entity)
            .value(Column::PublishedUtc, published(series))
            .value(Column::Listed, lists(series))
            .and_where(Expr::col(Column::SeriesId).eq(id.get()))
            .take();
        self.connection.execute_deferred(&update).await
    }
}

/// The start or the end of an occurrence, also of an override.
fn time(column: Column, of_record: event::Column) -> SimpleExpr {
    let of_record = Expr::col((event::Entity, of_record));
    Func::coalesce([of_record, own(column)]).into()
}

/// Whether an event names an occurrence as its parent.
fn is_parent() -> SimpleExpr {
    let part = Query::select()
        .expr(Expr::val(1_i64))
        .from_as(event::Entity, PART)
        .and_where(Expr::col((PART, event::Column::ParentId)).equals((Entity, Column::Id)))
        .take();
    Expr::exists(part)
}

/// The occurrences of a series with their records.
fn of_series(series: EventId) -> SelectStatement {
    from(Entity)
        .left_join(event::Entity, is_record())
        .and_where(own(Column::SeriesId).eq(series.get()))
        .take()
}

/// The overrides of a series with their records. An index of events has them alone.
fn overrides_of(series: EventId) -> SelectStatement {
    let of_series = Expr::col((event::Entity, event::Column::SeriesId)).eq(series.get());
    from(event::Entity)
        .inner_join(Entity, is_record())
        .and_where(of_series)
        .take()
}

/// Whether an event is the record of an occurrence.
fn is_record() -> SimpleExpr {
    Expr::col((event::Entity, event::Column::Id)).equals((Entity, Column::Id))
}

#[async_trait]
impl OccurrenceRepository for Session {
    async fn of_series(
        &self,
        series: EventId,
        filter: &OccurrenceFilter,
    ) -> Result<Vec<StoredOccurrence>, StoreError> {
        let columns = [
            own(Column::Id),
            own(Column::Slot),
            time(Column::StartUtc, event::Column::StartUtc),
            time(Column::EndUtc, event::Column::EndUtc),
            as_number(own(Column::IsOwn)),
        ];
        let mut rows = if filter.overrides_only {
            overrides_of(series)
        } else {
            of_series(series)
        };
        if let Some(id) = filter.id {
            rows.and_where(own(Column::Id).eq(id.get()));
        }
        let rows = self.numbers(rows, columns).await?.into_iter();
        let rows = rows.map(|[id, slot, start, end, is_override]| {
            Ok(StoredOccurrence {
                id: Id::from_raw(id),
                slot: slot_of(slot)?,
                start: time_column(Column::StartUtc, start)?,
                end: time_column(Column::EndUtc, end)?,
                is_override: is_override == 1,
            })
        });
        let mut rows = rows.collect::<Result<Vec<_>, StoreError>>()?;
        rows.retain(|row| filter.holds(row));
        rows.sort_by_key(|row| (row.start, row.id));
        Ok(rows)
    }

    async fn parents(&self, series: EventId) -> Result<Vec<EventId>, StoreError> {
        let parents = from(Entity)
            .column(Column::Id)
            .and_where(own(Column::SeriesId).eq(series.get()))
            .and_where(is_parent())
            .take();
        self.ids::<Event>(&parents).await
    }

    async fn find_slot(&self, series: EventId, slot: Slot) -> Result<Option<EventId>, StoreError> {
        let select = from(Entity)
            .column(Column::Id)
            .and_where(own(Column::SeriesId).eq(series.get()))
            .and_where(own(Column::Slot).eq(slot_seconds(slot)))
            .take();
        Ok(self.ids::<Event>(&select).await?.pop())
    }

    async fn apply(
        &self,
        series: &Stored<Event>,
        plan: &OccurrencePlan,
    ) -> Result<Vec<EventId>, StoreError> {
        self.remove(&plan.removed).await?;
        self.keep(series, &plan.kept).await?;
        let added = self.add(series, &plan.added).await?;
        self.insert_overrides(&plan.overridden).await?;
        self.clear_overrides(series, &plan.cleared).await?;
        self.update_overrides(&plan.changed).await?;
        for id in &plan.detached {
            self.prefetched.forget_records();
            self.delete_occurrence(*id).await?;
        }
        Ok(added)
    }

    async fn insert_at(
        &self,
        series: &Stored<Event>,
        occurrences: &[GivenOccurrence],
    ) -> Result<(), StoreError> {
        self.prefetched.forget_records();
        self.add_given(series, occurrences).await
    }

    async fn lock_unfinished(
        &self,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<Stored<Event>>, StoreError> {
        let mut select = from(event::Entity)
            .column(event::Column::Id)
            .and_where(event::Column::KeptUntilUtc.lt(until.seconds()))
            .order_by(event::Column::KeptUntilUtc, Order::Asc)
            .limit(limit as u64)
            .take();
        if self.is_postgres() {
            select.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
        }
        let ids = self.ids::<Event>(&select).await?;
        self.find_events(&ids, Extent::Whole).await
    }

    async fn extend(&self, series: &[(Stored<Event>, Vec<Slot>)]) -> Result<usize, StoreError> {
        if series.is_empty() {
            return Ok(0);
        }
        self.prefetched.forget_records();
        let added = self.add_missing(series).await?;
        self.update_repetitions(series.iter().map(|(series, _)| series))
            .await?;
        Ok(added)
    }

    async fn horizon(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        if !self.has_series().await? {
            return Ok(None);
        }
        let first = Func::min(Expr::col(event::Column::KeptUntilUtc));
        let select = from(event::Entity)
            .expr_as(first, event::Column::KeptUntilUtc)
            .and_where(event::Column::KeptUntilUtc.is_not_null())
            .and_where(event::Column::HideFromListings.eq(false))
            .cond_where(condition::is_published(now, event::Entity))
            .take();
        let first = self.connection.value(&select).await?.flatten();
        optional_time_column(event::Column::KeptUntilUtc, first)
    }
}
