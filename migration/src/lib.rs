//! Schema of the events calendar, for SQLite and PostgreSQL.
//!
//! Migrations are frozen once released. Tables are named in the singular, moments are whole seconds
//! since 1970 in UTC, and keys for search and order (`…_key`, `…_text`) are folded by the domain, so
//! that every store finds and orders alike.
//!
//! # Features
//!
//! - `sqlite`, `postgres`: the databases that the schema can be made in.

mod m20261121_000001_calendar;
mod m20261121_000002_translations;
mod m20261121_000003_images;
mod m20261121_000004_tickets;
mod m20261121_000005_idempotency;
mod m20261121_000006_lists;
mod m20261121_000007_changes;
mod m20261121_000008_scheduled;
mod m20261121_000009_texts;
mod m20261121_000010_in_category;
mod m20261122_000011_all;
mod m20261122_000012_venue;
mod m20261122_000013_zone_data;
mod m20261122_000014_former_slugs;
mod m20261122_000015_locked;

pub use sea_orm_migration::{IntoSchemaManagerConnection, MigratorTrait, SchemaManagerConnection};

use sea_orm_migration::{
    MigrationTrait, SchemaManager,
    sea_orm::{ConnectionTrait, DbErr},
};

/// All migrations, in order.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261121_000001_calendar::Migration),
            Box::new(m20261121_000002_translations::Migration),
            Box::new(m20261121_000003_images::Migration),
            Box::new(m20261121_000004_tickets::Migration),
            Box::new(m20261121_000005_idempotency::Migration),
            Box::new(m20261121_000006_lists::Migration),
            Box::new(m20261121_000007_changes::Migration),
            Box::new(m20261121_000008_scheduled::Migration),
            Box::new(m20261121_000009_texts::Migration),
            Box::new(m20261121_000010_in_category::Migration),
            Box::new(m20261122_000011_all::Migration),
            Box::new(m20261122_000012_venue::Migration),
            Box::new(m20261122_000013_zone_data::Migration),
            Box::new(m20261122_000014_former_slugs::Migration),
            Box::new(m20261122_000015_locked::Migration),
        ]
    }
}

/// Does some statements in their order.
async fn run(manager: &SchemaManager<'_>, statements: Vec<String>) -> Result<(), DbErr> {
    for statement in statements {
        let connection = manager.get_connection();
        connection.execute_unprepared(&statement).await?;
    }
    Ok(())
}
