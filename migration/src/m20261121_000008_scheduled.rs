//! Finds, for a category or tag, the events that are published but not yet due, without looking at
//! those that are.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Tables of links between events and terms, each with an index by term.
const LINKS: [&str; 2] = ["event_category", "event_tag"];

/// What stands in an index beside the term.
const COLUMNS: &str = "published_utc, event_id";

const FORMER_COLUMNS: &str = "event_id";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        index(manager, COLUMNS).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        index(manager, FORMER_COLUMNS).await
    }
}

/// Makes the indexes anew.
async fn index(manager: &SchemaManager<'_>, columns: &str) -> Result<(), DbErr> {
    for table in LINKS {
        for statement in [
            format!("DROP INDEX {table}_term"),
            format!("CREATE INDEX {table}_term ON {table} (term_id, {columns})"),
        ] {
            let connection = manager.get_connection();
            connection.execute_unprepared(&statement).await?;
        }
    }
    Ok(())
}
