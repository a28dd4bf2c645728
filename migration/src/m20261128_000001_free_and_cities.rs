//! Columns for filters of lists of events: whether an event is free, and the city of its venue.
//!
//! - `event.is_free`: the event costs nothing.
//! - `venue_city`: the folded city of a venue, as readers of each language see it; no row without a
//!   city.
//!
//! The rules of prices and of folding are those of the program. This migration copies the cities as
//! they are written, and marks events without cost whose tickets are for 0. The program folds the
//! cities, and marks the events with a cost of 0, in the same transaction.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A city may be longer than PostgreSQL accepts in a B-tree.
        let (integer, key, by_city) = if manager.get_database_backend() == DbBackend::Postgres {
            ("bigint", "text COLLATE \"C\"", "USING hash (city_key)")
        } else {
            ("integer", "text", "(city_key, language)")
        };
        let statements = format!(
            "
    ALTER TABLE event ADD COLUMN is_free boolean NOT NULL DEFAULT FALSE;
    CREATE TABLE venue_city (
        venue_id {integer} NOT NULL,
        language text NOT NULL,
        city_key {key} NOT NULL,
        PRIMARY KEY (venue_id, language),
        FOREIGN KEY (venue_id) REFERENCES venue (id) ON DELETE CASCADE
    );
    INSERT INTO venue_city (venue_id, language, city_key)
        SELECT venue.id, reader.language, COALESCE(shown.city, venue.city)
        FROM venue
        CROSS JOIN (SELECT 'ar' AS language UNION ALL SELECT 'en' UNION ALL SELECT 'fr') AS reader
        LEFT JOIN venue_translation AS shown
            ON shown.record_id = venue.id AND shown.language = reader.language
        WHERE COALESCE(shown.city, venue.city) <> '';
    UPDATE event SET is_free = TRUE WHERE cost = ''
        AND EXISTS (SELECT 1 FROM event_ticket WHERE event_id = event.id)
        AND NOT EXISTS (SELECT 1 FROM event_ticket
            WHERE event_id = event.id AND CAST(price AS numeric) <> 0);
    CREATE INDEX venue_city_key ON venue_city {by_city};

    -- Public lists of free events, and of all others.
    CREATE INDEX event_listed_free ON event
        (is_free, start_utc, id, end_utc, published_utc, listed, password_hash)
        WHERE listed AND password_hash IS NULL;"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}
