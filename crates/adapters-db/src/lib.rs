//! The ports of the events calendar over SeaORM: SQLite and PostgreSQL.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let store = events_calendar_adapters_db::connect(&events_calendar_adapters_db::DbOptions::new("sqlite://calendar.db")).await?;
//! store.prepare().await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! - `sqlite` (default): the embedded database, a file.
//! - `postgres`: PostgreSQL 15 or later.
//! - `ablation`: for the benchmark, which leaves mechanisms out to measure what they save.
//!
//! # Compile options of SQLite
//!
//! Lists are fastest if SQLite is compiled with the flags of `SQLITE_FLAGS`. The program that
//! links this crate sets them; otherwise [`connect`] logs a warning.

mod ablation;
mod cache;
mod connection;
mod doctor;
mod entity;
mod error;
mod event_list;
#[cfg(feature = "sqlite")]
mod group_commit;
mod low_priority;
mod repositories;
mod search_index;
mod session;
mod sql;
mod store;
mod tables;

#[cfg(feature = "postgres")]
pub use connection::ReplicaState;
pub use doctor::{Check, Difference, Examination};
#[doc(hidden)]
pub use entity::{EntityColumn, entity_columns};
pub use store::{
    BackupError, ConnectError, DbOptions, Loader, OnStatement, Planned, PrepareError, Recomputed,
    SchemaError, SeaOrmStore, ZoneDataError, ZoneMove, connect,
};
#[cfg(feature = "sqlite")]
pub use store::{EndOfLogError, SQLITE_FLAGS, end_write_ahead_log, find_damage};
