//! A database of which the n-th changed row of a write fails.

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};

/// Triggers on each table, which count changed rows down to the one that fails.
pub(super) struct Faults(DatabaseConnection);

impl Faults {
    /// Adds the triggers to a database.
    pub(super) async fn install(url: &str) -> Self {
        let connection = Database::connect(url).await.unwrap();
        let faults = Self(connection);
        faults.execute("CREATE TABLE fault (row BIGINT NOT NULL)").await;
        faults.execute("INSERT INTO fault VALUES (0)").await;
        let is_sqlite = faults.0.get_database_backend() == DbBackend::Sqlite;
        if !is_sqlite {
            faults
                .execute(
                    "CREATE FUNCTION fail_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                     UPDATE fault SET row = row - 1 WHERE row > 0; \
                     IF FOUND AND (SELECT row FROM fault) = 0 THEN RAISE EXCEPTION 'the disk fails'; END IF; \
                     RETURN NULL; END $$",
                )
                .await;
        }
        let tables = faults.tables(is_sqlite).await;
        let triggers = tables.iter().flat_map(|table| {
            ["INSERT", "UPDATE", "DELETE"].map(|operation| {
                let trigger = format!(
                    "fault_{table}_{operation} AFTER {operation} ON \"{table}\" FOR EACH ROW"
                );
                if is_sqlite {
                    format!(
                        "CREATE TRIGGER {trigger} WHEN (SELECT row FROM fault) > 0 BEGIN \
                         UPDATE fault SET row = row - 1; \
                         SELECT RAISE(ABORT, 'the disk fails') FROM fault WHERE row = 0; END;"
                    )
                } else {
                    format!("CREATE TRIGGER {trigger} EXECUTE FUNCTION fail_row();")
                }
            })
        });
        // One transaction is many times faster than hundreds.
        let triggers = triggers.collect::<Vec<_>>().join("\n");
        faults.execute(&format!("BEGIN;\n{triggers}\nCOMMIT;")).await;
        faults
    }

    /// The tables whose rows fail: all but the counter, and the tables of the search index, which SQLite keeps by itself.
    async fn tables(&self, is_sqlite: bool) -> Vec<String> {
        let sql = if is_sqlite {
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
             AND name NOT LIKE 'sqlite%' AND name <> 'fault'"
        } else {
            "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'fault'"
        };
        let statement = Statement::from_string(self.0.get_database_backend(), sql);
        let rows = self.0.query_all_raw(statement).await.unwrap();
        rows.iter().map(|row| row.try_get("", "name").unwrap()).collect()
    }

    /// Lets the n-th row fail that is changed from now on.
    pub(super) async fn arm(&self, row: usize) {
        self.execute(&format!("UPDATE fault SET row = {row}")).await;
    }

    /// Lets no row fail.
    pub(super) async fn disarm(&self) {
        self.execute("UPDATE fault SET row = 0").await;
    }

    async fn execute(&self, sql: &str) {
        self.0.execute_unprepared(sql).await.unwrap();
    }
}
