//! Creations, which are on disk before the response.

use super::Bench;
use crate::{
    client::Request,
    data::{Caches, Store},
    facts,
    load::{self, Plan, Until},
    report::Row,
};

/// Number of concurrent clients.
const CLIENTS: usize = 64;

/// Rate of creations by many clients, relative to one client, on SQLite.
pub(crate) async fn run(bench: &Bench) -> anyhow::Result<Row> {
    let calendar = bench
        .program
        .copy(Store::Sqlite, bench.size(10_000), "creates")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let requests: Vec<_> = (0..10_000)
        .map(|number| {
            let json = format!(
                r#"{{"title": "Made by the benchmark {number}", "start_date": "tomorrow 10:00",
                    "end_date": "tomorrow 12:00", "categories": ["Music"], "tags": ["free entry"]}}"#
            );
            Request::json("POST", &facts::list(), &token, &json)
        })
        .collect();
    let mut row = Row::least(
        "creations, durable: 64 clients against 1, SQLite",
        2.5,
        4.0,
        " ×",
    );
    let plan = |clients| Plan {
        requests: &requests,
        clients,
        until: Until::Time(bench.time),
        status: 201,
    };
    for _ in 0..bench.rounds {
        let one = load::run(&server, &plan(1)).await?;
        let many = load::run(&server, &plan(CLIENTS)).await?;
        let (many_rate, one_rate) = (many.per_second(), one.per_second());
        let remark = format!(
            "{many_rate:.0}/s against {one_rate:.0}/s; CPU {:.2} ms each",
            many.cpu_ms()
        );
        row.push(many_rate / one_rate, remark);
    }
    Ok(row)
}
