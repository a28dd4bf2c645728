//! Access tokens of users.

use crate::entity::prelude::*;

use super::account;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "account_token")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) account_id: i64,
    pub(crate) label: String,
    pub(crate) hash: String,
    pub(crate) scope: String,
    pub(crate) created_utc: i64,
    pub(crate) expires_utc: Option<i64>,
    pub(crate) revoked_utc: Option<i64>,
    pub(crate) last_used: Option<String>,
    pub(crate) collections: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {
    #[sea_orm(
        belongs_to = "account::Entity",
        from = "Column::AccountId",
        to = "account::Column::Id"
    )]
    Account,
}

impl Related<account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}
