//! Remarks on events that editors returned.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "event_remark")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) event_id: i64,
    pub(crate) remark: String,
    pub(crate) author_id: Option<i64>,
    pub(crate) at_utc: i64,
}
