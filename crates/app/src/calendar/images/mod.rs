//! The use cases of images.

mod crop;
mod delete;
mod fetch;
mod get;
mod list;
mod page;
mod store;
mod update;
mod upload;

pub use crate::write::Upload;
pub(crate) use fetch::FetchLocks;
pub(crate) use page::PageFetches;
