//! Categories and tags.

pub(crate) mod category;
pub(crate) mod category_path;
pub(crate) mod category_translation;
pub(crate) mod tag;
pub(crate) mod tag_translation;
