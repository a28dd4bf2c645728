//! The contract of the ports, held by every store: in memory, SQLite and PostgreSQL.
//!
//! Each test starts from a store with users alone. No test reads outside of an open unit of work: a store
//! with one connection could not answer.

mod accounts;
mod deletion;
mod event_lists;
mod event_parents;
mod event_totals;
mod extension;
mod feeds;
mod former_slugs;
mod given_ids;
mod idempotency;
mod images;
mod imports_and_settings;
mod indirect_journal;
mod journal;
mod lists;
mod nearby;
mod occurrence_records;
mod occurrences;
mod overrides;
mod place_lists;
mod races;
mod records;
mod round_trips;
mod sample;
mod search;
mod series;
mod slugs;
mod term_lists;
mod terms;
mod translations;
mod units;
