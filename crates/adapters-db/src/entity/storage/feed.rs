//! Secret feeds of users.

use crate::entity::prelude::*;

use crate::entity::account;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "feed")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) owner_id: i64,
    pub(crate) name: String,
    pub(crate) query: String,
    pub(crate) key_hash: String,
    pub(crate) created_utc: i64,
    pub(crate) last_used: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {
    #[sea_orm(
        belongs_to = "account::Entity",
        from = "Column::OwnerId",
        to = "account::Column::Id"
    )]
    Account,
}

impl Related<account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}
