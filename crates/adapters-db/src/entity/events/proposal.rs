//! Proposals of visitors.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "proposal")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) event_id: i64,
    pub(crate) hash: String,
    pub(crate) address: String,
    pub(crate) network: String,
    pub(crate) sender: String,
    pub(crate) email: Option<String>,
    pub(crate) place_text: String,
    pub(crate) created_utc: i64,
    pub(crate) closed_utc: Option<i64>,
}
