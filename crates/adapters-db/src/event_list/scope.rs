//! Sets of events that an index holds in the order of their starts, and whose starts are counted.

use domain::{
    event::{EventDetails, EventFilter, Window},
    geo::Circle,
    policy::Visibility,
};
use migration::Histogram;
use sea_orm::{
    ExprTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement, SimpleExpr},
};

use super::filter;
use crate::{
    sql::{condition, from},
    tables::{CATEGORIES, DetailsTable, Links, ORGANIZERS, TAGS},
};

/// Events with the categories that they carry and with all above these.
const IN_CATEGORY: Links = Links {
    table: "event_in_category",
    ..CATEGORIES
};

/// Events that everybody may list, or those of them without password that one filter holds.
#[derive(Clone)]
pub(super) enum Scope {
    /// All.
    All,
    /// Those linked with one of these.
    Linked(&'static Links, Vec<i64>),
    /// Those at one of these venues.
    At(Vec<i64>),
    /// Those at a venue that this selects.
    Near(Box<SelectStatement>),
}

impl Scope {
    const EVENT: &'static str = EventDetails::TABLE;

    /// The scopes that the filters of a list name, but for [`Scope::All`].
    pub(super) fn of(filter: &EventFilter, visibility: &Visibility) -> Vec<Self> {
        fn numbers<R>(ids: &[domain::Id<R>]) -> Vec<i64> {
            let mut numbers: Vec<i64> = ids.iter().map(|id| id.get()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        }
        let linked = |links, ids| Self::Linked(links, ids);
        let near =
            |circle: Circle| Self::Near(Box::new(filter::venues_within(&circle, visibility)));
        [
            filter.venues.as_deref().map(numbers).map(Self::At),
            filter
                .organizers
                .as_deref()
                .map(|ids| linked(&ORGANIZERS, numbers(ids))),
            filter
                .tags
                .as_deref()
                .map(|ids| linked(&TAGS, numbers(ids))),
            filter
                .categories
                .as_deref()
                .map(|ids| linked(&IN_CATEGORY, numbers(ids))),
            filter.near.map(near),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Whether it holds nothing, whatever events there are.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Linked(_, ids) | Self::At(ids) if ids.is_empty())
    }

    /// Whether the counters hold each of its events once.
    pub(super) fn is_counted(&self) -> bool {
        !matches!(self, Self::Linked(_, ids) if ids.len() > 1)
    }

    /// Scopes that hold the same together, each in the order of starts.
    pub(super) fn parts(&self) -> Vec<Self> {
        let one = |id: &i64| vec![*id];
        match self {
            Self::Linked(links, ids) => ids.iter().map(|id| Self::Linked(links, one(id))).collect(),
            Self::At(ids) => ids.iter().map(|id| Self::At(one(id))).collect(),
            Self::All | Self::Near(_) => vec![self.clone()],
        }
    }

    /// The table whose index holds it.
    fn table(&self) -> &'static str {
        match self {
            Self::Linked(links, _) => links.table,
            Self::All | Self::At(_) | Self::Near(_) => Self::EVENT,
        }
    }

    /// The column with the IDs of its events.
    pub(super) fn id(&self) -> (&'static str, &'static str) {
        match self {
            Self::Linked(links, _) => (links.table, "event_id"),
            Self::All | Self::At(_) | Self::Near(_) => (Self::EVENT, "id"),
        }
    }

    /// One of the columns that lists ask for.
    pub(super) fn column(&self, name: &'static str) -> Expr {
        Expr::col((self.table(), name))
    }

    /// Its events, with those that are not yet due.
    pub(super) fn rows(&self) -> SelectStatement {
        let listed = Condition::all().add(self.column("listed"));
        let rows = match self {
            Self::All => listed,
            Self::Linked(links, ids) => listed.add(is_one_of(self.column(links.column), ids)),
            Self::At(_) | Self::Near(_) => listed.add(self.holds(self.id())),
        };
        from(self.table()).cond_where(rows).take()
    }

    /// Joins the table of events, if it is not what the rows are from.
    pub(super) fn join_event(&self, rows: &mut SelectStatement) {
        if self.table() != Self::EVENT {
            let same = Expr::col((Self::EVENT, "id")).equals(self.id());
            rows.inner_join(Self::EVENT, same);
        }
    }

    /// Whether [`Scope::holds`] asks for columns of the event beside its ID.
    pub(super) fn asks_event(&self) -> bool {
        matches!(self, Self::At(_) | Self::Near(_))
    }

    /// Whether it holds a listed event, whose ID this is.
    pub(super) fn holds(&self, id: (&'static str, &'static str)) -> Condition {
        let event = |name| Expr::col((Self::EVENT, name));
        match self {
            Self::All => Condition::all(),
            Self::Linked(links, ids) => {
                let link = |name| Expr::col((links.table, name));
                let linked = Sql::select()
                    .expr(Expr::val(1))
                    .from(links.table)
                    .and_where(link("event_id").equals(id))
                    .and_where(is_one_of(link(links.column), ids))
                    .and_where(link("listed"))
                    .take();
                Condition::all().add(condition::exists(linked))
            }
            Self::At(ids) => is_open().add(is_one_of(event("venue_id"), ids)),
            Self::Near(venues) => is_open().add(event("venue_id").in_subquery((**venues).clone())),
        }
    }

    /// The same for events of which another index finds few. Without the venue, PostgreSQL takes all events
    /// of a venue for few, too: the sum keeps it from going through them instead.
    pub(super) fn holds_of_few(&self) -> Condition {
        let venue = Expr::col((Self::EVENT, "venue_id")).add(0_i64);
        match self {
            Self::All | Self::Linked(..) => self.holds((Self::EVENT, "id")),
            Self::At(ids) => is_open().add(is_one_of(venue, ids)),
            Self::Near(venues) => is_open().add(venue.in_subquery((**venues).clone())),
        }
    }

    /// Its histogram with the narrowest buckets.
    pub(super) fn finest(&self) -> Histogram {
        match self {
            Self::All => Histogram::ALL,
            Self::Linked(links, _) => links.histogram,
            Self::At(_) | Self::Near(_) => Histogram::VENUE,
        }
    }

    /// Its histograms, the one with the widest buckets first.
    pub(super) fn histograms(&self) -> Vec<Histogram> {
        let long = matches!(self, Self::All).then_some(Histogram::ALL_COARSE);
        long.into_iter().chain([self.finest()]).collect()
    }

    /// The counters of the buckets from `from` to `to`.
    pub(super) fn starts(
        &self,
        histogram: Histogram,
        from: Option<i64>,
        to: Option<i64>,
    ) -> SelectStatement {
        let id = || Expr::col("scope_id");
        let of_scope = match self {
            Self::All => id().eq(0_i64),
            Self::Linked(_, ids) | Self::At(ids) => is_one_of(id(), ids),
            Self::Near(venues) => id().in_subquery((**venues).clone()),
        };
        let bucket = || Expr::col("bucket");
        Sql::select()
            .from("event_starts")
            .and_where(Expr::col("scope").eq(histogram.scope))
            .and_where(of_scope)
            .and_where_option(from.map(|from| bucket().gte(from)))
            .and_where_option(to.map(|to| bucket().lte(to)))
            .take()
    }

    /// Its events within a window that are due.
    pub(super) fn due(&self, window: &Window, visibility: &Visibility) -> SelectStatement {
        let published = self.column("published_utc");
        self.rows()
            .cond_where(filter::within(window, |name| self.column(name)))
            .and_where(published.lte(visibility.now.seconds()))
            .take()
    }
}

/// Whether no password locks an event.
fn is_open() -> Condition {
    Condition::all().add(Expr::col((Scope::EVENT, "password_hash")).is_null())
}

/// An equation if there is one: then what follows in the index is in order.
fn is_one_of(column: Expr, ids: &[i64]) -> SimpleExpr {
    match ids {
        [id] => column.eq(*id),
        _ => column.is_in(ids.iter().copied()),
    }
}
