//! The contract of the ports, held by every store: in memory, SQLite and PostgreSQL.
//!
//! Each test starts from a store with users alone. No test reads outside of an open unit of work: a store
//! with one connection could not answer.

// DEV mod accounts;
// DEV mod deletion;
// DEV mod event_lists;
// DEV mod event_parents;
// DEV mod event_totals;
// DEV mod extension;
// DEV mod former_slugs;
// DEV mod idempotency;
// DEV mod images;
mod imports_and_settings;
// DEV mod journal;
// DEV mod lists;
// DEV mod nearby;
// DEV mod occurrence_records;
// DEV mod occurrences;
// DEV mod own_records;
// DEV mod place_lists;
// DEV mod races;
// DEV mod records;
// DEV mod round_trips;
mod sample;
// DEV mod search;
// DEV mod series;
// DEV mod slugs;
// DEV mod term_lists;
// DEV mod terms;
// DEV mod translations;
// DEV mod units;
