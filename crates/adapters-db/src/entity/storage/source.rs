//! Sources that are read on a schedule.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "source")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) format: String,
    pub(crate) url: String,
    pub(crate) user_id: i64,
    pub(crate) every_seconds: i64,
    pub(crate) status: String,
    pub(crate) category_name: Option<String>,
    pub(crate) policy: String,
    pub(crate) prune: bool,
    pub(crate) header_file: Option<String>,
    pub(crate) paused: bool,
    pub(crate) ledger: String,
    pub(crate) next_run_utc: i64,
    pub(crate) requested: bool,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) last_run_utc: Option<i64>,
    pub(crate) last_success_utc: Option<i64>,
    pub(crate) failure: Option<String>,
    pub(crate) failures: i64,
    pub(crate) failing_since_utc: Option<i64>,
    pub(crate) told_utc: Option<i64>,
    pub(crate) event_count: i64,
    pub(crate) report: Option<String>,
    pub(crate) lease_holder: Option<String>,
    pub(crate) lease_until_utc: Option<i64>,
}
