//! Invitations to choose a password.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "account_invitation")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) account_id: i64,
    pub(crate) hash: String,
    pub(crate) expires_utc: i64,
}
