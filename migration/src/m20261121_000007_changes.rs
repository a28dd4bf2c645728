//! Which records changed, for those who keep what they read.
//!
//! Triggers note every row of a record that is changed or deleted, whoever does it and by whichever
//! way: also what a database does by itself when something goes that was named. New records are not
//! noted, as nobody can have kept them. Of the many that are noted, the last are enough: who comes
//! later than that forgets everything.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The tables of records.
const RECORDS: [&str; 6] = ["event", "venue", "organizer", "category", "tag", "image"];

/// Tables with rows that belong to events. Such rows come with a change of their event, but some go
/// without, as when the category goes that they name.
const OF_EVENTS: [&str; 4] = [
    "event_category",
    "event_tag",
    "event_organizer",
    "event_ticket",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let statements = match manager.get_database_backend() {
            DbBackend::Postgres => postgres(),
            _ => sqlite(),
        };
        for statement in statements {
            connection.execute_unprepared(&statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let mut statements = Vec::new();
        for (trigger, table) in triggers() {
            statements.push(if postgres {
                format!("DROP TRIGGER {trigger} ON {table}")
            } else {
                format!("DROP TRIGGER {trigger}")
            });
        }
        statements.push("DROP TABLE change".to_owned());
        if postgres {
            statements.push("DROP TABLE change_pruned".to_owned());
            for function in ["record", "row_of_event", "schedule", "prune"] {
                statements.push(format!("DROP FUNCTION change_note_{function}()"));
            }
        }
        for statement in statements {
            connection.execute_unprepared(&statement).await?;
        }
        Ok(())
    }
}

/// The triggers, each with its table.
fn triggers() -> Vec<(String, &'static str)> {
    let of_records = RECORDS.into_iter().flat_map(|table| {
        ["updated", "deleted"].map(|happened| (format!("change_{table}_{happened}"), table))
    });
    let of_events = OF_EVENTS.map(|table| (format!("change_{table}_deleted"), table));
    of_records
        .chain(of_events)
        .chain([("change_event_scheduled".to_owned(), "event")])
        .collect()
}

/// One writes at a time there, so that numbers come in the order of commits, and without a gap.
fn sqlite() -> Vec<String> {
    let mut statements = vec![
        "CREATE TABLE change (
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            record_id INTEGER NOT NULL
        )"
        .to_owned(),
        "CREATE TRIGGER change_pruned AFTER INSERT ON change WHEN NEW.n % 1000 = 0 BEGIN
            DELETE FROM change WHERE n <= NEW.n - 10000;
        END"
        .to_owned(),
        // Terms are kept with the moments at which what is scheduled begins to count for them.
        "CREATE TRIGGER change_event_scheduled AFTER UPDATE OF published_utc ON event
        WHEN OLD.published_utc IS NOT NEW.published_utc BEGIN
            INSERT INTO change (kind, record_id)
            SELECT 'category', term_id FROM event_category WHERE event_id = NEW.id
            UNION ALL SELECT 'tag', term_id FROM event_tag WHERE event_id = NEW.id;
        END"
        .to_owned(),
    ];
    for table in RECORDS {
        for (happened, event) in [("updated", "UPDATE"), ("deleted", "DELETE")] {
            statements.push(format!(
                "CREATE TRIGGER change_{table}_{happened} AFTER {event} ON {table} BEGIN
                    INSERT INTO change (kind, record_id) VALUES ('{table}', OLD.id);
                END"
            ));
        }
    }
    for table in OF_EVENTS {
        statements.push(format!(
            "CREATE TRIGGER change_{table}_deleted AFTER DELETE ON {table} BEGIN
                INSERT INTO change (kind, record_id) VALUES ('event', OLD.event_id);
            END"
        ));
    }
    statements
}

/// Many write at a time there, and a number that was drawn first may be committed last. So each change
/// carries its transaction, of which every snapshot tells whether it is seen.
fn postgres() -> Vec<String> {
    let mut statements: Vec<_> = [
        "CREATE TABLE change (
            xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
            kind text NOT NULL,
            record_id bigint NOT NULL
        )",
        "CREATE INDEX change_xid ON change (xid)",
        // Of transactions before this one, changes may be missing.
        "CREATE TABLE change_pruned (xid xid8 NOT NULL)",
        "INSERT INTO change_pruned VALUES ('0')",
        "CREATE FUNCTION change_note_record() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO change (kind, record_id) VALUES (TG_TABLE_NAME, OLD.id);
            RETURN NULL;
        END $$",
        "CREATE FUNCTION change_note_row_of_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO change (kind, record_id) VALUES ('event', OLD.event_id);
            RETURN NULL;
        END $$",
        "CREATE FUNCTION change_note_schedule() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO change (kind, record_id)
            SELECT 'category', term_id FROM event_category WHERE event_id = NEW.id
            UNION ALL SELECT 'tag', term_id FROM event_tag WHERE event_id = NEW.id;
            RETURN NULL;
        END $$",
        // One transaction in a thousand prunes, unless another is at it.
        "CREATE FUNCTION change_note_prune() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
            own numeric := pg_current_xact_id()::text::numeric;
            oldest xid8 := greatest(own - 10000, 0)::text::xid8;
        BEGIN
            IF own % 1000 = 0
                AND pg_try_advisory_xact_lock(hashtextextended('change/prune', 0)) THEN
                UPDATE change_pruned SET xid = oldest WHERE xid < oldest;
                DELETE FROM change WHERE xid < oldest;
            END IF;
            RETURN NULL;
        END $$",
        "CREATE TRIGGER change_pruned AFTER INSERT ON change
            FOR EACH STATEMENT EXECUTE FUNCTION change_note_prune()",
        "CREATE TRIGGER change_event_scheduled AFTER UPDATE OF published_utc ON event
            FOR EACH ROW WHEN (OLD.published_utc IS DISTINCT FROM NEW.published_utc)
            EXECUTE FUNCTION change_note_schedule()",
    ]
    .map(str::to_owned)
    .into();
    for table in RECORDS {
        for (happened, event) in [("updated", "UPDATE"), ("deleted", "DELETE")] {
            statements.push(format!(
                "CREATE TRIGGER change_{table}_{happened} AFTER {event} ON {table}
                FOR EACH ROW EXECUTE FUNCTION change_note_record()"
            ));
        }
    }
    for table in OF_EVENTS {
        statements.push(format!(
            "CREATE TRIGGER change_{table}_deleted AFTER DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION change_note_row_of_event()"
        ));
    }
    statements
}
