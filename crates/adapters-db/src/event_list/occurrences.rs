//! Plain occurrences in lists of events.
//!
//! A row of `occurrence` has their time; all else is that of their series, whose row is joined as
//! the event. A calendar without series asks for none of this.

use domain::{
    Event,
    event::{EventFilter, EventSort, Window},
    query::Query,
};
use migration::DURATION_CLASSES;
use sea_orm::{
    ColumnTrait, DynIden, ExprTrait, Iden,
    sea_query::{Condition, Expr, IntoIden, Query as Sql, SelectStatement, SimpleExpr},
};

use super::{filter, order, scope::IndexScope};
use crate::{
    entity::{
        event::{self, Column},
        occurrence, occurrence_in,
    },
    sql::{Part, condition, from},
    tables::{Links, Table},
};

/// A column of occurrences, among them those that events have, too.
pub(super) fn column(name: impl sea_orm::Iden) -> Expr {
    Expr::col((occurrence::Entity, name))
}

/// The table with the occurrences of a scope in the order of starts.
fn table(scope: &IndexScope) -> DynIden {
    match scope {
        IndexScope::All => occurrence::Entity.into_iden(),
        IndexScope::Linked(..) | IndexScope::At(_) | IndexScope::AtSelected(_) => {
            occurrence_in::Entity.into_iden()
        }
    }
}

/// A time of the occurrences of a scope.
pub(super) fn time(scope: &IndexScope, name: Column) -> Expr {
    Expr::col((table(scope), name))
}

/// The column with the IDs of the occurrences of a scope.
fn id(scope: &IndexScope) -> (DynIden, DynIden) {
    let name = match scope {
        IndexScope::All => occurrence::Column::Id.into_iden(),
        IndexScope::Linked(..) | IndexScope::At(_) | IndexScope::AtSelected(_) => {
            occurrence_in::Column::OccurrenceId.into_iden()
        }
    };
    (table(scope), name)
}

/// The rows of a scope that public lists hold once their series is due.
pub(super) fn rows(scope: &IndexScope) -> SelectStatement {
    match scope {
        IndexScope::All => from(occurrence::Entity)
            .and_where(column(occurrence::Column::Listed))
            .take(),
        IndexScope::Linked(..) | IndexScope::At(_) | IndexScope::AtSelected(_) => {
            from(occurrence_in::Entity)
                .cond_where(is_in(scope, occurrence_in::Entity))
                .take()
        }
    }
}

/// Whether a row of [`occurrence_in`] is of a scope.
fn is_in(scope: &IndexScope, table: impl Iden + Copy) -> Condition {
    let kind = Expr::col((table, occurrence_in::Column::Scope));
    Condition::all()
        .add(kind.eq(scope.finest().scope))
        .add(scope.has(Expr::col((table, occurrence_in::Column::ScopeId))))
}

/// Whether a scope contains the selected listed occurrence.
pub(super) fn holds(scope: &IndexScope) -> Condition {
    is_among(scope, &IndexScope::All)
}

/// Whether a scope contains the selected occurrence of another.
fn is_among(scope: &IndexScope, rows: &IndexScope) -> Condition {
    const HELD: &str = "held";
    if matches!(scope, IndexScope::All) {
        return Condition::all();
    }
    let held = |name: DynIden| Expr::col((HELD, name));
    let same = Sql::select()
        .from_as(occurrence_in::Entity, HELD)
        .cond_where(is_in(scope, HELD))
        .and_where(held(Column::StartUtc.into_iden()).eq(time(rows, Column::StartUtc)))
        .and_where(held(occurrence_in::Column::OccurrenceId.into_iden()).equals(id(rows)))
        .take();
    Condition::all().add(condition::exists(same))
}

/// Joins the rows of the occurrences of a scope, unless the rows are these.
fn join_occurrence(scope: &IndexScope, rows: &mut SelectStatement) {
    if !matches!(scope, IndexScope::All) {
        let same = column(occurrence::Column::Id).equals(id(scope));
        rows.inner_join(occurrence::Entity, same);
    }
}

/// Joins the series.
pub(super) fn join_series(rows: &mut SelectStatement) {
    let same = Expr::col((event::Entity, Column::Id))
        .equals((occurrence::Entity, occurrence::Column::SeriesId));
    rows.inner_join(event::Entity, same);
}

/// One query for each duration class: the listed rows that may reach a moment.
pub(super) fn classes(moment: i64) -> impl Iterator<Item = SelectStatement> {
    (0_i64..)
        .zip(DURATION_CLASSES)
        .map(move |(class, longest)| {
            let began = longest.map(|longest| column(Column::StartUtc).gte(moment - longest));
            let mut rows = rows(&IndexScope::All);
            rows.and_where_option(began);
            // The index of durations lacks the first class.
            rows.and_where(match longest {
                Some(longest) if class == 0 => column(Column::EndUtc)
                    .sub(column(Column::StartUtc))
                    .lte(longest),
                // A constant, not a parameter: the condition of the partial index contains the same one.
                _ => column(Column::Span)
                    .gt(Expr::cust("0"))
                    .and(column(Column::Span).eq(class)),
            });
            rows
        })
}

/// The due rows of a scope within the window of a public list, each query in the order of starts.
pub(super) fn due(leading: &IndexScope, window: &Window, now: i64) -> Vec<SelectStatement> {
    let within = |scope: &IndexScope, mut rows: SelectStatement, window: &Window| {
        rows.and_where(time(scope, Column::PublishedUtc).lte(now))
            .cond_where(filter::within(window, |name| time(scope, name)))
            .take()
    };
    if let (Some(end), IndexScope::All) = (window.going_on_at(), leading) {
        let begun = classes(end.seconds()).map(|mut class| {
            class.and_where(column(Column::StartUtc).lt(end.seconds()));
            within(leading, class, window)
        });
        let later = Window {
            start_min: Some(end),
            ..*window
        };
        let later = within(leading, rows(leading), &later);
        return begun.chain([later]).collect();
    }
    let parts = leading.parts().into_iter();
    parts
        .map(|part| within(&part, rows(&part), window))
        .collect()
}

/// The series whose texts match the search of a list.
fn found_series(query: &Query<EventFilter>) -> Option<SimpleExpr> {
    if query.filter.search.is_empty() {
        return None;
    }
    let mut series = from(event::Entity);
    search(query, &mut series);
    let series = series
        .column((event::Entity, Column::Id))
        .cond_where(condition::is_series())
        .take();
    Some(column(occurrence::Column::SeriesId).in_subquery(series))
}

/// Adds the search of a list to a query of events.
fn search(query: &Query<EventFilter>, events: &mut SelectStatement) {
    let visibility = &query.visibility;
    let shown = Event::localize(events, visibility.language);
    let text = condition::searched_text(visibility, &shown);
    events.cond_where(filter::words(&query.filter.search, &text));
}

/// Whether the joined series is part of the event that a list names, or is that event.
fn is_part(filter: &EventFilter) -> Condition {
    let Some(parent) = filter.parent else {
        return Condition::all();
    };
    Condition::any()
        .add(Column::ParentId.eq(parent.get()))
        .add(Column::Id.eq(parent.get()))
}

/// The occurrences of the series that an anonymous list without scopes may hold; no condition if these
/// are all.
fn of_matching_series(query: &Query<EventFilter>) -> Option<SimpleExpr> {
    let (visibility, filter) = (&query.visibility, &query.filter);
    if !filter::has_others(filter) {
        return None;
    }
    let is_narrow = !filter.search.is_empty() || filter.parent.is_some();
    let mut series = from(event::Entity);
    series
        .column((event::Entity, Column::Id))
        .cond_where(condition::is_series())
        .cond_where(is_part(filter))
        .cond_where(filter::of_content(filter, visibility));
    if filter.asks_for_content() {
        series.cond_where(condition::opens_to_all());
    }
    if !filter.search.is_empty() {
        search(query, &mut series);
    }
    let of_series = column(occurrence::Column::SeriesId);
    // The addition of 0 prevents the use of the index by series: of many series, the occurrences are
    // read in the order of starts.
    let of_series = if is_narrow {
        of_series
    } else {
        of_series.add(0_i64)
    };
    Some(of_series.in_subquery(series))
}

/// A part of the occurrences of a scope with the sort key of a list. The texts of the joined series are
/// needed for titles.
pub(super) fn part(
    query: &Query<EventFilter>,
    scope: &IndexScope,
    mut rows: SelectStatement,
) -> Part {
    let sort = query.filter.sort;
    let shown =
        (sort == EventSort::Title).then(|| Event::localize(&mut rows, query.visibility.language));
    let times = [Column::StartUtc, Column::EndUtc].map(|name| time(scope, name));
    Part {
        rows,
        id: id(scope),
        order: order(sort, times, shown.as_ref()),
    }
}

/// The occurrences of an anonymous list in the leading scope and in each other scope, each part in its
/// order.
pub(super) fn public(
    query: &Query<EventFilter>,
    leading: &IndexScope,
    others: &[IndexScope],
) -> Vec<Part> {
    let filter = &query.filter;
    let of_series = of_matching_series(query);
    let asks_series = matches!(
        filter.sort,
        EventSort::Date | EventSort::Modified | EventSort::Title
    );
    let asks_occurrence = asks_series || of_series.is_some();
    let parts = due(leading, &filter.window, query.visibility.now.seconds()).into_iter();
    let parts = parts.map(|mut rows| {
        if asks_occurrence {
            join_occurrence(leading, &mut rows);
        }
        if asks_series {
            join_series(&mut rows);
        }
        for other in others {
            rows.cond_where(is_among(other, leading));
        }
        rows.and_where_option(of_series.clone());
        part(query, leading, rows)
    });
    parts.collect()
}

/// The occurrences of a list for a reader who sees more than anonymous readers, or of requested IDs.
pub(super) fn of_reader(query: &Query<EventFilter>) -> Part {
    let (visibility, filter) = (&query.visibility, &query.filter);
    let include = filter.include.as_ref();
    let opens = filter
        .asks_for_content()
        .then(|| condition::opens(visibility));
    let is_included = |ids: &Vec<domain::EventId>| {
        column(occurrence::Column::Id).is_in(ids.iter().map(|id| id.get()))
    };
    let mut rows = from(occurrence::Entity);
    join_series(&mut rows);
    rows.and_where(column(occurrence::Column::IsOwn).not())
        .cond_where(condition::lists_events_unindexed(
            visibility,
            &filter.statuses,
            filter.includes_hidden(),
        ))
        .and_where_option(include.map(is_included))
        .cond_where(filter::within(&filter.window, column))
        .cond_where(Condition::all().add_option(opens))
        .and_where_option(filter::in_categories(filter.categories.as_deref()))
        .and_where_option(filter::linked_with(Links::Tags, filter.tags.as_deref()))
        .and_where_option(filter::linked_with(
            Links::Organizers,
            filter.organizers.as_deref(),
        ))
        .and_where_option(filter::is_one_of(Column::VenueId, filter.venues.as_deref()))
        .cond_where(filter::at_places(filter, visibility))
        .and_where_option(found_series(query))
        .cond_where(is_part(filter))
        .cond_where(filter::of_content(filter, visibility));
    part(query, &IndexScope::All, rows)
}
