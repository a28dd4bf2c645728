//! Organizers.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "organizer")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) revision: i64,
    pub(crate) author_id: i64,
    pub(crate) stage: String,
    pub(crate) date_utc: i64,
    pub(crate) date_is_chosen: bool,
    pub(crate) published_utc: Option<i64>,
    pub(crate) modified_utc: i64,
    pub(crate) language: String,
    pub(crate) title: String,
    pub(crate) title_key: String,
    pub(crate) slug: Option<String>,
    pub(crate) former_slug: Option<String>,
    pub(crate) description: String,
    pub(crate) excerpt: String,
    pub(crate) image_id: Option<i64>,
    pub(crate) phone: String,
    pub(crate) website: Option<String>,
    pub(crate) email: String,
    pub(crate) translated: bool,
}
