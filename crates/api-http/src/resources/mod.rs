//! The handlers of the interface under the namespace, which call the use cases.

mod atom;
pub(crate) mod document;
mod feeds;
pub(crate) mod images;
pub(crate) mod imports;
pub(crate) mod index;
pub(crate) mod kind;
pub(crate) mod negotiated;
pub(crate) mod occurrences;
pub(crate) mod probes;
pub(crate) mod records;
pub(crate) mod secret_feeds;
mod streamed;
mod tables;
pub(crate) mod upload;

pub(crate) use kind::RestResource;
