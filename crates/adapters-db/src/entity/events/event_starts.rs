//! The histogram of start times, from which lists compute their totals. Triggers maintain it.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
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
