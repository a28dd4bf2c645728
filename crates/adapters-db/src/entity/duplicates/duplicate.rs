//! Pairs of records that look alike, and their merges.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "duplicate")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) kind: String,
    pub(crate) lower_id: i64,
    pub(crate) higher_id: i64,
    pub(crate) lower_revision: i64,
    pub(crate) higher_revision: i64,
    pub(crate) score: i64,
    pub(crate) reasons: String,
    pub(crate) state: String,
    pub(crate) kept_id: Option<i64>,
    pub(crate) gone_id: Option<i64>,
    pub(crate) taken_fields: Option<String>,
    pub(crate) kept_before: Option<String>,
    pub(crate) gone_before: Option<String>,
    pub(crate) gone_revision: Option<i64>,
    pub(crate) merged_utc: Option<i64>,
}
