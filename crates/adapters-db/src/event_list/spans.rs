//! The public events of a window, as far as views by day need them.

use std::collections::HashMap;

use app::ports::StoreError;
use domain::{
    EventId,
    event::{EventSpan, Window},
    policy::{Caller, Visibility},
    time::{Timestamp, Zone},
};
use sea_orm::{
    ExprTrait,
    sea_query::{
        Asterisk, CaseStatement, Expr, Order, Query as Sql, SelectStatement, SimpleExpr, UnionType,
    },
};

use super::{begun, occurrences, scope::IndexScope};
use crate::{
    entity::{
        event::{self, Column},
        occurrence,
    },
    error::{broken_column, store_error},
    session::Session,
};

/// The alias of the united rows.
const SPANS: &str = "span_rows";

/// The alias of the JSON of all rows.
const ALL: &str = "spans";

/// The column that says whether an event comes first in its day.
const IS_FIRST: &str = "is_first";

impl Session {
    /// The public events within a window, at most `limit`.
    pub(crate) async fn event_spans(
        &self,
        window: &Window,
        now: Timestamp,
        limit: u64,
    ) -> Result<Vec<EventSpan>, StoreError> {
        let has_series = self.has_series().await?;
        let mut rows = union(rows(window, now, has_series));
        self.read_spans(rows.limit(limit).take()).await
    }

    /// The first public event to begin, and the last one to end.
    pub(crate) async fn event_extent(
        &self,
        now: Timestamp,
    ) -> Result<Option<[EventSpan; 2]>, StoreError> {
        let has_series = self.has_series().await?;
        let all = rows(&Window::default(), now, has_series).into_iter();
        let starts = all.flat_map(|rows| {
            [Order::Asc, Order::Desc].map(|order| one_of(rows.clone(), Column::StartUtc, order))
        });
        let starts = self.read_spans(union(starts.collect())).await?;
        let first = starts.iter().min_by_key(|span| span.start);
        let last_start = starts.iter().map(|span| span.start).max();
        let (Some(first), Some(_)) = (first, last_start) else {
            return Ok(None);
        };
        // No other event ends later: each one that is over before the last one begins ends before that one.
        let going_on = Window {
            end_min: last_start,
            ..Window::default()
        };
        let ends = rows(&going_on, now, has_series).into_iter();
        let ends = ends.map(|rows| one_of(rows, Column::EndUtc, Order::Desc));
        let ends = self.read_spans(union(ends.collect())).await?;
        let last = ends.into_iter().max_by_key(|span| span.end);
        Ok(last.map(|last| [first.clone(), last]))
    }

    /// Reads rows, which arrive as one JSON text.
    async fn read_spans(&self, rows: SelectStatement) -> Result<Vec<EventSpan>, StoreError> {
        let columns = [
            Column::Id,
            Column::StartUtc,
            Column::EndUtc,
            Column::TimeZone,
        ];
        let columns = columns.map(|name| Expr::col((SPANS, name))).into_iter();
        let columns = columns.chain([Expr::col((SPANS, IS_FIRST))]);
        let all = Sql::select()
            .expr_as(self.json().table(columns.collect()), ALL)
            .from_subquery(rows, SPANS)
            .take();
        let Some(row) = self.slow().row(&all).await? else {
            return Ok(Vec::new());
        };
        let json: Option<String> = row.try_get("", ALL).map_err(store_error)?;
        let rows: Vec<(i64, i64, i64, String, i64)> = match json {
            Some(json) => serde_json::from_str(&json)
                .map_err(|error| StoreError::Internal(format!("spans are no JSON: {error}")))?,
            None => Vec::new(),
        };
        let moment = |column, seconds| {
            Timestamp::from_seconds(seconds).ok_or_else(|| broken_column(column, seconds))
        };
        let mut zones = Zones::default();
        rows.into_iter()
            .map(|(id, start, end, zone, is_first)| {
                Ok(EventSpan {
                    id: EventId::from_raw(id),
                    start: moment(Column::StartUtc, start)?,
                    end: moment(Column::EndUtc, end)?,
                    zone: zones.named(zone)?,
                    sticky: is_first != 0,
                })
            })
            .collect()
    }
}

/// The zones of rows, most of which have the same ones.
#[derive(Default)]
struct Zones(HashMap<String, Zone>);

impl Zones {
    fn named(&mut self, name: String) -> Result<Zone, StoreError> {
        if let Some(zone) = self.0.get(&name) {
            return Ok(zone.clone());
        }
        let zone: Zone = name
            .parse()
            .map_err(|error| broken_column(Column::TimeZone, error))?;
        self.0.insert(name, zone.clone());
        Ok(zone)
    }
}

/// The rows of the public events within a window, in disjoint queries.
fn rows(window: &Window, now: Timestamp, has_series: bool) -> Vec<SelectStatement> {
    let visibility = Visibility::new(Caller::Anonymous, now);
    let event = |name: Column| Expr::col((event::Entity, name));
    let mut all: Vec<_> = match window.going_on_at() {
        Some(end) => begun(window, end, &visibility).collect(),
        None => Vec::new(),
    };
    let later = Window {
        start_min: window.start_min.max(window.going_on_at()),
        ..*window
    };
    all.push(IndexScope::All.due(&later, &visibility));
    for rows in &mut all {
        let times = [event(Column::StartUtc), event(Column::EndUtc)];
        add_columns(rows, event(Column::Id), times);
    }
    if has_series {
        for mut rows in occurrences::due(&IndexScope::All, window, now.seconds()) {
            occurrences::join_series(&mut rows);
            let times = [Column::StartUtc, Column::EndUtc].map(occurrences::column);
            add_columns(
                &mut rows,
                occurrences::column(occurrence::Column::Id),
                times,
            );
            all.push(rows);
        }
    }
    all
}

/// Adds the columns of a row, of which those of content are of the event or of the series.
fn add_columns(rows: &mut SelectStatement, id: Expr, [start, end]: [Expr; 2]) {
    let event = |name: Column| Expr::col((event::Entity, name));
    let is_first: SimpleExpr = CaseStatement::new()
        .case(
            event(Column::Sticky).and(event(Column::PasswordHash).is_null()),
            1_i64,
        )
        .finally(0_i64)
        .into();
    rows.expr_as(id, Column::Id)
        .expr_as(start, Column::StartUtc)
        .expr_as(end, Column::EndUtc)
        .expr_as(event(Column::TimeZone), Column::TimeZone)
        .expr_as(is_first, IS_FIRST);
}

/// The first row in an order. SQLite allows it in a subquery, but not in a part of a union.
fn one_of(mut rows: SelectStatement, column: Column, order: Order) -> SelectStatement {
    let first = rows.order_by(column, order).limit(1).take();
    Sql::select()
        .column(Asterisk)
        .from_subquery(first, SPANS)
        .take()
}

/// All rows of disjoint queries.
fn union(queries: Vec<SelectStatement>) -> SelectStatement {
    let mut queries = queries.into_iter();
    let mut all = queries.next().unwrap_or_default();
    all.unions(queries.map(|rows| (UnionType::All, rows)))
        .take()
}
