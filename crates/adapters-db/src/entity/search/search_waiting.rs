//! Texts that changed since they were indexed, with what the index knows. Triggers fill the table.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "search_waiting")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) event_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) language: String,
    pub(crate) start_utc: Option<i64>,
    pub(crate) folded: Option<String>,
}
