//! The tickets of an event.

use serde::Deserialize;

use crate::entity::prelude::*;

/// A ticket. It is read from a JSON array of all columns in this order.
#[derive(Clone, Debug, PartialEq, Deserialize, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "event_ticket")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) event_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) position: i64,
    pub(crate) name: String,
    pub(crate) price: String,
    pub(crate) currency: String,
    pub(crate) url: Option<String>,
    pub(crate) available_from_utc: Option<i64>,
    pub(crate) available_until_utc: Option<i64>,
}
