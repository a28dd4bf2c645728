//! Certificates of an authority that speaks ACME (RFC 8555), such as Let's Encrypt, for `serve --domain`.
//!
//! The authority connects to the server and asks for an answer in the handshake (TLS-ALPN-01, RFC 8737). The account and
//! the certificates are files in a folder beside the database.

#[cfg(feature = "tls")]
mod authority;
#[cfg(feature = "tls")]
mod cache;
mod folder;
#[cfg(feature = "tls")]
mod keeper;
mod orders;
#[cfg(feature = "tls")]
mod probe;
#[cfg(feature = "tls")]
mod resolver;

#[cfg(feature = "tls")]
pub(crate) use self::{keeper::Certificates, probe::request_over_tls};
