//! The journal of changes. On PostgreSQL, an entry without a number after its commit has a negative
//! one.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "journal")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) n: i64,
    pub(crate) nonce: i64,
    pub(crate) at_utc: i64,
    pub(crate) kind: String,
    pub(crate) record_id: i64,
    pub(crate) was_stage: Option<String>,
    pub(crate) was_due: Option<i64>,
    pub(crate) was_author: Option<i64>,
    pub(crate) was_hidden: bool,
    pub(crate) is_stage: Option<String>,
    pub(crate) is_due: Option<i64>,
    pub(crate) is_author: Option<i64>,
    pub(crate) is_hidden: bool,
    pub(crate) is_public: bool,
}
