//! The handlers of responses in other formats than JSON.

pub(super) mod atom;
pub(super) mod feeds;
mod streamed;
pub(super) mod tables;
