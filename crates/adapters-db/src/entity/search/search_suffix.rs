//! All ends of all tokens.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "search_suffix")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) suffix: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) token: String,
}
