//! The settings that the service stores for itself.

use app::ports::{Settings, StoreError};
use async_trait::async_trait;
use sea_orm::{ActiveValue::Set, EntityTrait};

use crate::{entity::setting, error::store_error, session::Session};

#[async_trait]
impl Settings for Session {
    async fn get_or_insert(&self, name: &str, value: &str) -> Result<String, StoreError> {
        let row = setting::ActiveModel {
            name: Set(name.to_owned()),
            value: Set(value.to_owned()),
        };
        setting::Entity::insert(row)
            .on_conflict_do_nothing()
            .exec_without_returning(&self.connection)
            .await
            .map_err(store_error)?;
        let row = self.one(setting::Entity::find_by_id(name)).await?;
        row.map(|row| row.value)
            .ok_or_else(|| StoreError::Internal(format!("no setting {name}")))
    }
}
