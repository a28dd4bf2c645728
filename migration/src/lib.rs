//! Schema of the events calendar, for SQLite and PostgreSQL.
//!
//! Migrations are frozen once released. Table names are singular. Times are whole seconds since
//! 1970 in UTC. The domain folds the keys for search and order (`…_key`, `…_text`), so that both
//! databases match and order alike.
//!
//! # Features
//!
//! - `sqlite`, `postgres`: the databases in which the schema can be created.

mod adoption;
mod derived;
mod indexes;
mod layout;
mod m20261122_000001_schema;
mod m20261123_000001_search_index;
mod m20261123_000002_cheaper_writes;
mod m20261123_000003_cancelled;
mod m20261123_000004_occurrences;
mod m20261124_000001_journal;
mod m20261125_000001_import_source;
mod m20261125_000002_tombstones;
mod m20261125_000003_feeds;
mod m20261126_000001_indirect_journal;
mod m20261126_000002_joined_copies;
mod m20261127_000001_straight_punctuation;
mod m20261127_000002_token_last_used;
mod m20261127_000003_rescheduled;
mod m20261128_000001_free_and_cities;
mod m20261128_000002_alternative_texts;
mod m20261128_000002_spans;
mod m20261128_000003_tallies;
mod m20261129_000001_sign_ins;
mod m20261129_000010_remarks;
mod m20261129_000011_verifications;
mod m20261129_000012_proposals;
mod m20261201_000001_second_factors;
mod m20261202_000001_site_settings;
mod m20261202_000002_sources;
mod m20261203_000001_duplicates;
mod m20261204_000001_audit;
mod m20261205_000001_series_neighbours;
mod m20261206_000001_token_rights;
mod m20261207_000001_links_by_start;
mod occurrence_lists;
mod tables;
mod triggers;

pub use adoption::{FORMER_MIGRATIONS, History, adopt, history, is_current};
pub use derived::{Derived, RowsOf, derived, derived_lists, derived_totals, journal};
pub use layout::{DURATION_CLASSES, Histogram, SEARCH_BLOCK_SHIFT};
pub use m20261123_000001_search_index::QUEUE_ALL_TEXTS;
pub use m20261124_000001_journal::NUMBER_ENTRIES;
pub use sea_orm_migration::MigratorTrait;

use sea_orm_migration::MigrationTrait;

/// All migrations, in order.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261122_000001_schema::Migration),
            Box::new(m20261123_000001_search_index::Migration),
            Box::new(m20261123_000002_cheaper_writes::Migration),
            Box::new(m20261123_000003_cancelled::Migration),
            Box::new(m20261123_000004_occurrences::Migration),
            Box::new(m20261124_000001_journal::Migration),
            Box::new(m20261125_000001_import_source::Migration),
            Box::new(m20261125_000002_tombstones::Migration),
            Box::new(m20261125_000003_feeds::Migration),
            Box::new(m20261126_000001_indirect_journal::Migration),
            Box::new(m20261126_000002_joined_copies::Migration),
            Box::new(m20261127_000001_straight_punctuation::Migration),
            Box::new(m20261127_000002_token_last_used::Migration),
            Box::new(m20261127_000003_rescheduled::Migration),
            Box::new(m20261128_000001_free_and_cities::Migration),
            Box::new(m20261128_000002_spans::Migration),
            Box::new(m20261128_000002_alternative_texts::Migration),
            Box::new(m20261128_000003_tallies::Migration),
            Box::new(m20261129_000001_sign_ins::Migration),
            Box::new(m20261129_000010_remarks::Migration),
            Box::new(m20261129_000011_verifications::Migration),
            Box::new(m20261129_000012_proposals::Migration),
            Box::new(m20261201_000001_second_factors::Migration),
            Box::new(m20261202_000001_site_settings::Migration),
            Box::new(m20261202_000002_sources::Migration),
            Box::new(m20261203_000001_duplicates::Migration),
            Box::new(m20261204_000001_audit::Migration),
            Box::new(m20261205_000001_series_neighbours::Migration),
            Box::new(m20261206_000001_token_rights::Migration),
            Box::new(m20261207_000001_links_by_start::Migration),
        ]
    }
}
