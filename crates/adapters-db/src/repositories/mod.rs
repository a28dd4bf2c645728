//! The ports of the calendar over a session, one file a port.

mod accounts;
mod events;
mod find_by_name;
mod former_slugs;
mod idempotency;
mod images;
mod imports;
mod listed;
mod records;
mod related_loader;
mod settings;
mod slugs;
mod suffix_search;
mod terms;
