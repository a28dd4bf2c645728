//! The change log of PostgreSQL. Each row carries the ID of its transaction; a snapshot decides
//! which transactions are visible.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "change")]
pub(crate) struct Model {
    /// An `xid8`, read as text. Several rows may share it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) xid: String,
    pub(crate) kind: String,
    pub(crate) record_id: i64,
}
