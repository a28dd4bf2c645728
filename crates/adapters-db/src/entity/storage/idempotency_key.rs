//! Idempotency keys with the first response to each.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "idempotency_key")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) scope: String,
    pub(crate) digest: String,
    pub(crate) answer: Option<String>,
    pub(crate) expires: i64,
}
