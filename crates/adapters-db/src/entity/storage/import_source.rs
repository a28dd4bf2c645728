//! The records that sources of imports brought.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "import_source")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) source: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) uid: String,
    pub(crate) record_id: i64,
    pub(crate) sequence: i64,
    pub(crate) stamp_utc: Option<i64>,
    pub(crate) digest: String,
    pub(crate) slot: Option<String>,
    pub(crate) field_digests: Option<String>,
}
