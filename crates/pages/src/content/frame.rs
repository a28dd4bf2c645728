//! The frame in which another site shows a page.

use std::sync::Arc;

/// The frame in which another site shows a page.
#[derive(Clone, Debug)]
pub(crate) struct EmbedFrame {
    /// The sites that may show the page.
    pub(crate) ancestors: Arc<str>,
    /// The URL of the same page outside of frames.
    pub(crate) outside: String,
}
