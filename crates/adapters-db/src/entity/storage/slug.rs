//! Slugs in use, unique within a kind.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "slug")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) slug: String,
    pub(crate) record_id: i64,
}
