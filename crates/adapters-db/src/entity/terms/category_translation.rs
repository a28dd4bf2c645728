//! Translated texts of categories.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "category_translation")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) record_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) language: String,
    pub(crate) title: Option<String>,
    pub(crate) title_key: String,
    pub(crate) slug: Option<String>,
    pub(crate) description: Option<String>,
}
