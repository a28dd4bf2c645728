//! The categories of an event and all their ancestors. Triggers maintain it.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "event_in_category")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) event_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) term_id: i64,
    pub(crate) start_utc: i64,
    pub(crate) end_utc: i64,
    pub(crate) published_utc: Option<i64>,
    pub(crate) listed: bool,
}
