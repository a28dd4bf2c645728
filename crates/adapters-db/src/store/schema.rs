//! The schema: whether it is up to date, and bringing it there.

use app::ports::StoreError;
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement};

use crate::{SeaOrmStore, cache, connection::begin_immediate, error::store_error};

/// The number under which starting servers agree on who changes the schema.
const MIGRATION_LOCK: i64 = 0x6361_6c65_6e64_6172;

/// Why a schema is not looked at, or not brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// There is more in it than this program knows.
    #[error(
        "the database was brought up to date by a newer version of this program, which is to be used \
         instead: this one does not know the migration `{migration}`"
    )]
    Newer {
        /// What is not known.
        migration: String,
    },
    /// Nothing can be written.
    #[error("the database is a replica, or read-only: it cannot be written to")]
    ReadOnly,
    /// The database fails.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

impl From<DbErr> for SchemaError {
    fn from(error: DbErr) -> Self {
        Self::Failed(store_error(error))
    }
}

impl SeaOrmStore {
    /// Brings the schema up to date, all or nothing; answers how many migrations that took. Several
    /// processes may do so at once: one does, the others wait.
    ///
    /// # Errors
    ///
    /// If the database fails or cannot be written to, or if its schema is newer than this program.
    pub async fn migrate(&self) -> Result<u32, SchemaError> {
        let transaction = self.begin_schema().await?;
        if transaction.get_database_backend() == DbBackend::Postgres {
            // Changing many rows takes as long as it takes, and so does waiting for who is at it.
            transaction
                .execute_unprepared("SET LOCAL statement_timeout = 0")
                .await?;
            let lock = "SELECT pg_advisory_xact_lock($1)";
            let lock =
                Statement::from_sql_and_values(DbBackend::Postgres, lock, [MIGRATION_LOCK.into()]);
            transaction.execute_raw(lock).await?;
        }
        let pending = pending_in(&transaction).await?;
        if pending > 0 {
            Migrator::up(&transaction, None).await?;
        }
        cache::discard_foreign_entries(&transaction).await?;
        transaction.commit().await?;
        self.data_version.committed().await;
        Ok(pending)
    }

    /// How many migrations are still to be done.
    ///
    /// # Errors
    ///
    /// If the database fails or cannot be written to, or if its schema is newer than this program.
    pub async fn pending(&self) -> Result<u32, SchemaError> {
        let transaction = self.begin_schema().await?;
        let pending = pending_in(&transaction).await?;
        transaction.rollback().await?;
        Ok(pending)
    }

    /// A transaction that could change the schema.
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

/// How many migrations are still to be done. Nothing is made to find out: who may write records may not
/// always make tables.
async fn pending_in(transaction: &DatabaseTransaction) -> Result<u32, SchemaError> {
    match Migrator::get_pending_migrations_read_only(transaction).await {
        Ok(pending) => Ok(u32::try_from(pending.len()).unwrap_or(u32::MAX)),
        // It only says so of migrations that were done and are not known, and quotes their names.
        Err(DbErr::Custom(text)) => Err(SchemaError::Newer {
            migration: text.split('\'').nth(1).unwrap_or(&text).to_owned(),
        }),
        Err(error) => Err(error.into()),
    }
}
