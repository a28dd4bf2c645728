//! The use cases of images.

mod delete;
mod fetch;
mod get;
mod list;
mod store;
mod upload;

pub(crate) use fetch::FetchLocks;
pub use upload::Upload;
