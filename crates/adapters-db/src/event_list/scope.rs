//! Sets of events with an index in the order of starts, and with counters of their starts.

use domain::{
    Id,
    event::{EventFilter, Window},
    policy::Visibility,
};
use migration::Histogram;
use sea_orm::{
    ColumnTrait, DynIden, ExprTrait,
    sea_query::{Condition, Expr, IntoIden, SelectStatement, SimpleExpr},
};

use super::filter;
use crate::{
    entity::{
        LinkColumn,
        event::{self, Column},
        event_starts,
    },
    sql::{condition, from},
    tables::Links,
};

/// Events that anonymous readers may list: all, or those without a password that one filter
/// selects.
#[derive(Clone)]
pub(super) enum IndexScope {
    /// All listed events.
    All,
    /// Events linked with one of these records.
    Linked(Links, Vec<i64>),
    /// Events at one of these venues.
    At(Vec<i64>),
    /// Events at one of the venues that a query selects.
    AtSelected(Box<SelectStatement>),
}

impl IndexScope {
    /// The scopes of a list's filters, without [`IndexScope::All`].
    pub(super) fn of(filter: &EventFilter, visibility: &Visibility) -> Vec<Self> {
        fn numbers<R>(ids: Option<&Vec<Id<R>>>) -> Option<Vec<i64>> {
            let mut numbers: Vec<i64> = ids?.iter().map(|id| id.get()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            Some(numbers)
        }
        let linked = |links| move |ids| Self::Linked(links, ids);
        let at = |venues| Self::AtSelected(Box::new(venues));
        let near = filter.near;
        let cities = filter.cities.as_ref();
        [
            numbers(filter.venues.as_ref()).map(Self::At),
            numbers(filter.organizers.as_ref()).map(linked(Links::Organizers)),
            numbers(filter.tags.as_ref()).map(linked(Links::Tags)),
            numbers(filter.categories.as_ref()).map(linked(Links::InCategories)),
            near.map(|circle| at(filter::venues_within(&circle, visibility))),
            cities.map(|cities| at(filter::venues_in(cities, visibility))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Whether the scope is empty by definition.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Linked(_, ids) | Self::At(ids) if ids.is_empty())
    }

    /// Whether the counters count each event of the scope once.
    pub(super) fn is_counted(&self) -> bool {
        !matches!(self, Self::Linked(_, ids) if ids.len() > 1)
    }

    /// The scopes whose union this is, each in the order of starts.
    pub(super) fn parts(&self) -> Vec<Self> {
        let one = |id: &i64| vec![*id];
        match self {
            Self::Linked(links, ids) => {
                ids.iter().map(|id| Self::Linked(*links, one(id))).collect()
            }
            Self::At(ids) => ids.iter().map(|id| Self::At(one(id))).collect(),
            Self::All | Self::AtSelected(_) => vec![self.clone()],
        }
    }

    /// The table with the index of the scope.
    fn table(&self) -> DynIden {
        match self {
            Self::Linked(links, _) => links.table().into_iden(),
            Self::All | Self::At(_) | Self::AtSelected(_) => event::Entity.into_iden(),
        }
    }

    /// The column with the IDs of the events.
    pub(super) fn id(&self) -> (DynIden, DynIden) {
        match self {
            Self::Linked(links, _) => (links.table().into_iden(), LinkColumn::EventId.into_iden()),
            Self::All | Self::At(_) | Self::AtSelected(_) => Column::Id.as_column_ref(),
        }
    }

    /// A column that the table of the scope shares with the table of events.
    pub(super) fn column(&self, name: Column) -> Expr {
        Expr::col((self.table(), name))
    }

    /// The events of the scope, scheduled events included.
    pub(super) fn rows(&self) -> SelectStatement {
        let listed = Condition::all().add(self.column(Column::Listed));
        let rows = match self {
            Self::All => listed,
            Self::Linked(links, ids) => {
                listed.add(is_one_of(Expr::col((links.table(), links.column())), ids))
            }
            Self::At(_) | Self::AtSelected(_) => listed.add(self.holds(self.id())),
        };
        from(self.table()).cond_where(rows).take()
    }

    /// Joins the table of events, unless the rows are from it.
    pub(super) fn join_event(&self, rows: &mut SelectStatement) {
        if matches!(self, Self::Linked(..)) {
            let same = Expr::col((event::Entity, Column::Id)).equals(self.id());
            rows.inner_join(event::Entity, same);
        }
    }

    /// Whether [`IndexScope::holds`] reads columns of the event besides its ID.
    pub(super) fn asks_event(&self) -> bool {
        matches!(self, Self::At(_) | Self::AtSelected(_))
    }

    /// Whether the scope contains a listed event with this ID.
    pub(super) fn holds(&self, id: (DynIden, DynIden)) -> Condition {
        let event = |name: Column| Expr::col((event::Entity, name));
        match self {
            Self::All => Condition::all(),
            Self::Linked(links, ids) => {
                let link = |name: DynIden| Expr::col((links.table(), name));
                let linked = from(links.table())
                    .and_where(link(LinkColumn::EventId.into_iden()).equals(id))
                    .and_where(is_one_of(link(links.column()), ids))
                    .and_where(link(Column::Listed.into_iden()))
                    .take();
                Condition::all().add(condition::exists(linked))
            }
            Self::At(ids) => is_open().add(is_one_of(event(Column::VenueId), ids)),
            Self::AtSelected(venues) => {
                is_open().add(event(Column::VenueId).in_subquery((**venues).clone()))
            }
        }
    }

    /// [`IndexScope::holds`] for events that another index has narrowed. PostgreSQL underestimates the
    /// events of a venue and would scan them instead; the addition of 0 prevents the use of the
    /// index by venue.
    pub(super) fn holds_of_few(&self) -> Condition {
        let venue = Expr::col((event::Entity, Column::VenueId)).add(0_i64);
        match self {
            Self::All | Self::Linked(..) => self.holds(Column::Id.as_column_ref()),
            Self::At(ids) => is_open().add(is_one_of(venue, ids)),
            Self::AtSelected(venues) => is_open().add(venue.in_subquery((**venues).clone())),
        }
    }

    /// The histogram with the narrowest buckets.
    pub(super) fn finest(&self) -> Histogram {
        match self {
            Self::All => Histogram::ALL,
            Self::Linked(links, _) => links.histogram(),
            Self::At(_) | Self::AtSelected(_) => Histogram::VENUE,
        }
    }

    /// The histograms, the one with the widest buckets first.
    pub(super) fn histograms(&self) -> Vec<Histogram> {
        let long = matches!(self, Self::All).then_some(Histogram::ALL_COARSE);
        long.into_iter().chain([self.finest()]).collect()
    }

    /// Whether an ID is that of one of the linked records. The ID of all events is 0.
    pub(super) fn has(&self, id: Expr) -> SimpleExpr {
        match self {
            Self::All => id.eq(0_i64),
            Self::Linked(_, ids) | Self::At(ids) => is_one_of(id, ids),
            Self::AtSelected(venues) => id.in_subquery((**venues).clone()),
        }
    }

    /// The counters of the buckets from `first` to `last`, both included.
    pub(super) fn starts(
        &self,
        histogram: Histogram,
        first: Option<i64>,
        last: Option<i64>,
    ) -> SelectStatement {
        let bucket = || Expr::col(event_starts::Column::Bucket);
        from(event_starts::Entity)
            .and_where(Expr::col(event_starts::Column::Scope).eq(histogram.scope))
            .and_where(self.has(Expr::col(event_starts::Column::ScopeId)))
            .and_where_option(first.map(|first| bucket().gte(first)))
            .and_where_option(last.map(|last| bucket().lte(last)))
            .take()
    }

    /// The due events of the scope within a window.
    pub(super) fn due(&self, window: &Window, visibility: &Visibility) -> SelectStatement {
        let published = self.column(Column::PublishedUtc);
        self.rows()
            .cond_where(filter::within(window, |name| self.column(name)))
            .and_where(published.lte(visibility.now.seconds()))
            .take()
    }
}

/// Whether an event has no password.
fn is_open() -> Condition {
    Condition::all().add(Expr::col((event::Entity, Column::PasswordHash)).is_null())
}

/// Whether a column holds one of some IDs. A single ID is compared by equality, so that the rest of
/// the index stays in order.
fn is_one_of(column: Expr, ids: &[i64]) -> SimpleExpr {
    match ids {
        [id] => column.eq(*id),
        _ => column.is_in(ids.iter().copied()),
    }
}
