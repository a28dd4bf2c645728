//! Second factors of sign-ins.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "account_second_factor")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) account_id: i64,
    /// In base 32.
    pub(crate) secret: String,
    pub(crate) last_step: i64,
    /// Hashes, a line each.
    pub(crate) recovery_codes: String,
}
