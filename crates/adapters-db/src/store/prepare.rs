//! Preparation of a database for use.

use domain::time::ZoneData;

use super::{SchemaError, SeaOrmStore, ZoneDataError};

/// Why a database was not prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The schema cannot be brought up to date.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The instants of events cannot be brought up to date.
    #[error(transparent)]
    ZoneData(#[from] ZoneDataError),
}

impl SeaOrmStore {
    /// Brings the schema up to date, and the instants of events, if this program has newer time zone
    /// data than the last one. Returns the number of applied migrations. Each program MUST call this
    /// after it has opened a database, and before it uses it; several may do so at once.
    ///
    /// # Errors
    ///
    /// If the schema or the time zone data of the database are newer than those of this program, or
    /// if the database fails.
    pub async fn prepare(&self) -> Result<u32, PrepareError> {
        // Checked before the schema changes: the former program, whose time zone data are newer,
        // must stay usable.
        if let Ok(Some(database)) = self.zone_data().await {
            let program = ZoneData::version_in_use().clone();
            if database > program {
                return Err(ZoneDataError::Older { database, program }.into());
            }
        }
        let applied = self.migrate().await?;
        if applied > 0 {
            tracing::info!(migrations = applied, "the schema is up to date now");
        }
        self.prepare_instants().await?;
        Ok(applied)
    }

    /// Recomputes the instants of events if this program has newer time zone data than the database.
    ///
    /// # Errors
    ///
    /// If the time zone data of the database are newer, or if the database fails.
    pub async fn prepare_instants(&self) -> Result<(), ZoneDataError> {
        let program = ZoneData::version_in_use();
        let database = self.zone_data().await?;
        if database.as_ref() == Some(program) {
            return Ok(());
        }
        if let Some(database) = database.filter(|database| database < program) {
            tracing::info!(%database, %program, "newer time zone data: recomputing the times of events");
        }
        let done = self.recompute_instants().await?;
        if done.events > 0 {
            tracing::info!(
                events = done.events,
                moved = done.moved,
                "the times of events are up to date now"
            );
        }
        Ok(())
    }
}
