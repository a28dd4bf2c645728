//! Events that are not public any more.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "event_tombstone")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) uid: String,
    pub(crate) event_id: i64,
    pub(crate) slug: Option<String>,
    pub(crate) sequence: i64,
    pub(crate) ended_utc: i64,
    pub(crate) start_day: Option<String>,
    pub(crate) start_utc: i64,
    pub(crate) end_utc: i64,
    pub(crate) repeats: bool,
    pub(crate) filter_categories: String,
    pub(crate) filter_tags: String,
    pub(crate) venue_id: Option<i64>,
    pub(crate) filter_organizers: String,
}
