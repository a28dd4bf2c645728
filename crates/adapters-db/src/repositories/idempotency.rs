//! Answers that are given again.

use app::ports::{IdempotencyKeys, StoreError, StoredAnswer};
use async_trait::async_trait;
use domain::time::Timestamp;
use sea_orm::{
    ExprTrait,
    sea_query::{Condition, Expr, LockBehavior, LockType, OnConflict, Order, Query, SimpleExpr},
};

use crate::{connection::Connection, error::store_error, session::Session};

const TABLE: &str = "idempotency_key";

/// Expired rows that are removed at a time: each creation with a key adds one.
const REMOVED_AT_ONCE: u64 = 16;

impl<C: Connection> Session<C> {
    /// Removes this key and some others, as far as they have expired.
    async fn remove_expired(&self, key: &str, now: Timestamp) -> Result<(), StoreError> {
        let is_expired = || -> SimpleExpr { Expr::col("expires").lte(now.seconds()) };
        let mut oldest = Query::select()
            .column("scope")
            .from(TABLE)
            .and_where(is_expired())
            .order_by("expires", Order::Asc)
            .limit(REMOVED_AT_ONCE)
            .take();
        if self.is_postgres() {
            // What another unit of work is removing need not be waited for.
            oldest.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
        }
        let delete = Query::delete()
            .from_table(TABLE)
            .and_where(is_expired())
            .cond_where(
                Condition::any()
                    .add(Expr::col("scope").eq(key))
                    .add(Expr::col("scope").in_subquery(oldest)),
            )
            .take();
        self.connection.execute_deferred(&delete).await?;
        Ok(())
    }
}

#[async_trait]
impl<C: Connection> IdempotencyKeys for Session<C> {
    async fn claim(
        &self,
        key: &str,
        digest: &str,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<Option<StoredAnswer>, StoreError> {
        self.remove_expired(key, now).await?;
        // SQLite has one writer; PostgreSQL waits here for a unit of work that took the same key.
        let insert = Query::insert()
            .into_table(TABLE)
            .columns(["scope", "digest", "expires"])
            .values_panic([key.into(), digest.into(), expires.seconds().into()])
            .on_conflict(OnConflict::column("scope").do_nothing().to_owned())
            .take();
        let inserted = self.connection.run(&insert).await?;
        if inserted.rows_affected() > 0 {
            return Ok(None);
        }
        let select = Query::select()
            .columns(["digest", "answer"])
            .from(TABLE)
            .and_where(Expr::col("scope").eq(key))
            .take();
        let row = self.connection.row(&select).await?;
        // It expired this very moment.
        let row = row.ok_or(StoreError::Conflict)?;
        let digest = row.try_get("", "digest").map_err(store_error)?;
        let answer: Option<String> = row.try_get("", "answer").map_err(store_error)?;
        // Only the unit that took it sees it so.
        let answer = answer.ok_or(StoreError::Conflict)?;
        Ok(Some(StoredAnswer { digest, answer }))
    }

    async fn store_answer(&self, key: &str, answer: &str) -> Result<(), StoreError> {
        let update = Query::update()
            .table(TABLE)
            .value("answer", answer)
            .and_where(Expr::col("scope").eq(key))
            .take();
        self.connection.execute_deferred(&update).await?;
        Ok(())
    }
}
