//! Venues.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "venue")]
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
    pub(crate) address: String,
    pub(crate) city: String,
    pub(crate) country: String,
    pub(crate) province: String,
    pub(crate) state: String,
    pub(crate) stateprovince: String,
    pub(crate) zip: String,
    pub(crate) phone: String,
    pub(crate) website: Option<String>,
    pub(crate) show_map: bool,
    pub(crate) show_map_link: bool,
    pub(crate) latitude: Option<f64>,
    pub(crate) longitude: Option<f64>,
    pub(crate) translated: bool,
    pub(crate) direction_x: Option<f64>,
    pub(crate) direction_y: Option<f64>,
    pub(crate) direction_z: Option<f64>,
}
