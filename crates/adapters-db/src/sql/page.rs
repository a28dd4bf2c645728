//! Pages of lists: IDs and a total in at most two statements, for any page size.

use app::ports::StoreError;
use domain::{
    Id,
    page::{Page, PageRequest},
};
use sea_orm::{
    DynIden, IdenStatic, QueryResult,
    sea_query::{
        Asterisk, Expr, Func, IntoTableRef, Order, Query, SelectStatement, SimpleExpr, UnionType,
    },
};

use crate::{
    connection::Connection, entity::RecordColumn as Column, error::store_error, session::Session,
    sql::read_json,
};

/// The number of IDs that are read at once from a list that is probably short: one more than ten
/// pages of 100. If the list is shorter, its length is the total.
const AT_ONCE: u64 = 1001;

/// The alias of the united parts of a list.
const PARTS: &str = "part";

/// The alias of the IDs of a page.
const STRETCH: &str = "stretch";

/// The alias of the first sort key.
const SORT_KEY: &str = "sort_key";

/// A list: its rows and their order.
pub(crate) struct List {
    /// The parts that make up the list. A row of several parts counts once.
    pub(crate) parts: Vec<Part>,
    /// Whether no row is in two parts.
    pub(crate) is_disjoint: bool,
    /// Whether the order is descending.
    pub(crate) descending: bool,
    /// Whether the query may read many rows, and so runs on the connection for slow lists.
    pub(crate) slow: bool,
    /// How the total is found.
    pub(crate) total: Total,
}

/// Rows of a list.
pub(crate) struct Part {
    /// The query, without columns.
    pub(crate) rows: SelectStatement,
    /// The column of the IDs.
    pub(crate) id: (DynIden, DynIden),
    /// The first sort key, before the ID. All parts have one, or none has.
    pub(crate) order: Option<SimpleExpr>,
}

/// How the total of a list is found.
pub(crate) enum Total {
    /// By a count of its rows.
    Count,
    /// By reading its IDs, which are probably few.
    Few,
    /// By an expression that counts no rows.
    Known(SimpleExpr),
}

impl Part {
    /// The IDs, in no order.
    fn ids(&self) -> SelectStatement {
        let mut ids = self.rows.clone();
        ids.expr_as(Expr::col(self.id.clone()), Column::Id).take()
    }

    /// The IDs with the sort key, in no order.
    fn keys(&self) -> SelectStatement {
        let mut keys = self.ids();
        if let Some(order) = &self.order {
            keys.expr_as(order.clone(), SORT_KEY);
        }
        keys
    }
}

impl List {
    /// The IDs from an offset on, at most `limit`.
    fn ids(&self, offset: u64, limit: u64, is_postgres: bool) -> SelectStatement {
        if let [part] = self.parts.as_slice() {
            let mut ids = part.ids();
            self.sort(&mut ids, part.order.clone(), Expr::col(part.id.clone()));
            return ids.limit(limit).offset(offset).take();
        }
        let has_order = self.parts.iter().any(|part| part.order.is_some());
        let order = has_order.then(|| Expr::col(SORT_KEY));
        if self.is_disjoint && !is_postgres {
            // SQLite merges parts that an index has in the order of the list.
            let parts = self.parts.iter().map(Part::keys);
            let mut ids = self.union(parts);
            self.sort(&mut ids, order, Expr::col(Column::Id));
            return ids.limit(limit).offset(offset).take();
        }
        // A part needs at most `up_to` rows, as the list has the same order.
        let up_to = offset.saturating_add(limit).min(i64::MAX.unsigned_abs());
        let parts = self.parts.iter().map(|part| {
            let mut ids = part.keys();
            self.sort(&mut ids, part.order.clone(), Expr::col(part.id.clone()));
            // SQLite allows `ORDER BY` in a subquery, but not in a part of a union.
            Query::select()
                .column(Asterisk)
                .from_subquery(ids.limit(up_to).take(), PARTS)
                .take()
        });
        let mut ids = Query::select().column(Column::Id).take();
        ids.from_subquery(self.union(parts), PARTS);
        self.sort(&mut ids, order, Expr::col(Column::Id));
        ids.limit(limit).offset(offset).take()
    }

    fn sort(&self, ids: &mut SelectStatement, order: Option<SimpleExpr>, id: Expr) {
        let direction = if self.descending {
            Order::Desc
        } else {
            Order::Asc
        };
        if let Some(order) = order {
            ids.order_by_expr(order, direction.clone());
        }
        ids.order_by_expr(id, direction);
    }

    /// The query that counts the rows.
    fn count(&self) -> SelectStatement {
        if let [part] = self.parts.as_slice() {
            let number = Func::count(Expr::col(part.id.clone()));
            return part.rows.clone().expr_as(number, "total").take();
        }
        let parts = self.parts.iter().map(Part::ids);
        Query::select()
            .expr_as(Func::count(Expr::col(Column::Id)), "total")
            .from_subquery(self.union(parts), PARTS)
            .take()
    }

    /// The distinct rows of the parts; no row without a part.
    fn union(&self, parts: impl IntoIterator<Item = SelectStatement>) -> SelectStatement {
        let mut parts = parts.into_iter();
        let mut rows = parts.next().unwrap_or_default();
        let kind = if self.is_disjoint {
            UnionType::All
        } else {
            UnionType::Distinct
        };
        rows.unions(parts.map(|part| (kind, part))).take()
    }
}

impl Session {
    /// The IDs that a query returns, in its order.
    pub(crate) async fn ids<R>(&self, select: &SelectStatement) -> Result<Vec<Id<R>>, StoreError> {
        let rows = self.connection.rows(select).await?;
        let ids = rows.iter().map(|row| row.try_get_by(Column::Id.as_str()));
        ids.map(|id| id.map(Id::from_raw))
            .collect::<Result<_, _>>()
            .map_err(store_error)
    }

    /// A page of a list, with its total.
    pub(crate) async fn page_of<R>(
        &self,
        request: PageRequest,
        list: List,
    ) -> Result<Page<Id<R>>, StoreError> {
        let page = |rows, total| Page {
            rows,
            total,
            request,
        };
        if list.parts.is_empty() {
            return Ok(page(Vec::new(), 0));
        }
        let connection = if list.slow {
            self.slow()
        } else {
            &self.connection
        };
        let (offset, per_page) = (request.offset(), u64::from(request.per_page()));
        if matches!(list.total, Total::Few) && is_near(request) {
            return self.first_of(connection, request, &list).await;
        }
        let (planned, known) = match &list.total {
            Total::Known(total) if !list.slow => (self.generic_plan(), Some(total.clone())),
            Total::Known(total) => (connection, Some(total.clone())),
            Total::Count | Total::Few => (connection, None),
        };
        let ids = list.ids(offset, per_page, self.is_postgres());
        let (ids, known) = self.stretch(planned, ids, known).await?;
        // A page that is not full ends the list, and so gives its length.
        let ends = (ids.len() as u64) < per_page && (offset == 0 || !ids.is_empty());
        let total = match known {
            _ if ends => offset + ids.len() as u64,
            Some(total) => total,
            None => total(connection, &list.count()).await?,
        };
        Ok(page(ids, total))
    }

    /// A page near the beginning of a list that is probably short.
    async fn first_of<R>(
        &self,
        connection: &Connection,
        request: PageRequest,
        list: &List,
    ) -> Result<Page<Id<R>>, StoreError> {
        let ids = list.ids(0, AT_ONCE, self.is_postgres());
        let (mut rows, _) = self.stretch(connection, ids, None).await?;
        let found = rows.len() as u64;
        let skipped = request.offset().min(found);
        rows.drain(..usize::try_from(skipped).unwrap_or(usize::MAX));
        rows.truncate(request.per_page() as usize);
        let total = if found < AT_ONCE {
            found
        } else {
            total(connection, &list.count()).await?
        };
        Ok(Page {
            rows,
            total,
            request,
        })
    }

    /// The IDs of a query in its order, and the total, in one row.
    async fn stretch<R>(
        &self,
        connection: &Connection,
        ids: SelectStatement,
        total: Option<SimpleExpr>,
    ) -> Result<(Vec<Id<R>>, Option<u64>), StoreError> {
        // Both databases aggregate rows in the order of the subquery.
        let listed = Query::select()
            .expr(self.json().list(Column::Id))
            .from_subquery(ids, STRETCH)
            .take();
        let mut select = Query::select();
        select.expr_as(SimpleExpr::from(listed), "ids");
        let is_known = total.is_some();
        if let Some(total) = total {
            select.expr_as(total, "total");
        }
        let row = connection.row(&select).await?;
        let row = row.ok_or_else(|| {
            StoreError::Internal("the query of a page returned no row".to_owned())
        })?;
        let ids: Option<String> = row.try_get_by("ids").map_err(store_error)?;
        let ids: Vec<i64> = read_json(ids.as_deref())?;
        let total = is_known.then(|| read_total(&row)).transpose()?;
        Ok((ids.into_iter().map(Id::from_raw).collect(), total))
    }
}

/// Whether a page lies among the first IDs that are read at once.
fn is_near(request: PageRequest) -> bool {
    request.offset() + u64::from(request.per_page()) < AT_ONCE
}

async fn total(connection: &Connection, select: &SelectStatement) -> Result<u64, StoreError> {
    let row = connection.row(select).await?;
    row.as_ref().map_or(Ok(0), read_total)
}

fn read_total(row: &QueryResult) -> Result<u64, StoreError> {
    let total: i64 = row.try_get("", "total").map_err(store_error)?;
    u64::try_from(total)
        .map_err(|_| StoreError::Internal(format!("the counters of events give {total}")))
}

/// A query of a table, without columns.
pub(crate) fn from(table: impl IntoTableRef) -> SelectStatement {
    Query::select().from(table).take()
}
