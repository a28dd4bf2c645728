//! Series: changes against those of a plain event, disk, memory, and the horizon.

use std::time::Instant;

use anyhow::ensure;
use serde_json::{Value, json};

use super::{TEN_YEARS, series};
use crate::{
    client::{Client, Request},
    data::{Caches, Calendar, Store},
    facts::{self, API},
    load,
    process::Server,
    report::Row,
    rows::Bench,
};

/// The number of records that are changed in a round.
const CHANGES: usize = 10;

/// The number of endless series, which are carried on in units of 100.
const ENDLESS: usize = 200;

/// The occurrences of the largest series.
const LARGEST: usize = 5000;

/// The rows of changes of one record.
pub(crate) async fn run(bench: &Bench, store: Store) -> anyhow::Result<Vec<Row>> {
    let calendar = bench
        .program
        .copy(store, bench.size(10_000), "series_changes")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let mut writer = Writer::new(&server, &token).await?;
    let mut rows = [
        "new title of a series",
        "deletion of one",
        "own title of one",
    ]
    .map(|what| {
        let name = format!(
            "{what}, of {TEN_YEARS}, against a plain event: CPU, {}",
            store.name()
        );
        Row::most(name, 2.0, 1.3, " ×")
    });
    for round in 0..bench.rounds {
        let (mut plain, mut repeating) = (Vec::new(), Vec::new());
        for number in 0..CHANGES {
            let series = series(round * CHANGES + number);
            let mut event = series.clone();
            event["recurrence"] = Value::Null;
            for (ids, body) in [(&mut plain, event), (&mut repeating, series)] {
                ids.push(writer.create(&body).await?);
            }
        }
        let title = json!({ "title": "Renamed" }).to_string();
        let other = json!({ "title": "Renamed again" }).to_string();
        let of = |ids: &[i64], rest: &str| -> Vec<String> {
            ids.iter()
                .map(|id| format!("{API}/events/{id}{rest}"))
                .collect()
        };
        let (events, whole) = (of(&plain, ""), of(&repeating, ""));
        let third = of(&repeating, "/occurrences/2027-01-19");
        let fourth = of(&repeating, "/occurrences/2027-01-26");
        let renamed = writer.cost("PATCH", &events, &title).await?;
        let all = writer.cost("PATCH", &whole, &title).await?;
        let one = writer.cost("PATCH", &third, &other).await?;
        let gone = writer.cost("DELETE", &fourth, "{}").await?;
        let deleted = writer.cost("DELETE", &events, "{}").await?;
        let costs = [(all, renamed), (gone, deleted), (one, renamed)];
        for (row, (cost, plain)) in rows.iter_mut().zip(costs) {
            row.push(cost / plain, format!("{cost:.2} ms against {plain:.2} ms"));
        }
    }
    drop(server);
    let mut rows = Vec::from(rows);
    rows.push(extension(bench, &calendar, &token).await?);
    if store == Store::Sqlite {
        rows.extend(sizes(bench).await?);
    }
    Ok(rows)
}

/// The row of the month by which endless series are carried on.
async fn extension(bench: &Bench, calendar: &Calendar, token: &str) -> anyhow::Result<Row> {
    let name = format!(
        "100 endless weekly series carried on by a month, {}",
        calendar.store.name()
    );
    let mut row = Row::most(name, 200.0, 50.0, " ms");
    let server = bench.program.serve(calendar, Caches::Default)?;
    let mut writer = Writer::new(&server, token).await?;
    for number in 0..ENDLESS {
        let mut endless = series(number);
        endless["recurrence"] = json!("FREQ=WEEKLY");
        writer.create(&endless).await?;
    }
    server.stop()?;
    for round in 0..bench.rounds {
        let months = (61 + round).to_string();
        let maintain = || -> anyhow::Result<(f64, String)> {
            let begun = Instant::now();
            let arguments = ["maintain", "--recurrence-months", &months];
            let said = calendar.run(&bench.program, &arguments)?;
            Ok((1000.0 * begun.elapsed().as_secs_f64(), said))
        };
        let (extended, said) = maintain()?;
        let (nothing, _) = maintain()?;
        let expected = format!("series extended: {ENDLESS},");
        ensure!(said.starts_with(&expected), "maintain: {said}");
        let units = load::count(ENDLESS) / 100.0;
        row.push((extended - nothing) / units, said.trim());
    }
    Ok(row)
}

/// The rows of disk and memory.
async fn sizes(bench: &Bench) -> anyhow::Result<[Row; 2]> {
    let mut disk = Row::most("disk of an occurrence, SQLite", 500.0, 320.0, " bytes");
    let mut memory = Row::most(
        format!("memory of a creation of {LARGEST} occurrences, SQLite"),
        8.0,
        8.0,
        " MiB",
    );
    for _ in 0..bench.rounds {
        let calendar = bench
            .program
            .copy(Store::Sqlite, bench.size(10_000), "series_sizes")?;
        let token = calendar.token(&bench.program)?;
        let fill = async |count: usize| -> anyhow::Result<u64> {
            let server = bench.program.serve(&calendar, Caches::Default)?;
            let mut writer = Writer::new(&server, &token).await?;
            for number in 0..count {
                writer.create(&series(number)).await?;
            }
            server.stop()?;
            Ok(calendar.bytes())
        };
        // The first one creates venue, organizer and terms.
        let before = fill(1).await?;
        let after = fill(CHANGES).await?;
        let added = u32::try_from(after - before)?;
        disk.push(f64::from(added) / load::count(CHANGES * TEN_YEARS), "");

        let server = bench.program.serve(&calendar, Caches::Default)?;
        let mut writer = Writer::new(&server, &token).await?;
        for number in 0..CHANGES {
            writer.create(&series(number)).await?;
        }
        let before = server.memory()?.resident;
        let mut largest = series(0);
        largest["recurrence"] = json!(format!("FREQ=DAILY;COUNT={LARGEST}"));
        writer.create(&largest).await?;
        memory.push((server.memory()?.peak - before).max(0.0), "");
    }
    Ok([disk, memory])
}

/// A client that changes records, one at a time.
struct Writer<'a> {
    server: &'a Server,
    client: Client,
    token: &'a str,
}

impl<'a> Writer<'a> {
    async fn new(server: &'a Server, token: &'a str) -> anyhow::Result<Self> {
        let client = Client::connect(server.address).await?;
        Ok(Self {
            server,
            client,
            token,
        })
    }

    /// Creates an event, and returns its ID.
    async fn create(&mut self, body: &Value) -> anyhow::Result<i64> {
        let post = Request::json("POST", &facts::list(), self.token, &body.to_string());
        let response = self.client.send(&post).await?;
        ensure!(
            response.status == 201,
            "a creation was answered {}",
            response.status
        );
        let made: Value = serde_json::from_slice(response.body)?;
        Ok(made["id"].as_i64().unwrap_or_default())
    }

    /// CPU time of a request to each address, in milliseconds.
    async fn cost(&mut self, method: &str, paths: &[String], body: &str) -> anyhow::Result<f64> {
        load::quiet(self.server).await?;
        let before = self.server.cpu()?;
        for path in paths {
            let request = Request::json(method, path, self.token, body);
            let response = self.client.send(&request).await?;
            ensure!(
                response.status == 200,
                "{method} {path} was answered {}",
                response.status
            );
        }
        load::quiet(self.server).await?;
        let cost = self.server.cpu()?.saturating_sub(before).as_secs_f64();
        Ok(1000.0 * cost / load::count(paths.len()))
    }
}
