//! The ports of the calendar over a session, one file a port.

mod accounts;
mod audit;
mod batch_query;
mod duplicates;
mod events;
mod feeds;
mod idempotency;
mod images;
mod imports;
mod occurrence_lookup;
mod occurrences;
mod records;
mod reviews;
mod settings;
mod sign_ins;
mod slugs;
mod suffix_search;
mod terms;

pub(crate) use self::{occurrence_lookup::slot_of, occurrences::occurrence_row};
