//! Translated texts of venues.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "venue_translation")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) record_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) language: String,
    pub(crate) title: Option<String>,
    pub(crate) title_key: String,
    pub(crate) slug: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) former_slug: Option<String>,
    pub(crate) excerpt: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) country: Option<String>,
    pub(crate) province: Option<String>,
    pub(crate) state: Option<String>,
    pub(crate) stateprovince: Option<String>,
}
