//! Adoption of databases that the migrations before the first release created.
//!
//! The former migrations created, step by step, the schema that the first released migration
//! creates at once. A database that records all of them needs only new records of migrations.

use std::collections::BTreeSet;

use sea_orm_migration::{
    MigrationName, MigratorTrait, SchemaManager,
    sea_orm::{
        ActiveValue::Set, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
        Statement,
    },
    seaql_migrations::{ActiveModel, Entity, Model},
};

use crate::{Migrator, m20261122_000001_schema::Migration};

/// The names of the migrations before the first release.
pub const FORMER_MIGRATIONS: [&str; 15] = [
    "m20261121_000001_calendar",
    "m20261121_000002_translations",
    "m20261121_000003_images",
    "m20261121_000004_tickets",
    "m20261121_000005_idempotency",
    "m20261121_000006_lists",
    "m20261121_000007_changes",
    "m20261121_000008_scheduled",
    "m20261121_000009_texts",
    "m20261121_000010_in_category",
    "m20261122_000011_all",
    "m20261122_000012_venue",
    "m20261122_000013_zone_data",
    "m20261122_000014_former_slugs",
    "m20261122_000015_locked",
];

/// The table in which SeaORM records migrations.
const MIGRATIONS: &str = "seaql_migrations";

/// Tables of the schema with names that other programs may have, too.
const COMMON_NAMES: [&str; 8] = [
    "account",
    "category",
    "event",
    "image",
    "organizer",
    "setting",
    "tag",
    "venue",
];

/// The history of a database, by the names of the migrations that it records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum History {
    /// All recorded migrations are known; the number of migrations to apply.
    Known(usize),
    /// All of [`FORMER_MIGRATIONS`], and no other: the database can be adopted. The number of migrations
    /// to apply afterwards.
    Former(usize),
    /// Some of [`FORMER_MIGRATIONS`], but not exactly all.
    Mixed,
    /// A migration that this program does not know.
    Unknown(String),
    /// Tables of another program; the name of one of them.
    Foreign(String),
}

/// Reads which migrations a database records. Changes nothing.
///
/// # Errors
///
/// If the database fails.
pub async fn history(transaction: &DatabaseTransaction) -> Result<History, DbErr> {
    let applied = applied(transaction).await?;
    if applied.is_empty()
        && let Some(table) = foreign_table(transaction).await?
    {
        return Ok(History::Foreign(table));
    }
    let applied: BTreeSet<&str> = applied.iter().map(|model| model.version.as_str()).collect();
    let migrations = Migrator::migrations();
    let known: BTreeSet<&str> = migrations
        .iter()
        .map(|migration| migration.name())
        .collect();
    let former = BTreeSet::from(FORMER_MIGRATIONS);
    let is_ours = |name: &&&str| known.contains(**name) || former.contains(**name);
    if !applied.is_empty() && !applied.iter().any(|name| is_ours(&name)) {
        return Ok(History::Foreign(MIGRATIONS.to_owned()));
    }
    Ok(if applied == former {
        // The first migration creates what the former ones created.
        History::Former(known.len() - 1)
    } else if let Some(unknown) = applied
        .iter()
        .find(|name| !known.contains(*name) && !former.contains(*name))
    {
        History::Unknown((*unknown).to_owned())
    } else if applied.is_subset(&known) {
        History::Known(known.len() - applied.len())
    } else {
        History::Mixed
    })
}

/// Whether a database that this program migrated records no other migrations since.
///
/// # Errors
///
/// If the database fails.
pub async fn is_current(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let applied = Entity::find().all(connection).await?;
    let applied: BTreeSet<_> = applied.into_iter().map(|model| model.version).collect();
    let known = Migrator::migrations();
    let known = known.iter().map(|migration| migration.name().to_owned());
    Ok(applied == known.collect())
}

/// Replaces the records of the former migrations by one of the first released migration.
///
/// # Errors
///
/// If the database fails.
pub async fn adopt(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let applied_at = applied(transaction)
        .await?
        .iter()
        .map(|model| model.applied_at)
        .max();
    Entity::delete_many().exec(transaction).await?;
    let row = ActiveModel {
        version: Set(Migration.name().to_owned()),
        applied_at: Set(applied_at.unwrap_or_default()),
    };
    Entity::insert(row)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

async fn applied(transaction: &DatabaseTransaction) -> Result<Vec<Model>, DbErr> {
    // A new database has no table of migrations. The check creates nothing, as a database user with
    // the right to write rows may lack the right to create tables.
    if SchemaManager::new(transaction)
        .has_table(MIGRATIONS)
        .await?
    {
        Entity::find().all(transaction).await
    } else {
        Ok(Vec::new())
    }
}

/// A table of another program in a database without migrations of this one. An SQLite file belongs to one
/// program. A schema of PostgreSQL may have tables of extensions, so that names of the own schema count alone.
async fn foreign_table(transaction: &DatabaseTransaction) -> Result<Option<String>, DbErr> {
    if transaction.get_database_backend() == DbBackend::Sqlite {
        let select = "SELECT name FROM sqlite_schema WHERE type = 'table' \
                      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'seaql_migrations' LIMIT 1";
        let select = Statement::from_string(DbBackend::Sqlite, select);
        let row = transaction.query_one_raw(select).await?;
        return row.map(|row| row.try_get("", "name")).transpose();
    }
    let manager = SchemaManager::new(transaction);
    for name in COMMON_NAMES {
        if manager.has_table(name).await? {
            return Ok(Some(name.to_owned()));
        }
    }
    Ok(None)
}
