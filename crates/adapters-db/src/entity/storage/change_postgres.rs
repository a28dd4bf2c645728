//! The change log of PostgreSQL. Each row carries the ID of its transaction; a snapshot decides
//! which transactions are visible.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "change")]
pub(crate) struct Model {
    /// An `xid8`, read as text. Several rows may share it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) xid: String,
    pub(crate) kind: String,
    pub(crate) record_id: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
