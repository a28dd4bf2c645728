//! The change log of SQLite: rows that were updated or deleted, numbered in the order of commits.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "change")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) n: i64,
    pub(crate) kind: String,
    pub(crate) record_id: i64,
}
