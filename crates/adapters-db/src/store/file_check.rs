//! The check of an SQLite file, before it takes the place of another one.

use std::path::Path;

use app::ports::StoreError;
use sea_orm::sqlx::{
    self, ConnectOptions as _, Connection as _, Row as _, sqlite::SqliteConnectOptions,
};

/// Checks the pages and the indexes of an SQLite file that nobody writes. The file does not change, and no file
/// appears beside it.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// if let Some(fault) = events_calendar_adapters_db::find_damage("copy.db".as_ref()).await? {
///     println!("the copy is damaged: {fault}");
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If the file cannot be read.
pub async fn find_damage(file: &Path) -> Result<Option<String>, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .read_only(true)
        .immutable(true);
    let found = async {
        let mut connection = options.connect().await?;
        let row = sqlx::query("PRAGMA integrity_check(1)")
            .fetch_one(&mut connection)
            .await?;
        connection.close().await?;
        row.try_get::<String, _>(0)
    };
    match found.await {
        Ok(said) => Ok((said != "ok").then_some(said)),
        // A file that cannot be checked further: SQLite says why.
        Err(sqlx::Error::Database(error)) => Ok(Some(error.to_string())),
        Err(error) => Err(StoreError::Internal(error.to_string())),
    }
}
