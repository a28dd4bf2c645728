//! The images that records show: how requests name them, how answers load them.

mod reference;
mod view;

pub use reference::ImageRef;
pub(crate) use {
    reference::{own_file, read_ref, resolve},
    view::{ImageViews, load, shown},
};
