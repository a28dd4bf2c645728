//! Events.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "event")]
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
    pub(crate) uid: String,
    pub(crate) sequence: i64,
    pub(crate) listed: bool,
    pub(crate) start_local: String,
    pub(crate) end_local: String,
    pub(crate) start_utc: i64,
    pub(crate) end_utc: i64,
    pub(crate) time_zone: String,
    pub(crate) all_day: bool,
    pub(crate) cost: String,
    pub(crate) currency: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) show_map: bool,
    pub(crate) show_map_link: bool,
    pub(crate) hide_from_listings: bool,
    pub(crate) sticky: bool,
    pub(crate) featured: bool,
    pub(crate) venue_id: Option<i64>,
    pub(crate) parent_id: Option<i64>,
    pub(crate) password_hash: Option<String>,
    pub(crate) search_text: String,
    pub(crate) translated: bool,
    pub(crate) span: i32,
    pub(crate) cancelled: bool,
}
