//! IDs that a caller chooses for new records.

use app::ports::StoreError;
use domain::Kind;
use sea_orm::{DbBackend, EntityName, IdenStatic, Statement};

use crate::{
    connection::raw,
    entity::{RecordColumn, occurrence},
    session::Session,
    tables::Table,
};

/// The maximum number of IDs that are skipped one by one. A jump of the sequence is not atomic: a
/// concurrent caller that draws more IDs at the same moment would get some of them twice.
const SKIPPED: i64 = 10_000;

/// Raises the sequence of a table to at least a value, and returns the one that it had.
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

impl Session {
    /// Makes sure that the next IDs of a table are greater than `id`. Returns whether a concurrent
    /// unit of work, which this one does not see, may have taken `id` before.
    pub(crate) async fn reserve_ids(
        &self,
        table: &'static str,
        id: i64,
    ) -> Result<bool, StoreError> {
        let statement = if self.is_postgres() {
            let column = RecordColumn::Id.as_str();
            let values = [table.into(), column.into(), id.into(), SKIPPED.into()];
            Statement::from_sql_and_values(DbBackend::Postgres, RAISE, values)
        } else {
            // The greatest ID of the table alone raises the sequence by itself.
            let values = [id.into(), table.into()];
            let raise =
                "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ? RETURNING 0 AS last";
            Statement::from_sql_and_values(DbBackend::Sqlite, raise, values)
        };
        let last: Option<i64> = raw::value(&self.connection, statement).await?;
        Ok(id <= last.unwrap_or_default())
    }

    /// Makes sure that no concurrent unit of work gives `id` to an event or an occurrence, or else
    /// that the units conflict.
    pub(super) async fn reserve_id<R: Table>(&self, id: i64) -> Result<(), StoreError> {
        if !self.is_postgres() {
            return Ok(()); // one writer, and the sequence follows the IDs of the table
        }
        if self.reserve_ids(R::table(), id).await? && R::KIND == Kind::Event {
            // The key of events does not make an occurrence with the same ID conflict.
            let table = occurrence::Entity.table_name();
            let lock = format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE");
            let lock = Statement::from_string(DbBackend::Postgres, lock);
            raw::run(&self.connection, lock).await?;
        }
        Ok(())
    }
}
