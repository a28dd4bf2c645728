//! Lists that show one record of each series.

use domain::{
    Event,
    event::{EventFilter, EventSort, SeriesListing},
    query::Query,
};
use sea_orm::{
    ExprTrait,
    sea_query::{
        Asterisk, Condition, Expr, IntoIden, Order, Query as Sql, SelectStatement, UnionType,
    },
};

use super::{needs_texts, occurrences, order, scope::IndexScope};
use crate::{
    entity::{
        event::{self, Column},
        occurrence,
    },
    sql::{Part, condition, from},
    tables::Table,
};

/// The alias of the series of which a list shows one record.
const SERIES: &str = "repeated";

fn event(name: Column) -> Expr {
    Expr::col((event::Entity, name))
}

/// All series, without columns.
fn all_series() -> SelectStatement {
    let column = |name: Column| Expr::col((SERIES, name));
    Sql::select()
        .from_as(event::Entity, SERIES)
        .and_where(column(Column::Repetition).is_not_null())
        .and_where(column(Column::SeriesId).is_null())
        .take()
}

/// The occurrences of a part that are of the series.
fn of_series(part: &Part) -> SelectStatement {
    let series = occurrences::column(occurrence::Column::SeriesId).equals((SERIES, Column::Id));
    part.rows.clone().and_where(series).take()
}

/// The parts of a list that shows series as its filter says. The first ones hold events that are no
/// occurrences, the last one those of series. `events` select from the table of events, among others, and
/// `occurrences` from that of occurrences.
pub(super) fn parts(
    query: &Query<EventFilter>,
    events: &[Part],
    occurrences: &[Part],
) -> Vec<Part> {
    let is_own = event(Column::SeriesId).is_not_null();
    let with = |part: &Part, condition| Part {
        rows: part.rows.clone().and_where(condition).take(),
        id: part.id.clone(),
        order: part.order.clone(),
    };
    let own: Vec<_> = events
        .iter()
        .map(|part| with(part, is_own.clone()))
        .collect();
    let once = events
        .iter()
        .map(|part| with(part, event(Column::SeriesId).is_null()));
    let filter = &query.filter;
    let of_series = if filter.series == SeriesListing::Series && filter.include.is_none() {
        series(query, &own, occurrences)
    } else {
        first(query, own, occurrences)
    };
    once.chain([of_series]).collect()
}

/// The series of which the list holds an occurrence.
fn series(query: &Query<EventFilter>, own: &[Part], occurrences: &[Part]) -> Part {
    let of_own = own.iter().map(|part| {
        let series = part.rows.clone().expr(event(Column::SeriesId)).take();
        Expr::col((SERIES, Column::Id)).in_subquery(series)
    });
    let held = occurrences
        .iter()
        .map(|part| condition::exists(of_series(part)));
    let held = held.chain(of_own).fold(Condition::any(), Condition::add);
    let shown = all_series()
        .column((SERIES, Column::Id))
        .cond_where(held)
        .take();
    let mut rows = from(event::Entity);
    rows.and_where(event(Column::Id).in_subquery(shown));
    let texts =
        needs_texts(&query.filter).then(|| Event::localize(&mut rows, query.visibility.language));
    let times = [event(Column::StartUtc), event(Column::EndUtc)];
    Part {
        rows,
        id: (event::Entity.into_iden(), Column::Id.into_iden()),
        order: order(query.filter.sort, times, texts.as_ref()),
    }
}

/// The first occurrence of each series that the list holds.
fn first(query: &Query<EventFilter>, own: Vec<Part>, occurrences: &[Part]) -> Part {
    const ALL: &str = "matched";
    const RANKED: &str = "ranked";
    const ORDER: &str = "sort_key";
    let numbered = |part: Part, series: Expr, start: Expr| {
        let mut rows = part.rows;
        rows.expr_as(Expr::col(part.id), Column::Id)
            .expr_as(series, "series")
            .expr_as(start, "start");
        if let Some(order) = part.order {
            rows.expr_as(order, ORDER);
        }
        rows
    };
    let own = own
        .into_iter()
        .map(|part| numbered(part, event(Column::SeriesId), event(Column::StartUtc)));
    let plain = occurrences.iter().map(|part| {
        let part = first_of_part(query, part);
        let series = occurrences::column(occurrence::Column::SeriesId);
        numbered(part, series, occurrences::column(Column::StartUtc))
    });
    let mut all = own.chain(plain);
    let mut rows = all.next().unwrap_or_default();
    rows.unions(all.map(|rows| (UnionType::Distinct, rows)));
    let first = "ROW_NUMBER() OVER (PARTITION BY series ORDER BY start, id)";
    let ranked = Sql::select()
        .column(Asterisk)
        .expr_as(Expr::cust(first), "number")
        .from_subquery(rows, ALL)
        .take();
    let rows = Sql::select()
        .from_subquery(ranked, RANKED)
        .and_where(Expr::col((RANKED, "number")).eq(1_i64))
        .take();
    let has_order = query.filter.sort != EventSort::Id;
    Part {
        rows,
        id: (RANKED.into(), Column::Id.into_iden()),
        order: has_order.then(|| Expr::col((RANKED, ORDER))),
    }
}

/// The first occurrence of each series in a part.
fn first_of_part(query: &Query<EventFilter>, part: &Part) -> Part {
    let id = || Expr::col(part.id.clone());
    let first = of_series(part)
        .expr(id())
        .order_by_expr(occurrences::column(Column::StartUtc), Order::Asc)
        .order_by_expr(id(), Order::Asc)
        .limit(1)
        .take();
    let first = all_series().expr(first).take();
    let mut rows = from(occurrence::Entity);
    if matches!(
        query.filter.sort,
        EventSort::Date | EventSort::Modified | EventSort::Title
    ) {
        occurrences::join_series(&mut rows);
    }
    rows.and_where(occurrences::column(occurrence::Column::Id).in_subquery(first));
    occurrences::part(query, &IndexScope::All, rows)
}
