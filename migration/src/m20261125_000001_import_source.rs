//! The records that sources of imports brought: each with the unique identifier that its source has for
//! it, the state of the last import, and the digest of its content there. A row goes with its record.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The tables of records, which have the names of their kinds.
const KINDS: [&str; 5] = ["event", "venue", "organizer", "category", "tag"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_postgres = manager.get_database_backend() == DbBackend::Postgres;
        // Identifiers are compared by their bytes on both databases.
        let (integer, key) = if is_postgres {
            ("bigint", "text COLLATE \"C\"")
        } else {
            ("integer", "text")
        };
        let table = format!(
            "
    CREATE TABLE import_source (
        source {key} NOT NULL,
        kind text NOT NULL,
        uid {key} NOT NULL,
        record_id {integer} NOT NULL,
        sequence {integer} NOT NULL,
        stamp_utc {integer},
        digest text NOT NULL,
        PRIMARY KEY (source, kind, uid)
    );
    CREATE INDEX import_source_record ON import_source (kind, record_id);"
        );
        let trigger = if is_postgres { on_postgres } else { on_sqlite };
        let statements = [table, KINDS.map(trigger).concat()].concat();
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}

/// The statement that deletes the rows of a record.
fn forget(kind: &str) -> String {
    format!("DELETE FROM import_source WHERE kind = '{kind}' AND record_id = OLD.id;")
}

fn on_sqlite(kind: &str) -> String {
    let forget = forget(kind);
    format!(
        "
    CREATE TRIGGER import_source_{kind} AFTER DELETE ON {kind} BEGIN {forget} END;"
    )
}

fn on_postgres(kind: &str) -> String {
    let forget = forget(kind);
    format!(
        "
    CREATE FUNCTION import_source_{kind}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        {forget} RETURN NULL; END $$;
    CREATE TRIGGER import_source_{kind} AFTER DELETE ON {kind} FOR EACH ROW
        EXECUTE FUNCTION import_source_{kind}();"
    )
}
