//! The SeaORM entities declare exactly the tables and columns of the migrated schema.

use std::collections::BTreeSet;

use adapters_db::entity_columns;
use sea_orm::{ColumnType, ConnectionTrait, Database, DbBackend, Statement};
use tests::{both_stores, db::TestDb};

/// A column: table, name, type, whether it is nullable, whether it belongs to the primary key.
type Column = (String, String, &'static str, bool, bool);

/// The columns of all tables, except tables that SQLite and SeaORM create for themselves.
const SQLITE: &str = r"
    SELECT t.name AS table_name, c.name AS column_name, lower(c.type) AS data_type,
        NOT c.[notnull] AND c.pk = 0 AS nullable, c.pk > 0 AS primary_key
    FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
        AND t.name <> 'seaql_migrations'";

/// The same on PostgreSQL, which declares generated columns nullable.
const POSTGRES: &str = "
    SELECT table_name::text, column_name::text, data_type::text,
        is_nullable = 'YES' AND is_generated = 'NEVER' AS nullable,
        EXISTS (SELECT 1 FROM information_schema.key_column_usage AS k
            JOIN information_schema.table_constraints AS t USING (constraint_name, table_name)
            WHERE t.constraint_type = 'PRIMARY KEY' AND k.table_name = c.table_name
                AND k.column_name = c.column_name) AS primary_key
    FROM information_schema.columns AS c
    WHERE table_schema = 'public' AND table_name <> 'seaql_migrations'";

/// The columns of the entities. Every entity of SeaORM has a primary key, so these stand in for one: the
/// transaction IDs of the change log.
fn declared(backend: DbBackend) -> BTreeSet<Column> {
    let columns = entity_columns(backend).into_iter();
    columns
        .map(|column| {
            let kind = match column.kind {
                ColumnType::BigInteger if backend == DbBackend::Postgres => "bigint",
                ColumnType::BigInteger | ColumnType::Integer => "integer",
                ColumnType::String(_) | ColumnType::Text if column.column == "xid" => "xid8",
                ColumnType::String(_) | ColumnType::Text => "text",
                ColumnType::Boolean => "boolean",
                ColumnType::Double => "double",
                ColumnType::VarBinary(_) | ColumnType::Blob => "blob",
                other => panic!("{}.{}: {other:?}", column.table, column.column),
            };
            let primary_key = column.primary_key && column.column != "xid";
            (column.table.to_owned(), column.column.to_owned(), kind, column.nullable, primary_key)
        })
        .collect()
}

async fn migrated(db: &TestDb) -> BTreeSet<Column> {
    let connection = Database::connect(&db.url).await.unwrap();
    let backend = connection.get_database_backend();
    let catalog = if backend == DbBackend::Postgres { POSTGRES } else { SQLITE };
    let select = Statement::from_string(backend, catalog);
    let rows = connection.query_all_raw(select).await.unwrap();
    rows.iter()
        .map(|row| {
            let text = |column| row.try_get::<String>("", column).unwrap();
            let flag = |column| row.try_get::<bool>("", column).unwrap();
            let kind = match text("data_type").as_str() {
                "bigint" if backend == DbBackend::Postgres => "bigint",
                "bigint" | "integer" => "integer",
                "text" => "text",
                "xid8" => "xid8",
                "boolean" => "boolean",
                "double" | "double precision" => "double",
                "blob" | "bytea" => "blob",
                other => panic!("{}: {other}", text("table_name")),
            };
            (text("table_name"), text("column_name"), kind, flag("nullable"), flag("primary_key"))
        })
        .collect()
}

#[both_stores]
async fn entities_declare_the_migrated_schema(db: TestDb) {
    let connection = Database::connect(&db.url).await.unwrap();
    let (declared, migrated) = (declared(connection.get_database_backend()), migrated(&db).await);
    let only = |some: &BTreeSet<Column>, others| -> Vec<Column> {
        some.difference(others).cloned().collect()
    };
    assert_eq!(
        (only(&declared, &migrated), only(&migrated, &declared)),
        (Vec::new(), Vec::new()),
        "only declared, only migrated"
    );
}
