//! What only terms are asked.

use std::collections::HashMap;

use app::ports::{StoreError, TermRepository};
use async_trait::async_trait;
use domain::{Id, Stored, Term, time::Timestamp};
use sea_orm::{
    ExprTrait,
    sea_query::{
        Asterisk, CommonTableExpression, Expr, Query, SelectStatement, UnionType, WithClause,
    },
};

use crate::{
    error::store_error,
    page::from,
    store::{Connection, Over},
    table::{TermTable, event_counts},
};

/// The terms that are reached on the way through a tree.
const REACHED: &str = "reached";

#[async_trait]
impl<X: TermTable, C: Connection> TermRepository<X> for Over<C> {
    async fn counts(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<HashMap<Id<Term<X>>, u64>, StoreError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let mut select = from(X::TABLE);
        let count = event_counts::<X>(&mut select, now);
        select
            .column((X::TABLE, "id"))
            .expr_as(count, "events")
            .and_where(Expr::col((X::TABLE, "id")).is_in(ids.iter().map(|id| id.get())));
        let rows = self
            .connection
            .query_all(&select)
            .await
            .map_err(store_error)?;
        let count = |row: &sea_orm::QueryResult| {
            let events: i64 = row.try_get("", "events")?;
            Ok((
                Id::from_raw(row.try_get("", "id")?),
                u64::try_from(events).unwrap_or(0),
            ))
        };
        rows.iter()
            .map(count)
            .collect::<Result<_, _>>()
            .map_err(store_error)
    }

    async fn with_ancestors(
        &self,
        ids: &[Id<Term<X>>],
    ) -> Result<Vec<Stored<Term<X>>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let wanted = Expr::col((X::TABLE, "id"));
        let mut select = Query::select()
            .expr(Expr::col(Asterisk))
            .from(X::TABLE)
            .take();
        if !X::HIERARCHICAL {
            return self
                .load(select.and_where(wanted.is_in(ids.iter().map(|id| id.get()))))
                .await;
        }
        // From each term to the one that it names as its parent.
        let up = reached::<X>(ids, |next| next.equals((REACHED, "parent_id")));
        let found = Query::select().column("id").from(REACHED).take();
        select.and_where(wanted.in_subquery(found));
        self.load(select.with_cte(up)).await
    }

    async fn with_descendants(&self, ids: &[Id<Term<X>>]) -> Result<Vec<Id<Term<X>>>, StoreError> {
        if ids.is_empty() || !X::HIERARCHICAL {
            return Ok(ids.to_vec());
        }
        // From each term to those that name it as their parent.
        let down = reached::<X>(ids, |_| {
            Expr::col((X::TABLE, "parent_id")).equals((REACHED, "id"))
        });
        let mut select = Query::select().column("id").from(REACHED).take();
        let rows = self
            .connection
            .query_all(select.with_cte(down))
            .await
            .map_err(store_error)?;
        let ids = rows
            .iter()
            .map(|row| row.try_get("", "id").map(Id::from_raw));
        ids.collect::<Result<_, _>>().map_err(store_error)
    }
}

/// The terms that a way leads to from some terms, these included. `UNION` without repetition ends
/// also if the tree should have a circle.
fn reached<X: TermTable>(
    ids: &[Id<Term<X>>],
    step: impl FnOnce(Expr) -> sea_orm::sea_query::SimpleExpr,
) -> WithClause {
    let columns = |select: &mut SelectStatement| {
        select
            .column((X::TABLE, "id"))
            .column((X::TABLE, "parent_id"))
            .from(X::TABLE)
            .take()
    };
    let id = || Expr::col((X::TABLE, "id"));
    let mut start = columns(&mut Query::select());
    start.and_where(id().is_in(ids.iter().map(|id| id.get())));
    let mut next = columns(&mut Query::select());
    next.inner_join(REACHED, step(id()));
    start.union(UnionType::Distinct, next);
    let table = CommonTableExpression::new()
        .query(start)
        .columns(["id", "parent_id"])
        .table_name(REACHED)
        .to_owned();
    WithClause::new().recursive(true).cte(table).to_owned()
}
