//! The import ledger: the event that each imported row created.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "import_row")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) digest: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) ordinal: i64,
    pub(crate) event_id: i64,
}
