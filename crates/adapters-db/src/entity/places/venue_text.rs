//! Folded search fields of venues, one per row.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "venue_text")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) place_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) position: i64,
    pub(crate) folded: String,
}
