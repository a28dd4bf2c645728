//! The images of records: references in requests, loading for answers.

mod reference;
mod view;

pub use reference::ImageRef;
pub(crate) use {
    reference::{find, own_file, record_file, resolve},
    view::{ImageViews, load, shown},
};
