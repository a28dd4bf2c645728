//! Events and tickets that a new time zone database moved.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "zone_move")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) event_id: i64,
    pub(crate) ticket: Option<String>,
    pub(crate) time_zone: String,
    pub(crate) old_version: String,
    pub(crate) new_version: String,
    pub(crate) old_start_utc: Option<i64>,
    pub(crate) old_end_utc: Option<i64>,
    pub(crate) new_start_utc: Option<i64>,
    pub(crate) new_end_utc: Option<i64>,
}
