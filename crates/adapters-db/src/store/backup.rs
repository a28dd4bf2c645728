//! A copy of an SQLite file while it is in use.

use std::path::Path;

use app::ports::StoreError;
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::{SeaOrmStore, error::store_error};

/// Why a copy was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// Only SQLite files are copied.
    #[error("the database is not an SQLite file")]
    NotAFile,
    /// SQLite takes paths in UTF-8 only.
    #[error("the path of the copy is not UTF-8")]
    BadPath,
    /// The database failed.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

impl SeaOrmStore {
    /// Writes one state of an SQLite database into an empty file. Other connections and processes
    /// may read and write meanwhile. The file is not synced to disk.
    ///
    /// # Errors
    ///
    /// If the database is not SQLite, or fails, or if the file cannot be written.
    pub async fn copy_into(&self, file: &Path) -> Result<(), BackupError> {
        if self.writer.get_database_backend() != DbBackend::Sqlite {
            return Err(BackupError::NotAFile);
        }
        let path = file.to_str().ok_or(BackupError::BadPath)?;
        let copy =
            Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [path.into()]);
        self.writer.execute_raw(copy).await.map_err(store_error)?;
        Ok(())
    }
}
