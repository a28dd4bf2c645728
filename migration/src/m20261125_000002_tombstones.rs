//! `event_tombstone`: the events that everybody could list and now cannot, so that feeds can say so.
//!
//! `event_id` is the ID of the event, which may be deleted; a UID has one row at most. `start_day` is
//! the day of an event that takes whole days. `end_utc` is, for a series, the end of its last
//! occurrence. The other columns with IDs hold what the filters of feeds name, separated by commas.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (integer, key) = if manager.get_database_backend() == DbBackend::Postgres {
            ("bigint", "text COLLATE \"C\"")
        } else {
            ("integer", "text")
        };
        let table = format!(
            "
    CREATE TABLE event_tombstone (
        uid {key} NOT NULL PRIMARY KEY,
        event_id {integer} NOT NULL,
        slug {key},
        sequence {integer} NOT NULL,
        ended_utc {integer} NOT NULL,
        start_day text,
        start_utc {integer} NOT NULL,
        end_utc {integer} NOT NULL,
        repeats boolean NOT NULL,
        filter_categories text NOT NULL,
        filter_tags text NOT NULL,
        venue_id {integer},
        filter_organizers text NOT NULL
    );
    CREATE INDEX event_tombstone_event ON event_tombstone (event_id);
    CREATE INDEX event_tombstone_slug ON event_tombstone (slug);
    CREATE INDEX event_tombstone_ended ON event_tombstone (ended_utc);"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&table).await?;
        Ok(())
    }
}
