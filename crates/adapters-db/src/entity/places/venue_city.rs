//! The folded cities of venues, as each language shows them.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "venue_city")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) venue_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) language: String,
    pub(crate) city_key: String,
}
