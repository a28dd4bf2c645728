//! The events that contain a token, by the block in which they start.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "search_posting")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) token: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) language: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) block: i64,
    pub(crate) event_ids: Vec<u8>,
}
