//! The things that merges moved from one record to another: events, and rows of the ledger of imports.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "duplicate_moved")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) duplicate_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) place_number: i64,
    pub(crate) event_id: Option<i64>,
    pub(crate) list_index: Option<i64>,
    pub(crate) source: Option<String>,
    pub(crate) uid: Option<String>,
}
