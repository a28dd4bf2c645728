//! `zones`: shows the version of the time zone data, and the events that newer data moved.

use adapters_db::{SeaOrmStore, ZoneMove};
use anyhow::Context;
use domain::time::{Timestamp, ZoneData};

use crate::{output, settings::Settings, wiring};

/// Returns the version and the moved events as text. The database is not changed: the next start
/// updates it.
///
/// # Errors
///
/// If the database does not answer, or if its schema is newer than the program.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    wiring::with_store(settings, show).await
}

async fn show(store: &SeaOrmStore) -> anyhow::Result<String> {
    let program = ZoneData::version_in_use();
    if store.pending().await.context("cannot read the schema")? > 0 {
        return Ok(format!(
            "Program   {program}\n\
             Database  new, or of an earlier version of the program: the next start updates it\n"
        ));
    }
    let database = match store.zone_data().await? {
        None => format!("{program}, from the next start on"),
        Some(database) if database < *program => {
            format!("{database}; the next start recomputes its times")
        }
        Some(database) => database.to_string(),
    };
    let moved = moves(store.zone_moves().await?);
    Ok(format!(
        "Program   {program}\nDatabase  {database}\n\n{moved}"
    ))
}

/// Tables of the events that moved, and of the tickets that a person should check.
fn moves(moves: Vec<ZoneMove>) -> String {
    let (tickets, events): (Vec<_>, Vec<_>) =
        moves.into_iter().partition(|one| one.ticket.is_some());
    if events.is_empty() {
        return "No event has moved.\n".to_owned();
    }
    let time = |time: Option<Timestamp>| time.map_or("-".to_owned(), |time| time.to_string());
    let rows = events.into_iter().map(|one| {
        let [old, new] = one.versions;
        [
            one.event.to_string(),
            one.zone,
            format!("{old} to {new}"),
            time(one.before[0]),
            time(one.after[0]),
            time(one.before[1]),
            time(one.after[1]),
        ]
    });
    let header = [
        "EVENT",
        "ZONE",
        "DATA",
        "START BEFORE (UTC)",
        "START (UTC)",
        "END BEFORE (UTC)",
        "END (UTC)",
    ];
    let mut text = output::table(header, rows.collect());
    if !tickets.is_empty() {
        text.push_str(
            "\nTickets of these events. Their times are stored in UTC and did not move; \
             look whether they are still meant so:\n\n",
        );
        let rows = tickets.into_iter().map(|one| {
            [
                one.event.to_string(),
                one.ticket.unwrap_or_default(),
                time(one.after[0]),
                time(one.after[1]),
            ]
        });
        let header = ["EVENT", "TICKET", "FROM (UTC)", "UNTIL (UTC)"];
        text.push_str(&output::table(header, rows.collect()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_events_in_tables() {
        assert_eq!(moves(Vec::new()), "No event has moved.\n");
        let at = |seconds| Timestamp::from_seconds(seconds);
        let moved = |ticket: Option<&str>, after| ZoneMove {
            event: 7,
            ticket: ticket.map(str::to_owned),
            zone: "Africa/Casablanca".to_owned(),
            versions: ["2025b".to_owned(), "2026f".to_owned()],
            before: [at(0), at(60)],
            after,
        };
        let shown = moves(vec![
            moved(None, [at(3600), at(3660)]),
            moved(Some("Seat"), [at(0), None]),
        ]);
        let lines: Vec<_> = shown.lines().collect();
        assert_eq!(
            lines[1],
            "7      Africa/Casablanca  2025b to 2026f  1970-01-01 00:00:00  1970-01-01 01:00:00  \
             1970-01-01 00:01:00  1970-01-01 01:01:00"
        );
        assert_eq!(lines[6], "7      Seat    1970-01-01 00:00:00  -");
    }
}
