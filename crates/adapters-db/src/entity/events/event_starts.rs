//! The histogram of start times, from which lists compute their totals. Triggers maintain it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "event_starts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) scope: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) scope_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) bucket: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) shard: i64,
    pub(crate) starts: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
