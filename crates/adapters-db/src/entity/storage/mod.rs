//! Images, slugs and the bookkeeping of the service.

pub(crate) mod event_tombstone;
pub(crate) mod feed;
pub(crate) mod former_slug;
pub(crate) mod idempotency_key;
pub(crate) mod image;
pub(crate) mod image_name;
pub(crate) mod import_row;
pub(crate) mod import_source;
pub(crate) mod setting;
pub(crate) mod site_setting;
pub(crate) mod slug;
pub(crate) mod source;
pub(crate) mod zone_move;
