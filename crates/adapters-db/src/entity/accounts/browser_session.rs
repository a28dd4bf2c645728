//! Sessions of browsers.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "browser_session")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) hash: String,
    pub(crate) account_id: i64,
    pub(crate) data: String,
    pub(crate) created_utc: i64,
    pub(crate) expires_utc: i64,
}
