//! IDs that a caller chooses for new records.

use app::ports::StoreError;
use domain::Kind;
use sea_orm::{DbBackend, EntityName, IdenStatic, Statement};

use crate::{
    connection::Connection,
    entity::{RecordColumn, occurrence},
    error::store_error,
    session::Session,
};

/// The maximum number of IDs that are skipped one by one. A jump of the sequence is not atomic: a
/// concurrent caller that draws more IDs at the same moment would get some of them twice.
const SKIPPED: i64 = 10_000;

/// Raises a sequence to at least a value, and returns the one that it had.
const RAISE: &str = "
    SELECT last, CASE
        WHEN last >= $3 THEN last
        WHEN last < $3 - $4 THEN setval(name, $3)
        ELSE (
            SELECT max(drawn) FROM (SELECT nextval(name) AS drawn FROM generate_series(last + 1, $3)) AS each
        )
    END FROM (
        SELECT name, COALESCE(pg_sequence_last_value(name), 0) AS last
        FROM (SELECT CAST(pg_get_serial_sequence($1, $2) AS regclass) AS name) AS named
    ) AS present";

impl<C: Connection> Session<C> {
    /// Makes sure that the next IDs of records of a kind are greater than `id`. No concurrent unit of
    /// work that this one does not see can then give `id` to a record, except one that makes this
    /// unit conflict.
    pub(crate) async fn reserve_ids(
        &self,
        kind: Kind,
        table: &'static str,
        id: i64,
    ) -> Result<(), StoreError> {
        if !self.is_postgres() {
            // AUTOINCREMENT follows the greatest ID of the table, and there is one writer.
            return Ok(());
        }
        let column = RecordColumn::Id.as_str();
        let values = [table.into(), column.into(), id.into(), SKIPPED.into()];
        let raise = Statement::from_sql_and_values(DbBackend::Postgres, RAISE, values);
        let row = self.connection.query_one_raw(raise).await;
        let row = row.map_err(store_error)?;
        let last = row.map(|row| row.try_get_by::<i64, _>("last")).transpose();
        let last = last.map_err(store_error)?.unwrap_or_default();
        if kind == Kind::Event && id <= last {
            // An occurrence has its ID in another table, whose key does not make an event conflict.
            let table = occurrence::Entity.table_name();
            let lock = format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE");
            let lock = Statement::from_string(DbBackend::Postgres, lock);
            self.connection
                .execute_raw(lock)
                .await
                .map_err(store_error)?;
        }
        Ok(())
    }
}
