//! The entries of the audit trail.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "audit_entry")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) at_utc: i64,
    pub(crate) user_id: Option<i64>,
    pub(crate) user_name: Option<String>,
    pub(crate) channel: String,
    pub(crate) channel_name: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) action: String,
    pub(crate) kind: String,
    pub(crate) record_id: i64,
    pub(crate) revision: i64,
    pub(crate) changed_fields: String,
}
