//! The links of listed events by the start of the event, from which the events of a period are counted by category, tag and
//! organizer.
//!
//! The index of public lists gets the columns by which events are counted, too. PostgreSQL reads these from the rows.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let links = "
    CREATE INDEX event_in_category_start ON event_in_category
        (start_utc, event_id, term_id, published_utc, listed) WHERE listed;
    CREATE INDEX event_tag_start ON event_tag
        (start_utc, event_id, term_id, published_utc, listed) WHERE listed;
    CREATE INDEX event_organizer_start ON event_organizer
        (start_utc, event_id, place_id, published_utc, listed) WHERE listed;";
        let connection = manager.get_connection();
        connection.execute_unprepared(links).await?;
        if manager.get_database_backend() == DbBackend::Postgres {
            return Ok(());
        }
        let events = "
    DROP INDEX event_listed_start;
    CREATE INDEX event_listed_start ON event
        (start_utc, id, end_utc, published_utc, listed, time_zone, sticky, password_hash, venue_id, is_free)
        WHERE listed;";
        connection.execute_unprepared(events).await?;
        Ok(())
    }
}
