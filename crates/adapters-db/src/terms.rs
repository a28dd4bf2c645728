//! What only terms are asked.

use std::collections::HashMap;

use app::ports::{StoreError, TermRepository};
use async_trait::async_trait;
use domain::{Id, Stored, Term, time::Timestamp};
use sea_orm::{
    ExprTrait,
    sea_query::{Asterisk, Expr, Query},
};

use crate::{
    error::store_error,
    page::from,
    store::{Connection, Over},
    table::{TermTable, event_counts},
    tree::{REACHED, Way, reached},
};

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
        let rows = self.connection.rows(&select).await?;
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
        let numbers: Vec<_> = ids.iter().map(|id| id.get()).collect();
        if !X::HIERARCHICAL {
            return self.load(select.and_where(wanted.is_in(numbers))).await;
        }
        let up = reached(X::TABLE, &numbers, Way::Up);
        let found = Query::select().column("id").from(REACHED).take();
        select.and_where(wanted.in_subquery(found));
        self.load(select.with_cte(up)).await
    }

    async fn with_descendants(&self, ids: &[Id<Term<X>>]) -> Result<Vec<Id<Term<X>>>, StoreError> {
        if ids.is_empty() || !X::HIERARCHICAL {
            return Ok(ids.to_vec());
        }
        let numbers: Vec<_> = ids.iter().map(|id| id.get()).collect();
        let down = reached(X::TABLE, &numbers, Way::Down);
        let mut select = Query::select().column("id").from(REACHED).take();
        self.ids(select.with_cte(down)).await
    }
}
