//! Extractors: the parts of a request as typed values.

mod auth;
pub(crate) mod format;
pub mod key;
pub(crate) mod preference;
mod shared_context;

pub use auth::Auth;
pub(crate) use auth::is_signed_in;
pub use format::{EVENT_STREAM, Format, accepts_events};
pub use key::Segments;
pub use preference::is_strict;
pub use shared_context::SharedContext;
