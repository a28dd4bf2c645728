//! The listed occurrences of series by category, tag, organizer and venue, in the order of starts. Triggers
//! maintain it.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "occurrence_in")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) scope: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) scope_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) start_utc: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) occurrence_id: i64,
    pub(crate) end_utc: i64,
    pub(crate) published_utc: Option<i64>,
}
