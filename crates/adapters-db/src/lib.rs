//! The ports of the events calendar over SeaORM: SQLite and PostgreSQL.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let store = adapters_db::connect(&adapters_db::DbOptions::new("sqlite://calendar.db")).await?;
//! store.migrate().await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! - `sqlite` (default): the embedded database, a file.
//! - `postgres`: PostgreSQL 15 or later.

mod accounts;
mod at_hand;
mod backup;
mod cell;
mod changes;
mod condition;
mod connect;
mod entity;
mod error;
mod event_list;
mod events;
mod former_slugs;
mod free_number;
mod idempotency;
mod images;
mod json;
mod kept;
mod ledger;
mod loader;
mod named;
mod names;
#[cfg(feature = "postgres")]
mod outage;
mod over;
mod page;
mod reader;
#[cfg(feature = "postgres")]
mod replica;
mod repository;
mod row;
mod rows;
mod schema;
mod selection;
mod slugs;
mod store;
mod table;
mod terms;
mod translations;
mod unit;
mod version;
#[cfg(feature = "sqlite")]
mod writer;
mod zone_data;

pub use backup::BackupError;
pub use connect::{ConnectError, DbOptions, OnStatement, Planned, connect};
#[doc(hidden)]
pub use entity::{EntityColumn, entity_columns};
pub use loader::Loader;
pub use schema::SchemaError;
pub use store::SeaOrmStore;
pub use zone_data::{Reworked, ZoneDataError, ZoneMove};
