//! Indexes: the public records of a kind, each with the number of its upcoming events.
//!
//! An upcoming event either began less than a day ago or begins later, or it lasts longer than a day. The index of
//! a record in the order of starts gives the recent ones, the index of durations gives the long ones, which are few.

use std::collections::HashMap;

use app::ports::StoreError;
use domain::{
    Id, Kind,
    event::Window,
    index::{IndexEntry, IndexQuery, in_tree_order, not_over},
    page::Page,
};
use migration::Histogram;
use sea_orm::{
    DynIden, ExprTrait, IdenStatic,
    sea_query::{
        Asterisk, CaseStatement, Condition, Expr, Func, IntoIden, Order, Query as Sql,
        SelectStatement, SimpleExpr, UnionType,
    },
};

use super::{
    filter, occurrences,
    total::{DAY, DAY_CLASS, classes},
};
use crate::{
    entity::{
        LinkColumn, RecordColumn, TermColumn, TranslationColumn,
        event::{self, Column},
        occurrence, occurrence_in,
    },
    error::store_error,
    session::Session,
    sql::{List, Part, Total, condition, from},
    tables::{Links, Table},
};

/// The alias of the rows that are counted.
const LINKED: &str = "linked";

/// The name of the column with the number of events.
const EVENTS: &str = "events";

/// The upcoming events that anonymous readers find by a record of a kind.
struct Upcoming {
    /// The table that links events with the records; none if the table of events does.
    links: Option<Links>,
    has_series: bool,
    query: IndexQuery,
}

/// Links between events and records, without columns, and the column with the ID of the record.
type Linked = (SelectStatement, (DynIden, DynIden));

impl Upcoming {
    /// The events by a record of a kind; none of events.
    fn of(kind: Kind, has_series: bool, query: IndexQuery) -> Option<Self> {
        let links = match kind {
            Kind::Event => return None,
            Kind::Venue => None,
            Kind::Organizer => Some(Links::Organizers),
            Kind::Category => Some(Links::InCategories),
            Kind::Tag => Some(Links::Tags),
        };
        Some(Self {
            links,
            has_series,
            query,
        })
    }

    fn window(&self) -> Window {
        not_over(self.query.now)
    }

    /// The start that divides recent events from others.
    fn divide(&self) -> i64 {
        self.query.now.seconds() - DAY
    }

    /// The column with the ID of the record.
    fn id(&self) -> (DynIden, DynIden) {
        match self.links {
            Some(links) => (links.table().into_iden(), links.column()),
            None => (event::Entity.into_iden(), Column::VenueId.into_iden()),
        }
    }

    /// Whether everybody may list the event of a link and may know the link.
    fn is_public(&self) -> Condition {
        let (table, _) = self.id();
        let column = |name: Column| Expr::col((table.clone(), name));
        let open = self.links.is_none().then(|| {
            Condition::all()
                .add(column(Column::PasswordHash).is_null())
                .add(column(Column::VenueId).is_not_null())
        });
        Condition::all()
            .add(column(Column::Listed))
            .add(column(Column::PublishedUtc).lte(self.query.now.seconds()))
            .add_option(open)
    }

    /// The links of the events that began less than a day ago, or begin later.
    fn recent(&self) -> Vec<Linked> {
        let table = self.id().0;
        let column = |name: Column| Expr::col((table.clone(), name));
        let events = from(table.clone())
            .cond_where(self.is_public())
            .and_where(column(Column::StartUtc).gte(self.divide()))
            .cond_where(filter::within(&self.window(), column))
            .take();
        let events = (events, self.id());
        if !self.has_series {
            return vec![events];
        }
        let column = |name: Column| Expr::col((occurrence_in::Entity, name));
        let occurrences = from(occurrence_in::Entity)
            .cond_where(self.is_of_kind())
            .and_where(column(Column::StartUtc).gte(self.divide()))
            .and_where(column(Column::PublishedUtc).lte(self.query.now.seconds()))
            .cond_where(filter::within(&self.window(), column))
            .take();
        vec![events, (occurrences, self.id_of_occurrence())]
    }

    /// The links of the other upcoming events.
    fn long(&self) -> Vec<Linked> {
        let end = self.query.now.saturating_add(1);
        let event = |name: Column| Expr::col((event::Entity, name));
        let events = classes(end).skip(DAY_CLASS + 1).map(|mut rows| {
            if let Some(links) = self.links {
                let link = Expr::col((links.table(), LinkColumn::EventId));
                rows.inner_join(links.table(), link.equals((event::Entity, Column::Id)));
            }
            rows.cond_where(self.is_public())
                .and_where(event(Column::StartUtc).lt(self.divide()))
                .cond_where(filter::within(&self.window(), event));
            (rows, self.id())
        });
        let events: Vec<_> = events.collect();
        if !self.has_series {
            return events;
        }
        let column = |name: Column| occurrences::column(name);
        let link = |name| Expr::col((occurrence_in::Entity, name));
        let occurrences = occurrences::classes(end.seconds()).skip(DAY_CLASS + 1);
        let occurrences = occurrences.map(|mut rows| {
            let same = Condition::all()
                .add(self.is_of_kind())
                .add(
                    link(occurrence_in::Column::OccurrenceId)
                        .equals((occurrence::Entity, occurrence::Column::Id)),
                )
                .add(
                    link(occurrence_in::Column::StartUtc)
                        .equals((occurrence::Entity, occurrence::Column::StartUtc)),
                );
            rows.inner_join(occurrence_in::Entity, same)
                .and_where(column(Column::PublishedUtc).lte(self.query.now.seconds()))
                .and_where(column(Column::StartUtc).lt(self.divide()))
                .cond_where(filter::within(&self.window(), column));
            (rows, self.id_of_occurrence())
        });
        events.into_iter().chain(occurrences).collect()
    }

    /// Whether a link of an occurrence is with a record of the kind.
    fn is_of_kind(&self) -> SimpleExpr {
        let histogram = self.links.map_or(Histogram::VENUE, Links::histogram);
        Expr::col((occurrence_in::Entity, occurrence_in::Column::Scope)).eq(histogram.scope)
    }

    fn id_of_occurrence(&self) -> (DynIden, DynIden) {
        let name = occurrence_in::Column::ScopeId;
        (occurrence_in::Entity.into_iden(), name.into_iden())
    }

    /// Whether the selected record has upcoming events.
    fn exist<R: Table>(&self) -> Condition {
        let id = || Expr::col((R::table(), RecordColumn::Id));
        let recent = self.recent().into_iter().map(|(mut rows, linked)| {
            condition::exists(rows.and_where(id().equals(linked)).take())
        });
        let long = self.long().into_iter();
        let long = long.map(|(mut rows, linked)| id().in_subquery(rows.column(linked).take()));
        recent.chain(long).fold(Condition::any(), Condition::add)
    }

    /// The number of upcoming events of each of some records that has any.
    fn counts(&self, session: &Session, ids: &[i64]) -> SelectStatement {
        let all = self.recent().into_iter().chain(self.long());
        let mut all = all.map(|(mut rows, linked)| {
            rows.and_where(session.json().is_one_of(linked.clone(), ids))
                .expr_as(Expr::col(linked), RecordColumn::Id)
                .take()
        });
        let mut linked = all.next().unwrap_or_default();
        linked.unions(all.map(|rows| (UnionType::All, rows)));
        let id = (LINKED, RecordColumn::Id);
        Sql::select()
            .expr_as(Expr::col(id), RecordColumn::Id)
            .expr_as(Func::count(Expr::col(Asterisk)), EVENTS)
            .from_subquery(linked.take(), LINKED)
            .group_by_col(id)
            .take()
    }

    /// The public records, without columns, and the key of their order.
    fn records<R: Table>(&self) -> (SelectStatement, SimpleExpr) {
        let mut rows = from(R::table());
        let shown = R::localize(&mut rows, self.query.language);
        if matches!(R::KIND, Kind::Venue | Kind::Organizer) {
            rows.cond_where(condition::is_published(self.query.now, R::table()));
        }
        let part = CaseStatement::new()
            .case(self.exist::<R>(), "0")
            .finally("1");
        let title = shown.column(TranslationColumn::TitleKey, R::name_key());
        let key = Func::cust("concat").args([part.into(), title]);
        (rows, key.into())
    }
}

impl Session {
    /// A page of the index of a kind.
    pub(crate) async fn index_page<R: Table>(
        &self,
        query: &IndexQuery,
    ) -> Result<Page<IndexEntry<R>>, StoreError> {
        let has_series = self.has_series_over(self.slow()).await?;
        let Some(upcoming) = Upcoming::of(R::KIND, has_series, *query) else {
            return Ok(Page::of(Vec::new(), query.page));
        };
        let ids = if R::KIND == Kind::Category {
            Page::of(self.tree::<R>(&upcoming).await?, query.page)
        } else {
            let (rows, key) = upcoming.records::<R>();
            let list = List {
                parts: vec![Part {
                    rows,
                    id: (R::table().into_iden(), RecordColumn::Id.into_iden()),
                    order: Some(key),
                }],
                is_disjoint: true,
                descending: false,
                slow: true,
                total: Total::Count,
            };
            self.page_of(query.page, list).await?
        };
        let raw: Vec<_> = ids.rows.iter().map(|id: &Id<R>| id.get()).collect();
        let counts = self.slow().rows(&upcoming.counts(self, &raw)).await?;
        let counts = counts.iter().map(|row| {
            let events: i64 = row.try_get("", EVENTS)?;
            let id: i64 = row.try_get_by(RecordColumn::Id.as_str())?;
            Ok((id, events.unsigned_abs()))
        });
        let counts: HashMap<_, _> = counts.collect::<Result<_, _>>().map_err(store_error)?;
        Ok(ids.map(|id| IndexEntry {
            id,
            upcoming: counts.get(&id.get()).copied().unwrap_or(0),
        }))
    }

    /// The categories in the order of their tree.
    async fn tree<R: Table>(&self, upcoming: &Upcoming) -> Result<Vec<Id<R>>, StoreError> {
        let (mut rows, key) = upcoming.records::<R>();
        let column = |name: TermColumn| Expr::col((R::table(), name));
        let rows = rows
            .expr_as(column(TermColumn::Id), TermColumn::Id)
            .expr_as(column(TermColumn::ParentId), TermColumn::ParentId)
            .order_by_expr(key, Order::Asc)
            .order_by_expr(column(TermColumn::Id).into(), Order::Asc)
            .take();
        let rows = self.slow().rows(&rows).await?;
        let rows = rows.iter().map(|row| {
            let id: i64 = row.try_get_by(TermColumn::Id.as_str())?;
            let parent: Option<i64> = row.try_get_by(TermColumn::ParentId.as_str())?;
            Ok((Id::from_raw(id), parent.map(Id::from_raw)))
        });
        let rows: Vec<_> = rows.collect::<Result<_, _>>().map_err(store_error)?;
        Ok(in_tree_order(&rows))
    }
}
