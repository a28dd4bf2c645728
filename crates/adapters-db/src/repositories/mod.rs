//! The ports of the calendar over a session, one file a port.

mod accounts;
mod batch_query;
mod events;
mod feeds;
mod idempotency;
mod images;
mod imports;
mod occurrence_lookup;
mod occurrences;
mod records;
mod settings;
mod slugs;
mod suffix_search;
mod terms;
