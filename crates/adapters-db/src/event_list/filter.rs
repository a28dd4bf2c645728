//! The filters of event lists as SQL conditions on the table of events.

use std::collections::BTreeSet;

use domain::{
    CategoryId, Id, Kind,
    event::{EventFilter, Window},
    geo::Circle,
    policy::Visibility,
    search::Search,
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, ExprTrait,
    sea_query::{Condition, Expr, SelectStatement, SimpleExpr},
};

use crate::{
    entity::{
        LinkColumn, category_path,
        event::{self, Column},
        event_category, event_ticket, venue, venue_city,
    },
    sql::{LocalizedColumns, condition, from},
    tables::Links,
};

/// [`Window::holds`] as an SQL condition.
pub(super) fn within(window: &Window, column: impl Fn(Column) -> Expr) -> Condition {
    let Window {
        start_min,
        start_max: _,
        end_min,
        end_max,
    } = window;
    // A latest end also bounds the start, which has an index.
    let start_max = window.latest_start();
    Condition::all()
        .add_option(start_min.map(|min| column(Column::StartUtc).gte(min.seconds())))
        .add_option(start_max.map(|max| column(Column::StartUtc).lte(max.seconds())))
        .add_option(end_min.map(|min| column(Column::EndUtc).gte(min.seconds())))
        .add_option(end_max.map(|max| column(Column::EndUtc).lte(max.seconds())))
}

/// Whether [`others`] adds a condition.
pub(super) fn has_others(filter: &EventFilter) -> bool {
    !filter.search.is_empty() || has_more(filter)
}

/// Whether [`others`] adds a condition besides the search.
pub(super) fn has_more(filter: &EventFilter) -> bool {
    let EventFilter {
        statuses: _,
        include: _,
        with_hidden,
        author,
        window: _,
        modified_after,
        modified_before,
        search: _,
        categories: _,
        tags: _,
        venues: _,
        organizers: _,
        featured,
        located,
        near: _,
        cities: _,
        ticketed,
        free,
        parent,
        series: _,
        sort: _,
        descending: _,
    } = filter;
    *with_hidden
        || author.is_some()
        || modified_after.is_some()
        || modified_before.is_some()
        || featured.is_some()
        || located.is_some()
        || ticketed.is_some()
        || free.is_some()
        || parent.is_some()
}

/// All filters except window, circle, cities and linked records. `shown` are the texts that a search reads;
/// without them, there is no search. Without series, no event is an occurrence.
pub(super) fn others(
    filter: &EventFilter,
    visibility: &Visibility,
    shown: Option<&LocalizedColumns>,
    has_series: bool,
) -> Condition {
    let search = &filter.search;
    let mut texts = Condition::all();
    if let (Some(shown), false) = (shown, search.is_empty()) {
        texts = words(search, &condition::searched_text(visibility, shown));
    }
    let parent = filter.parent.map(Id::get);
    let of_series = parent.filter(|_| has_series);
    let is_part = parent.map(|parent| {
        Condition::any()
            .add(Column::ParentId.eq(parent))
            .add_option(of_series.map(|series| Column::SeriesId.eq(series)))
    });
    of_content(filter, visibility)
        .add_option(is_part)
        // The search comes last, as it costs most.
        .add(texts)
}

/// The filters by what plain occurrences share with their series, except
/// search, circle, cities and linked records.
pub(super) fn of_content(filter: &EventFilter, visibility: &Visibility) -> Condition {
    let after = filter.modified_after.map(Timestamp::seconds);
    let before = filter.modified_before.map(Timestamp::seconds);
    let featured = filter.featured;
    let located = filter.located;
    Condition::all()
        .add_option(
            filter
                .author
                .map(|author| Column::AuthorId.eq(author.get())),
        )
        .add_option(after.map(|after| Column::ModifiedUtc.gt(after)))
        .add_option(before.map(|before| Column::ModifiedUtc.lt(before)))
        .add_option(featured.map(|featured| Column::Featured.eq(featured)))
        .add_option(located.map(|located| at_located(located, visibility)))
        .add_option(filter.free.map(|free| Column::IsFree.eq(free)))
        .add_option(filter.ticketed.map(with_tickets))
}

/// [`Search::matches`] as an SQL condition.
pub(super) fn words(search: &Search, text: &SimpleExpr) -> Condition {
    let holds = |word: &String| condition::contains(text.clone(), word);
    // A text is read once for a repeated word.
    let wanted: BTreeSet<&String> = search.wanted.iter().collect();
    let excluded: BTreeSet<&String> = search.excluded.iter().collect();
    let wanted = wanted.into_iter().map(holds);
    let excluded = excluded.into_iter().map(|word| holds(word).not());
    wanted
        .chain(excluded)
        .fold(Condition::all(), Condition::add)
}

/// Events whose venue is visible and has a position, or all others.
fn at_located(located: bool, visibility: &Visibility) -> SimpleExpr {
    let venue = from(venue::Entity)
        .and_where(
            Expr::col((venue::Entity, venue::Column::Id)).equals((event::Entity, Column::VenueId)),
        )
        .and_where(venue::Column::Latitude.is_not_null())
        .cond_where(condition::is_linkable(visibility, Kind::Venue))
        .take();
    let exists = condition::exists(venue);
    if located { exists } else { exists.not() }
}

/// Events with tickets, or events without.
fn with_tickets(wanted: bool) -> SimpleExpr {
    let mut tickets = from(event_ticket::Entity);
    if wanted {
        let events = tickets.column(event_ticket::Column::EventId).take();
        return Column::Id.in_subquery(events);
    }
    // A subquery for each event, as PostgreSQL may scan a whole `NOT IN` list for each event.
    tickets.and_where(
        Expr::col((event_ticket::Entity, event_ticket::Column::EventId))
            .equals((event::Entity, Column::Id)),
    );
    condition::exists(tickets).not()
}

/// Events at a venue within the circle and in the cities of a filter.
pub(super) fn at_places(filter: &EventFilter, visibility: &Visibility) -> Condition {
    let near = filter.near.map(|circle| venues_within(&circle, visibility));
    let cities = filter.cities.as_ref();
    let cities = cities.map(|cities| venues_in(cities, visibility));
    let venues = near.into_iter().chain(cities);
    let at = venues.map(|venues| Column::VenueId.in_subquery(venues));
    at.fold(Condition::all(), Condition::add)
}

/// The venues within a circle that are visible where events name them.
pub(super) fn venues_within(circle: &Circle, visibility: &Visibility) -> SelectStatement {
    from(venue::Entity)
        .column((venue::Entity, venue::Column::Id))
        .cond_where(condition::within(circle))
        .cond_where(condition::is_linkable(visibility, Kind::Venue))
        .take()
}

/// The venues in one of some folded cities that are visible where events name them.
pub(super) fn venues_in(cities: &[String], visibility: &Visibility) -> SelectStatement {
    let there = from(venue_city::Entity)
        .column(venue_city::Column::VenueId)
        .and_where(venue_city::Column::CityKey.is_in(cities))
        .and_where(venue_city::Column::Language.eq(visibility.language.code()))
        .take();
    from(venue::Entity)
        .column((venue::Entity, venue::Column::Id))
        .and_where(venue::Column::Id.in_subquery(there))
        .cond_where(condition::is_linkable(visibility, Kind::Venue))
        .take()
}

/// Events with one of these IDs in a column; no condition without a filter.
pub(super) fn is_one_of<R>(column: Column, ids: Option<&[Id<R>]>) -> Option<SimpleExpr> {
    Some(column.is_in(ids?.iter().map(|id| id.get())))
}

/// Events in at least one of these categories or their descendants; no condition without a filter.
pub(super) fn in_categories(ids: Option<&[CategoryId]>) -> Option<SimpleExpr> {
    let carried = |column: event_category::Column| Expr::col((event_category::Entity, column));
    let events = from(category_path::Entity)
        .expr(carried(event_category::Column::EventId))
        .inner_join(
            event_category::Entity,
            carried(event_category::Column::TermId)
                .equals((category_path::Entity, category_path::Column::BelowId)),
        )
        .and_where(
            Expr::col((category_path::Entity, category_path::Column::AboveId))
                .is_in(ids?.iter().map(|id| id.get())),
        )
        .take();
    Some(Column::Id.in_subquery(events))
}

/// Events linked with at least one of these records; no condition without a filter.
pub(super) fn linked_with<R>(links: Links, ids: Option<&[Id<R>]>) -> Option<SimpleExpr> {
    let events = from(links.table())
        .column(LinkColumn::EventId)
        .and_where(Expr::col(links.column()).is_in(ids?.iter().map(|id| id.get())))
        .take();
    Some(Column::Id.in_subquery(events))
}
