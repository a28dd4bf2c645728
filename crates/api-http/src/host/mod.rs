//! The routes of the host that clients of the calendar need: the discovery object of a base path,
//! and some routes of `wp/v2`. The *host* is the content management system in which these clients
//! expect the calendar to run.
//!
//! They are served where a base path has a root: `<root>/` and `<root>/wp/v2/…`.
//! [`BasePaths`](http_service::site::base_path::BasePaths) maps these paths to the routes below
//! [`HOST_ROOT`](http_service::site::HOST_ROOT).

mod discovery;
mod entries;
mod list;
mod media;
mod operations;
mod settings;
mod terms;
mod users;

pub(crate) use discovery::discovery;
pub(crate) use entries::{get as get_entry, list as list_entries};
pub(crate) use list::path;
pub(crate) use media::{get as get_media, list as list_media, upload as upload_media};
pub(crate) use operations::route;
pub(crate) use settings::settings;
pub(crate) use terms::{create as create_term, get as get_term, list as list_terms};
pub(crate) use users::me;
