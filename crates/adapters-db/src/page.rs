//! Pages of lists: IDs and a total, in two statements whatever the size of the page.

use app::ports::StoreError;
use domain::{
    Id,
    page::{Page, PageRequest},
};
use sea_orm::sea_query::{Expr, Func, Order, Query, SelectStatement, SimpleExpr};

use crate::{
    error::store_error,
    store::{Connection, Over},
};

/// A list: which rows, in which order.
pub(crate) struct List {
    /// Selects nothing yet, from the rows that the list holds.
    pub(crate) rows: SelectStatement,
    /// The table whose IDs are wanted.
    pub(crate) table: &'static str,
    /// What it is ordered by, before the ID.
    pub(crate) order: Option<SimpleExpr>,
    /// From last to first.
    pub(crate) descending: bool,
    /// Whether texts are searched, which can take long.
    pub(crate) searches: bool,
}

impl<C: Connection> Over<C> {
    /// The IDs that a selection of them holds, in its order.
    pub(crate) async fn ids<R>(&self, select: &SelectStatement) -> Result<Vec<Id<R>>, StoreError> {
        ids_of(&self.connection, select).await
    }

    /// The IDs on a page of a list, and how long the list is.
    pub(crate) async fn page_of<R>(
        &self,
        request: PageRequest,
        list: List,
    ) -> Result<Page<Id<R>>, StoreError> {
        let List {
            rows,
            table,
            order,
            descending,
            searches,
        } = list;
        let connection = if searches {
            self.searching()
        } else {
            &self.connection
        };
        let direction = if descending { Order::Desc } else { Order::Asc };
        let mut ids = rows.clone();
        ids.column((table, "id"));
        if let Some(order) = order {
            ids.order_by_expr(order, direction.clone());
        }
        ids.order_by((table, "id"), direction)
            .limit(request.per_page().into())
            .offset(request.offset());
        let mut count = rows;
        count.expr_as(Func::count(Expr::col((table, "id"))), "total");

        let ids = ids_of(connection, &ids).await?;
        let total = connection.row(&count).await?;
        let total: i64 = total
            .map_or(Ok(0), |row| row.try_get("", "total"))
            .map_err(store_error)?;
        Ok(Page {
            rows: ids,
            total: total.unsigned_abs(),
            request,
        })
    }
}

async fn ids_of<R>(
    connection: &impl Connection,
    select: &SelectStatement,
) -> Result<Vec<Id<R>>, StoreError> {
    let rows = connection.rows(select).await?;
    let ids = rows
        .iter()
        .map(|row| row.try_get::<i64>("", "id").map(Id::from_raw));
    ids.collect::<Result<_, _>>().map_err(store_error)
}

/// A selection from a table, without columns.
pub(crate) fn from(table: &'static str) -> SelectStatement {
    Query::select().from(table).take()
}
