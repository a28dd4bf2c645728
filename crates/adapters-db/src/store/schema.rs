//! Migration of the schema.

use app::ports::StoreError;
use migration::{History, Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement};

use super::derived;
use crate::{
    SeaOrmStore, cache,
    connection::{begin_immediate, wait_for_lock},
    error::store_error,
};

/// The advisory lock of PostgreSQL that a process holds while it migrates the schema.
const MIGRATION_LOCK: i64 = 0x6361_6c65_6e64_6172;

/// Why the schema was not read or not migrated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// A newer version of this program migrated the database.
    #[error(
        "a newer version of this program migrated the database: use that version; this one does not know \
         the migration `{migration}`"
    )]
    Newer {
        /// The unknown migration.
        migration: String,
    },
    /// A version before the first release migrated the database, but not completely.
    #[error(
        "an unreleased version of this program created the database, and its migrations are incomplete: \
         start the last unreleased version once, or restore a backup, and then start this version"
    )]
    Incomplete,
    /// Another program has tables in the database.
    #[error(
        "the database belongs to another program: it has a table `{table}` and no record of this program; \
         name an empty database or another file"
    )]
    Foreign {
        /// A table of the other program.
        table: String,
    },
    /// The database accepts no writes.
    #[error("the database is a replica, or read-only: it cannot be written to")]
    ReadOnly,
    /// The database failed.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

impl From<DbErr> for SchemaError {
    fn from(error: DbErr) -> Self {
        Self::Failed(store_error(error))
    }
}

impl SeaOrmStore {
    /// Applies all pending migrations in one transaction and returns their number. Several
    /// processes may do so at once: one migrates, the others wait. A current schema of an SQLite file
    /// is left alone, so that a server starts while another process writes for long.
    ///
    /// # Errors
    ///
    /// If the database fails or cannot be written to, or if its migrations are not those of this
    /// program.
    pub async fn migrate(&self) -> Result<u32, SchemaError> {
        if self.is_current_file().await {
            self.merge_signal.send();
            return Ok(0);
        }
        let transaction = self.begin_schema().await?;
        wait_for_lock(&transaction, MIGRATION_LOCK).await?;
        let history = migration::history(&transaction).await?;
        let is_former = matches!(history, History::Former(_));
        let pending = pending_of(history)?;
        if is_former {
            migration::adopt(&transaction).await?;
        }
        if pending > 0 {
            Migrator::up(&transaction, None).await?;
            derived::fill(&transaction).await?;
        }
        cache::discard_foreign_entries(&transaction).await?;
        transaction.commit().await?;
        self.data_version.committed().await;
        // Texts may have waited since the program last ran.
        self.merge_signal.send();
        Ok(pending)
    }

    /// Returns the number of pending migrations.
    ///
    /// # Errors
    ///
    /// If the database fails or cannot be written to, or if its migrations are not those of this
    /// program.
    pub async fn pending(&self) -> Result<u32, SchemaError> {
        if self.is_current_file().await {
            return Ok(0);
        }
        let transaction = self.begin_schema().await?;
        let history = migration::history(&transaction).await?;
        transaction.rollback().await?;
        pending_of(history)
    }

    /// Whether the schema is still the one of this program; a newer one may have changed it. It waits for no writer.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn is_current(&self) -> Result<bool, StoreError> {
        let current = migration::is_current(&self.reader.connection).await;
        current.map_err(store_error)
    }

    /// Whether the store is an SQLite file with the current schema. It is read without the write lock of the file.
    /// PostgreSQL has more to do at a start than migrations, and its writers do not exclude each other.
    async fn is_current_file(&self) -> bool {
        !self.reader.is_postgres() && matches!(self.is_current().await, Ok(true))
    }

    /// Begins a transaction that may change the schema.
    async fn begin_schema(&self) -> Result<DatabaseTransaction, SchemaError> {
        let transaction = begin_immediate(&self.writer).await?;
        if transaction.get_database_backend() == DbBackend::Postgres {
            let select = "SELECT current_setting('transaction_read_only') = 'on' AS is_read_only";
            let select = Statement::from_string(DbBackend::Postgres, select);
            let row = transaction.query_one_raw(select).await?;
            if row.is_some_and(|row| row.try_get("", "is_read_only") == Ok(true)) {
                return Err(SchemaError::ReadOnly);
            }
        }
        Ok(transaction)
    }
}

/// Returns the number of migrations that a database lacks, after its adoption if it is a former one.
fn pending_of(history: History) -> Result<u32, SchemaError> {
    match history {
        History::Known(pending) | History::Former(pending) => {
            Ok(u32::try_from(pending).unwrap_or(u32::MAX))
        }
        History::Mixed => Err(SchemaError::Incomplete),
        History::Unknown(migration) => Err(SchemaError::Newer { migration }),
        History::Foreign(table) => Err(SchemaError::Foreign { table }),
    }
}
