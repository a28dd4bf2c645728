//! Filters of lists of events, as conditions of SQL on the table of events.

use domain::{
    CategoryId, Id,
    event::{EventFilter, Window},
    geo::Circle,
    policy::Visibility,
    time::Timestamp,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement, SimpleExpr},
};

use super::text_index::{self, Index};
use crate::{
    sql::{LocalizedColumns, condition, from},
    tables::{CATEGORIES, CATEGORY_PATH, Links, TICKETS},
};

fn event(column: &'static str) -> Expr {
    Expr::col(("event", column))
}

/// See [`Window::holds`].
pub(super) fn within(window: &Window, column: impl Fn(&'static str) -> Expr) -> Condition {
    let Window {
        start_min,
        start_max: _,
        end_min,
        end_max,
    } = window;
    // A latest end bounds an index by start, too.
    let start_max = window.latest_start();
    Condition::all()
        .add_option(start_min.map(|min| column("start_utc").gte(min.seconds())))
        .add_option(start_max.map(|max| column("start_utc").lte(max.seconds())))
        .add_option(end_min.map(|min| column("end_utc").gte(min.seconds())))
        .add_option(end_max.map(|max| column("end_utc").lte(max.seconds())))
}

/// Whether a filter is named that [`others`] says.
pub(super) fn has_others(filter: &EventFilter) -> bool {
    !filter.search.is_empty() || has_more(filter)
}

/// The same, beside a search.
pub(super) fn has_more(filter: &EventFilter) -> bool {
    let EventFilter {
        statuses: _,
        include: _,
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
        ticketed,
        parent,
        sort: _,
        descending: _,
    } = filter;
    modified_after.is_some()
        || modified_before.is_some()
        || featured.is_some()
        || located.is_some()
        || ticketed.is_some()
        || parent.is_some()
}

/// All filters but window, circle, and what events are linked with; `shown` is there for a search, and so is
/// the index if it is to be asked.
pub(super) fn others(
    filter: &EventFilter,
    visibility: &Visibility,
    shown: Option<&LocalizedColumns>,
    index: Option<Index>,
) -> Condition {
    let search = &filter.search;
    let mut texts = Condition::all();
    if let (Some(shown), false) = (shown, search.is_empty()) {
        texts = text_index::words(search, &condition::searched_text(visibility, shown), index);
    }
    let after = filter.modified_after.map(Timestamp::seconds);
    let before = filter.modified_before.map(Timestamp::seconds);
    Condition::all()
        .add_option(after.map(|after| event("modified_utc").gt(after)))
        .add_option(before.map(|before| event("modified_utc").lt(before)))
        .add_option(
            filter
                .featured
                .map(|featured| event("featured").eq(featured)),
        )
        .add_option(
            filter
                .located
                .map(|located| at_located(located, visibility)),
        )
        .add_option(filter.ticketed.map(with_tickets))
        .add_option(
            filter
                .parent
                .map(|parent| event("parent_id").eq(parent.get())),
        )
        // Last: the dearest.
        .add(texts)
}

/// Events whose venue the reader sees there and has a position; or all others.
fn at_located(located: bool, visibility: &Visibility) -> SimpleExpr {
    let venue = Sql::select()
        .expr(Expr::val(1))
        .from("venue")
        .and_where(Expr::col(("venue", "id")).equals(("event", "venue_id")))
        .and_where(Expr::col(("venue", "latitude")).is_not_null())
        .cond_where(condition::links(visibility, "venue"))
        .take();
    let exists = condition::exists(venue);
    if located { exists } else { exists.not() }
}

/// Events with tickets; or those without.
fn with_tickets(wanted: bool) -> SimpleExpr {
    let mut tickets = Sql::select().from(TICKETS).take();
    if wanted {
        let events = tickets.column("event_id").take();
        return event("id").in_subquery(events);
    }
    // Asked event by event: PostgreSQL may look through a whole NOT IN for each.
    tickets
        .expr(Expr::val(1))
        .and_where(Expr::col((TICKETS, "event_id")).equals(("event", "id")));
    condition::exists(tickets).not()
}

/// The venues within a circle that the reader sees where events name them.
pub(super) fn venues_within(circle: &Circle, visibility: &Visibility) -> SelectStatement {
    from("venue")
        .column(("venue", "id"))
        .cond_where(condition::within(circle))
        .cond_where(condition::links(visibility, "venue"))
        .take()
}

/// Events that carry at least one of these, or one below.
pub(super) fn in_categories(ids: &[CategoryId]) -> SimpleExpr {
    let carried = |column| Expr::col((CATEGORIES.table, column));
    let events = Sql::select()
        .expr(carried("event_id"))
        .from(CATEGORY_PATH)
        .inner_join(
            CATEGORIES.table,
            carried(CATEGORIES.column).equals((CATEGORY_PATH, "below_id")),
        )
        .and_where(Expr::col((CATEGORY_PATH, "above_id")).is_in(ids.iter().map(|id| id.get())))
        .take();
    event("id").in_subquery(events)
}

/// Events that are linked with at least one of these.
pub(super) fn linked_with<R>(links: &Links, ids: &[Id<R>]) -> SimpleExpr {
    let events = Sql::select()
        .column("event_id")
        .from(links.table)
        .and_where(Expr::col(links.column).is_in(ids.iter().map(|id| id.get())))
        .take();
    event("id").in_subquery(events)
}
