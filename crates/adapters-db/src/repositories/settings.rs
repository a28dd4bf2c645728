//! The settings that the service stores for itself.

use app::ports::{Settings, StoreError};
use async_trait::async_trait;
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, OnConflict, Query},
};

use crate::{connection::Connection, error::store_error, session::Session};

#[async_trait]
impl<C: Connection> Settings for Session<C> {
    async fn get_or_insert(&self, name: &str, value: &str) -> Result<String, StoreError> {
        let insert = Query::insert()
            .into_table("setting")
            .columns(["name", "value"])
            .values_panic([name.into(), value.into()])
            .on_conflict(OnConflict::column("name").do_nothing().to_owned())
            .take();
        self.connection.run(&insert).await?;
        let select = Query::select()
            .column("value")
            .from("setting")
            .and_where(Expr::col("name").eq(name))
            .take();
        let row = self.connection.row(&select).await?;
        let row =
            row.ok_or_else(|| StoreError::Internal(format!("the setting {name} is not there")))?;
        row.try_get("", "value").map_err(store_error)
    }
}
