//! Columns and tables that triggers maintain, compared by the queries of the migrations.

use std::collections::BTreeMap;

use app::ports::StoreError;
use migration::{Derived, journal};
use sea_orm::ConnectionTrait as _;

use super::{Findings, Work};
use crate::error::store_error;

impl Work<'_> {
    /// Compares derived rows or columns.
    pub(super) async fn derived(
        &self,
        derived: &Derived,
        found: &mut Findings,
    ) -> Result<(), StoreError> {
        let mut differing: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
        for row in self.rows(derived.differences()).await? {
            let text = |column: &str| row.try_get::<String>("", column).map_err(store_error);
            let sides = differing.entry(text("record")?).or_default();
            let [stored, expected] = sides;
            let side = if text("side")? == "stored" {
                stored
            } else {
                expected
            };
            *side = Some(text("content")?);
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
        for row in self.rows(journal::GAPS).await? {
            let number = |column: &str| row.try_get::<i64>("", column).map_err(store_error);
            let (before, after) = (number("before_n")?, number("n")?);
            found.written(
                format!("journal: entries {} to {}", before + 1, after - 1),
                "nothing",
                "entries without a gap: readers behind it have to read everything again",
            );
        }
        let now = self.now.seconds().to_string();
        let differing = self.rows(journal::differences(&now)).await?;
        for row in &differing {
            let text = |column: &str| row.try_get::<String>("", column).map_err(store_error);
            let record = format!("journal: {}", text("record")?);
            found.derived(record, text("found")?, text("expected")?);
        }
        if self.mends && !differing.is_empty() {
            let backend = self.session.connection.get_database_backend();
            self.run(&journal::repair(backend, &now)).await?;
        }
        Ok(())
    }
}
