//! Columns and tables that triggers maintain, compared by the queries of the migrations.

use std::collections::BTreeMap;

use app::ports::StoreError;
use migration::{Derived, journal};
use sea_orm::ConnectionTrait as _;

use super::{Findings, Work};

impl Work<'_> {
    /// Compares derived rows or columns.
    pub(super) async fn derived(
        &self,
        derived: &Derived,
        found: &mut Findings,
    ) -> Result<(), StoreError> {
        let mut differing: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
        let rows: Vec<(String, String, String)> = self.rows(derived.differences()).await?;
        for (record, side, content) in rows {
            let [stored, expected] = differing.entry(record).or_default();
            let side = if side == "stored" { stored } else { expected };
            *side = Some(content);
        }
        let nothing = || "nothing".to_owned();
        let is_differing = !differing.is_empty();
        for (record, [stored, expected]) in differing {
            found.derived(
                format!("{}: {record}", derived.table),
                stored.unwrap_or_else(nothing),
                expected.unwrap_or_else(nothing),
            );
        }
        if self.mends && is_differing {
            for statement in derived.repair() {
                self.run(&statement).await?;
            }
        }
        Ok(())
    }

    /// Compares the last entry of each record with the record, and looks for gaps.
    pub(super) async fn journal(&self, found: &mut Findings) -> Result<(), StoreError> {
        for (before, after) in self.rows::<(i64, i64)>(journal::GAPS).await? {
            found.written(
                format!("journal: entries {} to {}", before + 1, after - 1),
                "nothing",
                "entries without a gap: readers behind it have to read everything again",
            );
        }
        let now = self.now.seconds().to_string();
        let rows: Vec<(String, String, String)> = self.rows(journal::differences(&now)).await?;
        let is_differing = !rows.is_empty();
        for (record, stored, expected) in rows {
            found.derived(format!("journal: {record}"), stored, expected);
        }
        if self.mends && is_differing {
            let backend = self.session.connection.get_database_backend();
            self.run(&journal::repair(backend, &now)).await?;
        }
        Ok(())
    }
}
