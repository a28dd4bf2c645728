//! Requests at full load, relative to the limit: a server of constant bytes.

use std::time::Duration;

use anyhow::ensure;
use domain::time::Timestamp;
use tokio::{select, time::interval};

use super::{Bench, each, short};
use crate::{
    client::{Client, Request},
    data::{Caches, Calendar, Store},
    facts::{self, Facts},
    load::Load,
    process::Server,
    report::Row,
};

/// Number of different pages of the list.
const PAGES: usize = 100;

/// Number of events read once in each round.
const COLD: usize = 400;

/// Number of searches in a round.
const SEARCHES: usize = 100;

/// The rows about load, on SQLite, and memory after all of it.
pub(crate) async fn run(bench: &Bench, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(100_000);
    let at = short(events);
    let calendar = bench.program.copy(Store::Sqlite, events, "run")?;
    let facts = gather(bench, &calendar).await?;
    let token = calendar.token(&bench.program)?;
    let bare = bench.bare(&facts.bodies)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;

    let name = |what: &str| format!("{what}, SQLite, {at}");
    let mut list = Row::most(name("list of ten, repeated: CPU"), 4.0, 2.0, " ×");
    let mut rate = Row::least(
        name("list of ten, repeated: requests a second"),
        35.0,
        60.0,
        " %",
    );
    let mut pages = Row::most(name("100 different pages"), 8.0, 3.0, " ×");
    let mut writes = Row::most(name("100 pages under 20 writes a second"), 30.0, 8.0, " ×");
    let mut one = Row::most(name("one event, repeated"), 4.0, 2.0, " ×");
    let mut cold = Row::most(name("one event, cold"), 90.0, 15.0, " ×");
    let mut categories = Row::most(name("categories with counts"), 10.0, 5.0, " ×");
    let mut near = Row::most(name("events at venues near a place"), 10.0, 4.0, " ×");
    let mut search = Row::most(name("search, 30 days: CPU"), 3.0, 1.5, " ms");

    let get = |path: &str| [Request::get(path)];
    let hundred: Vec<_> = (1..=PAGES.min(facts.ids.len() / 10))
        .map(|number| Request::get(&facts::page(number)))
        .collect();
    let limits: Vec<_> = (0..facts.bodies.len())
        .map(|number| get(&format!("/{number}")))
        .collect();
    for round in 0..bench.rounds {
        calendar.warm()?;
        let limit = bench.repeat(&bare, &limits[0]).await?;
        let first = bench.repeat(&server, &get(&facts::list())).await?;
        check_length(&first, &facts.bodies[0])?;
        compare(&mut list, first, limit);
        rate.push(100.0 * first.per_second() / limit.per_second(), "");
        let many = bench.repeat(&server, &hundred).await?;
        compare(&mut pages, many, limit);
        let changed = under_writes(bench, &server, &hundred, &facts, &token).await?;
        compare(&mut writes, changed, limit);

        let limit = bench.repeat(&bare, &limits[1]).await?;
        let again = bench
            .repeat(&server, &get(&facts::event(facts.ids[0])))
            .await?;
        compare(&mut one, again, limit);
        let ids: Vec<_> = facts.ids.iter().skip(1 + round * COLD).take(COLD).collect();
        if !ids.is_empty() {
            let fresh: Vec<_> = ids
                .iter()
                .map(|id| Request::get(&facts::event(**id)))
                .collect();
            compare(&mut cold, each(&server, &fresh).await?, limit);
        }
        for (row, number, path) in [
            (&mut categories, 2, facts::categories()),
            (&mut near, 3, facts.near.clone()),
        ] {
            let limit = bench.repeat(&bare, &limits[number]).await?;
            let load = bench.repeat(&server, &get(&path)).await?;
            compare(row, load, limit);
        }
        calendar.warm()?;
        let numbers = round * SEARCHES..(round + 1) * SEARCHES;
        let searches: Vec<_> = numbers
            .map(|number| Request::get(&facts::search(number, now)))
            .collect();
        let load = each(&server, &searches).await?;
        let remark = format!("{:.2} ms until the answer", load.wall_ms());
        search.push(load.cpu_ms(), remark);
    }

    let mut after = Row::most(
        format!("memory after all of it, SQLite, {at}"),
        96.0,
        64.0,
        " MiB",
    );
    push_memory(&mut after, &server)?;
    let mut rows = vec![list, rate, pages, writes];
    for store in &bench.stores {
        rows.push(uncached(bench, *store).await?);
    }
    rows.extend([one, cold, search, categories, near, after]);
    Ok(rows)
}

/// Reads the facts about a calendar from a server of its own.
pub(crate) async fn gather(bench: &Bench, calendar: &Calendar) -> anyhow::Result<Facts> {
    let server = bench.program.serve(calendar, Caches::Default)?;
    let facts = Facts::gather(&server, 1 + COLD * bench.rounds).await?;
    eprintln!(
        "{}, {}: {} upcoming events, {} with the rare word, {} MiB on disk",
        calendar.store.name(),
        short(calendar.events),
        facts.total,
        facts.rare,
        calendar.bytes() >> 20
    );
    server.stop()?;
    Ok(facts)
}

/// The list of a server without caches.
async fn uncached(bench: &Bench, store: Store) -> anyhow::Result<Row> {
    let events = bench.size(100_000);
    let name = format!(
        "list of ten, caches off, {}, {}",
        store.name(),
        short(events)
    );
    let goal = if store == Store::Sqlite { 45.0 } else { 100.0 };
    let mut row = Row::most(name, 160.0, goal, " ×");
    let calendar = bench.program.seeded(store, events)?;
    let facts = gather(bench, &calendar).await?;
    let bare = bench.bare(&facts.bodies)?;
    let server = bench.program.serve(&calendar, Caches::Off)?;
    for _ in 0..bench.rounds {
        let limit = bench.repeat(&bare, &[Request::get("/0")]).await?;
        let list = bench
            .repeat(&server, &[Request::get(&facts::list())])
            .await?;
        check_length(&list, &facts.bodies[0])?;
        compare(&mut row, list, limit);
    }
    Ok(row)
}

/// Requests pages while events on them change.
pub(super) async fn under_writes(
    bench: &Bench,
    server: &Server,
    pages: &[Request],
    facts: &Facts,
    token: &str,
) -> anyhow::Result<Load> {
    let mut client = Client::connect(server.address).await?;
    let writing = async {
        let mut beat = interval(Duration::from_millis(50));
        for number in 0_usize.. {
            beat.tick().await;
            let id = facts.ids[(number * 37) % facts.ids.len().min(10 * PAGES)];
            let json = format!(r#"{{"website": "https://www.example.org/{number}"}}"#);
            let request = Request::json("PUT", &facts::event(id), token, &json);
            let status = client.send(&request).await?.status;
            ensure!(status == 200, "status of a change: {status}");
        }
        Ok(())
    };
    select! {
        load = bench.repeat(server, pages) => load,
        failed = writing => Err(failed.err().unwrap_or_else(|| anyhow::anyhow!("writes ended"))),
    }
}

/// Checks that responses have about the expected length.
fn check_length(load: &Load, body: &[u8]) -> anyhow::Result<()> {
    let length = load.bytes / load.requests.max(1);
    let expected = body.len();
    ensure!(
        length.abs_diff(expected) <= expected / 4,
        "answers of {length} bytes, expected {expected}"
    );
    Ok(())
}

/// Adds the CPU time of a request, relative to the limit.
fn compare(row: &mut Row, load: Load, limit: Load) {
    let remark = format!(
        "{:.3} ms, limit {:.3} ms; {:.0}/s, limit {:.0}/s",
        load.cpu_ms(),
        limit.cpu_ms(),
        load.per_second(),
        limit.per_second()
    );
    row.push(load.cpu_ms() / limit.cpu_ms(), remark);
}

/// Adds the memory of a server to a row, in MiB.
pub(crate) fn push_memory(row: &mut Row, server: &Server) -> anyhow::Result<()> {
    let memory = server.memory()?;
    row.push(
        memory.resident,
        format!("PSS {:.1} MiB", memory.proportional),
    );
    Ok(())
}
