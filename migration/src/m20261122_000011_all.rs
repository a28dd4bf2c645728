//! Counters of all listed events for longer stretches of time, above those that are there: the length of
//! a list of years is a sum of dozens of them instead of hundreds.
//!
//! The triggers that counted before count them, too.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    m20261121_000006_lists::{
        ALL, OfAll, count_all,
        postgres::{count, of_events},
        sqlite::event_counters,
    },
    m20261121_000008_scheduled::function,
    m20261121_000010_in_category::postgres::event_changed,
    run,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Each stands for about 24 days, or 32 of the others. Counters are written in the order of their scopes:
/// who waits for one of these holds none of the others yet.
const LONG: OfAll = OfAll {
    scope: -1,
    shift: 21,
};

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut statements = vec![count_all(LONG)];
        statements.extend(triggers(manager, &[LONG, ALL]));
        run(manager, statements).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut statements = triggers(manager, &[ALL]);
        let OfAll { scope, .. } = LONG;
        statements.push(format!("DELETE FROM event_starts WHERE scope = {scope}"));
        run(manager, statements).await
    }
}

/// Makes what counts events anew.
fn triggers(manager: &SchemaManager<'_>, all: &[OfAll]) -> Vec<String> {
    if manager.get_database_backend() == DbBackend::Postgres {
        let counted =
            |name, from, step| function(name, &count(&of_events(all, from, step)), "NULL");
        return vec![
            counted("event_added", "added", 1),
            counted("event_removed", "removed", -1),
            event_changed(all),
        ];
    }
    let former = ["added", "changed", "removed"];
    let drop = former.map(|what| format!("DROP TRIGGER event_starts_{what}"));
    drop.into_iter().chain(event_counters(all)).collect()
}
