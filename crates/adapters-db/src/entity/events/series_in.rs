//! The categories with those above, tags, organizers and venue of each series without a password.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "series_in")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) series_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) scope: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) scope_id: i64,
}
