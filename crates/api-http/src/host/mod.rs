//! The host's own interface beside the calendar, as far as clients of the calendar need
//! it: the discovery object of a mount, and a part of the interface `wp/v2`.
//!
//! It is served where a mount has a root: `<root>/` and `<root>/wp/v2/…`. [`Mounts`](crate::mount::Mounts)
//! maps these paths to the routes below [`ROOT`].

mod described;
mod discovery;
mod media;
mod settings;
mod terms;
mod users;

pub(crate) use described::route;
pub(crate) use discovery::{announce, announcement, discovery};
pub(crate) use media::{get as get_media, list as list_media, upload as upload_media};
pub(crate) use settings::settings;
pub(crate) use terms::{HostTerm, create as create_term, get as get_term, list as list_terms};
pub(crate) use users::me;

/// The namespace of the host's own interface.
pub(crate) const NAMESPACE: &str = "wp/v2";

/// The path of the discovery object, as the routes know it. No client can send it, as the path of a
/// request is brought to lower case.
pub(crate) const ROOT: &str = "/Host";

/// A path below [`ROOT`] that has no route.
pub(crate) const NOWHERE: &str = "/Host/nowhere";
