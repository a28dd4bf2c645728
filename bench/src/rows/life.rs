//! Starting, resting, and taking in a file.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::ensure;
use tokio::time::sleep;

use super::{Bench, hot, short};
use crate::{
    client::{Client, Request},
    data::{Caches, Store},
    facts,
    report::Row,
};

/// How long a server rests before its memory is looked at.
const REST: Duration = Duration::from_secs(1);

/// Memory of a server that was asked nothing, and time from its start to its first answer.
pub(crate) async fn start(bench: &Bench) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(100_000);
    let name = format!("memory, idle, SQLite, {}", short(events));
    let mut idle = Row::most(name, 32.0, 20.0, " MiB");
    let calendar = bench.program.seeded(Store::Sqlite, events)?;
    let server = bench.program.serve(&calendar, Caches::AsUsual)?;
    sleep(REST).await;
    hot::push_memory(&mut idle, &server)?;
    server.stop()?;
    let mut rows = vec![idle];
    for events in &bench.sizes {
        let name = format!("start to first answer, SQLite, {}", short(*events));
        let mut row = Row::most(name, 150.0, 50.0, " ms");
        let calendar = bench.program.seeded(Store::Sqlite, *events)?;
        // What the schema lacks is made by the first start alone.
        bench.program.serve(&calendar, Caches::AsUsual)?.stop()?;
        for _ in 0..bench.rounds {
            let begun = Instant::now();
            let server = bench.program.serve(&calendar, Caches::AsUsual)?;
            let listening = begun.elapsed();
            let mut client = Client::connect(server.address).await?;
            let answer = client.ask(&Request::get(&facts::list())).await?;
            ensure!(
                answer.status == 200,
                "the first answer is {}",
                answer.status
            );
            row.values.push(begun.elapsed().as_secs_f64() * 1000.0);
            row.remark = format!("listens after {:.0} ms", listening.as_secs_f64() * 1000.0);
            server.stop()?;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Time to take in a file.
pub(crate) fn import(bench: &Bench, file: &Path) -> anyhow::Result<Row> {
    let mut row = Row::most("import of 6,008 events, SQLite", 10.0, 3.0, " s");
    for _ in 0..bench.rounds {
        let calendar = bench.program.empty("import")?;
        // The first start makes the administrator whose events they become.
        bench.program.serve(&calendar, Caches::AsUsual)?.stop()?;
        let file = file.canonicalize()?;
        let begun = Instant::now();
        row.remark = calendar.import(&bench.program, &file)?;
        row.values.push(begun.elapsed().as_secs_f64());
    }
    Ok(row)
}
