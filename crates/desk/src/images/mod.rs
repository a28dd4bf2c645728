//! Pictures: the library, and the part of forms with a picture.

mod library;
pub(crate) mod picture;
mod shown;

pub(crate) use library::endpoints;
