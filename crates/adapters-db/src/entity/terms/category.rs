//! Categories.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "category")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) revision: i64,
    pub(crate) language: String,
    pub(crate) name: String,
    pub(crate) name_key: String,
    pub(crate) slug: String,
    pub(crate) description: String,
    pub(crate) creation_key: Option<String>,
    pub(crate) event_count: i64,
    pub(crate) parent_id: Option<i64>,
    pub(crate) translated: bool,
}
