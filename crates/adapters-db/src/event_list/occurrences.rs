//! Occurrences without a record of their own in lists of events.
//!
//! A row of `occurrence` has their time; all else is that of their series, whose row is joined as
//! the event. A calendar without series asks for none of this.

use domain::{
    Event,
    event::{EventFilter, EventSort, SeriesListing, Window},
    query::Query,
};
use migration::DURATION_CLASSES;
use sea_orm::{
    ColumnTrait, ExprTrait,
    sea_query::{
        Asterisk, Condition, Expr, Func, IntoIden, JoinType, Query as Sql, SelectStatement,
        SimpleExpr, UnionType,
    },
};

use super::{filter, needs_texts, order, scope::Scope};
use crate::{
    entity::{
        event::{self, Column},
        occurrence,
    },
    sql::{Part, condition, from},
    tables::{Links, Table},
};

/// A column of occurrences, among them those that events have, too.
pub(super) fn column(name: impl sea_orm::Iden) -> Expr {
    Expr::col((occurrence::Entity, name))
}

/// The rows that public lists hold once their series is due.
pub(super) fn listed() -> SelectStatement {
    from(occurrence::Entity)
        .and_where(column(occurrence::Column::Listed))
        .take()
}

/// Joins the series.
fn join_series(rows: &mut SelectStatement) {
    let same = Expr::col((event::Entity, Column::Id))
        .equals((occurrence::Entity, occurrence::Column::SeriesId));
    rows.inner_join(event::Entity, same);
}

/// The rows of public lists that were due at a moment.
fn due(now: i64) -> SelectStatement {
    listed()
        .and_where(column(Column::PublishedUtc).lte(now))
        .take()
}

/// One query for each duration class: the listed rows that may reach a moment.
pub(super) fn classes(moment: i64) -> impl Iterator<Item = SelectStatement> {
    (0_i64..)
        .zip(DURATION_CLASSES)
        .map(move |(class, longest)| {
            let began = longest.map(|longest| column(Column::StartUtc).gte(moment - longest));
            let mut rows = listed();
            rows.and_where_option(began);
            // The index of durations lacks the first class.
            rows.and_where(match longest {
                Some(longest) if class == 0 => column(Column::EndUtc)
                    .sub(column(Column::StartUtc))
                    .lte(longest),
                _ => column(Column::Span)
                    .gt(0_i64)
                    .and(column(Column::Span).eq(class)),
            });
            rows
        })
}

/// The due rows within the window of a public list.
fn within_window(window: &Window, now: i64) -> Vec<SelectStatement> {
    let Some(end) = window.going_on_at() else {
        let mut rows = due(now);
        return vec![rows.cond_where(filter::within(window, column)).take()];
    };
    let mut parts: Vec<_> = classes(end.seconds()).collect();
    for class in &mut parts {
        class
            .and_where(column(Column::PublishedUtc).lte(now))
            .and_where(column(Column::StartUtc).lt(end.seconds()))
            .cond_where(filter::within(window, column));
    }
    let later = Window {
        start_min: Some(end),
        ..*window
    };
    parts.push(due(now).cond_where(filter::within(&later, column)).take());
    parts
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

/// The occurrences of the series that an anonymous list may hold; no condition if these are all.
fn of_matching_series(query: &Query<EventFilter>, scopes: &[Scope]) -> Option<SimpleExpr> {
    let (visibility, filter) = (&query.visibility, &query.filter);
    let is_narrow = !filter.search.is_empty() || filter.parent.is_some();
    if !is_narrow && scopes.is_empty() && !filter::has_others(filter) {
        return None;
    }
    let mut series = from(event::Entity);
    series
        .column((event::Entity, Column::Id))
        .cond_where(condition::is_series())
        .cond_where(is_part(filter))
        .cond_where(filter::of_content(filter, visibility));
    if filter.asks_for_content() {
        series.cond_where(condition::opens_to_all());
    }
    for scope in scopes {
        series.cond_where(scope.holds_series());
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

/// A part with the sort key of a list. The texts of the joined series are needed for titles.
fn part(query: &Query<EventFilter>, mut rows: SelectStatement) -> Part {
    let sort = query.filter.sort;
    let shown =
        (sort == EventSort::Title).then(|| Event::localize(&mut rows, query.visibility.language));
    let times = [column(Column::StartUtc), column(Column::EndUtc)];
    Part {
        rows,
        id: occurrence::Column::Id.as_column_ref(),
        order: order(sort, times, shown.as_ref()),
    }
}

/// The occurrences of an anonymous list, each part in its order.
pub(super) fn public(query: &Query<EventFilter>, scopes: &[Scope]) -> Vec<Part> {
    let filter = &query.filter;
    let of_series = of_matching_series(query, scopes);
    let is_joined = matches!(
        filter.sort,
        EventSort::Date | EventSort::Modified | EventSort::Title
    );
    let parts = within_window(&filter.window, query.visibility.now.seconds()).into_iter();
    let parts = parts.map(|mut rows| {
        if is_joined {
            join_series(&mut rows);
        }
        rows.and_where_option(of_series.clone());
        part(query, rows)
    });
    parts.collect()
}

/// The occurrences of an anonymous list that one scope narrows, to be counted.
pub(super) fn of_scope(query: &Query<EventFilter>, scope: &Scope) -> SelectStatement {
    let mut rows = due(query.visibility.now.seconds());
    rows.cond_where(filter::within(&query.filter.window, column))
        .and_where_option(of_matching_series(query, std::slice::from_ref(scope)))
        .take()
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
    let near = filter
        .near
        .map(|circle| Column::VenueId.in_subquery(filter::venues_within(&circle, visibility)));
    let mut rows = from(occurrence::Entity);
    join_series(&mut rows);
    rows.and_where(column(occurrence::Column::IsOwn).not())
        .cond_where(condition::lists_series(
            visibility,
            &filter.statuses,
            include.is_some(),
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
        .and_where_option(near)
        .and_where_option(found_series(query))
        .cond_where(is_part(filter))
        .cond_where(filter::of_content(filter, visibility));
    part(query, rows)
}

/// The parts of a list that shows series as its filter says. `events` select from the table of
/// events, among others.
pub(super) fn shown(
    query: &Query<EventFilter>,
    events: Vec<Part>,
    occurrences: Vec<Part>,
) -> Vec<Part> {
    const ALL: &str = "matched";
    const RANKED: &str = "ranked";
    const ORDER: &str = "sort_key";
    let filter = &query.filter;
    if filter.series == SeriesListing::Occurrences {
        return events.into_iter().chain(occurrences).collect();
    }
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
    let event = |name: Column| Expr::col((event::Entity, name));
    let events = events
        .into_iter()
        .map(|part| numbered(part, event(Column::SeriesId), event(Column::StartUtc)));
    let occurrences = occurrences.into_iter().map(|part| {
        let series = column(occurrence::Column::SeriesId);
        numbered(part, series, column(Column::StartUtc))
    });
    let mut all = events.chain(occurrences);
    let Some(mut rows) = all.next() else {
        return Vec::new();
    };
    rows.unions(all.map(|rows| (UnionType::Distinct, rows)));
    let key = Func::coalesce([Expr::col("series"), Expr::col(Column::Id)]);
    if filter.series == SeriesListing::Series && filter.include.is_none() {
        let shown = Sql::select()
            .distinct()
            .expr_as(key, Column::Id)
            .from_subquery(rows, ALL)
            .take();
        let same = event(Column::Id).equals((RANKED, Column::Id));
        let mut rows = from(event::Entity);
        rows.join_subquery(JoinType::InnerJoin, shown, RANKED, same);
        let texts =
            needs_texts(filter).then(|| Event::localize(&mut rows, query.visibility.language));
        let times = [event(Column::StartUtc), event(Column::EndUtc)];
        return vec![Part {
            rows,
            id: Column::Id.as_column_ref(),
            order: order(filter.sort, times, texts.as_ref()),
        }];
    }
    // A series that the filter includes is no occurrence of itself.
    let first = "ROW_NUMBER() OVER (PARTITION BY series, CASE WHEN series IS NULL THEN id END
        ORDER BY start, id)";
    let ranked = Sql::select()
        .column(Asterisk)
        .expr_as(Expr::cust(first), "place")
        .from_subquery(rows, ALL)
        .take();
    let rows = Sql::select()
        .from_subquery(ranked, RANKED)
        .and_where(Expr::col((RANKED, "place")).eq(1_i64))
        .take();
    let has_order = filter.sort != EventSort::Id;
    vec![Part {
        rows,
        id: (RANKED.into(), Column::Id.into_iden()),
        order: has_order.then(|| Expr::col((RANKED, ORDER))),
    }]
}
