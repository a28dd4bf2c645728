//! Folded texts of listed events, ordered by start time. SQLite only; triggers maintain it.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "event_text")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) place: i64,
    pub(crate) event_id: i64,
    pub(crate) start_utc: i64,
    pub(crate) end_utc: i64,
    pub(crate) published_utc: Option<i64>,
    pub(crate) locked: bool,
    pub(crate) translated: bool,
    pub(crate) folded: String,
}
