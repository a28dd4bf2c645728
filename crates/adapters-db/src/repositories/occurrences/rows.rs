//! Statements over the rows of many occurrences, which each statement gets as one parameter.

use app::ports::{GivenOccurrence, StoreError};
use domain::{Event, EventId, Id, Stored, event::Series, recurrence::Slot, time::Timestamp};
use migration::DURATION_CLASSES;
use sea_orm::{
    DbBackend, ExprTrait, IdenStatic, Statement,
    sea_query::{
        CaseStatement, Expr, Func, FunctionCall, InsertStatement, IntoIden, Query, SelectStatement,
        SimpleExpr, TableRef, UpdateStatement,
    },
};
use serde::Serialize;

use crate::{
    connection::raw,
    entity::{
        event,
        occurrence::{Column, Entity},
    },
    error::broken_column,
    repositories::occurrence_lookup::slot_seconds,
    session::Session,
    sql::{from, insert_selected},
    tables::{Table, stored_repetition},
};

/// The alias of rows that a statement gets as one parameter.
pub(super) const ROWS: &str = "given";

/// The ID, the slot, start and end in seconds, and the duration class of an occurrence.
pub(super) type Row = [i64; 5];

/// A row in one of several series: with the ID of the series, its publication, and whether lists hold
/// its occurrences.
pub(super) type RowOf = (i64, i64, i64, i64, i64, i64, Option<i64>, i64);

/// A number of a row among [`ROWS`].
pub(super) fn number(index: usize) -> Expr {
    Expr::cust(format!("CAST({ROWS}.value ->> {index} AS bigint)"))
}

/// A text of a row among [`ROWS`].
pub(super) fn text(index: usize) -> Expr {
    Expr::cust(format!("{ROWS}.value ->> {index}"))
}

pub(super) fn own(column: Column) -> Expr {
    Expr::col((Entity, column))
}

pub(super) fn series_of(stored: &Stored<Event>) -> Result<&Series, StoreError> {
    let no_series = || StoreError::Internal(format!("event {} is no series", stored.id));
    stored.series().ok_or_else(no_series)
}

/// The row of an occurrence at a slot.
pub(super) fn row_of(series: &Series, id: EventId, slot: Slot) -> Result<Row, StoreError> {
    let when = series.recurrence.time_at(slot);
    let when = when.ok_or_else(|| broken_column(Column::Slot, "outside of all years"))?;
    let [start, end] = [when.start(), when.end()].map(|moment| moment.utc.seconds());
    let class = DURATION_CLASSES
        .iter()
        .position(|longest| longest.is_none_or(|longest| end - start <= longest));
    let class = class.and_then(|class| i64::try_from(class).ok());
    Ok([
        id.get(),
        slot_seconds(slot),
        start,
        end,
        class.unwrap_or_default(),
    ])
}

impl Session {
    /// The rows as a table of a statement, in one parameter.
    pub(super) fn given_rows(&self, rows: &(impl Serialize + ?Sized)) -> FunctionCall {
        let rows = Expr::val(serde_json::json!(rows).to_string());
        if self.is_postgres() {
            Func::cust("json_array_elements").arg(rows.cast_as("json"))
        } else {
            Func::cust("json_each").arg(rows)
        }
    }

    /// A statement that changes the occurrences among some rows.
    pub(super) fn update_rows(&self, rows: &(impl Serialize + ?Sized)) -> UpdateStatement {
        Query::update()
            .table(Entity)
            .from(TableRef::FunctionCall(
                self.given_rows(rows),
                ROWS.into_iden(),
            ))
            .and_where(own(Column::Id).eq(number(0)))
            .take()
    }

    /// Reserves IDs of events, in ascending order.
    pub(super) async fn take_ids(&self, count: usize) -> Result<Vec<EventId>, StoreError> {
        let (count, table) = (i64::try_from(count).unwrap_or(i64::MAX), Event::table());
        if self.is_postgres() {
            let next =
                "SELECT string_agg(nextval(pg_get_serial_sequence($1, $2))::text, ',') AS ids
                FROM generate_series(1, $3)";
            let id = event::Column::Id.as_str();
            let values = [table.into(), id.into(), count.into()];
            let next = Statement::from_sql_and_values(DbBackend::Postgres, next, values);
            let ids: Option<String> = raw::value(&self.connection, next).await?;
            let ids = ids.unwrap_or_default();
            let ids: Result<Vec<i64>, _> = ids.split(',').map(str::parse).collect();
            let mut ids = ids.map_err(|error| StoreError::Internal(error.to_string()))?;
            ids.sort_unstable();
            return Ok(ids.into_iter().map(Id::from_raw).collect());
        }
        let next = "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ? RETURNING seq";
        let values = [count.into(), table.into()];
        let next = Statement::from_sql_and_values(DbBackend::Sqlite, next, values);
        let last: Option<i64> = raw::value(&self.connection, next).await?;
        let last = last.ok_or_else(|| StoreError::Internal("no event has an ID yet".to_owned()))?;
        Ok((last - count + 1..=last).map(Id::from_raw).collect())
    }

    /// Stores new occurrences.
    pub(super) async fn add(
        &self,
        stored: &Stored<Event>,
        slots: &[Slot],
    ) -> Result<Vec<EventId>, StoreError> {
        if slots.is_empty() {
            return Ok(Vec::new());
        }
        let series = series_of(stored)?;
        let ids = self.take_ids(slots.len()).await?;
        let rows = ids.iter().zip(slots);
        let rows = rows.map(|(id, slot)| row_of(series, *id, *slot));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let insert = insert_occurrences(of_series(stored), |select| {
            select.from_function(self.given_rows(&rows), ROWS)
        })?;
        self.connection.execute_deferred(&insert).await?;
        Ok(ids)
    }

    /// Stores occurrences with given IDs and revisions.
    pub(super) async fn add_given(
        &self,
        stored: &Stored<Event>,
        occurrences: &[GivenOccurrence],
    ) -> Result<(), StoreError> {
        let Some(last) = occurrences.iter().map(|one| one.id.get()).max() else {
            return Ok(());
        };
        let series = series_of(stored)?;
        let rows = occurrences.iter().map(|one| {
            let [id, slot, start, end, class] = row_of(series, one.id, one.slot)?;
            Ok([id, slot, start, end, class, one.revision - stored.revision])
        });
        let rows = rows.collect::<Result<Vec<_>, StoreError>>()?;
        let insert = insert_rows(of_series(stored), number(5), |select| {
            select.from_function(self.given_rows(&rows), ROWS)
        })?;
        self.connection.execute_deferred(&insert).await?;
        self.reserve_ids(Event::table(), last).await.map(drop)
    }

    /// Stores occurrences of several series where their slots have none. Returns the number of new ones.
    pub(super) async fn add_missing(
        &self,
        series: &[(Stored<Event>, Vec<Slot>)],
    ) -> Result<usize, StoreError> {
        let number_of_slots = series.iter().map(|(_, slots)| slots.len()).sum();
        if number_of_slots == 0 {
            return Ok(0);
        }
        let mut ids = self.take_ids(number_of_slots).await?.into_iter();
        let mut rows: Vec<RowOf> = Vec::with_capacity(number_of_slots);
        for (stored, slots) in series {
            let listed = i64::from(stored.lists_occurrences());
            let of_series = (stored.id.get(), published(stored), listed);
            for (slot, id) in slots.iter().zip(&mut ids) {
                let [id, slot, start, end, class] = row_of(series_of(stored)?, id, *slot)?;
                let (series, published, listed) = of_series;
                rows.push((id, slot, start, end, class, series, published, listed));
            }
        }
        let known = from(Entity)
            .column(Column::Id)
            .and_where(own(Column::SeriesId).eq(number(5)))
            .and_where(own(Column::Slot).eq(number(1)))
            .take();
        let insert = insert_occurrences([number(5), number(6), number(7).eq(1)], |select| {
            select
                .from_function(self.given_rows(&rows), ROWS)
                .and_where(Expr::exists(known).not())
        })?;
        let added = self.connection.run(&insert).await?.rows_affected();
        Ok(usize::try_from(added).unwrap_or(usize::MAX))
    }

    /// Gives occurrences of this or another series their slots in this one.
    pub(super) async fn keep(
        &self,
        stored: &Stored<Event>,
        kept: &[(EventId, Slot)],
    ) -> Result<(), StoreError> {
        if kept.is_empty() {
            return Ok(());
        }
        let (series, id) = (series_of(stored)?, stored.id.get());
        let rows = kept.iter().map(|(id, slot)| row_of(series, *id, *slot));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let moves = own(Column::SeriesId)
            .ne(id)
            .or(own(Column::Slot).ne(number(1)));
        if !self.is_postgres() {
            // SQLite checks the key after each row: no row may have the slot that another one gets.
            let nowhere = Expr::val(i64::MIN).add(own(Column::Id));
            let free = self
                .update_rows(&rows)
                .value(Column::Slot, nowhere)
                .and_where(moves.clone())
                .take();
            self.connection.execute_deferred(&free).await?;
        }
        // The revision of an occurrence increases also if that of its new series is smaller.
        let revision = own(Column::Revision)
            .add(SimpleExpr::from(revision_of_series()))
            .add(1_i64 - stored.revision);
        let revision = CaseStatement::new()
            .case(own(Column::SeriesId).eq(id), own(Column::Revision))
            .finally(revision);
        let changes = moves
            .or(own(Column::StartUtc).ne(number(2)))
            .or(own(Column::EndUtc).ne(number(3)));
        let update = self
            .update_rows(&rows)
            .value(Column::SeriesId, id)
            .value(Column::Slot, number(1))
            .value(Column::StartUtc, number(2))
            .value(Column::EndUtc, number(3))
            .value(Column::Span, number(4))
            .value(Column::PublishedUtc, published(stored))
            .value(Column::Listed, lists(stored))
            .value(Column::Revision, revision)
            .and_where(changes)
            .take();
        self.connection.execute_deferred(&update).await
    }

    /// Stores how series repeat. Their revisions stay.
    pub(super) async fn update_repetitions(
        &self,
        series: impl ExactSizeIterator<Item = &Stored<Event>>,
    ) -> Result<(), StoreError> {
        let number_of_series = series.len() as u64;
        let rows = series.map(|series| {
            let (text, kept_until) = stored_repetition(series);
            (series.id.get(), series.revision, kept_until, text)
        });
        let rows: Vec<_> = rows.collect();
        let update = Query::update()
            .table(event::Entity)
            .from(TableRef::FunctionCall(
                self.given_rows(&rows),
                ROWS.into_iden(),
            ))
            .value(event::Column::KeptUntilUtc, number(2))
            .value(event::Column::Repetition, text(3))
            .and_where(Expr::col((event::Entity, event::Column::Id)).eq(number(0)))
            .and_where(Expr::col((event::Entity, event::Column::Revision)).eq(number(1)))
            .take();
        if self.connection.run(&update).await?.rows_affected() < number_of_series {
            return Err(StoreError::Conflict);
        }
        Ok(())
    }
}

/// The ID of a series, its publication, and whether lists hold its occurrences.
fn of_series(stored: &Stored<Event>) -> [SimpleExpr; 3] {
    [
        Expr::val(stored.id.get()),
        Expr::val(published(stored)),
        Expr::val(stored.lists_occurrences()),
    ]
}

/// The insertion of the occurrences of [`ROWS`], which `from` adds to the query of their rows. `of_series` is
/// the ID of the series, its publication, and whether lists hold its occurrences.
pub(super) fn insert_occurrences(
    of_series: [SimpleExpr; 3],
    from: impl FnOnce(&mut SelectStatement) -> &mut SelectStatement,
) -> Result<InsertStatement, StoreError> {
    insert_rows(of_series, Expr::val(0_i64), from)
}

/// As [`insert_occurrences`], with the difference between the revisions of each occurrence and of its series.
fn insert_rows(
    of_series: [SimpleExpr; 3],
    revision: Expr,
    from: impl FnOnce(&mut SelectStatement) -> &mut SelectStatement,
) -> Result<InsertStatement, StoreError> {
    let [series, published, listed] = of_series;
    let values = [
        (Column::Id, number(0)),
        (Column::SeriesId, series),
        (Column::Slot, number(1)),
        (Column::StartUtc, number(2)),
        (Column::EndUtc, number(3)),
        (Column::PublishedUtc, published),
        (Column::Listed, listed),
        (Column::IsOwn, Expr::val(false)),
        (Column::Revision, revision),
        (Column::Span, number(4)),
    ];
    let (columns, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    let rows = from(Query::select().exprs(values)).take();
    insert_selected(Entity, columns, rows)
}

pub(super) fn published(series: &Event) -> Option<i64> {
    series.published_at.map(Timestamp::seconds)
}

/// The revision of the series of the selected occurrence.
pub(super) fn revision_of_series() -> SelectStatement {
    let series = Expr::col((event::Entity, event::Column::Id)).equals((Entity, Column::SeriesId));
    from(event::Entity)
        .column((event::Entity, event::Column::Revision))
        .and_where(series)
        .take()
}

/// Whether lists hold an occurrence of a series by its row.
pub(super) fn lists(series: &Event) -> SimpleExpr {
    if series.lists_occurrences() {
        own(Column::IsOwn).not()
    } else {
        Expr::val(false)
    }
}
