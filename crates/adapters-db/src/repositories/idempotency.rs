//! Responses stored under idempotency keys, to be replayed.

use app::ports::{IdempotencyKeys, StoreError, StoredAnswer};
use async_trait::async_trait;
use domain::time::Timestamp;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, LockBehavior, LockType},
};

use crate::{
    entity::idempotency_key::{ActiveModel, Column, Entity},
    session::Session,
};

/// The maximum number of expired rows removed at a time: each creation with a key adds one.
const REMOVED_AT_ONCE: u64 = 16;

impl Session {
    /// Removes this key and some others, as far as they have expired.
    async fn remove_expired(&self, key: &str, now: Timestamp) -> Result<(), StoreError> {
        let is_expired = || Column::Expires.lte(now.seconds());
        let mut oldest = Entity::find()
            .select_only()
            .column(Column::Scope)
            .filter(is_expired())
            .order_by_asc(Column::Expires)
            .limit(REMOVED_AT_ONCE);
        if self.is_postgres() {
            // Rows that another transaction is removing are skipped.
            oldest = oldest.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
        }
        let is_removed = Column::Scope
            .eq(key)
            .or(Column::Scope.in_subquery(oldest.into_query()));
        let delete = Entity::delete_many()
            .filter(is_expired())
            .filter(is_removed);
        self.connection.execute_deferred(&delete.into_query()).await
    }
}

#[async_trait]
impl IdempotencyKeys for Session {
    async fn claim(
        &self,
        key: &str,
        digest: &str,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<Option<StoredAnswer>, StoreError> {
        self.remove_expired(key, now).await?;
        let row = ActiveModel {
            scope: Set(key.to_owned()),
            digest: Set(digest.to_owned()),
            answer: NotSet,
            expires: Set(expires.seconds()),
        };
        // SQLite has one writer; PostgreSQL waits here for a transaction that inserted the same key.
        let insert = Entity::insert(row).on_conflict_do_nothing();
        if self.connection.change(insert).await? == 1 {
            return Ok(None);
        }
        // The row may have been removed since.
        let row = self.one(Entity::find_by_id(key)).await?;
        let row = row.ok_or(StoreError::Conflict)?;
        // Only the unit of work that inserted the key can read it without an answer.
        let answer = row.answer.ok_or(StoreError::Conflict)?;
        Ok(Some(StoredAnswer {
            digest: row.digest,
            answer,
        }))
    }

    async fn store_answer(&self, key: &str, answer: &str) -> Result<(), StoreError> {
        let update = Entity::update_many()
            .col_expr(Column::Answer, Expr::value(answer))
            .filter(Column::Scope.eq(key));
        self.connection.execute_deferred(&update.into_query()).await
    }
}
