//! What only events are asked.

use app::ports::{
    EventRepository, RelatedIds, RelatedNames, RelatedRecords, Repository, StoreError,
};
use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Stored, entry::PasswordHash, policy::Visibility, time::Timestamp,
};
use sea_orm::{
    ExprTrait,
    sea_query::{
        CaseStatement, CommonTableExpression, Expr, Order, Query, SelectStatement, UnionType,
        WithClause,
    },
};

use crate::{
    connection::Connection,
    error::store_error,
    session::Session,
    sql::{condition, from},
};

/// An event and all that it is a part of.
const LINEAGE: &str = "lineage";

/// Makes [`LINEAGE`]. `UNION` without repetition ends also if parents should go round in a circle.
fn lineage(id: EventId) -> WithClause {
    let columns = |select: &mut SelectStatement| {
        select
            .column(("event", "id"))
            .column(("event", "parent_id"))
            .take()
    };
    let mut start = columns(&mut from("event"));
    start.and_where(Expr::col(("event", "id")).eq(id.get()));
    let step = Expr::col(("event", "id")).equals((LINEAGE, "parent_id"));
    let next = columns(from("event").inner_join(LINEAGE, step));
    let rows = CommonTableExpression::new()
        .query(start.union(UnionType::Distinct, next).take())
        .columns(["id", "parent_id"])
        .table_name(LINEAGE)
        .to_owned();
    WithClause::new().recursive(true).cte(rows).to_owned()
}

#[async_trait]
impl<C: Connection> EventRepository for Session<C> {
    async fn ancestors(&self, id: EventId) -> Result<Vec<EventId>, StoreError> {
        let mut select = Query::select().column("id").from(LINEAGE).take();
        self.ids(select.with_cte(lineage(id))).await
    }

    async fn prefetch_names(&self, names: &RelatedNames) -> Result<(), StoreError> {
        self.read_ahead(names).await
    }

    async fn load_related(
        &self,
        ids: &RelatedIds,
        now: Timestamp,
    ) -> Result<RelatedRecords, StoreError> {
        self.load_named(ids, now).await
    }

    async fn visible_ids(
        &self,
        ids: &[EventId],
        visibility: &Visibility,
    ) -> Result<Vec<EventId>, StoreError> {
        if self.cache().await?.is_some() {
            let found: Vec<Stored<Event>> = self.find_many(ids).await?;
            let linked = found.into_iter().filter(|event| visibility.links(event));
            return Ok(linked.map(|event| event.id).collect());
        }
        let event = Expr::col(("event", "id"));
        let select = from("event")
            .column(("event", "id"))
            .and_where(event.is_in(ids.iter().map(|id| id.get())))
            .cond_where(condition::links(visibility, "event"))
            .take();
        self.ids(&select).await
    }

    async fn find_password_protected(
        &self,
        id: Option<EventId>,
        visibility: &Visibility,
        limit: usize,
    ) -> Result<Vec<(EventId, bool)>, StoreError> {
        const OPENED: &str = "opened";
        let event = |column| Expr::col(("event", column));
        let sent = visibility.password.as_ref();
        let opened = event("password_hash").eq(sent.map_or("", PasswordHash::as_str));
        let opened = CaseStatement::new().case(opened, 1_i64).finally(0_i64);
        let select = from("event")
            .column(("event", "id"))
            .expr_as(opened, OPENED)
            .and_where(event("password_hash").is_not_null())
            .and_where_option(id.map(|id| event("id").eq(id.get())))
            .cond_where(condition::links(visibility, "event"))
            .cond_where(condition::may_edit(visibility.caller).not())
            .order_by(OPENED, Order::Desc)
            .order_by(("event", "id"), Order::Asc)
            .limit(limit as u64)
            .take();
        let rows = self.connection.rows(&select).await?;
        let read = |row: &sea_orm::QueryResult| {
            let opened: i64 = row.try_get("", OPENED)?;
            Ok((Id::from_raw(row.try_get("", "id")?), opened == 1))
        };
        rows.iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map_err(store_error)
    }
}
