//! Secret feeds of users.

use app::ports::{NewSecretFeed, SecretFeed, SecretFeeds, StoreError};
use async_trait::async_trait;
use domain::{Id, Stored, User, UserId, time::NaiveDate};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    ColumnTrait, EntityName, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    sea_query::Expr,
};

use crate::{
    entity::{
        account,
        feed::{ActiveModel, Column, Entity, Model},
    },
    error::store_error,
    repositories::accounts::read_user,
    session::Session,
    sql::{parse_optional_column, time_column},
};

fn read(row: Model) -> Result<SecretFeed, StoreError> {
    Ok(SecretFeed {
        id: Id::from_raw(row.id),
        details: NewSecretFeed {
            owner: Id::from_raw(row.owner_id),
            name: row.name,
            query: row.query,
            key_hash: row.key_hash.into(),
            created: time_column(Column::CreatedUtc, row.created_utc)?,
        },
        last_used: parse_optional_column(Column::LastUsed, row.last_used.as_deref())?,
    })
}

#[async_trait]
impl SecretFeeds for Session {
    async fn insert(
        &self,
        feed: NewSecretFeed,
        limit: u64,
    ) -> Result<Option<SecretFeed>, StoreError> {
        let NewSecretFeed {
            owner,
            name,
            query,
            key_hash,
            created,
        } = feed;
        // Another unit of work that adds a feed of this user waits.
        let word = format!("{} {owner}", Entity.table_name());
        self.lock_word(word).await?;
        let own = Entity::find().filter(Column::OwnerId.eq(owner.get()));
        let own = own.count(&self.connection).await.map_err(store_error)?;
        if own >= limit {
            return Ok(None);
        }
        let row = ActiveModel {
            id: NotSet,
            owner_id: Set(owner.get()),
            name: Set(name),
            query: Set(query),
            key_hash: Set(key_hash.expose().clone()),
            created_utc: Set(created.seconds()),
            last_used: Set(None),
        };
        let row = row.insert(&self.connection).await.map_err(store_error)?;
        read(row).map(Some)
    }

    async fn find(&self, id: Id<SecretFeed>) -> Result<Option<SecretFeed>, StoreError> {
        let feed = self.one(Entity::find_by_id(id.get())).await?;
        feed.map(read).transpose()
    }

    async fn find_by_key(
        &self,
        hash: &str,
    ) -> Result<Option<(SecretFeed, Stored<User>)>, StoreError> {
        // The hash is unique.
        let found = Entity::find()
            .find_both_related(account::Entity)
            .filter(Column::KeyHash.eq(hash))
            .all(self.generic_plan())
            .await
            .map_err(store_error)?;
        let mut found = found.into_iter();
        let read = |(feed, owner)| Ok((read(feed)?, read_user(&owner)?));
        found.next().map(read).transpose()
    }

    async fn list(&self, owner: Option<UserId>) -> Result<Vec<SecretFeed>, StoreError> {
        let mut feeds = Entity::find().order_by_asc(Column::Id);
        if let Some(owner) = owner {
            feeds = feeds.filter(Column::OwnerId.eq(owner.get()));
        }
        self.all(feeds).await?.into_iter().map(read).collect()
    }

    async fn set_last_used(&self, id: Id<SecretFeed>, day: NaiveDate) -> Result<(), StoreError> {
        let update = Entity::update_many()
            .col_expr(Column::LastUsed, Expr::value(day.to_string()))
            .filter(Column::Id.eq(id.get()));
        self.connection.change(update).await.map(drop)
    }

    async fn delete(&self, id: Id<SecretFeed>) -> Result<bool, StoreError> {
        let delete = Entity::delete_by_id(id.get());
        Ok(self.connection.change(delete).await? > 0)
    }
}
