//! The occurrences of series.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "occurrence")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: i64,
    pub(crate) series_id: i64,
    pub(crate) slot: i64,
    pub(crate) start_utc: i64,
    pub(crate) end_utc: i64,
    pub(crate) published_utc: Option<i64>,
    pub(crate) listed: bool,
    pub(crate) is_own: bool,
    pub(crate) revision: i64,
    pub(crate) span: i32,
}
