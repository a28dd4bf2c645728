//! Entries of the journal for the series that were split from another one, or from which it was split, where the audience of
//! that one changes, or that one is deleted: a series shows only the neighbours that the reader may see.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    m20261124_000001_journal::{EVENT, audience},
    m20261126_000001_indirect_journal::{Dialect, entries},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        let connection = manager.get_connection();
        connection.execute_unprepared(&triggers(backend)).await?;
        Ok(())
    }
}

fn triggers(backend: DbBackend) -> String {
    let dialect = Dialect::of(backend);
    let neighbours = |row: &str| {
        let id = |name: &str| match backend {
            DbBackend::Postgres => {
                format!("SELECT ({row}.repetition::json #>> '{{series,{name}}}')::bigint")
            }
            _ => format!("SELECT json_extract({row}.repetition, '$.series.{name}')"),
        };
        format!("{} UNION ALL {}", id("previous"), id("next"))
    };
    let is_series = |row: &str| format!("{row}.repetition IS NOT NULL AND {row}.series_id IS NULL");
    let [was, is] = ["OLD", "NEW"].map(|row| audience(Some(row), EVENT));
    let differs = format!(
        "{} AND ({}) IS DISTINCT FROM ({})",
        is_series("NEW"),
        was[..4].join(", "),
        is[..4].join(", ")
    );
    let changed = "AFTER UPDATE OF stage, published_utc, author_id, hide_from_listings";
    let cause = format!("({} OR {})", was[4], is[4]);
    let shown = entries(EVENT, &neighbours("NEW"), &cause, &dialect);
    let unlinked = entries(EVENT, &neighbours("OLD"), &was[4], &dialect);
    let trigger = dialect.trigger;
    trigger("neighbour_shown", [changed, "event", &differs], &shown)
        + &trigger(
            "neighbour_unlinked",
            ["BEFORE DELETE", "event", &is_series("OLD")],
            &unlinked,
        )
}
