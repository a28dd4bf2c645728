//! The settings of the site that people see.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "site_setting")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) name: String,
    pub(crate) value: Vec<u8>,
    pub(crate) set_by_id: Option<i64>,
    pub(crate) set_utc: i64,
}
