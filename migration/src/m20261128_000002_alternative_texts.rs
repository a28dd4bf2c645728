//! Alternative texts of images.
//!
//! - `image.alt`: the texts as JSON, each with its language, the original first; read and written as a
//!   whole.
//! - `image.revision`, `image.modified_utc`: as those of records.
//!
//! Events, venues and organizers that show an image have an entry in the journal when its texts change.

use sea_orm_migration::prelude::*;

use crate::{
    m20261124_000001_journal::{EVENT, ORGANIZER, VENUE},
    m20261126_000001_indirect_journal::{Dialect, entries},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const COLUMNS: &str = "
    ALTER TABLE image ADD COLUMN revision bigint NOT NULL DEFAULT 1;
    ALTER TABLE image ADD COLUMN modified_utc bigint NOT NULL DEFAULT 0;
    ALTER TABLE image ADD COLUMN alt text NOT NULL DEFAULT '[]';
    UPDATE image SET modified_utc = created_utc;";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let dialect = Dialect::of(manager.get_database_backend());
        let statements = [COLUMNS, &trigger(&dialect)].concat();
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}

fn trigger(dialect: &Dialect) -> String {
    let showing = [EVENT, VENUE, ORGANIZER].map(|kind| {
        let ids = format!("SELECT id FROM {} WHERE image_id = NEW.id", kind.0);
        entries(kind, &ids, "TRUE", dialect)
    });
    (dialect.trigger)(
        "image_described",
        ["AFTER UPDATE OF alt", "image", "OLD.alt <> NEW.alt"],
        &showing.concat(),
    )
}
