//! Uploaded and fetched images.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "image")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) uploader_id: i64,
    pub(crate) name: String,
    pub(crate) format: String,
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) filesize: i64,
    pub(crate) sizes: String,
    pub(crate) created_utc: i64,
    pub(crate) source: Option<String>,
    pub(crate) revision: i64,
    pub(crate) modified_utc: i64,
    pub(crate) alt: String,
}
