//! User accounts.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "account")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) name_key: String,
    pub(crate) email: Option<String>,
    pub(crate) email_key: Option<String>,
    pub(crate) role: String,
    pub(crate) disabled: bool,
}
