//! Every pair of a category and its ancestor; each category is its own ancestor. Triggers maintain
//! it.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "category_path")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) above_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) below_id: i64,
}
