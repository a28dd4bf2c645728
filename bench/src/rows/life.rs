//! Start-up, idle memory, and import.

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
    facts, load,
    report::Row,
};

/// Idle time before the memory is measured.
const IDLE: Duration = Duration::from_secs(1);

/// Memory of an idle server, and time from its start to the first response.
pub(crate) async fn start(bench: &Bench) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(100_000);
    let name = format!("memory, idle, SQLite, {}", short(events));
    let mut idle = Row::most(name, 32.0, 20.0, " MiB");
    let calendar = bench.program.seeded(Store::Sqlite, events)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    sleep(IDLE).await;
    hot::push_memory(&mut idle, &server)?;
    server.stop()?;
    let mut rows = vec![idle];
    for events in &bench.sizes {
        let name = format!("start to first answer, SQLite, {}", short(*events));
        let mut row = Row::most(name, 150.0, 50.0, " ms");
        let calendar = bench.program.seeded(Store::Sqlite, *events)?;
        // The first start migrates the schema.
        bench.program.serve(&calendar, Caches::Default)?.stop()?;
        for _ in 0..bench.rounds {
            let begun = Instant::now();
            let server = bench.program.serve(&calendar, Caches::Default)?;
            let listening = begun.elapsed();
            let mut client = Client::connect(server.address).await?;
            let answer = client.send(&Request::get(&facts::list())).await?;
            ensure!(
                answer.status == 200,
                "the first answer is {}",
                answer.status
            );
            let [answered, listening] =
                [begun.elapsed(), listening].map(|time| time.as_secs_f64() * 1000.0);
            row.push(answered, format!("listens after {listening:.0} ms"));
            server.stop()?;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Duration of an import.
pub(crate) async fn import(bench: &Bench, file: &Path) -> anyhow::Result<Row> {
    let mut row = Row::most("import of 6,008 events, SQLite", 10.0, 3.0, " s");
    for _ in 0..bench.rounds {
        let calendar = bench.program.empty("import")?;
        // The first start creates the administrator, the author of the events.
        bench.program.serve(&calendar, Caches::Default)?.stop()?;
        let file = file.canonicalize()?;
        let begun = Instant::now();
        let summary = calendar.import(&bench.program, &file)?;
        let seconds = begun.elapsed().as_secs_f64();
        // Work for the search index that the import left to the next server.
        let server = bench.program.serve(&calendar, Caches::Default)?;
        load::quiet(&server).await?;
        let later = server.cpu()?.as_secs_f64();
        server.stop()?;
        let remark = format!("{summary}; {later:.2} s of CPU time on the next start");
        row.push(seconds, remark);
    }
    Ok(row)
}
