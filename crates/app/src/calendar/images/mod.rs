//! The use cases of images.

mod delete;
mod fetch;
mod get;
mod list;
mod store;
mod update;
mod upload;

pub use crate::write::Upload;
pub(crate) use fetch::FetchLocks;
