//! The handlers of the interface under the namespace, which call the use cases.

pub(crate) mod audit;
pub(crate) mod changes;
pub(crate) mod document;
pub(crate) mod duplicates;
mod files;
pub(crate) mod images;
pub(crate) mod imports;
pub(crate) mod index;
pub(crate) mod kind;
pub(crate) mod negotiated;
pub(crate) mod occurrences;
pub(crate) mod probes;
pub(crate) mod records;
pub(crate) mod revisions;
pub(crate) mod secret_feeds;
pub(crate) mod sources;
pub(crate) mod upload;

pub(crate) use kind::RestResource;
